"""Files that cannot be read as they are: each is told in a sentence, none stops the others, and none is changed."""

import json
import os
import tempfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from residual_stream.recall.assignment import SIX
from residual_stream.recall.bank import book_bank
from residual_stream.recall.cells import read_cell
from residual_stream.recall.classroom.grading import MOST_NOTEBOOKS, grade_class
from residual_stream.recall.classroom.marking import MOST_CELLS, mark
from residual_stream.recall.classroom.roster import Student
from residual_stream.recall.classroom.submissions import LARGEST, Fault, Found, find, notebook_of

from .conftest import right

SIX_QUESTIONS = [book_bank()[name].question() for name in SIX]


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
    assert course.feedback("ada").startswith("Recall, ada: not graded (unreadable)\n  ada.ipynb: ")
    assert words in course.feedback("ada")


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


NAMES = st.sampled_from(["cells", "cell_type", "source", "metadata", "nbgrader", "grade_id", "id", "residual_stream",
                         "student", "worksheets", "nbformat"])
SCALARS = st.one_of(st.none(), st.booleans(), st.floats(), st.integers(), st.text(max_size=8), st.sampled_from(
    ["code", "markdown", "answer-q1", "answer-q2", "# answer q2\nvar_f = 1; cov = 2", "<!-- answer q1 -->\nSo.", "check-q2"]))
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=5),
                    max_leaves=8)


@given(st.dictionaries(NAMES, JSON, max_size=4), st.lists(st.dictionaries(NAMES, JSON, max_size=6) | JSON, max_size=5))
@settings(deadline=None, max_examples=100)
def test_any_json_is_marked_or_told(document, cells):
    content = json.dumps({**document, "cells": cells}).encode()
    try:
        marked = mark(SIX_QUESTIONS, notebook_of(content), "ada")
    except Fault as fault:
        assert str(fault)
    else:
        assert sum(result.points for result in marked.results.values()) <= 1
        assert "\n" not in "".join([*marked.notes, *marked.unread])


def test_ten_thousand_cells(course, points):
    notebook = course.notebook("ada", **right("ada"))
    notebook["cells"] += [{"cell_type": "code", "source": "x = 1", "id": str(number), "metadata": {}} for number in range(10_000)]
    course.hand_in("ada", notebook)
    assert points(course.grade()["ada"]) == 6 and "ada.ipynb" not in course.report


def test_ten_thousand_answers_to_one_question(course, points, monkeypatch):
    """Only the last few are read, however many there are."""
    from residual_stream.recall.classroom import marking

    read = []
    monkeypatch.setattr(marking, "read_cell", lambda source: read.append(source) or read_cell(source))
    notebook = course.notebook("ada", **right("ada"))
    answer = next(cell for cell in notebook["cells"] if cell["id"] == "answer-q2")
    wrong = {**answer, "source": "# answer q2\n" + "var_f = 0\n" * 50}
    notebook["cells"] = [wrong] * 10_000 + notebook["cells"]
    course.hand_in("ada", notebook)
    assert points(course.grade()["ada"]) == 6 and len(read) == MOST_CELLS + 2
    assert f"ada.ipynb: Q2: there are 10001 answer cells, and the last {MOST_CELLS} are read" in course.report


