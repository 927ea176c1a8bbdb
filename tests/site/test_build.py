"""A tiny book from source to pages: what is on them, what is not, and when it is made again."""

import re

import nbformat
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook


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
    assert '"The norm of √(x1)"' in built.page("_static/search_index.js")


def test_a_formula_that_heads_a_column_alone_has_a_name(built):
    assert re.findall(r'<math aria-label="([^"]*)"', built.page()) == ["x0"]


def test_a_head_that_heads_nothing_is_a_cell(built):
    heads = re.search(r"<thead>.*?</thead>", built.page(), re.S)[0]
    assert heads.count("<th ") == 2 and heads.count("<td ") == 1


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


def test_pages_say_how_long_they_take(built):
    assert re.search(r'</h1>\s*<p class="reading">About 1 minute</p>', built.page())


def test_a_change_of_one_page_s_time_reaches_every_page(new_book):
    (new_book.folder / "chapters").mkdir()
    for name in ("a", "b"):
        new_book.write(f"chapters/{name}.md", f"# {name}\n")
    new_book.write("_toc.yml", "format: jb-book\nroot: index\nchapters:\n- file: chapters/a\n- file: chapters/b\n")
    new_book.write("index.md", "# A tiny book\n")
    assert new_book.build().returncode == 0
    assert new_book.page("chapters/b.html").count("1 min<") == 2
    new_book.write("chapters/a.md", "# a\n\n" + "word " * 500)
    assert new_book.build().returncode == 0
    assert "4 min<" in new_book.page("chapters/b.html") and "2 chapters, about 5 minutes" in new_book.page("index.html")


def test_pages_carry_one_style_sheet_one_script_and_no_leftover(built):
    for name in ("index.html", "one.html"):
        page = built.page(name)
        assert len(re.findall(r'rel="stylesheet"', page)) == 1
        assert re.findall(r"<script[^>]*src=\"([^\"?]*)", page) == ["_static/book.js"]
        for leftover in ("thebe", "widget-state", "require.js", "html-manager", "clipboard", "sphinx-book-theme"):
            assert leftover not in page
    assert not (built.html / "_sources").exists()
    assert {file.name for file in (built.html / "_static").iterdir()} == {
        "book.css", "book.js", "card.png", "favicon.svg", "search_index.js"}


def test_ids_stand_once(built):
    for name in ("index.html", "one.html", "search.html"):
        ids = [element["id"] for element in BeautifulSoup(built.page(name), "html.parser").find_all(id=True)]
        assert len(ids) == len(set(ids))


def test_another_build_writes_the_same_bytes_and_only_a_change_executes_again(built, new_book):
    assert "Executed notebook" in new_book.build().stdout
    assert new_book.files() == built.files() and len(built.files()) > 5

    unchanged = new_book.build()
    assert unchanged.returncode == 0 and "Executed notebook" not in unchanged.stdout
    assert "0 added, 0 changed, 0 removed" in re.sub(r"\x1b\[[\d;]*m", "", unchanged.stdout)
    assert new_book.files() == built.files()

    new_book.write("residual_stream/answer.py", "ANSWER = 43\n")
    changed = new_book.build()
    assert changed.returncode == 0 and "Executed notebook" in changed.stdout
    assert "the answer is 43" in new_book.page()
    assert len(list((new_book.folder / "_build" / ".execution").iterdir())) == 1


def test_sick_pages_fail_every_build_and_each_is_named_with_its_fault(new_book):
    sick = {
        "formula.md": ("A formula: $\\nosuchcommand$.", "refused: Unsupported function name: \\nosuchcommand"),
        "heading.md": ("## On $\\frac{a$", "refused: Unexpected end of input"),
        "reference.md": ("By {eq}`eq:nowhere`.", "eq:nowhere"),
    }
    for name, (text, _) in sick.items():
        new_book.write(name, f"# The page {name}\n\n{text}\n")
    new_book.write("_toc.yml", "format: jb-book\nroot: index\nchapters:\n"
                   + "".join(f"- file: {name.removesuffix('.md')}\n" for name in sick))
    new_book.write("index.md", "# A tiny book\n")
    for result in (new_book.build(), new_book.build()):
        assert result.returncode != 0
        complaints = [line for line in result.stdout.splitlines() if "WARNING" in line]
        for name, (_, fault) in sick.items():
            assert any(f"{name}:" in line and fault in line for line in complaints), (name, complaints)


def test_a_failing_cell_fails_the_build_and_is_named(new_book):
    chapter = (new_book.folder / "one.md").read_text("utf-8")
    new_book.write("one.md", chapter.replace('print("the answer is", ANSWER)', "1 / 0"))
    result = new_book.build()
    assert result.returncode != 0 and "ZeroDivisionError" in result.stdout and "one.md" in result.stdout


def test_notebooks_run_beforehand_and_a_failing_one_costs_no_other_its_run(new_book):
    def write(name, source):
        cells = [new_markdown_cell(f"# {name}"), new_code_cell(source)]
        kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
        new_book.write(f"{name}.ipynb", nbformat.writes(new_notebook(cells=cells, metadata=kernel)))

    new_book.write("_toc.yml", "format: jb-book\nroot: index\nchapters:\n- file: good\n- file: bad\n")
    new_book.write("index.md", "# A tiny book\n")
    write("good", 'import time\nprint("six times", end=" ", flush=True)\ntime.sleep(0.3)\nprint("seven is", 6 * 7)')
    write("bad", "1 / 0")
    failed = new_book.build()
    assert failed.returncode != 0 and "ZeroDivisionError" in failed.stdout
    assert "Executed notebook good.ipynb" in failed.stdout and "bad.ipynb failed" in failed.stdout

    write("bad", "6 * 8")
    mended = new_book.build()
    assert mended.returncode == 0 and "good.ipynb: Using cached notebook" in mended.stdout
    assert "six times seven is 42" in new_book.page("good.html"), "sent in two pieces, shown as one line"
    assert "48" in new_book.page("bad.html")
