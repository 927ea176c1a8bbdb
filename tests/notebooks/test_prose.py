"""Every decimal number in a chapter's prose is one that the package computes, to the digits shown.

For each Markdown cell with such numbers, ``prose/<chapter>.py`` lists what they may be. A number that is in no
list, or that differs in its last digit, fails; so does a cell with numbers and no list.
"""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from residual_stream import notebooks

NUMBER = re.compile(r"(?<![\w.])(\\pm\s*)?([-−+]?)(\d+\.\d+)(?![\w.]*\d)")


def numbers(source):
    """The decimal numbers of a Markdown text, each with its text; a ± gives both signs."""
    for plus_minus, sign, digits in NUMBER.findall(source):
        for factor in (1, -1) if plus_minus else (-1,) if sign in ("-", "−") else (1,):
            yield digits, factor * float(digits)


def unexplained(source, values):
    """The numbers of the text that are none of the values, rounded to the digits shown."""
    values = np.ravel(np.concatenate([np.ravel(v) for v in values])) if values else np.array([])
    found = []
    for digits, number in numbers(source):
        half_unit = 0.5 * 10.0 ** -len(digits.partition(".")[2])
        if not np.any(np.abs(values - number) <= half_unit * (1 + 1e-9)):
            found.append(number)
    return found


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
    wrong = {name: found for name, source in cells.items() if (found := unexplained(source, explained.get(name, [])))}
    assert not wrong
    assert not set(explained) - set(cells), "a list without its cell"


def test_a_wrong_digit_is_found():
    assert unexplained("the variance is 4.3311, not 2.75", [[4.33113883], [2.75]]) == []
    assert unexplained("the variance is 4.3312", [[4.33113883]]) == [4.3312]
    assert unexplained("−0.3163 or $-0.3163$", [[0.3163]]) == [-0.3163, -0.3163]
    assert unexplained(r"deviations $\pm 1.3162$", [[1.31623]]) == [-1.3162]
