"""These tests need tools that the book does not: without one they are skipped, and fail under `make test-class`.

``course`` is a course of nbgrader's in which the page "For instructors" was followed from source to feedback.
"""

import copy
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from residual_stream.recall.bank import book_bank

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "instructors.md").read_text("utf-8").partition("## With nbgrader")[2].partition("\n## ")[0]
CONFIG = re.search(r"`nbgrader_config.py`:\n\n```python\n(.*?)```", PAGE, re.DOTALL)[1]
INSTALL, *COMMANDS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
PROSE = "The first steps are too large where the gradient does not shrink."


@pytest.fixture(scope="session")
def tool():
    """``tool("anki")`` imports an optional package."""
    def load(name):
        try:
            return import_module(name)
        except ImportError:
            if os.environ.get("TEST_CLASS"):
                pytest.fail(f"{name} is not installed: pip install -r requirements/class.txt")
            pytest.skip(f"{name} is not installed (requirements/class.txt)")
    return load


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


def tampered(notebook):
    """Points and results written by hand, and cells with metadata that the assignment does not have."""
    notebook = copy.deepcopy(notebook)
    result = [{"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "300.0"}}]
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "check-q2":
            cell["outputs"] = result
            cell["metadata"]["nbgrader"]["points"] = 300
    graded = {"schema_version": 3, "grade": True, "solution": False, "locked": True, "task": False, "points": 300}
    unknown = [{**graded, "grade_id": identity} for identity in (5, "check-scaled-init")]
    for number, data in enumerate([7, {}, graded, *unknown]):
        notebook["cells"].append({"cell_type": "code", "id": f"more{number}", "execution_count": 1, "source": "300",
                                  "outputs": result, "metadata": {"nbgrader": data}})
    return notebook


@pytest.fixture(scope="session")
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
        "tampered": tampered(released),
        "prose": answered(released, **all_right, q1=PROSE),
        "partly": answered(released, **{**all_right, "q2": re.sub("cov = .*", "cov = 7", right("q2"))}),
    }
    for student, notebook in hand_ins.items():
        path = folder / "submitted" / student / "recall" / "recall.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook))
    run(autograde)
    run(feedback)
    return folder
