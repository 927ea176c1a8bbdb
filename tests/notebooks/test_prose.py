"""Every decimal number in a chapter's prose is one that the package computes, to the digits shown.

For each Markdown cell with such numbers there is a list of what they may be. A number that is in no list,
or that differs in its last digit, fails; so does a cell with numbers and no list.
"""

import re

import numpy as np
import pytest

import residual_stream as rs
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


def variance_trace():
    x0 = np.array([1.0, -1.0, 2.0, -2.0])
    std0, a = x0.std(), 0.5
    normed = rs.layer_norm(x0, eps=0)
    branch = a * normed + 1
    x1 = x0 + branch
    deviations = x1 - x1.mean()
    account = rs.account(x0, branch)
    half, whole = rs.variance_after(std0, [0.5, 1.0])
    sizes = [account.var_stream, account.var_branch, account.covariance, 2 * account.covariance, account.var_sum]
    by_hand = [a, x0.var(), std0, normed, a * normed, branch, x1, deviations, deviations**2, x1.var()]
    naive = account.var_stream + account.var_branch
    return {
        "cast": [a],
        # 0.31625 and 0.3163 are the trap that the cell warns of: half of the rounded norm, rounded again.
        "by-hand": [*by_hand, np.round(normed[0], 4) / 2, np.round(np.round(normed[0], 4) / 2 + 1e-9, 4)],
        "naive": [*sizes, a, naive],
        "three-bars-note": sizes,
        "derivation-note": [std0, a, std0 + a],
        "break-constant-note": [a**2],
        "break-reflect-note": [-a],
        "slider": [-2.5, 2.5],
        "slider-note": [x0.var(), -std0, -2 * std0, a],
        "without-norm": [a, 1 + a, (1 + a) ** 2],
        "corrections": [branch, np.round(np.round(normed[0], 4) / 2 + 1e-9, 4) + 1, a, whole / half,
                        np.sqrt(2 * half) - std0],
    }


CHAPTERS = {"chapters/variance-trace.ipynb": variance_trace}


def test_every_chapter_is_read():
    assert sorted(CHAPTERS) == sorted(map(str, notebooks.find(["chapters"])))


@pytest.mark.parametrize("path", CHAPTERS)
def test_numbers_in_the_prose_are_computed(path):
    explained = CHAPTERS[path]()
    cells = {cell.id: cell.source for cell in notebooks.read(path).cells if cell.cell_type == "markdown"}
    wrong = {name: found for name, source in cells.items() if (found := unexplained(source, explained.get(name, [])))}
    assert not wrong
    assert not set(explained) - set(cells), "a list without its cell"


def test_a_wrong_digit_is_found():
    assert unexplained("the variance is 4.3311, not 2.75", [[4.33113883], [2.75]]) == []
    assert unexplained("the variance is 4.3312", [[4.33113883]]) == [4.3312]
    assert unexplained("−0.3163 or $-0.3163$", [[0.3163]]) == [-0.3163, -0.3163]
    assert unexplained(r"deviations $\pm 1.3162$", [[1.31623]]) == [-1.3162]
