"""A whole class: every student of the roster, every file that was handed in, and one sentence for each that is odd."""

from dataclasses import dataclass, field
from functools import lru_cache

from .feedback import feedback, not_graded
from .grades import Line
from .marking import Marked, mark
from .owners import Owners
from .sheet import shown
from .submissions import Fault, Found, find, notebook_of


MOST_NOTEBOOKS = 5
"""More of one student are not read: whoever hands in hundreds shall not hold up the class."""


@dataclass
class Graded:
    """What grading a class gives: a line for each student, prose to mark (student id, question id, answer), and the
    report: a sentence for each file that was not graded and for whatever was odd in the others.
    """

    lines: list = field(default_factory=list)
    prose: list = field(default_factory=list)
    report: list = field(default_factory=list)


def grade_class(items, students, folder, numbers, marks, tell=None):
    """Grade every notebook below ``folder``; ``tell(student id, text)`` is given each student's feedback.

    ``items`` are the bank's items in order; ``numbers(student id)`` is the id whose numbers a student has; ``marks``
    comes from ``sheet.read_marks``. One notebook is held at a time. Raises ValueError if the folder is none.
    """
    graded = Graded()
    handed_in = _by_student(students, folder, graded.report)

    @lru_cache(maxsize=1)       # all students have the same numbers, or each has others
    def drawn(seed):
        return [item.question(**item.draw(seed)) for item in items]

    for student in students:
        questions, files = drawn(numbers(student.id)), handed_in.get(student.id, [])
        readable, why = _read(student, questions, files)
        graded.report += why
        if readable:
            line, marked = _line(student, questions, readable, marks)
            graded.prose += [(student.id, identity, answer) for identity, answer in marked.prose.items() if answer]
            graded.report += [f"{readable[-1][0]}: {note}" for note in (*line.notes, *marked.unread)]
        else:
            line = Line(student, _status(files, why), {})
        graded.lines.append(line)
        if tell:
            tell(student.id, feedback(line, questions, marked, marks) if readable else not_graded(line, why))
    graded.report.sort()
    return graded


def _by_student(students, folder, report):
    owners, handed_in = Owners(students), {}
    for found in find(folder):
        if not isinstance(found, Found):
            report.append(f"{found[0]}: {found[1]}")
            continue
        student, why = owners.of(found.place)
        if student is None:
            report.append(f"{found.place}: {why}")
        else:
            handed_in.setdefault(student, []).append(found)
    return handed_in


def _read(student, questions, files):
    """The student's notebooks as (place, Marked), all with the same answers, and why others or all are left out."""
    if not files:
        return [], [f"{student.id}: nothing was handed in under this id"]
    if len(files) > MOST_NOTEBOOKS:
        return [], [f"{student.id}: {len(files)} notebooks were handed in, and none was read: leave one of them"]
    readable, why = [], []
    for found in files:
        try:
            readable.append((found.place, mark(questions, notebook_of(found.read()), student.id)))
        except Fault as fault:
            why.append(f"{found.place}: {fault}")
    if any(_answers(marked) != _answers(readable[0][1]) for _, marked in readable):
        places = ", ".join(place for place, _ in readable)
        return [], [*why, f"{student.id}: several notebooks with different answers ({places}), so none was graded: "
                          "leave one of them"]
    return readable, why


def _status(files, why):
    """Why there is no grade, in two or three words."""
    if not files:
        return "nothing handed in"
    return "several notebooks" if len(files) > MOST_NOTEBOOKS or len(why) < len(files) else "unreadable"


def _line(student, questions, readable, marks):
    """The student's line, and what was marked: the last of the notebooks, which all have the same answers."""
    marked = readable[-1][1]
    notes = list(marked.notes)
    if marked.untouched:
        notes.append("nothing is filled in")
    if len(readable) > 1:
        notes.append(f"{len(readable)} notebooks with the same answers were handed in")
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
