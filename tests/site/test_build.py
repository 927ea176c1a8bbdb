"""A tiny book from source to pages: what is on them, what is not, and when it is made again."""

import re

import pytest
from bs4 import BeautifulSoup


def test_formulas_are_mathml_with_numbers_references_and_colours(built):
    page = built.page()
    assert "\\frac" not in re.sub(r'data-tex="[^"]*"', "", page) and "MathJax" not in page
    assert re.search(r'class="stream"><mi>x</mi>', page)
    assert re.search(r'<a class="reference internal" href="#equation-eq-sum">\(1\)</a>', page)
    assert re.search(r'<a class="reference internal" href="#equation-eq-rows">\(2\)</a>', page)
    assert re.search(r'id="equation-eq-sum"', page) and 'href="#equation-eq-sum" title="Link to this equation"' in page


def test_a_formula_in_a_title_is_plain_text_wherever_markup_cannot_stand(built):
    assert "<title>The norm of x1 - The Residual Stream</title>" in built.page()
    assert "<math" in re.search(r"<h1>.*?</h1>", built.page(), re.S)[0]
    assert "The norm of x1" in (built.html / "searchindex.js").read_text("utf-8")


def test_cells_and_answers_open_without_a_script(built):
    page = built.page()
    assert re.search(r'<details class="[^"]*admonition[^"]*">\s*<summary class="admonition-title">Worked answer</summary>', page)
    assert re.search(r'<details class="hidden-cell above-input"><summary>The source of this cell</summary>', page)
    assert "the answer is 42" in page


def test_printed_html_has_its_formula_and_permalink_and_no_notebook_style(built):
    page = built.page()
    assert re.search(r"<figcaption>Where <math[^>]*>", page) and "<style data-rs" not in page
    assert 'href="#bars" title="Link to this figure"' in page
    assert r'aria-label="\(bars\)"' in page


def test_pages_carry_one_style_sheet_one_script_and_no_leftover(built):
    for name in ("index.html", "one.html"):
        page = built.page(name)
        assert len(re.findall(r'rel="stylesheet"', page)) == 1
        assert re.findall(r"<script[^>]*src=\"([^\"?]*)", page) == ["_static/book.js"]
        for leftover in ("thebe", "widget-state", "require.js", "html-manager", "clipboard", "sphinx-book-theme"):
            assert leftover not in page
    assert not (built.html / "_sources").exists()
    assert {file.name for file in (built.html / "_static").iterdir()} == {
        "book.css", "book.js", "favicon.svg", "doctools.js", "documentation_options.js", "language_data.js",
        "searchtools.js", "sphinx_highlight.js"}


def test_ids_stand_once(built):
    for name in ("index.html", "one.html", "search.html"):
        ids = [element["id"] for element in BeautifulSoup(built.page(name), "html.parser").find_all(id=True)]
        assert len(ids) == len(set(ids))


def test_two_builds_write_the_same_bytes(built, new_book):
    other = new_book()
    assert other.build().returncode == 0
    files = [file for file in built.html.rglob("*") if file.suffix in {".html", ".css", ".js"}]
    assert len(files) > 5
    for file in files:
        assert file.read_bytes() == (other.html / file.relative_to(built.html)).read_bytes(), file.name


def test_a_change_in_the_package_executes_the_notebook_again_and_nothing_else_does(new_book):
    book = new_book()
    assert "Executed notebook" in book.build().stdout
    unchanged = book.build()
    assert unchanged.returncode == 0 and "Executed notebook" not in unchanged.stdout
    assert "0 added, 0 changed, 0 removed" in re.sub(r"\x1b\[[\d;]*m", "", unchanged.stdout)
    book.write("residual_stream/answer.py", "ANSWER = 43\n")
    changed = book.build()
    assert changed.returncode == 0 and "Executed notebook" in changed.stdout
    assert "the answer is 43" in book.page()
    assert len(list((book.folder / "_build" / ".execution").iterdir())) == 1


@pytest.mark.parametrize("sick, complaint", [
    ("A formula: $\\nosuchcommand$.", "formula refused: Unsupported function name: \\nosuchcommand"),
    ("A title\n\n## On $\\frac{a$", "formula refused"),
    ("By {eq}`eq:nowhere`.", "eq:nowhere"),
])
def test_a_sick_page_fails_the_build_and_is_named(new_book, sick, complaint):
    book = new_book()
    book.write("one.md", f"# One\n\n{sick}\n")
    result = book.build()
    assert result.returncode != 0 and complaint in result.stdout and "one.md" in result.stdout


def test_a_failing_cell_fails_the_build_and_is_named(new_book):
    book = new_book()
    chapter = (book.folder / "one.md").read_text("utf-8")
    book.write("one.md", chapter.replace('print("the answer is", ANSWER)', "1 / 0"))
    result = book.build()
    assert result.returncode != 0 and "ZeroDivisionError" in result.stdout and "one.md" in result.stdout
