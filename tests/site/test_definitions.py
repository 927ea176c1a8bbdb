"""Glossary terms: where a text is linked, what it is explained by."""

import re

import pytest
from bs4 import BeautifulSoup

import definitions
import launch

from .conftest import Book


GLOSSARY = """# Glossary

```{glossary}
branch
  What is added.

covariance
  A sum of products $\\frac{a}{b}$.

residual stream
  The vector that layers share.
```
"""
CHAPTER = "# Covariance\n\nA **branch**: a branch. Covariance of two residual streams and covariance.\n\n## On covariance\n\nThe residual stream.\n"


@pytest.fixture(scope="module")
def glossed(tmp_path_factory):
    """A tiny book with a glossary and a chapter, built."""
    book = Book(tmp_path_factory.mktemp("glossed"))
    (book.folder / "chapters").mkdir()
    book.write("index.md", "# A tiny book\n")
    book.write("glossary.md", GLOSSARY)
    book.write("chapters/one.md", CHAPTER)
    book.write("_toc.yml", "format: jb-book\nroot: index\nchapters:\n- file: chapters/one\n- file: glossary\n")
    result = book.build()
    assert result.returncode == 0, result.stdout
    return book


def found(text, *terms):
    left = set(terms)
    return [part for part in definitions.split(text, left, definitions.pattern(terms)) if not isinstance(part, str)], left


@pytest.mark.parametrize("text, expected", [
    ("The branch, then a branch.", [("branch", "branch")]),
    ("Branches of a Pre-LN layer norm", [("branch", "Branches"), ("pre-LN", "Pre-LN"), ("layer norm", "layer norm")]),
    ("A subbranch, a branch-like thing, branching", []),
    ("adam is no Adam", [("Adam", "Adam")]),
    ("", []),
])
def test_a_term_is_found_where_it_first_stands_as_a_word(text, expected):
    assert found(text, "branch", "pre-LN", "norm", "layer norm", "Adam")[0] == expected


def test_the_longest_term_wins_and_nothing_of_the_text_is_lost():
    parts, left = found("a layer norm and a norm", "norm", "layer norm")
    assert parts == [("layer norm", "layer norm"), ("norm", "norm")] and left == set()
    terms = {"norm"}
    pieces = list(definitions.split("a norm, b", terms, definitions.pattern(["norm"])))
    assert pieces == ["a ", ("norm", "norm"), ", b"]


def test_links_name_their_definitions_which_stand_once():
    link = '<a class="reference internal" href="../glossary.html#term-{0}" title="x"><span class="xref std std-term">{0}</span></a>'
    body, tips = definitions.explained(link.format("a") + link.format("a") + link.format("none"), {"term-a": "An <i>a</i>."})
    page = BeautifulSoup(body + tips, "html.parser")
    assert [a["aria-describedby"] for a in page.select("a.term")] == ["about-term-a", "about-term-a"]
    assert [(tip["id"], tip["role"], tip.text) for tip in page.select(".definition")] == [("about-term-a", "tooltip", "An a.")]
    assert "std-term" in body


def test_a_chapter_explains_its_terms(glossed):
    page = BeautifulSoup(glossed.page("chapters/one.html"), "html.parser")
    links = page.select("main a.term")
    assert [link.text for link in links] == ["Covariance", "residual streams"], "not in bold, in titles, or a second time"
    for link in links:
        tip = page.find(id=link["aria-describedby"])
        assert tip["role"] == "tooltip" and link["href"].startswith("../glossary.html#term-")
    assert page.find(id="about-term-covariance").find("math") and "sum of" in page.find(id="about-term-covariance").text
    assert not BeautifulSoup(glossed.page("glossary.html"), "html.parser").select(".definition")


def test_a_change_in_the_glossary_reaches_the_chapters(glossed):
    text = (glossed.folder / "glossary.md").read_text("utf-8")
    glossed.write("glossary.md", text.replace("The vector", "The row"))
    assert glossed.build().returncode == 0
    assert "The row that layers share." in glossed.page("chapters/one.html")


def test_a_notebook_opens_in_the_repository_that_is_published():
    links = launch.links("a/b", "chapters/one.ipynb")
    assert links["colab"] == "https://colab.research.google.com/github/a/b/blob/main/chapters/one.ipynb"
    assert links["binder"] == "https://mybinder.org/v2/gh/a/b/main?urlpath=lab/tree/chapters/one.ipynb"
    assert links["install"].startswith("<code>%pip install ")
    assert re.sub("<[^>]*>", "", links["install"]) == "%pip install -q git+https://github.com/a/b"
