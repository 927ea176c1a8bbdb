"""The roster: who is in the class, one line a student."""

import re
from dataclasses import dataclass

from .files import read_table

_IDENTITY = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._@+-]{0,62}[A-Za-z0-9])?")


@dataclass(frozen=True)
class Student:
    """One line of the roster; ``id`` names the student's files, the other columns are for the course's own system."""

    id: str
    name: str = ""
    email: str = ""
    canvas_id: str = ""
    section: str = ""


def read_roster(path):
    """The students of a roster (CSV with a column ``id``; ``name``, ``email``, ``canvas_id``, ``section`` optional).

    In order of their ids. Raises ValueError, naming the line, for an id that cannot name a file or is there twice.
    """
    students = {}
    for row in read_table(path, ("id",), "roster"):
        identity = row["id"]
        if not _IDENTITY.fullmatch(identity):
            raise ValueError(f"roster {path}, line {row['line']}: the id {identity!r} must be letters, digits and "
                             ". _ @ + - (at most 64), since it names the student's files")
        if identity.lower() in students:
            raise ValueError(f"roster {path}, line {row['line']}: the id {identity} is there twice")
        columns = ("name", "email", "canvas_id", "section")
        students[identity.lower()] = Student(identity, *(row.get(column) or "" for column in columns))
    if not students:
        raise ValueError(f"roster {path} names no student")
    return [students[identity] for identity in sorted(students)]
