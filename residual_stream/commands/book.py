"""Execute the notebooks and build the site into _build/html.

Notebooks whose cells have not changed, and whose package has not changed, are not executed again.
A failing cell, a broken link or a formula that does not convert stops the build with exit status 1.

  python -m residual_stream book          build what changed
  python -m residual_stream book --serve  build, then serve it on this machine until Ctrl-C
"""

import functools
import http
import http.server
import os
import re
import sys
from pathlib import Path

import yaml

from residual_stream import notebooks

SITE = Path("_build/html")
# Warnings are errors, and all of them are shown before the build stops.
BUILD = ["build", "-W", "-n", "--keep-going", "."]


def configure(parser):
    parser.add_argument("--serve", action="store_true", help="serve the site after building it")
    parser.add_argument("--port", type=int, default=8000, help="port for --serve (default: 8000)")


def expected_pages(toc=Path("_toc.yml")):
    """The pages that the table of contents promises, as paths below the site."""
    def files(entry):
        yield from (entry[key] for key in ("root", "file") if key in entry)
        for part in (*entry.get("parts", ()), *entry.get("chapters", ()), *entry.get("sections", ())):
            yield from files(part)
    return [f"{name.removesuffix('.ipynb').removesuffix('.md')}.html" for name in files(yaml.safe_load(toc.read_text("utf-8")))]


def run(arguments):
    if not Path("_toc.yml").is_file():
        raise ValueError("no book here: run this in the folder that has _toc.yml")
    if reason := build():
        print(f"\nThe book was not built: {reason}", file=sys.stderr)
        return 1
    absent = [page for page in expected_pages() if not (SITE / page).is_file()]
    if absent:
        print(f"The build wrote no {', '.join(absent)}, which _toc.yml promises.", file=sys.stderr)
        return 1
    print(f"\nThe book is ready. Open it:  {(SITE / 'index.html').resolve().as_uri()}")
    if arguments.serve:
        serve(arguments.port)
    return 0


def build():
    """Run Jupyter Book; the reason in a sentence if it failed, None if it did not."""
    from jupyter_book.cli.main import main

    os.environ.update(notebooks.NO_PROGRESS)
    try:
        main(BUILD, standalone_mode=False)
    except SystemExit as ended:  # Jupyter Book's way to say that there were warnings
        return "the warnings above say where." if ended.code else None
    except RuntimeError as failure:
        return explain(failure)


def explain(failure):
    """The first cause of a failed build: notebook, cell and error if a cell failed."""
    causes = [failure]
    while causes[-1].__cause__:
        causes.append(causes[-1].__cause__)
    if isinstance(causes[-1], KeyboardInterrupt):
        raise causes[-1]
    names = [type(cause).__name__ for cause in causes]
    error = str(causes[-1])
    if "ExecutionError" not in names:
        return f"{names[-1]}: {error}"
    path = Path(str(causes[names.index("ExecutionError")]))
    cells = [(n, c.source.strip()) for n, c in enumerate(notebooks.read(path).cells, 1) if c.cell_type == "code"]
    # nbclient quotes the source of the cell that failed, between two rules, and then the error.
    number, source = max((cell for cell in cells if cell[1] and cell[1] in error), key=lambda cell: len(cell[1]))
    what = (getattr(causes[-1], "ename", "TimeoutError"), getattr(causes[-1], "evalue", "it ran for too long"))
    path = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return f"{path}, cell {number} ({source.partition(chr(10))[0]}): {': '.join(what)}"


class Pages(http.server.SimpleHTTPRequestHandler):
    """The site's files; at an address without one the book's own page says so, as it does where it is published.

    That page's links start from the published address; here they start from the server's.
    """

    def send_error(self, code, message=None, explain=None):
        missing = Path(self.directory, "404.html")
        if code != http.HTTPStatus.NOT_FOUND or not missing.is_file():
            return super().send_error(code, message, explain)
        page = re.sub(rb'<base href="[^"]*">', b'<base href="/">', missing.read_bytes(), count=1)
        self.send_response(code, message)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page)


def serve(port):
    """Serve the site on this machine only, until Ctrl-C."""
    handler = functools.partial(Pages, directory=SITE)
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as fault:
        raise ValueError(f"port {port} cannot be used ({fault.strerror}): choose another with --port") from fault
    with server:
        print(f"Serving it at  http://127.0.0.1:{port}  (Ctrl-C ends)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nStopped.")
