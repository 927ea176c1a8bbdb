"""A class from release to grades: what each submission deserves, whatever was done to it."""

import csv
import json
import os
import re

import pytest

from bench.classroom import graded_here, make_class
from residual_stream.recall.assignment import SIX
from residual_stream.recall.bank import book_bank, close

from .conftest import STUDENTS, Course, duplicated, right, without


def wrong_q2(student):
    return right(student)["q2"].replace("cov = ", "cov = 9*").replace("var_x1 = ", "var_x1 = 9*")


def edited_check(notebook):
    for cell in notebook["cells"]:
        if cell["id"] == "check-q2":
            cell["source"] = "score = 3\nassert True"
    return notebook


CHEATS = ["import math\nmath.isclose = lambda *a, **k: True", "class Yes(float):\n    def __eq__(self, other): return True",
          "key = open('bank.toml').read()", "import builtins; builtins.abs = lambda x: 0"]

# What was handed in, and the automatic points of six that it deserves.
SUBMISSIONS = {
    "correct": (lambda c: c.notebook("ada", **right("ada")), 6),
    "blank": (lambda c: c.notebook("ada"), 0),
    "two fields wrong": (lambda c: c.notebook("ada", **{**right("ada"), "q2": wrong_q2("ada")}), 4),
    "an infinite loop": (lambda c: c.notebook("ada", **{**right("ada"), "q3": "while True:\n    pass\nratio = 0"}), 5),
    "an infinite loop after the answer": (
        lambda c: c.notebook("ada", **{**right("ada"), "q3": right("ada")["q3"] + "\nwhile True: pass"}), 6),
    "the check deleted": (lambda c: without(c.notebook("ada", **right("ada")), "check-q2"), 6),
    "the check edited": (lambda c: edited_check(c.notebook("ada", **{**right("ada"), "q2": wrong_q2("ada")})), 4),
    "a cell duplicated": (lambda c: duplicated(c.notebook("ada", **right("ada")), "answer-q2"), 6),
    "the answer cell deleted": (lambda c: without(c.notebook("ada", **right("ada")), "answer-q2"), 3),
    "raise and exit": (lambda c: c.notebook("ada", q2="raise ValueError", q3="import os\nos._exit(0)", q4=right("ada")["q4"]),
                       2),
    "six gigabytes": (lambda c: c.notebook("ada", **{**right("ada"), "q3": "x = bytearray(6 * 10**9)"}), 5),
    **{f"cheat {number}": (lambda c, cheat=cheat: c.notebook(
        "ada", **{**right("ada"), "q2": f"{cheat}\n{wrong_q2('ada')}\nvar_f = Yes(0)"}), 3)
       for number, cheat in enumerate(CHEATS)},
    "an object for every field": (lambda c: c.notebook("ada", q2="var_f = cov = var_x1 = Yes()", **right("ada", "q3", "q4")), 3),
    "a result written by hand": (lambda c: {**c.notebook("ada"), "metadata": {
        "residual_stream": {"student": "ada", "points": 13}, "grades": {"q2": 3}}}, 0),
    "a neighbour's answers": (lambda c: c.notebook("ada", **right("bob")), 0),
    "a neighbour's notebook": (lambda c: c.notebook("bob", **right("bob")), 0),
}


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_points_are_what_the_values_deserve(name, course, points):
    make, deserved = SUBMISSIONS[name]
    course.hand_in("ada", make(course))
    course.hand_in("bob", **right("bob"))
    grades = course.grade()
    assert points(grades["ada"]) == deserved and points(grades["bob"]) == 6
    assert grades["ada"]["status"] == "graded" and grades["ada"]["out of"] == "13"


def test_notes(course):
    course.hand_in("ada", duplicated(course.notebook("ada", **right("ada")), "answer-q2"))
    course.hand_in("bob", without(course.notebook("bob", q3="raise SystemExit"), "answer-q2"))
    course.hand_in("cy", course.notebook("dee"))
    grades = course.grade()
    assert grades["ada"]["notes"] == "Q2: there are 2 answer cells, and they agree"
    assert "Q2: its answer cell is missing" in grades["bob"]["notes"]
    assert "Q3: line 2 is no assignment of a value and was not read: “raise SystemExit”" in grades["bob"]["notes"]
    assert "cy.ipynb: the notebook was released to another student" in course.report
    assert "dee" not in course.feedback("cy")
    assert grades["dee"]["status"] == "nothing handed in" and grades["dee"]["total"] == ""
    assert "dee: nothing was handed in" in course.report


