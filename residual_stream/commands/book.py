"""Execute the notebooks and build the site into _build/html.

Notebooks whose cells have not changed, and whose package has not changed, are not executed again.
A failing cell, a broken link or a formula that does not convert stops the build with exit status 1.

  python -m residual_stream book          build what changed
  python -m residual_stream book --serve  build, then serve it on this machine until Ctrl-C
"""

import functools
import http.server
import subprocess
import sys
from pathlib import Path

import yaml

SITE = Path("_build/html")
# jupyter_book has no __main__ module, so its command is called by its function.
BUILD = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", "-W", "-n", "--keep-going", "."]


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
    if status := subprocess.run(BUILD).returncode:
        print("The book was not built: the first error above says where.", file=sys.stderr)
        return status
    absent = [page for page in expected_pages() if not (SITE / page).is_file()]
    if absent:
        print(f"The build wrote no {', '.join(absent)}, which _toc.yml promises.", file=sys.stderr)
        return 1
    print(f"\nThe book is ready. Open it:  {(SITE / 'index.html').resolve().as_uri()}")
    if arguments.serve:
        serve(arguments.port)
    return 0


def serve(port):
    """Serve the site on this machine only, until Ctrl-C."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=SITE)
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
