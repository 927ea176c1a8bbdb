"""The deck of flash cards that the site carries: linked where questions are asked, whole, the same at every build."""

import os
import sqlite3
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup

from residual_stream.recall.bank import book_bank

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "_ext"))


@pytest.fixture(autouse=True)
def genanki(request):
    if find_spec("genanki") is None:
        missing = request.config.pluginmanager.get_plugin(str(ROOT / "tests" / "conftest.py")).missing
        missing("genanki is not installed: pip install -r requirements.txt")


def notes(path, folder):
    """guid -> time of change of each note in a deck."""
    with zipfile.ZipFile(path) as archive:
        database = archive.extract("collection.anki2", folder)
    with sqlite3.connect(database) as collection:
        return dict(collection.execute("select guid, mod from notes"))


def test_every_page_that_asks_links_the_deck_with_all_questions(site, pages, tmp_path):
    asking = [page for page in pages if 'class="recall"' in (site / page).read_text("utf-8")]
    assert "chapters/variance-trace.html" in asking
    for page in asking:
        links = BeautifulSoup((site / page).read_text("utf-8"), "html.parser").select(".recall-deck a[download]")
        assert len(links) == 1
        deck = (site / page).parent / links[0]["href"]
        assert set(notes(deck, tmp_path)) == {f"residual-stream-{identity}" for identity in book_bank()}


def test_two_builds_write_the_same_deck(tmp_path):
    import deck

    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        deck.write(SimpleNamespace(builder=SimpleNamespace(format="html"), outdir=tmp_path / name, confdir=ROOT), None)
    assert (tmp_path / "one" / deck.NAME).read_bytes() == (tmp_path / "two" / deck.NAME).read_bytes()


def test_a_later_commit_to_the_questions_makes_newer_cards(tmp_path):
    import deck

    def git(*words, time):
        dates = {"GIT_AUTHOR_DATE": f"@{time} +0000", "GIT_COMMITTER_DATE": f"@{time} +0000"}
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *words], cwd=tmp_path, check=True,
                       capture_output=True, env={**os.environ, **dates})

    assert deck.stamp(tmp_path, 1000) == 0
    git("init", time=1)
    commits = ((2000, "residual_stream/recall/bank.toml"), (5000, "index.md"), (7000, "residual_stream/recall/x"))
    for time, name in commits:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
        git("add", ".", time=time)
        git("commit", "-m", "x", time=time)
        assert deck.stamp(tmp_path, 1000) == (6000 if time == 7000 else 1000)
