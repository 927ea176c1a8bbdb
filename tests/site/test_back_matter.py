"""The pages at the back agree with the files that they speak of."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def page(name):
    return (ROOT / name).read_text("utf-8")


def glossary():
    """Term -> definition."""
    content = re.search(r"```\{glossary\}\n(.*?)```", page("glossary.md"), re.S)[1]
    entries = [entry.split("\n", 1) for entry in content.strip().split("\n\n")]
    return {term: " ".join(definition.split()) for term, definition in entries}


def test_the_glossary_is_in_order_and_short():
    terms = list(glossary())
    assert len(terms) >= 30 and terms == sorted(terms, key=str.lower)
    for term, definition in glossary().items():
        assert definition.endswith((".", ".)")) and len(definition.split()) <= 50, term


def test_terms_that_definitions_use_are_defined():
    used = re.findall(r"\{term\}`(?:[^`<]*<)?([^`<>]+)>?`", page("glossary.md"))
    assert used and set(used) <= set(glossary())


def test_a_link_to_a_term_ends_where_its_word_ends():
    assert re.findall(r"\{term\}`[^`]+`\w+", page("glossary.md")) == []


def test_the_front_page_lists_the_chapters_in_their_order():
    chapters = yaml.safe_load(page("_toc.yml"))["parts"][0]["chapters"]
    listed = re.findall(r"^1\. \[[^]]*\]\((chapters/[^)]*)\.ipynb\)", page("index.md"), re.M)
    assert listed == [chapter["file"] for chapter in chapters]


def test_how_to_cite_is_what_the_citation_file_says():
    citation = yaml.safe_load(page("CITATION.cff"))
    version = tomllib.loads(page("pyproject.toml"))["project"]["version"]
    told = page("cite.md")
    assert citation["version"] == version
    author, title = citation["authors"][0]["name"], citation["title"]
    year = citation["date-released"].year
    assert f"{author} ({year}). *{title}* (version {version})." in told
    assert f"title   = {{{title}}}" in told and f"year    = {{{year}}}" in told and f"version = {{{version}}}" in told
