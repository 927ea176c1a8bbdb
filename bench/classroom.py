"""Grading a class, its time and its memory as the class grows: ``python -m bench.classroom``.

Classes of several sizes are made in a temporary folder and each is graded once by ``recall grade`` in a process of its
own, feedback and marking sheet included. Of ten submissions six are right, the others have mistakes, lack answers,
hold text that cannot be read, or are no notebook at all.
"""

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from residual_stream.recall import assignment
from residual_stream.recall.bank import book_bank


def hand_in(folder, student, number):
    """Write what the student with this number hands in."""
    bank = book_bank()
    questions = [bank[name].question(**bank[name].draw(student)) for name in assignment.SIX]
    kind = number % 10
    if kind == 9:
        (folder / f"{student}.ipynb").write_text('{"cells": [')
        return
    factor = {6: "0.5 * ", 7: ", ", 8: None}.get(kind, "")
    notebook = assignment.release(questions, student)
    answers = {f"answer-{question.id}": question for question in questions}
    for cell in notebook["cells"]:
        question = answers.get(cell["id"])
        if question is None or factor is None:
            continue
        first = cell["source"][0]
        lines = [f"{field.name} = {factor}{field.key!r}" for field in question.fields] or ["Small steps first."]
        cell["source"] = [first, *(f"{line}\n" for line in lines)]
    (folder / f"{student}.ipynb").write_text(assignment.text_of(notebook), "utf-8")


def make_class(folder, size):
    """A roster and what its students hand in."""
    (folder / "submitted").mkdir(parents=True)
    students = [f"student{number:05}" for number in range(size)]
    (folder / "roster.csv").write_text("id\n" + "".join(f"{student}\n" for student in students))
    for number, student in enumerate(students):
        hand_in(folder / "submitted", student, number)


def grade(folder):
    """Grade the class in a process of its own: (processor seconds, peak MB, what it printed last)."""
    command = [sys.executable, "-m", "bench.classroom", "--grade", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    measured = json.loads(done.stdout.splitlines()[-1])
    return measured["seconds"], measured["megabytes"], done.stdout.splitlines()[0]


def graded_here(folder):
    """Grade the class in this process and print what it took."""
    from residual_stream.__main__ import main

    status = main(["recall", "grade", str(folder / "submitted"), "--roster", str(folder / "roster.csv"),
                   "--out", str(folder / "out" / "grades.csv"), "--feedback", str(folder / "out" / "feedback"),
                   "--marking", str(folder / "out" / "marking.csv")])
    used = resource.getrusage(resource.RUSAGE_SELF)
    unit = 1 if platform.system() == "Darwin" else 1024
    print(json.dumps({"seconds": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss * unit / 1e6}))
    return status


def main():
    parser = argparse.ArgumentParser(prog="python -m bench.classroom", description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 500, 1000, 2500, 5000])
    parser.add_argument("--grade", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.grade:
        return graded_here(options.grade)
    sizes, seconds = sorted(options.sizes), []
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            make_class(Path(folder), size)
            used, megabytes, told = grade(Path(folder))
        seconds.append(used)
        print(f"{size:6} submissions: {used:7.2f} processor seconds with the start, {megabytes:5.0f} MB at the peak "
              f"({told.partition(',')[0]})", flush=True)
    if len(sizes) > 2:
        start, *rest = seconds
        rate = (sizes[-1] - sizes[0]) / (rest[-1] - start)
        exponent = np.polyfit(np.log(sizes[1:]), np.log(np.subtract(rest, start)), 1)[0]
        print(f"start {start:.2f} s; beyond it {rate:.0f} submissions a processor second, "
              f"time grows with the size to the power {exponent:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
