"""The built site holds no class: no key of a class's numbers, no notebook that a class is given."""

import json
import re
import zipfile
from pathlib import Path

import pytest

from residual_stream.recall.bank import book_bank, find
from residual_stream.recall.page import page_data

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")
DIGITS, WHOLE = 7, 9    # so many significant digits are no coincidence; published models share shorter whole numbers
CLASS = ["spring", "class", "trial1", *(f"student{number}" for number in range(200))]


def digits(text):
    """The significant digits of a number as it is written."""
    return len(re.sub(r"e.*|[.,]", "", text).strip("0"))


def stands_in(key, numbers):
    """Whether a value stands among ``numbers``, texts, at any precision from DIGITS on."""
    return any(f"{key:.{count}g}" in numbers for count in range(DIGITS, 18)) or repr(key) in numbers


@pytest.fixture(scope="module")
def texts(site):
    """Every file of the site that a reader may open, those inside archives too, as text."""
    found = {}
    for file in site.rglob("*"):
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive:
                found |= {f"{file.name}:{name}": archive.read(name).decode("latin-1") for name in archive.namelist()}
        elif file.is_file():
            found[file.relative_to(site).as_posix()] = file.read_bytes().decode("latin-1")
    assert {"_static/search_index.js", "_static/book.js", "index.html"} <= set(found)
    return found


@pytest.fixture(scope="module")
def numbers(texts):
    """Every number of many digits in the site, as it is written, without the commas that group digits."""
    return {found.replace(",", "") for text in texts.values() for found in NUMBER.findall(text)
            if digits(found) >= DIGITS}


def keys(item, **parameters):
    """The keys of an item that have digits enough to be known again."""
    found = [field.key for field in item.question(**parameters).fields]
    return [key for key in found if digits(f"{key:.10g}") >= (WHOLE if key == round(key) else DIGITS)]


def test_no_key_of_a_class_stands_in_the_site(numbers):
    fields = [field for item in book_bank().values() for field in item.question().fields]
    public = {f"{value:.10g}" for field in fields for value in (field.key, *(mistake for mistake, _ in field.mistakes))}
    searched = 0
    for item in book_bank().values():
        for word in CLASS if item.variants else ():
            for key in keys(item, **item.draw(word)):
                if f"{key:.10g}" not in public:     # a neighbour of the book's own numbers may share a value
                    assert not stands_in(key, numbers), (item.id, word)
                    searched += 1
    assert searched > 1000


def test_the_search_finds_the_keys_that_are_public(numbers):
    """The numbers printed in the book have their keys in its pages: what finds those would find others."""
    shown = [key for name in ("q2", "q3") for key in keys(book_bank()[name])]
    assert len(shown) >= 3 and all(stands_in(key, numbers) for key in shown)


def test_what_the_page_grades_with_is_about_the_printed_numbers(texts):
    """The keys that a page carries for its own grader, the short ones too, are those of the numbers that it prints."""
    carried = [json.loads(data) for name, text in texts.items() if name.endswith(".html")
               for data in re.findall(r'<div class="recall" .*?<script type="application/json">(.*?)</script>', text, re.S)]
    assert len(carried) > 5
    for data in carried:
        assert data == json.loads(json.dumps(page_data(find(data["id"])))), data["id"]


def test_no_file_of_a_class_is_in_the_site(texts):
    for name, text in texts.items():
        assert not name.endswith((".toml", ".csv")) and "_sources" not in name, name
        place = name.removeprefix("the-residual-stream.zip:the-residual-stream/")    # where the site was packed, too
        assert not name.endswith(".ipynb") or place.startswith("chapters/") and (ROOT / place).is_file(), name
        for mark in ('"grade_id"', '"student": "', "{ from = ", "answer-q2"):
            assert mark not in text, (name, mark)
