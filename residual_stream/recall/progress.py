"""What a learner has done: the most points that each question and task got, in one small file.

The file lies in the user's state folder, or where the environment variable ``RESIDUAL_STREAM_PROGRESS`` says. Where
that is set and empty, as in tests and builds, no file is read or written and the record ends with the process.
"""

import json
import os
from pathlib import Path

import platformdirs

from .bank import book_bank
from .labs import TASKS

VARIABLE = "RESIDUAL_STREAM_PROGRESS"
_VERSION = 1

_session = {}
"""What this process has recorded: id -> (points, out of)."""


def place():
    """The path of the learner's file; None where nothing is kept."""
    named = os.environ.get(VARIABLE)
    if named is None:
        return platformdirs.user_state_path("residual-stream", appauthor=False) / "progress.json"
    return Path(named).expanduser() if named else None


def record(identity, points, out_of):
    """Remember an attempt if it is the best so far; a sentence if it could not be kept, else an empty text."""
    _session.update(_best(_session, {identity: (points, out_of)}))
    path = place()
    if path is None:
        return ""
    try:
        kept, notice = _kept_or_put_aside(path)
        best = _best(kept, _session)
        if best != kept:
            _write(path, best)
    except OSError as fault:
        return f"Your progress could not be kept in {path}: {fault.strerror}."
    return notice


def _best(*records):
    """The records in one, the most points of each; in the order of their ids, so that the same gives the same file."""
    best = {}
    for identity, entry in (pair for one in records for pair in one.items()):
        best[identity] = max(best.get(identity, entry), entry)
    return dict(sorted(best.items()))


def _read(path):
    """The record in a file, empty if there is no file; ValueError, saying why, for a file that is none."""
    try:
        text = path.read_bytes().decode("utf-8")
        data = json.loads(text)
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    except (json.JSONDecodeError, RecursionError):
        raise ValueError("it is not JSON") from None
    if type(data) is not dict or data.get("version") != _VERSION or type(data.get("best")) is not dict:
        raise ValueError(f"it is no record of version {_VERSION}")
    for identity, entry in data["best"].items():
        if not (type(entry) is list and len(entry) == 2 and all(type(n) is int for n in entry)
                and 0 <= entry[0] <= entry[1] and entry[1] > 0):
            raise ValueError(f"the entry {identity!r} is no pair of points and of how many")
    return {identity: tuple(entry) for identity, entry in data["best"].items()}


def _write(path, best):
    """Write the record so that an interruption leaves the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    draft.write_text(json.dumps({"version": _VERSION, "best": best}, indent=1) + "\n", "utf-8")
    draft.replace(path)


def _kept_or_put_aside(path):
    """The record in the file and no notice; or an empty one and a sentence, the damaged file renamed and not lost."""
    try:
        return _read(path), ""
    except ValueError as fault:
        number = 1
        while (aside := path.with_name(f"{path.stem}-damaged-{number}{path.suffix}")).exists():
            number += 1
        path.rename(aside)
        return {}, f"Your record of progress was damaged ({fault}): it lies in {aside} now, and a new one is begun."


def progress(only=None):
    """Print what is done, chapter by chapter: tasks of the labs, and questions checked in notebooks.

    ``only`` is "labs" or "questions" for one of the two. An attempt counts as done with its full points, a sentence
    of prose with all the criteria that its writer ticked. Raises ValueError for another ``only``.
    """
    columns = {"labs": ("tasks of the lab", {name: task.chapter for name, task in TASKS.items()}),
               "questions": ("questions", {name: item.table["chapter"] for name, item in book_bank().items()})}
    if only is not None:
        if only not in columns:
            raise ValueError(f'only must be "labs" or "questions", not {only!r}')
        columns = {only: columns[only]}
    best, where = _shown()
    print("\n".join([*_table(columns.values(), best), *_begun(columns.values(), best), where]))


def _shown():
    """The record to show, and a sentence that says where it is kept."""
    path = place()
    if path is None:
        return _session, "Kept as long as this notebook runs."
    try:
        return _best(_read(path), _session), f"Kept in {path}."
    except ValueError as fault:
        return _session, f"The record in {path} is damaged ({fault}): it was left as it is and does not count here."
    except OSError as fault:
        return _session, f"The record in {path} could not be read: {fault.strerror}."


def _table(columns, best):
    chapters = list(dict.fromkeys(chapter for _, chapter_of in columns for chapter in chapter_of.values()))
    width = max(map(len, chapters))
    lines = [" " * width + "".join(f"  {title:>16}" for title, _ in columns)]
    for name, group in [*((chapter, {chapter}) for chapter in chapters), ("in all", set(chapters))]:
        cells = [_count([identity for identity, chapter in chapter_of.items() if chapter in group], best)
                 for _, chapter_of in columns]
        lines.append(f"{name:<{width}}" + "".join(f"  {cell:>16}" for cell in cells))
    return lines


def _count(identities, best):
    done = sum(identity in best and best[identity][0] == best[identity][1] for identity in identities)
    return f"{done} of {len(identities)}" if identities else "-"


def _begun(columns, best):
    known = [identity for _, chapter_of in columns for identity in chapter_of]
    begun = [f"{identity} {best[identity][0]}/{best[identity][1]}" for identity in known
             if identity in best and best[identity][0] < best[identity][1]]
    return [f"Begun: {', '.join(begun)}."] if begun else []
