"""A whole class: every student of the roster, every file that was handed in, and one sentence for each that is odd."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from .feedback import feedback
from .grades import Line
from .marking import Marked, mark
from .sheet import shown
from .submissions import Fault, Found, find, notebook_of


@dataclass
class Graded:
    """What grading a class gives: a line for each student, prose to mark, sentences about files, feedback by id."""

    lines: list = field(default_factory=list)
    prose: list = field(default_factory=list)
    report: list = field(default_factory=list)


def owner(place, ids):
    """The student, of ``ids`` (lower case -> id), to whom a file belongs by its name or folder; else a clause why none.

    The id is the whole name, a folder's whole name, or a part of either set off by an underscore or a blank; a copy's
    "(1)" or "-1" at the end does not matter.
    """
    parts = [re.sub(r"\.ipynb$", "", part, flags=re.I) for part in re.split("[/:]", place)]
    parts = [part.removesuffix(".zip") for part in parts]
    words = {word.lower() for part in parts
             for word in (part, re.sub(r"([ _-]?\(\d+\)|-\d+)$", "", part), *re.split(r"[_\s]+", part))}
    found = sorted({ids[word] for word in words if word in ids})
    if len(found) == 1:
        return found[0], ""
    if found:
        return None, f"its name fits several students ({', '.join(found)}): rename it"
    return None, "its name fits no student on the roster: rename it to the student's id, as in ID.ipynb"


def grade_class(items, students, folder, numbers, marks, tell=None):
    """Grade every notebook below ``folder``; ``tell(student id, text)`` is given each student's feedback.

    ``items`` are the bank's items in order; ``numbers(student id)`` is the id whose numbers a student has; ``marks``
    comes from ``sheet.read_marks``. One notebook is held at a time. Raises ValueError if the folder is none.
    """
    graded, handed_in = Graded(), _by_student(students, folder, report := [])

    @lru_cache(maxsize=1)       # all students have the same numbers, or each has others
    def drawn(seed):
        return [item.question(**item.draw(seed)) for item in items]

    for student in students:
        questions = drawn(numbers(student.id))
        line, marked = _line(student, questions, handed_in.get(student.id, []), marks, report)
        graded.lines.append(line)
        if marked is None:
            continue
        graded.prose += [(student.id, identity, answer) for identity, answer in marked.prose.items() if answer]
        if tell:
            tell(student.id, feedback(line, questions, marked, marks))
    graded.report = sorted(report)
    return graded


def _by_student(students, folder, report):
    ids = {student.id.lower(): student.id for student in students}
    handed_in = {}
    for found in find(folder):
        if not isinstance(found, Found):
            report.append(f"{found[0]}: {found[1]}")
            continue
        student, why = owner(found.place, ids)
        if student is None:
            report.append(f"{found.place}: {why}")
        else:
            handed_in.setdefault(student, []).append(found)
    return handed_in


def _line(student, questions, files, marks, report):
    """The student's line, and what was marked; (line, None) where nothing could be graded."""
    readable = []
    for found in files:
        try:
            readable.append((found.place, mark(questions, notebook_of(found.read()), student.id)))
        except Fault as fault:
            report.append(f"{found.place}: {fault}")
    if not readable:
        status = "unreadable" if files else "nothing handed in"
        if not files:
            report.append(f"{student.id}: nothing was handed in under this id")
        return Line(student, status, {}), None
    place, marked = readable[-1]
    notes = list(marked.notes)
    if len(readable) > 1:
        places = ", ".join(place for place, _ in readable)
        if any(_answers(other) != _answers(marked) for _, other in readable):
            report.append(f"{student.id}: several notebooks with different answers ({places}), so none was graded: "
                          "leave one of them")
            return Line(student, "several notebooks", {}, ("several notebooks with different answers",)), None
        notes.append(f"{len(readable)} notebooks with the same answers were handed in")
    report += [f"{place}: {note}" for note in marked.notes if "released to another" in note]
    points = {question.id: _points(student, question, marked, marks, notes) for question in questions}
    return Line(student, "graded", points, tuple(notes)), marked


def _answers(marked: Marked):
    return ({identity: [(verdict.kind, verdict.values) for verdict in result.verdicts]
             for identity, result in marked.results.items()}, marked.prose)


def _points(student, question, marked, marks, notes):
    """The points of one question; None for prose that waits for its marks."""
    if question.kind != "prose":
        return marked.results[question.id].points
    answer = marked.prose[question.id]
    if not answer:
        return 0
    given = [marks.get((student.id, question.id, number)) for number in range(1, question.out_of + 1)]
    if any(seen and seen[1] and seen[1] != shown(answer) for seen in given):
        notes.append(f"{question.label}: the answer has changed since it was marked")
    return None if None in given else sum(mark for mark, _ in given)
