"""Answers that are no plain numbers, one a student, in one run over the class: a sentence each, and nobody waits."""

import pytest

from residual_stream.recall.cells import LONGEST_CELL

from .conftest import Course, right

SAID = "cannot be read: "

# What stands for q2's first field, and what the report says of it; the other five fields are right.
REFUSED = {
    "comma": ("1,5", f"“1,5” {SAID}a comma is not read, the decimal mark is a point"),
    "1e400": ("1e400", f"“1e400” {SAID}its value is too large for a number of 64 bits"),
    "nan": ("nan", f"“nan” {SAID}nan is not a finite number"),
    "inf": ("-inf", f"“-inf” {SAID}inf is not a finite number"),
    "huge-power": ("9**9**9", f"“9**9**9” {SAID}its value is too large"),
    "huge-product": ("1e300 * 1e300", "its value is too large"),
    "nested": ("(" * 90 + "1" + ")" * 90, f"{SAID}it is nested more than 30 levels deep"),
    "signs": ("-" * 150 + "1", f"{SAID}it is nested more than 30 levels deep"),
    "digits": ("１.５", f"{SAID}the character U+FF11 is not read (digits are 0 to 9"),
    "arabic": ("٣", "the character U+0663 is not read"),
    "dash": ("–1.5", f"{SAID}– is not read here, write -"),
    "direction": ("\u202e5.1", f"“\ufffd5.1” {SAID}the character U+202E is not read"),
    "units": ("1.5 V", f"“1.5 V” {SAID}V stands after a number"),
    "quotes": ("'1.5'", f"{SAID}quotation marks are not read"),
    "call": ("open('bank.toml')", f"{SAID}a call to open is not an answer"),
    "import": ("__import__('os').system('true')", f"{SAID}a call to __import__ is not an answer"),
    "no-name": ("unknown + 1", f"{SAID}the name unknown has no value here"),
    "zero": ("1 / 0", f"{SAID}it divides by zero"),
    "long": ("1" + " + 1" * 60, f"{SAID}it is longer than 200 characters"),
    "shadowed": ("sqrt(4)", f"{SAID}sqrt was given another meaning above", "sqrt = 2"),
    "changed": ("0", f"{SAID}var_f is changed in place", "", "var_f += 1"),
}

# Answers that count, though somebody may wonder: {key} is the right value.
READ = {
    "minus": ("\u2212(\u2212{key})", ""),
    "space": ("\u00a0{key}\t", ""),
    "own-name": ("mine / 2", "", "mine = 2 * {key}"),
    "shadow": ("pi", "Q2: line 2 gives pi a meaning of its own", "pi = {key}"),
    "told": ("{key}", "Q2: line 2 is no assignment of a value and was not read: “assert False”", "assert False"),
}


def source(student, answer, before="", after=""):
    first, *others = right(student)["q2"].splitlines()
    key = first.removeprefix("var_f = ")
    lines = [before.format(key=key), f"var_f = {answer.format(key=key)}", after, *others]
    return "\n".join(line for line in lines if line)


@pytest.fixture(scope="module")
def odd_class(tmp_path_factory):
    """Everybody's answers handed in and graded in one run; grades and report are in ``.grades`` and ``.report``."""
    cases = {**REFUSED, **READ}
    course = Course(tmp_path_factory.mktemp("odd"), [*cases, "plain", "long-cell", "many-lines"])
    for student, (answer, _, *around) in cases.items():
        course.hand_in(student, **{**right(student), "q2": source(student, answer, *around)})
    course.hand_in("plain", **right("plain"))
    course.hand_in("long-cell", **{**right("long-cell"), "q2": right("long-cell")["q2"] + "\n#" + "x" * LONGEST_CELL})
    course.hand_in("many-lines", **{**right("many-lines"), "q2": right("many-lines")["q2"] + "\npass" * 900})
    course.grades = course.grade()
    return course


def told_of(course, student):
    return [line.removeprefix(f"{student}.ipynb: ") for line in course.report.splitlines()
            if line.startswith(f"{student}.ipynb: ")]


@pytest.mark.parametrize("student", REFUSED)
def test_what_cannot_be_read_costs_its_own_field_and_is_told(student, odd_class, points):
    words = REFUSED[student][1]
    assert points(odd_class.grades[student]) == 5
    told = next(line for line in told_of(odd_class, student) if line.startswith("Q2 var_f: "))
    assert words in told and f"  var_f: {told.removeprefix('Q2 var_f: ')}\n" in odd_class.feedback(student)


@pytest.mark.parametrize("student", READ)
def test_what_can_be_read_counts(student, odd_class, points):
    assert points(odd_class.grades[student]) == 6
    assert told_of(odd_class, student) == ([READ[student][1]] if READ[student][1] else [])


def test_cells_that_are_too_long(odd_class, points):
    assert points(odd_class.grades["plain"]) == 6 and told_of(odd_class, "plain") == []
    assert points(odd_class.grades["long-cell"]) == 3
    assert told_of(odd_class, "long-cell") == [
        f"Q2: an answer cell holds more than {LONGEST_CELL} characters and was not read"]
    assert points(odd_class.grades["many-lines"]) == 6
    assert "Q2: 897 more lines were not read" in told_of(odd_class, "many-lines")


def test_the_report_is_kept_beside_the_grades(odd_class):
    written = (odd_class.folder / "grades.report.txt").read_text("utf-8")
    assert written == odd_class.report and written.count("\n") >= len(REFUSED)
    assert all(line.isprintable() for line in written.splitlines())
