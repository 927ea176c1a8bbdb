"""The notebooks of exercises and solutions are what the bank makes, and say what they should."""

import json
from pathlib import Path

import pytest

from residual_stream import notebooks
from residual_stream.__main__ import main
from residual_stream.recall.assignment import SIX, practice, release, solutions, text_of
from residual_stream.recall.bank import book_bank
from residual_stream.recall.cells import read_cell
from residual_stream.recall.classroom.submissions import answer_cells
from residual_stream.recall.grader import grade_cell

ROOT = Path(__file__).parents[2]
EVERY = [item.question() for item in book_bank().values()]


def test_the_committed_notebooks_are_fresh(tmp_path, monkeypatch):
    """Byte for byte, outputs included; otherwise: python -m residual_stream recall practice

    One lab stands for all: of the others test_labs compares the sources, and nbval the outputs.
    """
    for folder in ("exercises", "solutions"):
        (tmp_path / folder).mkdir()
    lab = Path("solutions", "lab-variance-trace.ipynb")
    (tmp_path / lab).write_bytes((ROOT / lab).read_bytes())
    monkeypatch.chdir(tmp_path)
    assert main(["recall", "practice"]) == 0
    for folder in ("exercises", "solutions"):
        for path in (Path(folder, "recall.ipynb"), Path(folder, lab.name)):
            assert (ROOT / path).read_bytes() == path.read_bytes()
            assert notebooks.faults(path) == []


def test_exercises_hold_no_answer_and_solutions_full_marks():
    blank, full = (notebooks.read(ROOT / folder / "recall.ipynb") for folder in ("exercises", "solutions"))
    totals = {cell.id: cell.outputs[0].text.splitlines()[-1] for cell in full.cells if cell.id.startswith("check-")}
    assert [*totals.values()] == ["Q1  self 2/2", "Q2  3/3 correct", "Q3  1/1 correct", "Q4  2/2 correct", "Q5  self 3/3",
                                  "Q6  self 2/2"]
    for cell in blank.cells:
        if cell.id.startswith("check-"):
            assert "not answered yet" in cell.outputs[0].text
    text = text_of(practice([book_bank()[name].question() for name in SIX]))
    for name in SIX:
        for field in book_bank()[name].question().fields:
            assert len(f"{field.key:.4g}") < 4 or f"{field.key:.4g}" not in text


@pytest.mark.parametrize("question", EVERY, ids=lambda question: question.id)
def test_every_question_of_the_bank_makes_notebooks(question):
    """The solution's own cells, read as a class's would be, get full marks; the released ones are blank."""
    for notebook, full in ((solutions([question]), True), (release([question], "ada"), False)):
        assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
        sources = answer_cells(notebook)[question.id]
        assert len(sources) == 1
        if question.kind != "prose":
            result = grade_cell(question, read_cell(sources[0]).answers)
            assert result.points == (result.out_of if full else 0)
            assert read_cell(sources[0]).notes == ()


def test_marks_of_a_release():
    notebook = release([book_bank()[name].question() for name in SIX], "ada")
    marked = {cell["id"]: cell["metadata"].get("nbgrader", {}) for cell in notebook["cells"]}
    assert sum(cell.get("points", 0) for cell in marked.values()) == 13
    assert marked["answer-q1"]["grade"] and marked["answer-q1"]["solution"] and marked["answer-q1"]["points"] == 2
    assert marked["check-q2"]["grade"] and marked["check-q2"]["locked"] and not marked["check-q2"]["solution"]
    assert marked["answer-q2"]["solution"] and not marked["answer-q2"]["grade"]
    assert json.loads(text_of(notebook)) == notebook


def test_practice_needs_the_books_folders(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["recall", "practice"]) == 2 and "no folder exercises here" in capsys.readouterr().err