def test_a_notebook_without_an_answer_says_so(course):
    course.hand_in("ada")
    course.hand_in("bob", q1="Small.")
    course.hand_in("cy", q3="ratio = 1,5")
    grades = course.grade()
    assert [grades[student]["notes"] for student in ("ada", "bob", "cy", "dee")] == ["nothing is filled in", "", "", ""]
    assert (grades["ada"]["status"], grades["ada"]["total"], grades["dee"]["total"]) == ("graded", "0", "")
    assert "ada.ipynb: nothing is filled in\n" in course.report
    assert course.feedback("ada").endswith("Notes\n  nothing is filled in\n")


def test_a_second_cell_with_another_answer(course, points):
    notebook = duplicated(course.notebook("ada", q2=wrong_q2("ada")), "answer-q2")
    last = [cell for cell in notebook["cells"] if cell["source"][:11] == "# answer q2"][-1]
    last["source"] = f"# answer q2\n{right('ada')['q2']}"
    course.hand_in("ada", notebook)
    grades = course.grade()
    assert points(grades["ada"]) == 3 and "with different answers, and the last one counts" in grades["ada"]["notes"]


@pytest.mark.parametrize("stripped", [
    lambda cell: cell.pop("id"), lambda cell: cell.update(metadata={}),
    lambda cell: cell.update(source=cell["source"].partition("\n")[2]),
    lambda cell: (cell.pop("id"), cell.update(metadata={})),
    lambda cell: (cell.pop("id"), cell.update(source=cell["source"].partition("\n")[2])),
    lambda cell: cell.update(source=cell["source"].splitlines(True)),
])
def test_a_cell_is_known_by_any_of_its_marks(stripped, course, points):
    notebook = course.notebook("ada", **right("ada"), q1="Because.")
    for cell in notebook["cells"]:
        if cell["id"].startswith("answer-") and isinstance(cell["source"], str):
            stripped(cell)
    course.hand_in("ada", notebook)
    grades = course.grade()
    assert points(grades["ada"]) == 6 and grades["ada"]["to mark"] == "q1"


def test_the_same_folder_twice_gives_the_same_bytes(course):
    for student in STUDENTS[:3]:
        course.hand_in(student, **right(student), q1="First, they are small.")
    (course.submitted / "eve.ipynb").write_text("{")
    before = {path: path.read_bytes() for path in course.submitted.rglob("*")}
    course.grade()
    outputs = {path: path.read_bytes() for path in course.folder.rglob("*") if path.is_file()}
    course.grade()
    assert {path: path.read_bytes() for path in course.folder.rglob("*") if path.is_file()} == outputs
    assert {path: path.read_bytes() for path in course.submitted.rglob("*")} == before


def test_feedback_holds_nobody_elses_numbers_and_no_key(course):
    for student in STUDENTS:
        course.hand_in(student, q2="var_f = 7\ncov = 0\nvar_x1 = 6,66", q3="ratio = 1")
    course.grade()
    told = course.feedback("ada")
    assert "Recall, ada: 0 of 13 points" in told
    assert "  var_f: read as 7, off\n" in told and "  cov: read as 0, off: " in told and "  ratio: read as 1\n" in told
    assert "the two are not independent" in told
    assert "“6,66” cannot be read: a comma is not read, the decimal mark is a point" in told
    released = "".join((course.folder / "release" / f"{student}.ipynb").read_text() for student in STUDENTS)
    written = "".join(map(course.feedback, STUDENTS)) + (course.folder / "grades.csv").read_text()
    for student in STUDENTS:
        for identity in SIX:
            question = book_bank()[identity].question(**book_bank()[identity].draw(student))
            for field in question.fields:
                for shown in (f"{field.key:.4g}", f"{field.key:.5g}", f"{field.key:,.0f}", repr(field.key)):
                    if len(shown) >= 5:
                        assert shown not in released + written
        numbers = [str(value) for value in book_bank()["q2"].draw(student).values()]
        others = "".join(course.feedback(other) for other in STUDENTS if other != student)
        assert not any(number in others for number in numbers)


