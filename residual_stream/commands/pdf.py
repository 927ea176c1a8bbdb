"""Print the built book as one PDF, _build/html/the-residual-stream.pdf: bookmarks, figures, formulas, answers at the end.

Chromium prints it: the one that the environment variable CHROMIUM names, or the first that the system has.
Build the book first (python -m residual_stream book).
"""

import os
import subprocess
from pathlib import Path

import yaml

from .. import chromium
from .book import SITE, expected_pages

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--no-pdf-header-footer", "--generate-pdf-document-outline")
PDF, PAGE = SITE / "the-residual-stream.pdf", Path("_build/one-page.html")


def configure(parser):
    """There is nothing to choose."""


def built_pages():
    """(path, HTML) of the book's pages in order. Raises ValueError where the book is not built."""
    if not Path("_toc.yml").is_file():
        raise ValueError("no book here: run this in the folder that has _toc.yml")
    pages = expected_pages()
    if absent := [page for page in pages if not (SITE / page).is_file()]:
        raise ValueError(f"{SITE / absent[0]} is not there: build the book first (python -m residual_stream book)")
    return [(page, (SITE / page).read_text("utf-8")) for page in pages]


def run(arguments):
    from ..one_page import combine

    pages, browser = built_pages(), chromium.find()
    config = yaml.safe_load(Path("_config.yml").read_text("utf-8"))
    style = (SITE / "_static" / "book.css").read_text("utf-8")
    address = os.environ.get("BOOK_ADDRESS") or config["html"]["baseurl"]
    PAGE.write_text(combine(pages, style, config["title"], address.rstrip("/") + "/"), "utf-8")
    PDF.unlink(missing_ok=True)
    printed = subprocess.run([browser, *FLAGS, f"--print-to-pdf={PDF.resolve()}", PAGE.resolve().as_uri()],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if printed.returncode or not PDF.is_file():
        raise ValueError(f"{browser} printed nothing (exit status {printed.returncode}): {printed.stdout.strip()[-300:]}")
    print(f"The book as one PDF ({PDF.stat().st_size / 1e6:.1f} MB):  {PDF.resolve().as_uri()}")
