"""Lighthouse, bytes and requests of every page of the built site, as a telephone gets them: ``python -m bench.lighthouse``.

Scores are the medians of ``--rounds`` runs (default 3) of Lighthouse 12, fetched by npx when it is not there yet. The
site is served from this machine, gzipped as a host does it. A busy machine lowers the performance score.
"""

import argparse
import functools
import gzip
import http.server
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
from pathlib import Path

from residual_stream import chromium
from residual_stream.commands.book import SITE

LIGHTHOUSE = "lighthouse@12.2.3"
SCORES = ("performance", "accessibility", "best-practices", "seo")
COMPRESSED = {".html", ".css", ".js", ".svg", ".xml", ".txt"}


class Gzipped(http.server.SimpleHTTPRequestHandler):
    """Serves a folder as GitHub Pages does: texts gzipped, all of it kept for ten minutes."""

    def do_GET(self):
        file = Path(self.translate_path(self.path.split("?")[0]))
        file = file / "index.html" if file.is_dir() else file
        if not file.is_file():
            return self.send_error(404)
        body, small = file.read_bytes(), file.suffix in COMPRESSED
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(file)) + ("; charset=utf-8" if small else ""))
        if small:
            body = gzip.compress(body)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Cache-Control", "max-age=600")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        """The table is the output."""


def report(address, browser):
    """Lighthouse's report of one run. Raises ValueError where it gives none."""
    run = subprocess.run(
        ["npx", "--yes", LIGHTHOUSE, address, "--output=json", "--quiet", "--disable-full-page-screenshot",
         "--chrome-flags=--headless --no-sandbox --disable-gpu"],
        env={**os.environ, "CHROME_PATH": browser}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        raise ValueError(f"Lighthouse failed on {address}: {run.stderr.strip()[-300:]}")
    return json.loads(run.stdout)


def faults(page):
    """The names of the audits in which a report is not perfect, performance left out: its score tells."""
    audits = page["audits"]
    return sorted({audit["id"] for category in SCORES[1:] for audit in page["categories"][category]["auditRefs"]
                   if audit["weight"] and audits[audit["id"]]["score"] not in (None, 1)})


def row(name, reports):
    """One line of the table: medians, bytes and requests of a page."""
    scores = [round(100 * statistics.median(page["categories"][score]["score"] for page in reports)) for score in SCORES]
    items = reports[0]["audits"]["network-requests"]["details"]["items"]
    requests = [item for item in items if not item["url"].startswith("data:")]    # those came with another
    weight = sum(request["transferSize"] for request in requests)
    return (f"| {name} | {' | '.join(map(str, scores))} | {weight:,} | {len(requests)} | "
            f"{', '.join(faults(reports[0])) or 'none'} |")


def main():
    parser = argparse.ArgumentParser(prog="python -m bench.lighthouse", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("pages", nargs="*", help="pages below the site (default: all but 404.html)")
    options = parser.parse_args()
    if not SITE.is_dir():
        sys.exit(f"{SITE} is not there: build the book first (python -m residual_stream book)")
    if not shutil.which("npx"):
        sys.exit("npx is not installed: it comes with node (apt-get install npm)")
    pages = options.pages or sorted(file.relative_to(SITE).as_posix() for file in SITE.rglob("*.html") if file.name != "404.html")
    browser = chromium.find()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Gzipped, directory=SITE)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print("| page | performance | accessibility | best practices | SEO | bytes | requests | not perfect |")
        print("|---|---|---|---|---|---|---|---|", flush=True)
        for name in pages:
            address = f"http://127.0.0.1:{server.server_port}/{name}"
            print(row(name, [report(address, browser) for _ in range(options.rounds)]), flush=True)
        server.shutdown()


if __name__ == "__main__":
    main()
