"""What the README shows and promises is there."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from residual_stream.__main__ import COMMANDS
from residual_stream.pictures.variance_trace import three_bars

README = Path("README.md").read_text("utf-8")


def test_the_picture_is_the_one_that_the_package_draws():
    picture = Path("_assets/three-bars.svg")
    assert f"({picture})" in README
    assert picture.read_text("utf-8") == three_bars(0.5).file(), "draw it anew: three_bars(0.5).file()"
    ElementTree.parse(picture)


def test_every_make_command_is_a_target():
    targets = set(re.findall(r"^([a-z]+):", Path("Makefile").read_text(), flags=re.M))
    named = set(re.findall(r"^make ([a-z]+)|`make ([a-z]+)`", README, flags=re.M))
    assert {name for pair in named for name in pair if name} <= targets and named


def test_every_place_that_it_names_exists():
    rows = re.findall(r"^\| (`[^|]+) \|", README, flags=re.M)
    places = [place for row in rows for place in re.findall(r"`([^`]+)`", row)]
    assert len(places) > 8
    assert [place for place in places if not Path(place).exists()] == []


def test_every_command_that_it_names_exists():
    line = next(line for line in README.splitlines() if "-m residual_stream --help" in line)
    named = set(re.findall(r"`([a-z]+)`", line))
    assert {"trace", "trained", "recall"} <= named <= set(COMMANDS)
