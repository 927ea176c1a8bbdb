"""The lists of requirements agree with one another and with the package."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LISTS = ["requirements.txt", "requirements/test.txt", "requirements/lab.txt"]


def requirements(path):
    lines = (line.split("#")[0].strip() for line in Path(path).read_text().splitlines())
    return [Requirement(line) for line in lines if line and not line.startswith("-")]


LOCK = {}
for pin in requirements("requirements/lock.txt"):
    LOCK.setdefault(canonicalize_name(pin.name), []).append(pin)


@pytest.mark.parametrize("path", LISTS)
def test_lock_pins_every_requirement_within_its_range(path):
    assert requirements(path)
    for wanted in requirements(path):
        pins = LOCK[canonicalize_name(wanted.name)]
        assert all(wanted.specifier.contains(next(iter(pin.specifier)).version) for pin in pins), wanted


def test_lock_pins_exactly():
    assert all([s.operator for s in pin.specifier] == ["=="] for pins in LOCK.values() for pin in pins)


def test_package_asks_for_the_same_ranges():
    book = {canonicalize_name(r.name): r.specifier for r in requirements("requirements.txt")}
    package = tomllib.loads(Path("pyproject.toml").read_text())["project"]["dependencies"]
    assert package
    for wanted in map(Requirement, package):
        assert book[canonicalize_name(wanted.name)] == wanted.specifier, wanted
