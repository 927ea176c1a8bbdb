"""The built site, and a real Chromium to read it with."""

import functools
import http.server
import subprocess
import sys
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
SITE = ROOT / "_build" / "html"
SOURCES = ("residual_stream", "_ext", "_templates", "_assets", "chapters", *(path.name for path in ROOT.glob("*.md")),
           "references.bib", "_config.yml", "_toc.yml")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]


def files(source):
    """The files that a source path stands for, caches left out."""
    path = ROOT / source
    found = path.rglob("*") if path.is_dir() else [path]
    return [file for file in found if file.is_file() and "__pycache__" not in file.parts]


def is_stale():
    """Whether a source of the site is younger than the site, or the site is missing."""
    last = SITE / "sitemap.xml"
    built = last.stat().st_mtime if last.is_file() else 0.0
    return any(file.stat().st_mtime > built for source in SOURCES for file in files(source))


@pytest.fixture(scope="session")
def site():
    """The folder of the built site, made anew when it is older than what it is made from."""
    if is_stale():
        result = subprocess.run([sys.executable, "-m", "residual_stream", "book"], cwd=ROOT, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert result.returncode == 0, result.stdout
    return SITE


@pytest.fixture(scope="session")
def pages(site):
    """Every HTML page of the site, as paths below it; the one that stands for missing pages has a test of its own."""
    return sorted(file.relative_to(site).as_posix() for file in site.rglob("*.html") if file.name != "404.html")


@pytest.fixture(scope="session")
def server(site):
    """The address of the site served on this machine, without a slash at its end."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            """A test's output is its result, not the requests."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def chromium(chromium_path, request):
    """One running Chromium."""
    missing = request.config.pluginmanager.get_plugin(str(HERE.parent / "conftest.py")).missing
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("Playwright is not installed: pip install -r requirements/test.txt")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path, args=FLAGS)
        yield browser
        browser.close()


def new_page(browser, width=1280, height=900, **options):
    """A page in a context of its own, which sees nothing of another's; what goes wrong on it is in ``.faults``."""
    page = browser.new_context(viewport={"width": width, "height": height}, **options).new_page()
    page.faults = []
    page.on("console", lambda message: message.type == "error" and page.faults.append(message.text))
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    # A reload drops what is still on its way: the browser calls that aborted, and it is no fault of the page.
    page.on("requestfailed", lambda request: request.failure != "net::ERR_ABORTED"
            and page.faults.append(f"failed: {request.url}"))
    return page


@pytest.fixture(scope="module")
def module_page(chromium):
    """``module_page(width=..., **context options)``: a page of one test module's own."""
    yield from _pages(chromium)


@pytest.fixture
def expect(chromium):
    """Playwright's ``expect``: waits until a page says what it should, for what comes a moment later."""
    from playwright.sync_api import expect
    return expect


@pytest.fixture
def open_page(chromium):
    """``open_page(width=..., **context options)``: a page of one test's own."""
    yield from _pages(chromium)


def _pages(chromium):
    opened = []

    def open_one(*size, **options):
        opened.append(new_page(chromium, *size, **options))
        return opened[-1]

    yield open_one
    for page in opened:
        page.context.close()


@pytest.fixture
def page(open_page):
    """A page at 1280 px in light colours."""
    return open_page()


@pytest.fixture
def file_page(site, page):
    """``file_page("chapters/variance-trace.html")``: that page of the site, opened from its file."""
    return lambda name: _visit(page, f"{site.as_uri()}/{name}")


@pytest.fixture
def http_page(server, page):
    """``http_page("chapters/variance-trace.html")``: that page of the site, over HTTP."""
    return lambda name: _visit(page, f"{server}/{name}")


def _visit(page, address):
    page.goto(address)
    return page
