"""Points as tables: our own, with notes, and in the shapes that Canvas, Moodle and Gradescope import.

A student without a graded notebook has blanks there, never zeros.
"""

from dataclasses import dataclass

from .files import table
from .roster import Student


@dataclass(frozen=True)
class Line:
    """One student: points by question id (None: not marked yet), or no points at all; and what was noted."""

    student: Student
    status: str
    points: dict
    notes: tuple[str, ...] = ()

    @property
    def total(self):
        """The points so far; blank where nothing was graded."""
        return sum(point for point in self.points.values() if point is not None) if self.points else ""

    @property
    def unmarked(self):
        """The questions that wait for a mark by hand."""
        return [question for question, point in self.points.items() if point is None]


def own(lines, questions):
    """Every question's points, the total, what is still to be marked, and the notes."""
    out_of = sum(question.out_of for question in questions)
    header = ("id", "name", "status", *(question.id for question in questions), "total", "out of", "to mark", "notes")
    return table(header, [
        (line.student.id, line.student.name, line.status,
         *("" if line.points.get(question.id) is None else line.points[question.id] for question in questions),
         line.total, out_of, " ".join(line.unmarked), "; ".join(line.notes))
        for line in lines
    ])


def canvas(lines, questions, title):
    """Canvas's gradebook: its five columns, a line of points possible, the assignment's column last."""
    out_of = sum(question.out_of for question in questions)
    rows = [("    Points Possible", "", "", "", "", out_of)]
    rows += [(line.student.name or line.student.id, line.student.canvas_id, line.student.id, line.student.id,
              line.student.section, line.total) for line in lines]
    return table(("Student", "ID", "SIS User ID", "SIS Login ID", "Section", title), rows)


def moodle(lines, questions, title):
    """Moodle's grade import: matched by ID number or e-mail address."""
    return table(("ID number", "Full name", "Email address", title),
                 [(line.student.id, line.student.name, line.student.email, line.total) for line in lines])


def gradescope(lines, questions, title):
    """Gradescope's export of an assignment, which its upload of external grades reads: matched by SID or e-mail."""
    out_of = sum(question.out_of for question in questions)
    return table(("Name", "SID", "Email", "Total Score", "Max Points"),
                 [(line.student.name, line.student.id, line.student.email, line.total, out_of) for line in lines])


SHAPES = {"canvas": canvas, "moodle": moodle, "gradescope": gradescope}
"""What a course's own system imports: a function of (lines, questions, title) for each."""
