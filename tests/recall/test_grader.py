"""Grading in a notebook: the exact words, the usual mistakes, and values that try to declare themselves right."""

import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import residual_stream as rs
from residual_stream.recall.bank import book_bank, close
from residual_stream.recall.grader import grade_text, grade_values

RIGHT = {"var_f": 1, "cov": 2.5**0.5, "var_x1": (2.5**0.5 + 1) ** 2}


def last_line(capsys, **answers):
    rs.check("q2", **answers)
    return capsys.readouterr().out.splitlines()[-1]


def test_the_totals(capsys):
    assert last_line(capsys) == "Q2  not answered yet (0/3)"
    assert last_line(capsys, var_f=..., cov=None) == "Q2  not answered yet (0/3)"
    assert last_line(capsys, **RIGHT) == "Q2  3/3 correct"
    assert last_line(capsys, **{**RIGHT, "var_x1": 3.5 + 2.5**0.5}) == \
        "Q2  2/3: var_x1 is off: did you add the covariance twice?"
    assert last_line(capsys, var_f=1, cov=7) == "Q2  1/3: cov is off; var_x1 is not answered yet"


def test_one_line_a_field_and_a_total(capsys):
    rs.check("q2", var_f=1, cov=1.59, var_x1="6,66")
    assert capsys.readouterr().out == (
        "var_f   correct\n"
        "cov     close, but more digits are needed (within 0.1 % counts)\n"
        "var_x1  “6,66” cannot be read: a plain int, float or NumPy scalar is expected\n"
        "Q2  1/3: cov is close, but more digits are needed (within 0.1 % counts); var_x1 cannot be read\n")


def test_the_seeds_rounding_counts():
    """Four decimals, three significant digits and rounding on the way all count."""
    for answer in ("6.6623", "6.66", "2.5811**2", "(1.5811+1)**2", "2.5 + 1 + 2*1.5811"):
        assert grade_text("q2", {"var_x1": answer}).verdicts[2].kind == "correct"


# At a = 0.5: the covariance dropped, counted once, n - 1 in the variance, n - 1 in layer norm.
@pytest.mark.parametrize("value, words", [
    ("2.75", "the covariance is missing"), ("3.5406", "did you add the covariance twice?"),
    ("5.7749", "divides by n - 1"), ("4.0568", "layer norm divides by the standard deviation with n"),
    ("4.3311", "correct"),
])
def test_known_wrong_values_at_one_half(value, words):
    question = book_bank()["q2"].question(a=0.5)
    assert words in grade_text(question, {"var_x1": value}).verdicts[2].sentence


@pytest.mark.parametrize("answer, words", [
    (np.sqrt(5) - np.sqrt(2.5), "correct"), (1.0, "that many times the coefficient"), (0.6549, "correct"),
    (-np.sqrt(5) - np.sqrt(2.5), "the other root"), (0.66, "close"), (12, "off"),
    (0.5, "the example’s own coefficient"), (1.362, "the question multiplies the variance of x0"),
])
def test_the_coefficient_that_doubles_the_variance(answer, words):
    assert words in rs.check("double-the-variance", a=answer).verdicts[0].sentence


def test_twelve_additions():
    assert rs.check("twelve-additions", std=2.5**0.5 + 6, var=(2.5**0.5 + 6) ** 2).points == 2
    result = rs.check("twelve-additions", std=2.5**0.5, var=2.5 * (4.331138830084 / 2.5) ** 12)
    assert "does not repeat as a factor" in result.verdicts[1].sentence
    taken = rs.check("twelve-additions", var=12 * 4.3311)
    assert "the variance after the first addition that many times" in taken.verdicts[1].sentence


@pytest.mark.parametrize("value", [1, 1.0, np.float32(1), np.float64(1), np.int8(1), np.uint64(1), np.float16(1),
                                   np.longdouble(1)])
def test_plain_numbers_are_taken(value):
    assert grade_values("q2", {"var_f": value}).verdicts[0].kind == "correct"


class Yes:
    """Declares itself equal to everything, and would say so loudly if it were asked."""

    def __eq__(self, other):
        raise AssertionError("asked")

    __float__ = __sub__ = __rsub__ = __abs__ = __le__ = __repr__ = __str__ = __hash__ = __eq__


class Float(float):
    __sub__ = __eq__ = __float__ = Yes.__eq__


class Scalar(np.float64):
    __sub__ = __eq__ = __float__ = Yes.__eq__


@pytest.mark.parametrize("value", [
    Yes(), Float(1), Scalar(1), True, np.True_, "1", b"1", [1], (1,), {1}, np.array(1.0), np.array([1.0]), 1 + 0j,
    np.complex128(1), Fraction(1), Decimal(1), sympy.Integer(1), np.timedelta64(1), np.datetime64("2020"), object, Yes,
    lambda: 1,
], ids=lambda value: type(value).__name__)
def test_everything_else_is_refused(value):
    verdict = grade_values("q2", {"var_f": value}).verdicts[0]
    assert verdict.kind == "refused"
    assert "a plain int, float or NumPy scalar is expected" in verdict.sentence


