"""Committed notebooks: executed from top to bottom, then reduced to what a diff can show.

A committed notebook carries text outputs only, so that two runs on two machines give the same file:
figures are stored as their text form (the alt text with its numbers), never as pixels or widget state.
"""

import copy
import os
import re
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from residual_stream.recall.classroom.files import write_whole

KEPT = ("text/plain", "text/latex")
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
NO_PROGRESS = {"RESIDUAL_STREAM_PROGRESS": ""}  # what a run of the book checks is no learner's progress
LONGEST_CELL = 12
LARGEST_OUTPUT = 20_000  # characters of one cell
# What a cell may be tagged with: how the page shows it. Nothing may keep a test from comparing its output.
TAGS = {"hide-input", "hide-output", "hide-cell", "remove-input", "remove-output", "remove-cell"}
UNCOMPARED = re.compile(r"NBVAL_|PYTEST_VALIDATE_")
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
TWO_SENTENCES = re.compile(r"(?<!\b[A-Z])(?<!et al)[.!?][\"')\]*_]*\s+[A-Z]")


class CellFailed(Exception):
    """A cell raised; the message names the notebook, the cell and the error."""


def find(folders):
    """Every notebook below the folders, in order, checkpoints left out."""
    return sorted(path for folder in folders for path in Path(folder).rglob("*.ipynb")
                  if ".ipynb_checkpoints" not in path.parts)


def read(path):
    """The notebook at ``path``; ValueError naming the file if it is not one."""
    try:
        return nbformat.read(path, as_version=4)
    except Exception as fault:  # nbformat raises many kinds for a damaged file; each is told, none is lost
        raise ValueError(f"{path} is not a readable notebook: {fault}") from fault


def text_of(notebook):
    """What a notebook's file holds."""
    return nbformat.writes(notebook) + "\n"


def write(notebook, path):
    """Write the notebook at once: an interruption leaves the old file or the new one, never half of one."""
    write_whole(path, text_of(notebook))


def execute(notebook, path, timeout=60):
    """Run every cell in place, from the notebook's own folder; CellFailed at the first that raises."""
    folder = {"metadata": {"path": Path(path).parent}}
    client = NotebookClient(notebook, timeout=timeout, kernel_name="python3", resources=folder,
                            coalesce_streams=True, extra_arguments=["--IPKernelApp.log_level=50"])  # below that it speaks of its own sockets
    with client.setup_kernel(env={**os.environ, **NO_PROGRESS}):
        for index, cell in enumerate(notebook.cells):
            place = f"{path}, cell {index + 1} ({cell.source.strip().partition(chr(10))[0]})"
            try:
                client.execute_cell(cell, index)
            except CellExecutionError as fault:
                raise CellFailed(f"{place}: {fault.ename}: {fault.evalue}") from fault
            except CellTimeoutError as fault:
                raise CellFailed(f"{place}: it ran for more than {timeout} seconds") from fault
            except DeadKernelError as fault:
                raise CellFailed(f"{place}: the kernel died") from fault
    return notebook


def text_output(output):
    """The output with its text forms only; None if it has none."""
    if output.output_type not in ("display_data", "execute_result"):
        return output
    data = {kind: output.data[kind] for kind in KEPT if kind in output.data}
    return nbformat.from_dict({**output, "data": data, "metadata": {}}) if data else None


def normalise(notebook):
    """A copy with text outputs, counted executions and no other trace of the run."""
    tidy = copy.deepcopy(notebook)
    tidy.update(metadata=nbformat.from_dict(NOTEBOOK_METADATA), nbformat=4, nbformat_minor=5)
    count = 0
    for cell in tidy.cells:
        cell.metadata = {key: cell.metadata[key] for key in ("tags", "nbgrader") if key in cell.metadata}
        if cell.cell_type != "code" or not cell.source.strip():
            continue
        count += 1
        cell.outputs = [kept for kept in map(text_output, cell.outputs) if kept is not None]
        cell.execution_count = cell.execution_count and count
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
    return tidy


def crowded_lines(source):
    """Lines of Markdown that hold more than one sentence; code, tables and formulas are left alone."""
    plain = re.sub(r"^(```|~~~).*?^\1|\$\$.*?\$\$", "", source, flags=re.S | re.M)
    plain = re.sub(r"`[^`]*`|\$[^$]*\$|!?\[[^]]*\]\([^)]*\)", "x", plain)
    return [line for line in plain.splitlines() if TWO_SENTENCES.search(line) and not line.startswith("|")]


def faults(path):
    """What keeps the notebook at ``path`` from being committed, a sentence each; an empty list if nothing does."""
    notebook = read(path)
    found = []
    # Reading repairs ids that are missing or given twice, so the file itself is compared.
    if text_of(normalise(notebook)) != Path(path).read_text("utf-8"):
        found.append("it is not normalised (or two cells share an id): run `make notebooks`")
    for number, cell in enumerate(notebook.cells, 1):
        if odd := set(cell.metadata.get("tags", ())) - TAGS:
            found.append(f"cell {number} has the tag {', '.join(sorted(odd))}, which the book does not use")
        if cell.cell_type == "markdown":
            found += [f"cell {number} has two sentences on one line: {line.strip()}"
                      for line in crowded_lines(cell.source)]
        if cell.cell_type != "code" or not cell.source.strip():
            continue
        if cell.execution_count is None:
            found.append(f"cell {number} was never executed: run `make notebooks`")
        if len(cell.source.splitlines()) > LONGEST_CELL:
            found.append(f"cell {number} has more than {LONGEST_CELL} lines: make it a function of the package")
        found += [f"cell {number} stores {what}" for what in stored(cell.outputs)]
        if UNCOMPARED.search(cell.source):
            found.append(f"cell {number} tells nbval not to compare it")
    return found


def stored(outputs):
    """What a cell's outputs hold and should not, in a few words each."""
    if any(output.output_type == "error" for output in outputs):
        yield "an error"
    if any(output.get("name") == "stderr" for output in outputs):
        yield "a warning"
    if len(text := str(outputs)) > LARGEST_OUTPUT:
        yield f"more than {LARGEST_OUTPUT} characters"
    if ADDRESS.search(text):
        yield "a memory address, which changes at every run"
