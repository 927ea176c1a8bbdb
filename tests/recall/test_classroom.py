"""A class from release to grades: what each submission deserves, whatever was done to it."""

import copy
import json
import os
import zipfile

import pytest

from residual_stream.recall.assignment import SIX
from residual_stream.recall.bank import book_bank
from residual_stream.recall.classroom.submissions import LARGEST

from .conftest import STUDENTS, right


def wrong_q2(student):
    return right(student)["q2"].replace("cov = ", "cov = 9*").replace("var_x1 = ", "var_x1 = 9*")


def without(notebook, identity):
    return {**notebook, "cells": [cell for cell in notebook["cells"] if cell["id"] != identity]}


def duplicated(notebook, identity):
    cells = []
    for cell in notebook["cells"]:
        cells.append(cell)
        if cell["id"] == identity:
            cells.append({**copy.deepcopy(cell), "id": "another"})
    return {**notebook, "cells": cells}


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


NO_NOTEBOOK = {
    "empty": (b"", "it is empty"), "blanks": (b" \n", "it is empty"),
    "cut off": (b'{"cells": [{"cell_type": "code", "sou', "it is no notebook, or was cut off"),
    "not UTF-8": (b'{"cells": ["\xff"]}', "it is not UTF-8 (byte 12)"), "UTF-16": ('{"cells": []}'.encode("utf-16"), "not UTF-8"),
    "a list": (b"[]", "it is JSON, but no notebook"), "no cells": (b"{}", "it has no list of cells"),
    "cells of another kind": (b'{"cells": 3}', "it has no list of cells"),
    "an older format": (b'{"worksheets": [{"cells": []}], "nbformat": 3}', "older format (3)"),
    "deep nesting": (b"[" * 200_000, "nested too deep"), "deep in a cell": (b'{"cells": ' + b"[" * 200_000, "nested too deep"),
    "a long number": (b'{"cells": ' + b"9" * 10_000 + b"}", "it is no notebook, or was cut off"),
    "bytes": (os.urandom(2000) + b"\xff", "not UTF-8"),
}


@pytest.mark.parametrize("name", NO_NOTEBOOK)
def test_what_is_no_notebook_is_told_and_never_zeroed(name, course, points):
    content, words = NO_NOTEBOOK[name]
    (course.submitted / "ada.ipynb").write_bytes(content)
    course.hand_in("bob", **right("bob"))
    grades = course.grade()
    assert any(line.startswith("ada.ipynb: ") and words in line for line in course.report.splitlines())
    assert grades["ada"]["status"] == "unreadable" and grades["ada"]["total"] == grades["ada"]["q2"] == ""
    assert points(grades["bob"]) == 6
    assert not (course.folder / "feedback" / "ada.txt").exists()


ODD_CELLS = [3, None, [], {}, {"cell_type": "code"}, {"cell_type": "code", "source": 3}, {"cell_type": [], "source": "x"},
             {"cell_type": "code", "source": [1, 2], "id": 3}, {"cell_type": "code", "source": "x", "metadata": 3, "id": []},
             {"cell_type": "code", "source": "x", "metadata": {"nbgrader": 7}},
             {"cell_type": "code", "source": "# answer q9\nvar_f = 1"},
             {"cell_type": "code", "source": "\ud800 # answer q2"}]


def test_odd_cells_do_no_harm(course, points):
    notebook = course.notebook("ada", **right("ada"))
    notebook["cells"] = [*ODD_CELLS, *notebook["cells"], *ODD_CELLS]
    notebook["metadata"] = [1]
    course.hand_in("ada", notebook)
    assert points(course.grade()["ada"]) == 6


def test_ten_thousand_cells(course, points):
    notebook = course.notebook("ada", **right("ada"))
    notebook["cells"] += [{"cell_type": "code", "source": "x = 1", "id": str(number), "metadata": {}} for number in range(10_000)]
    course.hand_in("ada", notebook)
    assert points(course.grade()["ada"]) == 6


