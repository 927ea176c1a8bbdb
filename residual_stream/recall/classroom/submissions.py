"""What came back: found, opened with care, and taken apart into answer cells. Nothing of it is run or changed.

Whatever is wrong with a file is one sentence about it, a Fault; the other files are read all the same.
"""

import json
import os
import re
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..assignment import PLACEHOLDER

LARGEST = 10 * 2**20
MOST_MEMBERS = 200
DEEPEST = 20
_PASSED_OVER = re.compile(r"^(\.|__MACOSX$)")
_MARKER = re.compile(r"\s*(?:#|<!--)\s*answer ([a-z0-9-]+)")


class Fault(Exception):
    """Why a file cannot be read, one clause without a full stop."""


@dataclass(frozen=True)
class Found:
    """A notebook that was handed in: its place below the folder (a zip's member after the zip), and how to read it."""

    place: str
    read: object


def find(folder):
    """Every notebook below the folder, those in zip files too, in order: Found, or (place, clause) for what is none.

    Symbolic links are not followed. Raises ValueError if the folder is none.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder: name the one that holds the submitted notebooks")
    closed = []
    for directory, names, files in os.walk(folder, onerror=closed.append):
        names[:] = sorted(name for name in names if not _PASSED_OVER.match(name))
        here = Path(directory)
        if len(here.relative_to(folder).parts) == DEEPEST and names:
            yield _shown(here.relative_to(folder).as_posix()), f"folders more than {DEEPEST} deep are not looked into"
            names.clear()
        links = [name for name in names if (here / name).is_symlink()]
        for name in sorted(links + [name for name in files if not _PASSED_OVER.match(name)]):
            yield from _at(here / name, _shown((here / name).relative_to(folder).as_posix()))
    for fault in closed:
        yield _shown(Path(fault.filename).relative_to(folder).as_posix()), f"it cannot be opened: {fault.strerror}"


def _at(path, place):
    try:
        status = path.lstat()
    except OSError as fault:
        yield place, f"it cannot be opened: {fault.strerror}"
        return
    kind = path.suffix.lower()
    if stat.S_ISLNK(status.st_mode):
        yield place, "it is a symbolic link, and links are not followed"
    elif not stat.S_ISREG(status.st_mode):
        yield place, "it is no regular file"
    elif kind == ".zip" and status.st_size > LARGEST:
        yield place, f"it is {_size(status.st_size)} large and more than {_size(LARGEST)} is not read: unpack it here"
    elif kind == ".zip":
        yield from _in_zip(path, place)
    elif kind != ".ipynb":
        yield place, "it is no notebook (its name does not end in .ipynb)"
    else:
        yield Found(place, lambda: _read(path, status.st_size))


def _read(path, size):
    try:
        return _bounded(lambda: path.open("rb"), size)
    except OSError as fault:
        raise Fault(f"it cannot be opened: {fault.strerror}") from fault


def _bounded(opened, size):
    if size > LARGEST:
        raise Fault(f"it is {_size(size)} large and more than {_size(LARGEST)} is not read: "
                    "clear its outputs and save it again")
    with opened() as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise Fault(f"it holds more than {_size(LARGEST)}, which is not read")
    return content


def _size(count):
    return f"{count / 2**20:.0f} MB"


def _in_zip(path, place):
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.filename.endswith("/")]
    except Exception as fault:      # damage makes zipfile raise struct.error, IndexError and others, as it comes
        yield place, f"it is no readable zip file: {_words(fault)}"
        return
    if len(members) > MOST_MEMBERS:
        yield place, f"it holds {len(members)} files, and more than {MOST_MEMBERS} are not read: unpack it here"
        return
    for member in sorted(members, key=lambda member: member.filename):
        inside = PurePosixPath(member.filename.replace("\\", "/"))
        where = f"{place}:{_shown(member.filename)}"
        if inside.is_absolute() or ".." in inside.parts or ":" in member.filename.partition("/")[0]:
            yield where, "its path leads out of the zip file, so it is not read"
        elif any(_PASSED_OVER.match(part) for part in inside.parts):
            continue
        elif stat.S_ISLNK(member.external_attr >> 16):
            yield where, "it is a symbolic link, and links are not followed"
        elif inside.suffix.lower() != ".ipynb":
            yield where, "it is no notebook (its name does not end in .ipynb)"
        else:
            yield Found(where, lambda member=member: _member(path, member))


def _member(path, member):
    try:
        with zipfile.ZipFile(path) as archive:
            return _bounded(lambda: archive.open(member), member.file_size)
    except Fault:
        raise
    except Exception as fault:      # and so do the decompressors
        raise Fault(f"it cannot be unpacked: {_words(fault)}") from fault


def _words(fault):
    return _shown(str(fault) or type(fault).__name__)


def _shown(name):
    """A file's name as a sentence may hold it: on one line, and without what a terminal would obey."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in name)


def notebook_of(content):
    """The notebook in a file's bytes as parsed JSON whose cells are a list; raises Fault for anything else."""
    if not content.strip():
        raise Fault("it is empty")
    try:
        document = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        raise Fault(f"it is not UTF-8 (byte {fault.start})") from fault
    except RecursionError as fault:
        raise Fault("its JSON is nested too deep") from fault
    except ValueError as fault:
        raise Fault(f"it is no notebook, or was cut off: {fault}") from fault
    if not isinstance(document, dict):
        raise Fault("it is JSON, but no notebook")
    if "worksheets" in document:
        raise Fault("it is a notebook of an older format (3): open it in Jupyter and save it again")
    if not isinstance(document.get("cells"), list):
        raise Fault("it is JSON, but no notebook: it has no list of cells")
    return document


def released_to(document):
    """The student whose numbers the notebook says it holds; an empty text if it says nothing."""
    metadata = document.get("metadata")
    ours = metadata.get("residual_stream") if isinstance(metadata, dict) else None
    student = ours.get("student") if isinstance(ours, dict) else None
    return student if isinstance(student, str) else ""


def answer_cells(document):
    """The sources of the answer cells by question id, each a list in the notebook's order."""
    answers = {}
    for cell in document["cells"]:
        if not isinstance(cell, dict) or cell.get("cell_type") not in ("code", "markdown", "raw"):
            continue
        source = cell.get("source")
        if isinstance(source, list) and all(isinstance(line, str) for line in source):
            source = "".join(source)
        if isinstance(source, str) and (question := _question_of(cell, source)):
            answers.setdefault(question, []).append(source)
    return answers


def _question_of(cell, source):
    """The id of the question that a cell answers: by its first line, nbgrader's metadata or its own id; or None."""
    if marker := _MARKER.match(source):
        return marker[1]
    metadata = cell.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    for name in (nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None, cell.get("id")):
        if isinstance(name, str) and name.startswith("answer-"):
            return name.removeprefix("answer-")
    return None


def prose_of(source):
    """The sentence in the cell of a prose answer; an empty text where there is none."""
    text = re.sub(r"\A\s*<!-- answer [a-z0-9-]+ -->", "", source).replace(PLACEHOLDER, "")
    return text.strip()
