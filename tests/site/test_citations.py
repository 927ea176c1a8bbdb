"""Citations as the pages show them; and the book's own list of references holds what is cited, ready to print."""

import json
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from pybtex.database import parse_file, parse_string

import citations
from residual_stream.claims import book_claims

ROOT = Path(__file__).parents[2]
CITED = re.compile(r"\{cite:[tp]\}`([^`]+)`")
WORKING_NOTES = re.compile(r"check|from memory|inferred|not opened", re.I)


@pytest.fixture(scope="module")
def page(built):
    return BeautifulSoup(built.page(), "html.parser")


def text(element):
    return " ".join(element.get_text().split())


def test_citations_are_links_with_author_and_year(page):
    sentence = next(p for p in page.find_all("p") if text(p).startswith("As "))
    assert text(sentence) == ("As Doe (2020a) and Doe (2020b) and Jégou et al. (2019) say "
                              "(Jégou et al. 2019; Roe and The Team 1999).")
    assert sentence.get_text().count("et\u00a0al.") == 2
    assert [link["href"] for link in sentence("a")] == ["#twin", "#twin2", "#many", "#many", "#pair"]


def test_the_bibliography_lists_what_is_cited_in_order(page):
    entries = [text(entry.p) for entry in page.find_all(class_="citation")]
    assert entries == [
        "Ada Doe (2020a). One. Read in part.",
        "Ada Doe (2020b). Two. https://example.org/two",
        "Ann Jégou et al. (2019). The BERT of Jégou. Proc. arXiv:1234.5678",
        "Bo Roe and The Team (1999). A Pair? Journal, 7, pages 1–2.",
    ]
    assert {entry["role"] for entry in page.find_all(class_="citation")} == {"listitem"}
    assert page.find(id="many").find("a", string="arXiv:1234.5678")["href"] == "https://arxiv.org/abs/1234.5678"


def test_works_stand_in_the_order_of_what_they_are_cited_as():
    entries = parse_string("""
        @misc{a, title={T}, author={Zhou, Bo}, year={2020}} @misc{b, title={T}, author={{deep Labs}}, year={2021}}
        @misc{c, title={T}, author={De, Al and Doe, Bo}, year={2021}} @misc{d, title={T}, author={Sun, Al and others}, year={2022}}
        @misc{e, title={T}, author={Sun, Wu and others}, year={2020}} @misc{f, title={T}, author={Sun, Wu and others}}
    """, "bibtex").entries
    assert "".join(entry.key for entry in citations.Order().sort(entries.values())) == "cbedfa"


def test_long_addresses_break_at_their_slashes(page):
    address = page.find(id="twin2").find("a", class_="external")
    assert address.decode_contents() == "https://example.org/<wbr/>two" and address["href"] == "https://example.org/two"


def sources():
    """The text of every page of the book."""
    for path in (*ROOT.glob("*.md"), *(ROOT / "residual_stream").rglob("*.toml")):
        yield path.read_text("utf-8")
    for path in (ROOT / "chapters").glob("*.ipynb"):
        yield from ("".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"])


def test_every_reference_is_cited_and_every_citation_has_its_reference():
    cited = {key for claim in book_claims() for key in claim.sources}
    cited |= {key.strip() for source in sources() for keys in CITED.findall(source) for key in keys.split(",")}
    assert cited == set(parse_file(ROOT / "references.bib").entries)


def test_references_can_be_printed():
    for key, entry in parse_file(ROOT / "references.bib").entries.items():
        assert entry.persons.get("author"), f"{key}: citations are by author"
        assert entry.fields.get("title"), key
        assert not WORKING_NOTES.search(entry.fields.get("note", "")), f"{key}: a note to ourselves would be printed"