def test_huge_files_are_not_read(course, points):
    with (course.submitted / "ada.ipynb").open("wb") as file:
        file.truncate(200 * 2**20)
    with zipfile.ZipFile(course.submitted / "bob.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("recall.ipynb", b" " * (LARGEST + 2))
    grades = course.grade()
    assert "ada.ipynb: it is 200 MB large" in course.report and "bob.zip:recall.ipynb: it is 10 MB large" in course.report
    assert grades["ada"]["status"] == grades["bob"]["status"] == "unreadable"


def test_links_and_other_files(course, points):
    real = course.hand_in("bob", **right("bob"))
    (course.submitted / "ada.ipynb").symlink_to(real)
    (course.submitted / "cy").symlink_to(course.folder / "release")
    os.mkfifo(course.submitted / "dee.ipynb")
    (course.submitted / "notes.txt").write_text("x")
    (course.submitted / ".DS_Store").write_text("x")
    grades = course.grade()
    assert "ada.ipynb: it is a symbolic link" in course.report and "cy: it is a symbolic link" in course.report
    assert "dee.ipynb: it is no regular file" in course.report and "notes.txt: it is no notebook" in course.report
    assert ".DS_Store" not in course.report
    assert points(grades["bob"]) == 6 and grades["ada"]["total"] == ""


def test_zip_files(course, points):
    text = json.dumps(course.notebook("ada", **right("ada")))
    with zipfile.ZipFile(course.submitted / "ada.zip", "w") as archive:
        archive.writestr("work/recall.ipynb", text)
        archive.writestr("work/.ipynb_checkpoints/recall.ipynb", "{}")
        archive.writestr("../bob.ipynb", text)
        archive.writestr("/cy.ipynb", text)
        archive.writestr("..\\dee.ipynb", text)
        archive.writestr("read.me", "x")
    (course.submitted / "dee.zip").write_bytes(b"PK no zip")
    grades = course.grade()
    assert points(grades["ada"]) == 6
    for name in ("../bob.ipynb", "/cy.ipynb", "..\\dee.ipynb".replace("\\", "/")):
        assert name in course.report.replace("\\", "/")
    assert course.report.count("its path leads out of the zip file") == 3
    assert "dee.zip: it is no readable zip file" in course.report
    assert [grades[student]["status"] for student in ("bob", "cy", "dee")] == ["nothing handed in"] * 3
    assert sorted(path.name for path in course.submitted.iterdir()) == ["ada.zip", "dee.zip"]


def test_a_damaged_member(course):
    path = course.submitted / "ada.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("recall.ipynb", json.dumps(course.notebook("ada", **right("ada"))))
    content = bytearray(path.read_bytes())
    content[60:90] = bytes(30)
    path.write_bytes(content)
    assert course.grade()["ada"]["status"] == "unreadable"
    assert "ada.zip:recall.ipynb: it cannot be unpacked" in course.report


@pytest.mark.parametrize("place", [
    "ada.ipynb", "ADA.ipynb", "ada/recall.ipynb", "ada/recall/recall.ipynb", "recall_ada.ipynb", "ada (1).ipynb", "ada-2.ipynb",
    "Ada Lovelace_123_assignsubmission_file/recall_ada.ipynb", "lovelaceada_ada_48_1234_recall.ipynb", "ada.IPYNB",
])
def test_whose_file_it_is(place, course, points):
    course.hand_in("ada", place=place, **right("ada"))
    assert points(course.grade()["ada"]) == 6 and "ada" not in course.report


def test_files_of_nobody(course):
    course.hand_in("ada", place="recall.ipynb")
    course.hand_in("ada", place="eve.ipynb")
    course.hand_in("ada", place="ada_bob.ipynb")
    grades = course.grade()
    assert "recall.ipynb: its name fits no student on the roster" in course.report and "eve.ipynb: its name" in course.report
    assert "ada_bob.ipynb: its name fits several students (ada, bob)" in course.report
    assert {row["status"] for row in grades.values()} == {"nothing handed in"}


def test_two_notebooks_of_one_student(course, points):
    course.hand_in("ada", place="ada.ipynb", **right("ada"))
    course.hand_in("ada", place="ada (1).ipynb", **right("ada"))
    course.hand_in("bob", place="bob.ipynb", **right("bob"))
    course.hand_in("bob", place="bob/recall.ipynb")
    grades = course.grade()
    assert points(grades["ada"]) == 6 and "2 notebooks with the same answers" in grades["ada"]["notes"]
    assert grades["bob"]["status"] == "several notebooks" and grades["bob"]["total"] == ""
    assert "bob: several notebooks with different answers (bob.ipynb, bob/recall.ipynb)" in course.report


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


def test_prose_is_marked_by_hand(course):
    course.hand_in("ada", **right("ada"), q1="=cmd|'/c calc'!A1\nFirst steps, and small ones.", q5="Scale.")
    course.hand_in("bob", q1="No.")
    grades = course.grade()
    assert grades["ada"]["q1"] == "" and grades["ada"]["to mark"] == "q1 q5" and grades["ada"]["total"] == "6"
    assert grades["ada"]["q6"] == "0" and "2 students have prose that is not marked yet" in course.out
    sheet = course.folder / "marking.csv"
    rows = course.rows("marking.csv")
    assert [(row["student"], row["question"], row["criterion"]) for row in rows] == [
        ("ada", "q1", "1"), ("ada", "q1", "2"), ("ada", "q5", "1"), ("ada", "q5", "2"), ("ada", "q5", "3"),
        ("bob", "q1", "1"), ("bob", "q1", "2")]
    assert rows[0]["answer"] == "'=cmd|'/c calc'!A1 First steps, and small ones."
    sheet.write_text(sheet.read_text().replace("ada,q1,1,,", "ada,q1,1,1,").replace("ada,q1,2,,", "ada,q1,2,0,"))
    grades = course.grade()
    assert grades["ada"]["q1"] == "1" and grades["ada"]["to mark"] == "q5" and grades["ada"]["notes"] == ""
    assert "ada,q1,1,1," in sheet.read_text() and "ada,q1,2,0," in sheet.read_text()
    told = course.feedback("ada")
    assert "Q1  1/2, marked by hand" in told and "Q5  not marked yet" in told and "correct" not in told.partition("Q2")[0]
    course.hand_in("ada", **right("ada"), q1="Another sentence.")
    assert "Q1: the answer has changed since it was marked" in course.grade()["ada"]["notes"]


@pytest.mark.parametrize("line, words", [
    ("ada,q1,1,2", "a mark is 0 or 1, not '2'"), ("eve,q1,1,1", "'eve' is not on the roster"),
    ("ada,q1,3,1", "there is no criterion 3 of q1"), ("ada,q2,1,1", "there is no criterion 1 of q2"),
    ("ada,q1,1,1\nada,q1,1,0", "is marked twice, and differently"), ('ada,q1,"1,1', "is not CSV"),
])
def test_marking_sheets_with_a_fault(line, words, course):
    sheet = course.folder / "filled.csv"
    sheet.write_text(f"student,question,criterion,mark\n{line}\n")
    status, _, told = course.run("grade", course.submitted, "--roster", course.roster, "--out", course.folder / "g.csv",
                                 "--marking", sheet)
    assert status == 2 and words in told and told.count("\n") == 1
    assert sheet.read_text().endswith(f"{line}\n") and not (course.folder / "g.csv").exists()


def test_feedback_holds_nobody_elses_numbers_and_no_key(course):
    for student in STUDENTS:
        course.hand_in(student, q2="var_f = 7\ncov = 0\nvar_x1 = 6,66", q3="ratio = 1")
    course.grade()
    told = course.feedback("ada")
    assert "Recall, ada: 0 of 13 points" in told
    assert "  var_f: off" in told and "the two are not independent" in told
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


def test_shapes_for_other_systems(course):
    course.hand_in("ada", **right("ada"))
    course.grade("--title", "Recall 1")
    canvas = course.rows("grades.canvas.csv")
    assert list(canvas[0]) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Recall 1"]
    assert canvas[0]["Student"].strip() == "Points Possible" and canvas[0]["Recall 1"] == "13"
    assert canvas[1] == {"Student": "Ada L.", "ID": "07", "SIS User ID": "ada", "SIS Login ID": "ada", "Section": "A",
                         "Recall 1": "6"}
    assert canvas[2]["Recall 1"] == ""
    assert course.rows("grades.moodle.csv")[0] == {"ID number": "ada", "Full name": "Ada L.",
                                                   "Email address": "ada@example.org", "Recall 1": "6"}
    assert course.rows("grades.gradescope.csv")[0] == {"Name": "Ada L.", "SID": "ada", "Email": "ada@example.org",
                                                       "Total Score": "6", "Max Points": "13"}


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


def test_releases_are_notebooks(course):
    import nbformat
    for path in (course.folder / "release").iterdir():
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        assert nbformat.writes(notebook) + "\n" == path.read_text("utf-8")
        for cell in notebook.cells:
            if "nbgrader" in cell.metadata:
                assert cell.metadata.nbgrader.schema_version == 3


@pytest.mark.parametrize("text, words", [
    ("", "is empty"), ("name\nAda\n", "has no column id"), ("id\na b\n", "line 2: the id 'a b' must be letters"),
    ("id\n../x\n", "must be letters"), ("id\nada\nADA\n", "line 3: the id ADA is there twice"), ("id\n", "names no student"),
    ('id\n"x', "is not CSV"), ("id\na,b\n", "2 entries for 1 columns"), ("id\n=x\n", "must be letters"),
])
def test_rosters_with_a_fault(text, words, course):
    course.roster.write_text(text)
    status, _, told = course.run("release", "--roster", course.roster, "--out", course.folder / "new")
    assert status == 2 and words in told and told.count("\n") == 1
    assert not (course.folder / "new").exists()


@pytest.mark.parametrize("text", ["id;name\nada;Ada\n", "\ufeffid,name\r\nada,Ada\r\n", "ID,Name\n\nada,Ada\n"])
def test_rosters_as_spreadsheets_write_them(text, course):
    course.roster.write_bytes(text.encode("utf-8"))
    status, out, _ = course.run("release", "--roster", course.roster, "--out", course.folder / "new")
    assert status == 0 and [path.name for path in (course.folder / "new").iterdir()] == ["ada.ipynb"]


@pytest.mark.parametrize("words, told", [
    (["release", "--out", "x", "--questions", "q9"], "there is no question 'q9'"),
    (["release", "--out", "x", "--questions", "q1,q1"], "names a question twice"),
    (["release", "--out", "x", "--roster", "none.csv"], "roster none.csv cannot be read"),
    (["grade", "nowhere", "--roster", "{roster}", "--out", "{folder}/g.csv"], "nowhere is no folder"),
    (["grade", "{submitted}", "--roster", "{roster}", "--out", "{submitted}/g.csv"], "where nothing is changed"),
])
def test_commands_that_are_refused(words, told, course):
    status, _, error = course.run(*(word.format(roster=course.roster, folder=course.folder, submitted=course.submitted)
                                    for word in words))
    assert status == 2 and told in error and error.count("\n") == 1


def test_an_interrupted_run_leaves_what_was_there(course, monkeypatch):
    course.hand_in("ada", **right("ada"))
    course.grade()
    before = (course.folder / "grades.csv").read_bytes()
    course.hand_in("bob", **right("bob"))
    monkeypatch.setattr(os, "replace", lambda *paths: (_ for _ in ()).throw(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        course.grade()
    assert (course.folder / "grades.csv").read_bytes() == before
