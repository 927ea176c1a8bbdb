"""One address, and what follows from it: canonical links, cards, the sitemap, the repository."""

import struct
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from docutils import nodes

import card
import published

SVG = ('<svg xmlns="http://www.w3.org/2000/svg" width="340" height="150"><style>a{}</style>'
       '<rect class="stream" x="10" y="10" width="100" height="50"/>'
       '<line class="halo" x1="60" y1="0" x2="60" y2="90"/><text class="branch strong" x="9" y="99">f</text></svg>')


@pytest.mark.parametrize("address, settled", [
    ("https://a.github.io/b", "https://a.github.io/b/"), ("http://x.org//", "http://x.org/"),
    ("", None), ("a.github.io/b", None), ("file:///tmp", None), ("https:///b", None),
])
def test_an_address_is_whole_or_refused(monkeypatch, address, settled):
    monkeypatch.delenv("BOOK_ADDRESS", raising=False)
    config = SimpleNamespace(html_baseurl=address)
    if settled is None:
        with pytest.raises(ValueError, match="whole one"):
            published.settle(None, config)
    else:
        published.settle(None, config)
        assert config.html_baseurl == settled


def test_the_environment_wins(monkeypatch):
    monkeypatch.setenv("BOOK_ADDRESS", "https://other.github.io/copy")
    monkeypatch.setenv("BOOK_REPOSITORY", "other/elsewhere")
    config = SimpleNamespace(html_baseurl="https://a.github.io/b/")
    published.settle(None, config)
    assert config.html_baseurl == "https://other.github.io/copy/"
    assert published.repository("https://a.github.io/b/") == "other/elsewhere"


def test_github_s_address_tells_the_repository(monkeypatch):
    monkeypatch.delenv("BOOK_REPOSITORY", raising=False)
    assert published.repository("https://a.github.io/b/") == "a/b"
    assert published.repository("https://a.github.io/") == "a/a.github.io"
    with pytest.raises(ValueError, match="BOOK_REPOSITORY"):
        published.repository("https://book.org/")


@pytest.mark.parametrize("text, expected", [
    ("One sentence.", "One sentence."),
    ("A first. A second, " + "long " * 40 + "one.", "A first."),
    ("word " * 60, ("word " * 60)[:159].rsplit(" ", 1)[0] + "\u2026"),
])
def test_a_description_is_whole_sentences_or_ends_in_an_ellipsis(text, expected):
    assert published.description(text) == expected and len(expected) <= 160


def test_a_page_describes_itself_by_its_first_real_paragraph():
    long = nodes.paragraph("", "", nodes.Text("What is "), nodes.math("", r"\sqrt{x_1}"), nodes.Text(" " + "for " * 20))
    assert published.describe(nodes.section("", nodes.paragraph("", "Short."), long)).startswith("What is x1 for for")
    assert published.describe(nodes.section("", nodes.paragraph("", "Short."))) is None


def test_pages_say_where_they_are_published(built):
    pages = {name: BeautifulSoup(built.page(name), "html.parser") for name in ("index.html", "one.html", "search.html")}
    base = "https://residual-stream.github.io/residual-stream/"
    for name, address in (("index.html", base), ("one.html", base + "one.html")):
        page = pages[name]
        assert [link["href"] for link in page.select("link[rel=canonical]")] == [address]
        said = {tag["property"]: tag["content"] for tag in page.select("meta[property]")}
        assert said["og:url"] == address and said["og:image"] == base + "_static/card.png"
        assert said["og:type"] == ("website" if name == "index.html" else "article")
        assert len(page.select("meta[name=description]")) == 1
    assert pages["one.html"].select_one("meta[property='og:title']")["content"] == "The norm of x1"
    assert not pages["search.html"].select("link[rel=canonical]")
    addresses = [place.text for place in ElementTree.parse(built.html / "sitemap.xml").getroot().iter() if place.tag.endswith("loc")]
    assert addresses == [base, base + "one.html"]
    assert f"Sitemap: {base}sitemap.xml" in built.page("robots.txt")


def test_the_page_for_missing_pages_links_from_the_published_address(built):
    page = BeautifulSoup(built.page("404.html"), "html.parser")
    assert page.base["href"] == "/residual-stream/" and page.select_one("meta[name=robots]")["content"] == "noindex"
    assert not page.select("a[href^='#text']"), "a link to a place on this page would lead to the first page"


def test_the_card_is_a_picture_of_the_drawing_and_the_same_each_time(tmp_path, built):
    for name in ("a.png", "b.png"):
        card.draw(SVG, "Title", "Words", tmp_path / name)
    drawn = (tmp_path / "a.png").read_bytes()
    assert drawn == (tmp_path / "b.png").read_bytes()
    card.draw(SVG.replace('width="100"', 'width="300"'), "Title", "Words", tmp_path / "c.png")
    assert drawn != (tmp_path / "c.png").read_bytes()
    for picture in (drawn, (built.html / "_static" / card.NAME).read_bytes()):
        assert picture[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", picture[16:24]) == (1200, 630)
