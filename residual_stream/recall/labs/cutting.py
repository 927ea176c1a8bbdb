"""The exercise is cut from the solution: what stands between two markers becomes a blank.

In a code cell the markers are lines of their own, ``### BEGIN SOLUTION`` and ``### END SOLUTION``; what comes after a
colon on the first one, as in ``### BEGIN SOLUTION: return ...``, is the line that the learner finds there (``...`` if
nothing does). In Markdown they are ``<!-- BEGIN SOLUTION -->`` and ``<!-- END SOLUTION -->``, and leave nothing; a
cell that is nothing else is left out. Anything that looks like a marker and is none stops the cut, so that no answer
slips through.
"""

import re

import nbformat

_MARKERS = {
    "code": (re.compile(r"(\s*)### BEGIN SOLUTION(?:: (.+))?"), re.compile(r"\s*### END SOLUTION")),
    "markdown": (re.compile(r"(\s*)<!-- BEGIN SOLUTION( )-->"), re.compile(r"\s*<!-- END SOLUTION -->")),
}
_LOOKS_LIKE_ONE = re.compile(r"(begin|end)\W*solution", re.IGNORECASE)


def cut(notebook, name):
    """The exercise, not yet executed, for a solution's notebook; ``name`` is the notebook's, for errors.

    Raises ValueError, naming notebook, cell and line, for a marker that is misspelt, nested, or without its other one,
    and for a notebook without markers.
    """
    cells, cuts = [], 0
    for cell in notebook.cells:
        source, here = _without_solutions(cell, name)
        cuts += here
        if here and not source.strip():
            continue
        exercise = nbformat.from_dict({**cell, "source": source})
        if cell.cell_type == "code":
            exercise.update(outputs=[], execution_count=None)
        cells.append(exercise)
    if not cuts:
        raise ValueError(f"{name} marks no solution: put ### BEGIN SOLUTION and ### END SOLUTION around what to cut")
    return nbformat.from_dict({**notebook, "cells": cells})


def _without_solutions(cell, name):
    """The cell's source without its solutions, and how many there were."""
    begins, ends = _MARKERS.get(cell.cell_type, _MARKERS["markdown"])
    kept, opened, cuts = [], None, 0
    for number, line in enumerate(cell.source.split("\n"), 1):
        where = f"{name}, cell {cell.id}, line {number}"
        if begin := begins.fullmatch(line):
            if opened:
                raise ValueError(f"{where}: a solution begins inside the one that began at line {opened}")
            opened, cuts = number, cuts + 1
            if cell.cell_type == "code":
                kept.append(f"{begin[1]}{begin[2] or '...'}")
        elif ends.fullmatch(line):
            if not opened:
                raise ValueError(f"{where}: a solution ends that never began")
            opened = None
        elif _LOOKS_LIKE_ONE.search(line):
            raise ValueError(f"{where}: {line.strip()!r} looks like a marker of a solution and is none")
        elif not opened:
            kept.append(line)
    if opened:
        raise ValueError(f"{name}, cell {cell.id}: the solution that begins at line {opened} never ends")
    return "\n".join(kept), cuts
