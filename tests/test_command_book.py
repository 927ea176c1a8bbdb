"""`python -m residual_stream book` on tiny books: what it says when all is well, and when something is not."""

import functools
import http.server
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from residual_stream import notebooks
from residual_stream.commands.book import Pages, expected_pages

CONFIG = """\
title: Tiny
author: someone
only_build_toc_files: true
execute: {execute_notebooks: force, timeout: 4, raise_on_error: true}
html: {use_multitoc_numbering: false}
sphinx: {config: {html_theme: furo, html_theme_options: {}}}
"""


def tiny(folder, source="6 * 7", index="# Tiny\n\nA book.\n"):
    (folder / "_config.yml").write_text(CONFIG)
    (folder / "_toc.yml").write_text("format: jb-book\nroot: index\nchapters:\n- file: one\n")
    (folder / "index.md").write_text(index)
    cells = [new_markdown_cell("# One"), new_code_cell("x = 1"), new_code_cell(source)]
    notebooks.write(new_notebook(cells=cells, metadata=notebooks.NOTEBOOK_METADATA), folder / "one.ipynb")
    return folder


def build(folder, *more):
    command = [sys.executable, "-m", "residual_stream", "book", *more]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_a_built_book_ends_with_its_address(tmp_path):
    done = build(tiny(tmp_path))
    assert done.returncode == 0, done.stderr
    address = (tmp_path / "_build/html/index.html").resolve().as_uri()
    assert done.stdout.rstrip().endswith(f"The book is ready. Open it:  {address}")
    assert "42" in (tmp_path / "_build/html/one.html").read_text()


@pytest.mark.parametrize("source, error", [
    ("y = x\n1 / 0", "one.ipynb, cell 3 (y = x): ZeroDivisionError: division by zero"),
    ("while True: pass", "one.ipynb, cell 3 (while True: pass): TimeoutError: it ran for too long"),
])
def test_a_failing_cell_stops_the_build_and_is_named(tmp_path, source, error):
    done = build(tiny(tmp_path, source))
    assert done.returncode == 1
    assert done.stderr.rstrip().splitlines()[-1] == f"The book was not built: {error}"


def test_a_broken_link_stops_the_build(tmp_path):
    done = build(tiny(tmp_path, index="# Tiny\n\n[away](nowhere.md)\n"))
    assert done.returncode == 1
    assert "nowhere.md" in done.stderr and "The book was not built" in done.stderr.splitlines()[-1]


def test_a_folder_without_a_book_is_told(tmp_path):
    done = build(tmp_path)
    assert done.returncode == 2 and "_toc.yml" in done.stderr and done.stderr.count("\n") == 1


def test_a_port_in_use_is_told(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = build(tiny(tmp_path), "--serve", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 2 and "choose another with --port" in done.stderr.splitlines()[-1]


def test_a_wrong_address_shows_the_books_own_page(tmp_path):
    (tmp_path / "index.html").write_text("first")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Pages, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever).start()
        address = f"http://127.0.0.1:{server.server_port}"

        def refused(path, method="GET"):
            with pytest.raises(urllib.error.HTTPError) as refusal:
                urllib.request.urlopen(urllib.request.Request(address + path, method=method))
            with refusal.value as answer:
                return answer.code, answer.read().decode("utf-8")

        try:
            code, body = refused("/no")
            assert code == 404 and "File not found" in body, "a site without such a page"
            (tmp_path / "404.html").write_text('<base href="/published/"><h1>There is no page here \u2014</h1>', "utf-8")
            page = '<base href="/"><h1>There is no page here \u2014</h1>'
            assert refused("/no") == refused("/chapters/no.html?q=1") == (404, page)
            assert refused("/no", "HEAD") == (404, "")
            assert urllib.request.urlopen(address).read() == b"first"
        finally:
            server.shutdown()


def test_expected_pages_are_those_of_the_whole_table(tmp_path):
    toc = tmp_path / "_toc.yml"
    toc.write_text("format: jb-book\nroot: index\nparts:\n- caption: A\n  chapters:\n  - file: a/one\n"
                   "    sections:\n    - file: a/two.ipynb\n- caption: B\n  chapters:\n  - file: three.md\n")
    assert expected_pages(toc) == ["index.html", "a/one.html", "a/two.html", "three.html"]
