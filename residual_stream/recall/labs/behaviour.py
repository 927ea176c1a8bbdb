"""Functions compared by what they do: the learner's, the right one, and the usual wrong ones, on the same inputs."""

import copy
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from .task import Blank, Wrong


@dataclass(frozen=True)
class Case:
    """One input: ``says`` names it in a sentence, as in "on a batch"."""

    says: str
    args: tuple
    options: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Mistake:
    """A usual wrong function, and what is said to whoever wrote it."""

    function: Callable
    says: str


def compared(reference, cases, mistakes=(), read=None, describe=None, tolerance=1e-7):
    """A judge of functions: right is what gives the same as ``reference``, to a relative tolerance, on every case.

    If it does not, the first of ``mistakes`` that gives the same on every case is named; failing that, the first case
    that is off. ``read`` makes an array of what a function returns (np.asarray by itself), and raises Wrong if it
    cannot. ``describe(case, value, expected)`` puts a wrong value into words.
    """
    read, describe = read or _numbers, describe or partial(_first_difference, tolerance=tolerance)
    expected = [read(reference(*copy.deepcopy(case.args), **case.options)) for case in cases]
    same = partial(_same, tolerance=tolerance)

    def judge(function):
        if not callable(function):
            raise Wrong(f"a function is expected, and not a value of type {type(function).__name__}")
        got = [_outcome(function, case, read) for case in cases]
        if all(same(one, other) for one, other in zip(got, expected)):
            return
        for mistake in mistakes:
            if all(same(one, _outcome(mistake.function, case, read)) for one, case in zip(got, cases)):
                raise Wrong(mistake.says)
        for case, value, right in zip(cases, got, expected):
            if isinstance(value, Wrong):
                raise value
            if not same(value, right):
                raise Wrong(describe(case, value, right))

    return judge


def call(function, case):
    """What the learner's function returns; its errors, and changes to what it was given, become Wrong."""
    args = copy.deepcopy(case.args)
    try:
        result = function(*args, **case.options)
    except (Exception, SystemExit) as error:
        told = traceback.format_exception_only(error)[-1].strip().partition("\n")[0]
        raise Wrong(f"{case.says} it stops with {told[:160]}") from None
    if result is ...:
        raise Blank
    if result is None:
        raise Wrong("it gives back None: what a function gives back stands after return")
    for before, after in zip(_arrays(case.args), _arrays(args)):
        if not np.array_equal(before, after, equal_nan=True):
            raise Wrong("it changes the array that it is given: make a new one, x = x - m and not x -= m")
    return result


def _outcome(function, case, read):
    """What ``read`` makes of the result, or the Wrong that came instead."""
    try:
        return read(call(function, case))
    except Wrong as wrong:
        return wrong


def _numbers(result):
    try:
        array = np.asarray(result)
    except Exception:    # whatever a learner's object does when it is read, it holds no numbers
        array = np.empty(0, object)
    if array.dtype.kind not in "fiub":
        raise Wrong(f"it gives back {type(result).__name__}, and numbers are expected")
    return array.astype(float)


def _arrays(tree):
    """The arrays in nested tuples, lists and dicts, in order."""
    if isinstance(tree, np.ndarray):
        yield tree
    elif isinstance(tree, tuple | list | dict):
        for branch in tree.values() if isinstance(tree, dict) else tree:
            yield from _arrays(branch)


def _same(one, other, tolerance):
    if isinstance(one, Wrong) or isinstance(other, Wrong):
        return type(one) is type(other) and str(one) == str(other)
    return one.shape == other.shape and bool(_close(one, other, tolerance).all())


def _close(one, other, tolerance):
    """Which numbers agree: relative to the size of the whole array, so that a 0 may come with rounding."""
    size = np.nanmax(np.abs(other), initial=0)
    return np.isclose(one, other, rtol=tolerance, atol=tolerance * size, equal_nan=True)


def _first_difference(case, value, expected, tolerance):
    if value.shape != expected.shape:
        return f"{case.says} it gives the shape {value.shape}, and {expected.shape} is expected"
    off = ~_close(value, expected, tolerance)
    place = tuple(map(int, np.argwhere(off)[0]))
    where = f"[{', '.join(map(str, place))}]" if place else ""
    at = f"the number at {where} is" if where else "it gives"
    return f"{case.says} {at} {value[place]:.6g}, and {expected[place]:.6g} is expected"
