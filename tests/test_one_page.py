"""The pages of a site as one page for printing, and the commands that print and pack it."""

import os
import re
import shutil
import zipfile

import pytest
from bs4 import BeautifulSoup

from residual_stream.__main__ import main
from residual_stream.one_page import combine

ADDRESS = "https://a.github.io/b/"
INDEX = '<main id="text"><h1 id="top">Book<a class="headerlink" href="#top">#</a></h1><a href="ch/one.html#sum">one</a></main>'
ONE = """<main id="text"><h1>One <i>x</i></h1><p id="sum"><a href="two.html">two</a> <a href="#sum">here</a> <a href="../index.html">up</a>
<a href="one.ipynb">notebook</a> <a href="https://else.org/#q">else</a></p><script>1</script><div class="control">slide</div>
<div class="recall" id="recall-q" aria-labelledby="recall-q-label other"><p class="recall-label"><span id="recall-q-label">Q</span></p>
<form class="recall-form">f</form><details class="recall-hint"><summary>Hint</summary>h</details>
<details class="recall-answer"><summary>Answer</summary>42</details></div><div class="definition" id="about">d</div></main>"""
TWO = '<main id="text"><h1>Two</h1><p id="sum">2</p><details><summary>Data</summary>d</details></main>'
PAGES = [("index.html", INDEX), ("ch/one.html", ONE), ("ch/two.html", TWO)]


@pytest.fixture(scope="module")
def page():
    return BeautifulSoup(combine(PAGES, "p{}", "Book", ADDRESS), "html.parser")


def test_every_id_stands_once_and_every_link_inside_finds_its_own(page):
    ids = [element["id"] for element in page.find_all(id=True)]
    assert len(ids) == len(set(ids)) and {"index", "ch-one", "ch-two", "ch-one--sum", "ch-two--sum"} <= set(ids)
    inside = [link["href"][1:] for link in page.find_all("a", href=re.compile("^#"))]
    assert inside and set(inside) <= set(ids)
    links = {link.text: link["href"] for link in page.select("article a")}
    assert links["one"] == links["here"] == "#ch-one--sum" and links["two"] == "#ch-two" and links["up"] == "#index"
    assert links["notebook"] == ADDRESS + "ch/one.ipynb" and links["else"] == "https://else.org/#q"
    assert page.select_one(".recall")["aria-labelledby"] == "ch-one--recall-q-label ch-one--other"


def test_hints_and_answers_are_an_appendix_and_what_needs_a_screen_is_gone(page):
    answers = page.select_one("#answers")
    assert page.find_all("article")[-1] is answers
    assert [details.get_text() for details in answers.select("details")] == ["Hinth", "Answer42"]
    assert not page.select(".recall details") and page.select_one(".see-answer a")["href"] == "#answer-ch-one--recall-q"
    assert not page.select("script, form, .control, .definition, .headerlink")
    assert all(details.has_attr("open") for details in page.select("details")) and page.select("#ch-two details")


def test_the_contents_list_every_part_after_the_first_page(page):
    assert [article["id"] for article in page.find_all("article")] == ["index", "contents", "ch-one", "ch-two", "answers"]
    assert [link.text for link in page.select("#contents a")] == ["One x", "Two", "Hints and worked answers"]


def test_what_is_no_page_of_the_book_is_refused():
    with pytest.raises(ValueError, match="odd.html has no <main>"):
        combine([("odd.html", "<p>x</p>")], "", "Book", ADDRESS)


@pytest.fixture
def site(tmp_path):
    """A folder with a tiny built site, as the commands find it."""
    built = tmp_path / "_build" / "html"
    (built / "_static").mkdir(parents=True)
    (built / "ch").mkdir()
    for name, text in PAGES:
        (built / name).write_text(f"<!doctype html><title>x</title>{text}", "utf-8")
    (built / "_static" / "book.css").write_text("p { color: black }")
    (built / "404.html").write_text("missing")
    (built / "the-residual-stream.pdf").write_text("old")
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: index\nchapters:\n- file: ch/one\n- file: ch/two\n")
    (tmp_path / "_config.yml").write_text(f"title: Book\nhtml:\n  baseurl: {ADDRESS}\n")
    return tmp_path


@pytest.fixture
def command(site, monkeypatch, capsys):
    """``command("pdf")``: the exit status and what was told, in the tiny site's folder."""
    monkeypatch.chdir(site)

    def run(name):
        status = main([name])
        return status, capsys.readouterr().err

    return run


def test_the_zip_has_the_site_and_the_same_bytes_each_time(site, command):
    archive = site / "_build" / "html" / "the-residual-stream.zip"
    assert command("offline") == (0, "")
    first = archive.read_bytes()
    os.utime(site / "_build" / "html" / "index.html", (1, 1))
    assert command("offline") == (0, "") and archive.read_bytes() == first
    assert zipfile.ZipFile(archive).namelist() == [f"the-residual-stream/{name}" for name in (
        "_static/book.css", "ch/one.html", "ch/two.html", "index.html")]


@pytest.mark.parametrize("name", ["pdf", "offline"])
def test_a_book_that_is_not_built_is_told(site, command, name):
    (site / "_build" / "html" / "ch" / "two.html").unlink()
    status, told = command(name)
    assert status == 2 and "two.html is not there: build the book first" in told and told.count("\n") == 1
    shutil.rmtree(site / "_build")
    (site / "_toc.yml").unlink()
    assert "no book here" in command(name)[1]


def test_a_chromium_that_prints_nothing_is_told(site, command, monkeypatch):
    monkeypatch.setenv("CHROMIUM", shutil.which("false"))
    status, told = command("pdf")
    assert status == 2 and "printed nothing (exit status 1)" in told
    assert not (site / "_build" / "html" / "the-residual-stream.pdf").exists()


def test_the_pdf_has_its_pages_and_bookmarks(site, command, chromium_path):
    assert command("pdf") == (0, "")
    printed = (site / "_build" / "html" / "the-residual-stream.pdf").read_bytes()
    assert printed.startswith(b"%PDF") and b"/Outlines" in printed
    assert len(re.findall(rb"/Type /Page\b", printed)) == 5
    titles = re.findall(rb"/Title \((.*?)\)", printed)
    assert b"Two" in titles and b"Hints and worked answers" in titles
