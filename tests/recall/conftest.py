"""A class of four in a folder of its own, and the means to hand in for them."""

import contextlib
import copy
import csv
import io
import json

import pytest

from residual_stream.__main__ import main
from residual_stream.recall.assignment import SIX
from residual_stream.recall.bank import book_bank

STUDENTS = ("ada", "bob", "cy", "dee")


class Course:
    """Folders of one class; ``grade`` runs the command and gives the grades by student as dicts of texts."""

    def __init__(self, folder, students=STUDENTS):
        self.folder = folder
        self.submitted = folder / "submitted"
        self.submitted.mkdir()
        self.roster = folder / "roster.csv"
        self.roster.write_text("id,name,email,canvas_id,section\n" + "".join(
            f"{student},{student.title()} L.,{student}@example.org,{number}7,A\n"
            for number, student in enumerate(students)))
        self.run("release", "--roster", self.roster, "--out", folder / "release")

    def run(self, *words):
        """The command's exit status, and what it printed."""
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            status = main(["recall", *map(str, words)])
        return status, out.getvalue(), err.getvalue()

    def grade(self, *words):
        assert self.grading(*words) == 0
        return {row["id"]: row for row in self.rows("grades.csv")}

    def grading(self, *words):
        """The exit status of a run; what it printed is kept."""
        status, self.out, self.report = self.run(
            "grade", self.submitted, "--roster", self.roster, "--out", self.folder / "grades.csv",
            "--feedback", self.folder / "feedback", "--marking", self.folder / "marking.csv", *words)
        return status

    def rows(self, name):
        return list(csv.DictReader((self.folder / name).read_text("utf-8").splitlines()))

    def feedback(self, student):
        return (self.folder / "feedback" / f"{student}.txt").read_text("utf-8")

    def notebook(self, student, **answers):
        """The student's released notebook with these sources (question id -> answer) in it, the rest left blank."""
        notebook = json.loads((self.folder / "release" / f"{student}.ipynb").read_text("utf-8"))
        for cell in notebook["cells"]:
            question = cell["id"].removeprefix("answer-")
            if cell["id"].startswith("answer-") and question in answers:
                first = f"<!-- answer {question} -->" if cell["cell_type"] == "markdown" else f"# answer {question}"
                cell["source"] = f"{first}\n{answers[question]}"
        return notebook

    def hand_in(self, student, notebook=None, place=None, **answers):
        path = self.submitted / (place or f"{student}.ipynb")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(notebook or self.notebook(student, **answers)), "utf-8")
        return path


def right(student, *questions):
    """The right answers of a student to numeric questions, as the sources of their cells."""
    bank, sources = book_bank(), {}
    for identity in questions or ("q2", "q3", "q4"):
        fields = bank[identity].question(**bank[identity].draw(student)).fields
        sources[identity] = "\n".join(f"{field.name} = {field.key!r}" for field in fields)
    return sources


def without(notebook, identity):
    return {**notebook, "cells": [cell for cell in notebook["cells"] if cell["id"] != identity]}


def duplicated(notebook, identity):
    cells = []
    for cell in notebook["cells"]:
        cells.append(cell)
        if cell["id"] == identity:
            cells.append({**copy.deepcopy(cell), "id": "another"})
    return {**notebook, "cells": cells}


@pytest.fixture
def course(tmp_path):
    return Course(tmp_path)


@pytest.fixture
def points():
    """The automatic points of a line of the grades."""
    return lambda row: sum(int(row[name]) for name in SIX if name in ("q2", "q3", "q4"))