@pytest.mark.parametrize("value, words", [
    (float("nan"), "nan cannot be read: nan is not a finite number"), (-np.inf, "-inf is not a finite number"),
    (np.float32("nan"), "nan is not a finite number"), (10**400, "too large"), (-(10**400), "too large"),
    (10**5000, "a value of type int cannot be read: its value is too large"),
], ids=["nan", "-inf", "float32 nan", "1e400", "-1e400", "an int beyond printing"])
def test_values_without_a_size(value, words):
    assert words in grade_values("q2", {"var_f": value}).verdicts[0].sentence


def test_choices(capsys):
    assert rs.check("constant-stream", choice="b").points == 1
    assert rs.check("constant-stream", choice=" B ").points == 1
    assert capsys.readouterr().out == "A constant stream  1/1 correct\n" * 2
    assert "has no variance" in rs.check("constant-stream", choice="c").total
    assert "one of the letters a, b, c, d" in rs.check("constant-stream", choice="e").total
    assert "one of the letters a, b, c, d" in rs.check("constant-stream", choice=2).total
    assert rs.check("constant-stream", choice="").total == "A constant stream  not answered yet (0/1)"


@pytest.mark.parametrize("call, words", [
    (lambda: rs.check("q22"), "did you mean q2?"), (lambda: rs.check("double-the-varience"), "double-the-variance?"),
    (lambda: rs.check("zzzz"), "there is no question 'zzzz'"), (lambda: rs.check(2), "by its id, as in 'q2', and not by int"),
    (lambda: rs.check(["q2"]), "not by list"), (lambda: rs.check("q2", var_x2=1), "did you mean var_x1"),
    (lambda: rs.check("q2", qqq=1), "there are var_f, cov, var_x1"),
    (lambda: rs.check("constant-stream", b=1), "there is choice"),
    (lambda: grade_text("q2", {"var_f": 1.0}), "a typed answer is a text, and float is not"),
    (lambda: book_bank()["q2"].question(b=1), "no parameter b"),
])
def test_unknown_names(call, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        call()


def test_ids_do_not_mind_capitals():
    assert rs.check("Q2").id == "q2"


def test_a_result_shows_nothing_more():
    """IPython asks an object to display itself first; the result does so by displaying nothing."""
    from IPython.core.formatters import DisplayFormatter

    assert DisplayFormatter().format(rs.check("q2", **RIGHT)) == ({}, {})


@settings(deadline=None)
@given(st.floats(-1e6, 1e6), st.floats(1e-6, 0.1), st.floats(-3, 3))
def test_the_tolerance_is_relative(key, tolerance, distance):
    value = key + distance * tolerance * abs(key)
    if abs(abs(distance) - 1) > 1e-6 and abs(key) > 1e-9:
        assert close(value, key, tolerance) == (abs(distance) < 1)


def test_around_zero_the_tolerance_is_absolute():
    assert close(0.0009, 0.0, 0.001) and not close(0.0011, 0.0, 0.001)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["var_f", "cov", "var_x1"]), st.text(max_size=40)))
def test_any_typed_answer_gets_a_result(answers):
    result = grade_text("q2", answers)
    assert 0 <= result.points <= result.out_of == 3
    assert all(line and "\n" not in line for line in result.lines)


def test_prose_is_marked_by_its_writer(capsys):
    assert rs.check("q1").total == "Q1  not answered yet" == rs.check("q1", sentence=" ", has=[1]).total
    capsys.readouterr()
    result = rs.check("q1", sentence="The first steps are too large.")
    assert result.total == "Q1  committed: compare it with the worked answer, then tick what it has"
    out = capsys.readouterr().out
    assert "1. It says that in post-LN" in out and "2. It says that in pre-LN" in out and out.endswith(result.total + "\n")
    for has, points in (([1, 2], 2), (1, 1), ((2,), 1), ([], 0), (0, 0), ([1, 1], 1)):
        result = rs.check("q1", sentence="x", has=has)
        assert (result.points, result.out_of) == (points, 2)
        assert result.total == f"Q1  self {points}/2" and "correct" not in result.total


def repr_of_type(value):
    return type(value).__name__


@pytest.mark.parametrize("has", [3, [0, 1], True, 1.0, "a", [[1]], Yes(), [-1], [10]], ids=repr_of_type)
def test_ticks_that_are_none(has):
    assert "from 1 to 2, or 0 for none" in grade_values("q1", {"sentence": "x", "has": has}).total


def test_a_sentence_that_is_none():
    result = grade_values("q1", {"sentence": 3, "has": [1]})
    assert "a sentence in quotation marks is expected" in result.total and result.points == 0
