"""The page "For instructors": its commands are run, in order, in an empty folder, and print what the page shows."""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from residual_stream.__main__ import main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "instructors.md").read_text("utf-8")
TRIAL = PAGE.partition("## With nbgrader")[0]
BLOCK = re.compile(r"(?:Save this as `(?P<file>[^`]+)`:\n\n)?```(?P<kind>\w+)\n(?P<text>.*?)```\n", re.DOTALL)


class Trial:
    """A folder in which the page's commands are run with the package on the path and nothing else."""

    def __init__(self, folder):
        self.folder, self.ran = folder, []
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": path}

    def run(self, commands):
        """What the commands print, complaints included; each of them must succeed."""
        done = subprocess.run(["bash", "-e", "-c", commands], cwd=self.folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout
        self.ran.append(commands)
        return done.stdout


def be_the_student(folder):
    """What the page asks for: a sentence under Q1, and var_f = 1 in the answer cell of Q2."""
    path = folder / "submitted" / "trial1.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    for cell in notebook["cells"]:
        if cell["id"] == "answer-q1":
            cell["source"] = ["Its first steps are too large."]
        if cell["id"] == "answer-q2":
            cell["source"] = [line.replace("var_f = ...", "var_f = 1") for line in cell["source"]]
    path.write_text(json.dumps(notebook), "utf-8")


def mark_the_prose(folder):
    """A 1 in every line of the sheet, as a spreadsheet would save it."""
    path = folder / "marking.csv"
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "mark": 1} for row in rows)


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """The page's commands, run after one another up to the part on nbgrader."""
    trial, shown = Trial(tmp_path_factory.mktemp("trial")), None
    install, *blocks = BLOCK.finditer(TRIAL)
    assert install["text"].startswith("git clone ")
    for block in blocks:
        if block["file"]:
            (trial.folder / block["file"]).write_text(block["text"])
        elif block["kind"] == "text":
            assert shown == block["text"]
        else:
            if "recall grade" in block["text"]:
                be_the_student(trial.folder)
            shown = trial.run(block["text"])
    return trial


def test_the_commands_print_what_the_page_shows(trial):
    assert [re.search(r"recall (\w+)|mkdir", commands)[0] for commands in trial.ran] == \
        ["recall release", "mkdir", "recall grade", "recall answers"]


def test_every_file_of_the_list_is_written(trial):
    listed = PAGE.partition("What is written:\n\n")[2].partition("\n\n")[0]
    named = re.findall(r"`([^`]+)`", listed)
    assert {"grades.csv", "feedback/ID.txt", "marking.csv", "grades.report.txt"} <= set(named)
    assert [name for name in named if not (trial.folder / name.replace("ID", "trial1")).is_file()] == []
    assert "var_f" in (trial.folder / "feedback" / "trial1.txt").read_text("utf-8")


def test_marked_prose_ends_the_grading(trial):
    mark_the_prose(trial.folder)
    grading = next(commands for commands in trial.ran if "recall grade" in commands)
    assert trial.run(grading) == \
        "trial2.ipynb: nothing is filled in\ntrial3: nothing was handed in under this id\n2 of 3 students graded, grades in grades.csv\n"
    grades = list(csv.DictReader((trial.folder / "grades.csv").read_text("utf-8").splitlines()))
    assert [(row["id"], row["q1"], row["to mark"]) for row in grades] == \
        [("trial1", "2", ""), ("trial2", "0", ""), ("trial3", "", "")]


def test_exports_are_written(trial):
    blocks = re.search(r"```sh\n(python -m residual_stream recall export .*?)```\n\n```text\n(.*?)```", PAGE, re.S)
    export, shown = blocks.groups()
    assert trial.run(export) == shown and (trial.folder / "canvas.zip").is_file()


def test_the_page_is_in_the_table_of_contents():
    assert re.search(r"^ *- file: instructors$", (ROOT / "_toc.yml").read_text("utf-8"), re.M)


def test_every_option_that_the_page_names_exists(capsys):
    for verb in ("release", "grade", "answers", "export"):
        with pytest.raises(SystemExit):
            main(["recall", verb, "--help"])
    known = capsys.readouterr().out
    lines = re.findall(r"residual_stream recall (?:.*\\\n)*.*|`--[^`]+`", PAGE)
    named = set(re.findall(r"--[a-z-]+", " ".join(lines)))
    assert len(named) > 8 and named <= set(re.findall(r"--[a-z-]+", known))
