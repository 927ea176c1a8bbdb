"""Whose file it is: told from its name and its folders, in the shapes in which learning platforms hand out files."""

import re

_COPY = re.compile(r"([ _-]?\(\d+\)|-\d+)$")
_CANVAS = re.compile(r"[^_]+_(?:late_)?(\d+)_\d+_.*")


class Owners:
    """Finds the student of a file; made once for a class.

    A file belongs to the one student whom all parts of its place speak of. A part (a folder, the file, a zip file or
    what is in it) speaks of a student by the id, as the whole name or set off by an underscore or a blank, a copy's
    "(1)" or "-1" at the end left out; by the full name before an underscore, as Moodle names its folders; and by the
    Canvas id, where Canvas's downloads have it (``name_ID_number_file``).
    """

    def __init__(self, students):
        self._ids = {student.id.lower(): student.id for student in students}
        self._names = _only([(" ".join(student.name.lower().split()), student.id) for student in students])
        self._canvas = _only([(student.canvas_id, student.id) for student in students])

    def of(self, place):
        """``(student id, "")``, or ``(None, a clause that says why there is none)``."""
        parts = [re.sub(r"\.(ipynb|zip)$", "", part, flags=re.I).lower() for part in re.split("[/:]", place)]
        found = sorted({student for part in parts for student in self._spoken_of(part)})
        if len(found) == 1:
            return found[0], ""
        if found:
            return None, f"its name fits several students ({', '.join(found)}): rename it"
        return None, "its name fits no student on the roster: rename it to the student's id, as in ID.ipynb"

    def _spoken_of(self, part):
        words = {part, _COPY.sub("", part), *re.split(r"[_\s]+", part)}
        yield from (self._ids[word] for word in words if word in self._ids)
        name = part.partition("_")[0].strip()
        if name in self._names:
            yield self._names[name]
        canvas = _CANVAS.fullmatch(part)
        if canvas and canvas[1] in self._canvas:
            yield self._canvas[canvas[1]]


def _only(pairs):
    """A dict of the (key, student) pairs whose key is not empty and stands for one student alone."""
    keys = [key for key, _ in pairs]
    return {key: student for key, student in pairs if key and keys.count(key) == 1}
