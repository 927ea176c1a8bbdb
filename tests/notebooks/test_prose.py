"""Every number in a chapter's prose is one that the package computes, to the digits shown.

That is, every decimal number and every whole one of three digits and more, years and names apart: 2.75, 193, 12,288.
For each Markdown cell with such numbers, ``prose/<chapter>.py`` lists them in order, computed. A number that differs
in its last digit fails, so does one in another's place, one too many or too few, and a cell without its list.
"""

import re
from importlib.util import module_from_spec, spec_from_file_location
from itertools import zip_longest
from pathlib import Path

import numpy as np
import pytest

from residual_stream import notebooks

# A decimal number, a whole number with its thousands parted, or one of three digits and more that is not a year.
NUMBER = re.compile(
    r"(?<![\w.,])(\\pm\s*)?([-−+]?)(\d+\.\d+|\d{1,3}(?:(?:,|\{,\})\d{3})+|(?!(?:19|20)\d\d(?!\d))\d{3,})(?![\w.,]*\d)")
# Where digits are names: targets of links, addresses, citations, code.
NAMES = re.compile(r"\]\([^)\s]*\)|<https?:[^>]*>|\{[\w:]+\}`[^`]*`|`[^`\n]*`")


def numbers(source):
    """The numbers of a Markdown text in order, as they are written; a ± gives both signs."""
    for plus_minus, sign, digits in NUMBER.findall(NAMES.sub(" ", source)):
        yield from (digits, f"-{digits}") if plus_minus else (f"-{digits}",) if sign in ("-", "−") else (digits,)


def as_written(value, text):
    """The value with as many decimals as the text has, and its thousands parted where the text does so."""
    digits = f"{value:,.{len(text.partition('.')[2])}f}"
    return digits.replace(",", "{,}") if "{,}" in text else digits if "," in text else digits.replace(",", "")


def differences(source, values):
    """The numbers of the text beside what they should be, where the two differ or one is missing."""
    written, values = list(numbers(source)), np.concatenate([np.ravel(value) for value in values] or [[]])
    expected = [as_written(value, text) for text, value in zip(written, values)]
    expected += [f"{value:g}" for value in values[len(written):]]
    return [pair for pair in zip_longest(written, expected) if pair[0] != pair[1]]


CHAPTERS = notebooks.find(["chapters"])


def explained_in(chapter):
    """What the module ``prose/<chapter>.py`` says of the chapter's numbers: cell id -> values."""
    name = chapter.stem.replace("-", "_")
    module = import_path(f"prose_{name}", Path(__file__).parent / "prose" / f"{name}.py")
    return module.explained()


def import_path(name, path):
    spec = spec_from_file_location(name, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", CHAPTERS, ids=str)
def test_numbers_in_the_prose_are_computed(path):
    explained = explained_in(path)
    cells = {cell.id: cell.source for cell in notebooks.read(path).cells if cell.cell_type == "markdown"}
    wrong = {name: found for name, source in cells.items() if (found := differences(source, explained.get(name, [])))}
    assert not wrong
    assert not set(explained) - set(cells), "a list without its cell"


def test_a_wrong_digit_is_found():
    assert differences("the variance is 4.3311, not 2.75", [4.33113883, 2.75]) == []
    assert differences("the variance is 4.3312", [4.33113883]) == [("4.3312", "4.3311")]
    assert differences("−0.3163 or $-0.3163$", [-0.3163, 0.3163]) == [("-0.3163", "0.3163")]
    assert differences(r"deviations $\pm 1.3162$", [[1.31623, -1.31623]]) == []


def test_a_number_in_anothers_place_is_found():
    assert differences("first 2.75, then 4.3311", [4.33113883, 2.75]) == [("2.75", "4.33"), ("4.3311", "2.7500")]
    assert differences("a 0.2 for a quarter", [0.25]) == [] and differences("a 0.3", [0.25]) == [("0.3", "0.2")]


def test_whole_numbers_are_read_and_names_are_not():
    assert differences("12,288 wide, $4{,}718{,}592$ weights, 192 additions", [12288, 2 * 768 * 3072, 2 * 96]) == []
    assert differences("12,289 wide, 193 additions", [12288, 192]) == [("12,289", "12,288"), ("193", "192")]
    named = "in 2017, [a link](https://a.org/abs/2002.04745), `layers=384`, {cite:t}`wang2022deepnet`, 96 layers"
    assert list(numbers(named)) == [] and list(numbers("minus $-1,000$, 1900 to 19000")) == ["-1,000", "19000"]


def test_a_number_too_many_or_too_few_is_found():
    assert differences("only 2.5", [2.5, 1.5]) == [(None, "1.5")]
    assert differences("2.5 and 1.5", [2.5]) == [("1.5", None)]