def test_huge_files_are_not_read(course, points):
    with (course.submitted / "ada.ipynb").open("wb") as file:
        file.truncate(200 * 2**20)
    with zipfile.ZipFile(course.submitted / "bob.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("recall.ipynb", b" " * (LARGEST + 2))
    with (course.submitted / "cy.zip").open("wb") as file:
        file.truncate(LARGEST + 2**20)
    with zipfile.ZipFile(course.submitted / "dee.zip", "w") as archive:
        for number in range(300):
            archive.writestr(f"{number}.ipynb", b"{}")
    grades = course.grade()
    assert "cy.zip: it is 11 MB large and more than 10 MB is not read: unpack it here" in course.report
    assert "dee.zip: it holds 300 files, and more than 200 are not read: unpack it here" in course.report
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


def test_members_with_strange_names(course, points):
    """Names that are empty, a drive's, a link's or a line's end are told or passed over, and the rest is graded."""
    with zipfile.ZipFile(course.submitted / "ada.zip", "w") as archive:
        for name in ("", ".", "C:\\cy.ipynb", "a\nb.txt", "x" * 3000 + ".ipynb", "ada.ipynb/"):
            archive.writestr(zipfile.ZipInfo(name), "")
        link = zipfile.ZipInfo("link.ipynb")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("ada.ipynb", json.dumps(course.notebook("ada", **right("ada"))))
    course.hand_in("bob", **right("bob"))
    grades = course.grade()
    assert points(grades["ada"]) == points(grades["bob"]) == 6
    assert "ada.zip:link.ipynb: it is a symbolic link" in course.report
    assert "ada.zip:C:/cy.ipynb: its path leads out" in course.report.replace("\\", "/")
    assert all(map(str.isprintable, course.report.splitlines()))


METHODS = {"stored": zipfile.ZIP_STORED, "deflated": zipfile.ZIP_DEFLATED, "bzip2": zipfile.ZIP_BZIP2,
           "lzma": zipfile.ZIP_LZMA}


@pytest.mark.parametrize("method", METHODS)
def test_a_damaged_member(method, course, points):
    path = course.submitted / "ada.zip"
    with zipfile.ZipFile(path, "w", METHODS[method]) as archive:
        archive.writestr("recall.ipynb", json.dumps(course.notebook("ada", **right("ada"))))
    content = bytearray(path.read_bytes())
    content[60:90] = bytes(30)
    path.write_bytes(content)
    course.hand_in("bob", **right("bob"))
    grades = course.grade()
    assert grades["ada"]["status"] == "unreadable" and points(grades["bob"]) == 6
    assert "ada.zip:recall.ipynb: it cannot be unpacked" in course.report


@given(st.lists(st.tuples(st.integers(0, 10**4), st.integers(0, 255)), min_size=1, max_size=12),
       st.sampled_from(sorted(METHODS)))
@settings(deadline=None, max_examples=150)
def test_zip_files_with_bytes_changed_anywhere(changes, method):
    """A folder with a broken zip file gives sentences or notebooks, whatever was broken."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ada.zip")
        with zipfile.ZipFile(path, "w", METHODS[method]) as archive:
            archive.writestr("recall.ipynb", '{"cells": []}')
            archive.writestr("more/recall.ipynb", '{"cells": []}' * 3)
        content = bytearray(path.read_bytes())
        for place, byte in changes:
            content[place % len(content)] = byte
        path.write_bytes(content)
        for found in find(folder):
            if isinstance(found, Found):
                try:
                    assert isinstance(found.read(), bytes)
                except Fault as fault:
                    assert str(fault)
            else:
                assert found[1]


def test_files_that_may_not_be_opened(course, points, monkeypatch):
    """A file that cannot be opened, and a folder that cannot be listed, are told; the rest is graded."""
    course.hand_in("ada", **right("ada"))
    course.hand_in("cy", place="cy/recall.ipynb", **right("cy"))
    course.hand_in("bob", **right("bob"))
    opened, listed = Path.open, os.scandir

    def refusing(path, *words, **options):
        if path.name == "ada.ipynb" and path.parent == course.submitted:
            raise PermissionError(13, "Permission denied")
        return opened(path, *words, **options)

    def closed(path):
        if Path(path).name == "cy":
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(Path, "open", refusing)
    monkeypatch.setattr(os, "scandir", closed)
    grades = course.grade()
    assert "ada.ipynb: it cannot be opened: Permission denied" in course.report
    assert "cy: it cannot be opened: Permission denied" in course.report
    assert [grades[name]["status"] for name in ("ada", "bob", "cy")] == ["unreadable", "graded", "nothing handed in"]


def test_folders_in_folders(course, points):
    (course.submitted / "/".join("a" * 60)).mkdir(parents=True)
    course.hand_in("ada", place="a/a/ada.ipynb", **right("ada"))
    assert points(course.grade()["ada"]) == 6
    assert "a/a: folders more than 20 deep are not looked into" in course.report


def test_names_that_would_forge_a_line_or_drive_a_terminal(course):
    course.hand_in("ada", place="x\nbob.ipynb: fine", **right("ada"))
    course.hand_in("ada", place="\x1b[2Jada\u202e.txt", **right("ada"))
    os.rename(course.hand_in("ada", place="odd.txt"), os.fsencode(course.submitted) + b"/\xff.txt")
    course.grade()
    lines = (course.folder / "grades.report.txt").read_text("utf-8").splitlines()
    assert "x\\nbob.ipynb: fine: it is no notebook (its name does not end in .ipynb)" in lines
    assert any(line.startswith("\\x1b[2Jada\\u202e.txt: ") for line in lines) and all(map(str.isprintable, lines))
    assert any(line.startswith("\\udcff.txt: ") for line in lines)


@pytest.mark.parametrize("place", [
    "ada.ipynb", "ADA.ipynb", "ada/recall.ipynb", "ada/recall/recall.ipynb", "recall_ada.ipynb", "ada (1).ipynb", "ada-2.ipynb",
    "Ada Lovelace_123_assignsubmission_file/recall_ada.ipynb", "Ada L._123_assignsubmission_file/recall.ipynb", "ada.IPYNB",
    "lada_07_1234_recall.ipynb", "lada_LATE_07_1234_recall-1.ipynb", "submission_99/ada.ipynb", "class.d/x/ADA (2).ipynb",
])
def test_whose_file_it_is(place, course, points):
    course.hand_in("ada", place=place, **right("ada"))
    assert points(course.grade()["ada"]) == 6 and "ada" not in course.report


def test_files_of_nobody(course):
    course.hand_in("ada", place="recall.ipynb")
    course.hand_in("ada", place="eve.ipynb")
    course.hand_in("ada", place="ada_bob.ipynb")
    course.hand_in("ada", place="Ada L._123_assignsubmission_file/bob.ipynb", **right("bob"))
    course.hand_in("ada", place="lada_07_1234_cy.ipynb", **right("cy"))
    grades = course.grade()
    assert "Ada L._123_assignsubmission_file/bob.ipynb: its name fits several students (ada, bob)" in course.report
    assert "lada_07_1234_cy.ipynb: its name fits several students (ada, cy)" in course.report
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
    assert "leave one of them" in course.feedback("bob")


def test_hundreds_of_notebooks_of_one_student_are_not_read(course, points):
    for number in range(MOST_NOTEBOOKS + 1):
        course.hand_in("ada", place=f"ada/{number}.ipynb", **right("ada"))
    course.hand_in("bob", **right("bob"))
    grades = course.grade()
    assert grades["ada"]["status"] == "several notebooks" and points(grades["bob"]) == 6
    assert f"ada: {MOST_NOTEBOOKS + 1} notebooks were handed in, and none was read" in course.report


def test_moodles_folders_name_the_student_in_full(course, points):
    course.roster.write_text("id,name\nada,Alma  Lind\nbob,Bo\n")
    course.hand_in("ada", place="alma lind_1_assignsubmission_file/recall.ipynb", **right("ada"))
    course.hand_in("bob", place="Bo_2_assignsubmission_file.zip.d/recall.ipynb", **right("bob"))
    grades = course.grade()
    assert points(grades["ada"]) == points(grades["bob"]) == 6


def test_two_students_of_one_name_are_told_apart_by_id_alone(course, points):
    course.roster.write_text("id,name\nada,Alma L.\nbob,alma  l.\n")
    course.hand_in("ada", place="Alma L._1_assignsubmission_file/recall.ipynb", **right("ada"))
    course.hand_in("bob", place="Alma L._2_assignsubmission_file/bob.ipynb", **right("bob"))
    grades = course.grade()
    assert grades["ada"]["status"] == "nothing handed in" and points(grades["bob"]) == 6
    assert "its name fits no student on the roster" in course.report


def test_one_notebook_is_held_at_a_time(tmp_path):
    """A class of large notebooks needs the memory of one of them."""
    def peak(size):
        students = [Student(f"s{number}") for number in range(size)]
        folder = tmp_path / str(size)
        folder.mkdir()
        for student in students:
            (folder / f"{student.id}.ipynb").write_text(json.dumps({"cells": [], "metadata": {"kept": "x" * 2**20}}))
        tracemalloc.start()
        graded = grade_class([book_bank()["q3"]], students, folder, str, {})
        reached = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert [line.status for line in graded.lines] == ["graded"] * size
        return reached

    peak(1)
    assert peak(24) < peak(2) + 2**20