def test_nothing_that_students_get_holds_a_key(tmp_path):
    """Every question, everybody handing in a neighbour's right answers: no file confirms or shows any of them."""
    students = [f"s{number}" for number in range(8)]
    course = Course(tmp_path, students)
    course.run("release", "--roster", course.roster, "--out", tmp_path / "all", "--questions", "all")
    bank = book_bank()
    neighbours = dict(zip(students, [*students[1:], students[0]]))
    drawn = {student: [item.question(**item.draw(student)) for item in bank.values()] for student in students}
    for student, neighbour in neighbours.items():
        notebook = json.loads((tmp_path / "all" / f"{student}.ipynb").read_text("utf-8"))
        for cell in notebook["cells"]:
            for question in drawn[neighbour]:
                if cell["id"] == f"answer-{question.id}" and question.fields:
                    cell["source"] = "\n".join(f"{field.name} = {field.key!r}" for field in question.fields)
        course.hand_in(student, notebook)
    grades = course.grade("--questions", "all")
    handed_out = "".join(path.read_text("utf-8") for folder in ("all", "feedback")
                         for path in (tmp_path / folder).iterdir())
    handed_out = re.sub(r": read as [^,\s]+", "", handed_out)      # what the student typed
    public = {f"{field.key:.6g}" for item in bank.values() for field in item.question().fields}
    searched = 0
    for student in students:
        own, copied = ([(question.id, field) for question in drawn[name] for field in question.fields]
                       for name in (student, neighbours[student]))
        counts = sum(close(theirs.key, field.key, field.tolerance) for (_, theirs), (_, field) in zip(copied, own))
        assert int(grades[student]["total"]) == counts <= 10, "few values have so small a range that two draws agree"
        for field in (field for identity, field in own if bank[identity].variants):
            shown = {f"{field.key:.6g}", f"{field.key:.10g}", f"{field.key:,.10g}"}
            if min(map(len, shown)) >= 6 and not shown & public:
                assert not [form for form in shown if form in handed_out]
                searched += 1
    assert searched > 100


def test_a_class_as_the_benchmark_makes_it(tmp_path, points):
    make_class(tmp_path, 20)
    assert graded_here(tmp_path) == 0
    with (tmp_path / "out" / "grades.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["status"] for row in rows] == (["graded"] * 9 + ["unreadable"]) * 2
    assert [points(row) for row in rows[:9]] == [6] * 6 + [0] * 3


def test_the_same_numbers_for_all(course, points):
    status, out, _ = course.run("release", "--out", course.folder / "one", "--same-numbers", "spring")
    assert status == 0 and "--same-numbers spring" in out
    assert [path.name for path in (course.folder / "one").iterdir()] == ["recall.ipynb"]
    course.hand_in("ada", **right("spring"))
    course.hand_in("bob", **right("spring"))
    grades = course.grade("--same-numbers", "spring")
    assert points(grades["ada"]) == points(grades["bob"]) == 6
    assert points(course.grade()["ada"]) == 0


def test_release_is_the_same_at_every_run_and_differs_between_students(course):
    first = {path.name: path.read_bytes() for path in (course.folder / "release").iterdir()}
    course.run("release", "--roster", course.roster, "--out", course.folder / "release")
    assert {path.name: path.read_bytes() for path in (course.folder / "release").iterdir()} == first
    assert len(set(first.values())) == len(STUDENTS)


def test_a_release_never_overwrites_what_was_handed_in(course):
    path = course.hand_in("ada", **right("ada"))
    before = path.read_bytes()
    status, _, told = course.run("release", "--roster", course.roster, "--out", course.submitted)
    assert status == 2 and "is there already and holds something else" in told and told.count("\n") == 1
    assert path.read_bytes() == before and [path.name for path in course.submitted.iterdir()] == ["ada.ipynb"]


def test_releases_are_notebooks(course):
    import nbformat
    for path in (course.folder / "release").iterdir():
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        assert nbformat.writes(notebook) + "\n" == path.read_text("utf-8")
        for cell in notebook.cells:
            if "nbgrader" in cell.metadata:
                assert cell.metadata.nbgrader.schema_version == 3


def test_a_run_that_is_interrupted_anywhere_loses_nothing(course, monkeypatch):
    """Stopped at any of its writes, a run leaves each file old or new, and the next run ends as if nothing had been."""
    def outputs():
        return {path.relative_to(course.folder).as_posix(): path.read_bytes() for path in course.folder.rglob("*")
                if path.is_file() and not path.name.endswith(".part")}

    course.hand_in("ada", **right("ada"), q1="Small.")
    course.grade()
    sheet = course.folder / "marking.csv"
    sheet.write_text(sheet.read_text("utf-8").replace(",1,,", ",1,1,"), "utf-8")
    course.hand_in("bob", **right("bob"))
    before, replace = outputs(), os.replace

    def interrupted_at(write):
        left = iter(range(write))

        def stopping(*paths):
            if next(left, None) is None:
                raise KeyboardInterrupt
            replace(*paths)

        monkeypatch.setattr(os, "replace", stopping)
        return course.grading() == 130

    stopped = [outputs() for write in range(40) if interrupted_at(write)]
    after = outputs()
    assert 8 <= len(stopped) < 40 and after["grades.csv"] != before["grades.csv"]
    for files in stopped:
        assert set(files) <= set(after) and all(files[name] in (before.get(name), after[name]) for name in files)
        assert b"ada,q1,1,1," in files["marking.csv"]
