"""Answer cells: Python itself as the oracle for what their assignments mean, and nothing that could stop the reader."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from residual_stream.recall.bank import book_bank
from residual_stream.recall.cells import LONGEST_CELL, read_cell
from residual_stream.recall.grader import grade_cell

VISIBLE = {"sqrt": math.sqrt, "exp": math.exp, "log": math.log, "pi": math.pi, "__builtins__": {}}

atoms = st.sampled_from(["a", "b", "c", "2.5", "0.5", "pi", "3", "1e2"])
expressions = st.recursive(atoms, lambda inner: st.one_of(
    st.tuples(inner, st.sampled_from([" + ", "-", "*", " / "]), inner).map("".join),
    inner.map("({})".format), inner.map("sqrt({})".format), inner.map("-{}".format)), max_leaves=5)
layouts = st.sampled_from(["{} = {}", "{}={}  # a remark = 7", "{} = (\n  {}\n)", "{} = \\\n  {}", "{}: float = {}"])
cells = st.lists(st.tuples(layouts, st.sampled_from("abc"), expressions), min_size=1, max_size=6)


@settings(deadline=None, max_examples=300)
@given(cells)
def test_agrees_with_python_as_far_as_python_goes(lines):
    """A name has the value that running the cell gives it; a cell that stops on the way has values up to there."""
    names, statements = {}, [layout.format(name, text) for layout, name, text in lines]
    read = read_cell("\n".join(statements))
    for statement in statements:
        try:
            exec(statement, dict(VISIBLE), names)
        except (NameError, ZeroDivisionError, ValueError, OverflowError):
            return
    for name, value in names.items():
        assert read.answers[name].value == pytest.approx(value, rel=1e-12) or math.isinf(value)
    assert read.notes == ()


@pytest.mark.parametrize("source, value", [
    ("x = 2", 2), ("x = 1; x = 2", 2), ("s = sqrt(2.5)\nx = s**2", 2.5), ("x = 1\nx = x + 1", 2), ("# x = 1\nx = 2", 2),
    ("import math\nx = 2", 2), ("raise ValueError\nx = 2", 2), ("while True:\n    x = 3\nx = 2", 2),
    ("x = 2\nif True:\n    x = 3", 2), ("x = 2\ndef f():\n    x = 3", 2), ('"""\nx = 3\n"""\nx = 2', 2),
    ("y = (1\nx = 2", 2), ("x = 2\r\ny = 3", 2), ("\tx = 3\nx = 2", 2), ("x = 2\nx == 3", 2), ("x = 2 #'", 2),
    ("%%time\nx = 2", 2), ("!rm -rf /\nx = 2", 2), ("os._exit(0)\nx = 2", 2), ("math.isclose = lambda *a: True\nx = 2", 2),
    ("import math; math.isclose = print\nx = 2", 2), ("x = 2\ny = x = 3", 2), ("pi = 3\nx = pi", 3), ("x = \u22122", -2),
    ("x = bytearray(6 * 10**9)\nx = 2", 2), ("else: x = 3\nx = 2", 2),
])
def test_reads(source, value):
    assert read_cell(source).answers["x"].value == pytest.approx(value)


@pytest.mark.parametrize("source, words", [
    ("x = open('key')", "a call to open"), ("x = 6,66", "the decimal mark is a point"), ("x += 1", "x is changed in place"),
    ("x = y", "the name y has no value"), ("y = ...\nx = y", "the name y has no value"), ("x = (1", "opened and never closed"),
    ("y = open()\nx = y", "y was given a meaning above that cannot be read"), ("x = '2'", "quotation marks"),
    ("sqrt = 2\nx = sqrt(4)", "sqrt was given another meaning above"), ("x = 9**9**9", "too large"), ("x = nan", "nan is not"),
    ("x = y = 2", "= is not read here"), ("x = 1e400", "too large"), ("x = " + "(" * 40 + "1" + ")" * 40, "30 levels"),
    ("x = ６", "U+FF16"), ("x = " + "9" * 250, "longer than 200"), ("x = 1 if True else 2", "if stands after"),
])
def test_refuses(source, words):
    assert words in str(read_cell(source).answers["x"].refusal)


@pytest.mark.parametrize("source, words", [
    ("raise ValueError", "line 1 is no assignment of a value and was not read: “raise ValueError”"),
    ("x = 1\n\nwhile True: pass", "line 3 is no assignment"), ("a, b = 1, 2", "“a, b = 1, 2”"),
    ("from math import exp as sqrt", "line 1"), ("x\n" * 9, "6 more lines were not read"),
    ("a" * (LONGEST_CELL + 1), "more than 5000 characters"),
])
def test_tells_what_was_passed_over(source, words):
    assert any(words in note for note in read_cell(source).notes)


@pytest.mark.parametrize("blank", ["", "x =", "x = ...", "x = None", "# nothing", "x = ...  # later"])
def test_blanks(blank):
    answers = read_cell(blank).answers
    assert "x" not in answers or answers["x"].text == "" and answers["x"].refusal is answers["x"].value is None


@settings(deadline=None, max_examples=500)
@given(st.one_of(st.text(max_size=300), st.text("xy=()\n\\#;'\" .19+*:", max_size=300)))
def test_never_raises(source):
    for answer in read_cell(source).answers.values():
        assert answer.value is None or math.isfinite(answer.value)


def test_grading_a_cell():
    q2 = book_bank()["q2"].question()
    result = grade_cell(q2, read_cell("s = sqrt(2.5)\nvar_f = 1\ncov = s\nvar_x1 = (s + 1)**2").answers)
    assert result.total == "Q2  3/3 correct"
    result = grade_cell(q2, read_cell("var_f = 1\ncov = open('key')\nvar_x1 = 3.5 + sqrt(2.5)").answers)
    assert [verdict.kind for verdict in result.verdicts] == ["correct", "refused", "mistake"]
    assert "“open('key')” cannot be read: a call to open is not an answer" in result.verdicts[1].sentence
    assert grade_cell(q2, {}).total == "Q2  not answered yet (0/3)"


@pytest.mark.parametrize("text, points", [('"b"', 1), ("'B'", 1), ("b", 1), ('"a"', 0), ("2", 0), ("'bb'", 0), ("...", 0)])
def test_grading_a_choice(text, points):
    choice = book_bank()["constant-stream"].question()
    result = grade_cell(choice, read_cell(f"choice = {text}").answers)
    assert result.points == points
