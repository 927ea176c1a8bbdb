"""The release in nbgrader itself, by the commands of the page "For instructors": from source to feedback."""

import copy
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from residual_stream.recall.bank import book_bank

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "instructors.md").read_text("utf-8").partition("## With nbgrader")[2].partition("\n## ")[0]
CONFIG = re.search(r"`nbgrader_config.py`:\n\n```python\n(.*?)```", PAGE, re.DOTALL)[1]
INSTALL, *COMMANDS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)


def right(identity):
    item = book_bank()[identity]
    return "\n".join(f"{field.name} = {field.key!r}" for field in item.question(**item.draw("spring")).fields)


def answered(notebook, **answers):
    notebook = copy.deepcopy(notebook)
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id", "").removeprefix("answer-")
        if name in answers:
            cell["source"] = f"# answer {name}\n{answers[name]}"
    return notebook


def without(notebook, grade_id):
    return {**notebook, "cells": [cell for cell in notebook["cells"]
                                  if cell["metadata"].get("nbgrader", {}).get("grade_id") != grade_id]}


def twice(notebook, grade_id):
    cells = []
    for cell in notebook["cells"]:
        cells.append(cell)
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == grade_id:
            cells.append({**copy.deepcopy(cell), "id": "copied"})
    return {**notebook, "cells": cells}


@pytest.fixture(scope="module")
def course(tool, tmp_path_factory):
    tool("nbgrader")
    folder = tmp_path_factory.mktemp("course")
    (folder / "nbgrader_config.py").write_text(CONFIG)
    assert "requirements/class.txt" in INSTALL
    generate, autograde, feedback = COMMANDS

    def run(commands):
        done = subprocess.run(["bash", "-e", "-c", commands], cwd=folder, capture_output=True, text=True,
                              env={"PYTHONPATH": str(ROOT), "HOME": str(folder),
                                   "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"})
        assert done.returncode == 0, done.stderr[-3000:]

    run(generate)
    released = json.loads((folder / "release" / "recall" / "recall.ipynb").read_text())
    all_right = {name: right(name) for name in ("q2", "q3", "q4")}
    hand_ins = {
        "right": answered(released, **all_right),
        "blank": released,
        "loop": answered(released, **{**all_right, "q3": "while True:\n    pass"}),
        "leaves": answered(released, **{**all_right, "q2": "import os\nos._exit(0)\nraise SystemExit"}),
        "unchecked": without(answered(released, **all_right), "check-q2"),
        "doubled": twice(answered(released, **all_right), "answer-q2"),
        "forged": answered(released, q2="score = 3\nprint(3)\nvar_f = Yes()"),
        "partly": answered(released, **{**all_right, "q2": right("q2").replace("cov = ", "cov = 9*")}),
    }
    for student, notebook in hand_ins.items():
        path = folder / "submitted" / student / "recall" / "recall.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook))
    run(autograde)
    run(feedback)
    return folder


def test_generating_the_assignment_keeps_the_answer_cells(course):
    text = (course / "release" / "recall" / "recall.ipynb").read_text()
    assert "# answer q2" in text and "NotImplementedError" not in text


@pytest.mark.parametrize("student, points", [
    ("right", 6), ("blank", 0), ("loop", 5), ("leaves", 3), ("unchecked", 6), ("doubled", 6), ("forged", 0), ("partly", 5),
])
def test_autograde_gives_what_the_values_deserve(student, points, course, tool):
    gradebook = tool("nbgrader.api").Gradebook(f"sqlite:///{course}/gradebook.db", "course")
    try:
        submission = gradebook.find_submission("recall", student)
        assert submission.score == points and submission.max_score == 13
    finally:
        gradebook.close()


def test_feedback_holds_no_key(course):
    text = (course / "feedback" / "partly" / "recall" / "recall.html").read_text()
    assert "Q2  2/3: cov is off" in text
    key = next(field.key for field in book_bank()["q2"].question(**book_bank()["q2"].draw("spring")).fields
               if field.name == "cov")
    assert repr(key) in right("q2") and f"{key:.5g}" not in text.replace(f"9*{key!r}", "")
