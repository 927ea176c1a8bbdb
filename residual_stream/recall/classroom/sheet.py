"""The marking sheet: every prose answer of the class with its criteria, one line for each point, to be filled by hand.

A sheet that was filled is read back and written again with its marks: nothing that was marked is ever lost.
"""

from ..markup import inline_plain
from .files import read_table, table

HEADER = ("student", "question", "criterion", "mark", "asks for", "answer")


def read_marks(path, students, questions):
    """``{(student, question, criterion): (mark, answer)}`` of a filled sheet, marks 0 or 1, unmarked lines left out.

    Raises ValueError, naming the line, for a mark that is neither, and for a student or question that is not known.
    """
    ids = {student.id for student in students}
    criteria = {question.id: len(question.criteria) for question in questions if question.kind == "prose"}
    marks = {}
    for row in read_table(path, HEADER[:4], "marking sheet"):
        where = f"marking sheet {path}, line {row['line']}"
        if not row.get("mark"):
            continue
        student, question, number = row["student"].removeprefix("'"), row["question"], row["criterion"]
        if student not in ids:
            raise ValueError(f"{where}: {student!r} is not on the roster")
        if question not in criteria or number not in map(str, range(1, criteria[question] + 1)):
            raise ValueError(f"{where}: there is no criterion {number} of {question}")
        if row["mark"] not in ("0", "1"):
            raise ValueError(f"{where}: a mark is 0 or 1, not {row['mark']!r}")
        entry = (student, question, int(number))
        if entry in marks and marks[entry][0] != int(row["mark"]):
            raise ValueError(f"{where}: criterion {number} of {question} of {student} is marked twice, and differently")
        marks[entry] = (int(row["mark"]), shown(row.get("answer", "")))
    return marks


def merge_marks(paths, students, questions):
    """The marks of several filled sheets in one dict; raises ValueError where two of them differ."""
    merged, places = {}, {}
    for path in paths:
        for entry, given in read_marks(path, students, questions).items():
            if entry in merged and merged[entry][0] != given[0]:
                student, question, number = entry
                raise ValueError(f"criterion {number} of {question} of {student} is marked differently in "
                                 f"{places[entry]} and {path}")
            merged[entry], places[entry] = given, path
    return merged


def shown(text):
    """A prose answer as the sheet shows it: one line, since some spreadsheets break lines in two, of what UTF-8 has.

    An apostrophe at its beginning is left out: the sheet puts one before what a spreadsheet would take for a formula.
    """
    return " ".join(text.encode("utf-8", "replace").decode().split()).lstrip("' ")


def write_sheet(entries, questions, marks):
    """The sheet's lines for ``entries``, (student id, question id, answer) in order."""
    criteria = {question.id: [inline_plain(text) for text in question.criteria] for question in questions}
    return table(HEADER, (
        (student, identity, number, marks.get((student, identity, number), ("", ""))[0], criterion, shown(answer))
        for student, identity, answer in entries
        for number, criterion in enumerate(criteria[identity], 1)
    ))
