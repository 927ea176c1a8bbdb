"""Committed notebooks are tidy, executed and true; the tools that see to it are tested on sick little ones."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from residual_stream import notebooks
from residual_stream.__main__ import main
from residual_stream.commands.notebooks import FOLDERS

COMMITTED = notebooks.find(FOLDERS)


def little(*cells):
    for number, cell in enumerate(cells):
        cell.id = f"c{number}"
    return new_notebook(cells=list(cells), metadata=nbformat.from_dict(notebooks.NOTEBOOK_METADATA))


def saved(notebook, folder):
    path = folder / "little.ipynb"
    path.write_text(notebooks.text_of(notebook))
    return path


def test_the_book_has_notebooks():
    assert COMMITTED


@pytest.mark.parametrize("path", COMMITTED, ids=str)
def test_committed_notebook_is_tidy_and_executed(path):
    assert notebooks.faults(path) == []


@pytest.mark.parametrize("path", notebooks.find(["chapters"]), ids=str)
def test_what_a_chapter_prints_fits_the_box_that_a_page_has_for_it(path):
    printed = (output.text for cell in notebooks.read(path).cells for output in cell.get("outputs", ()) if "text" in output)
    assert [line for text in printed for line in text.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("name", ["relay", "residual-stream", "recall", "variance-trace", "real-layers", "two-sublayers",
                                  "pre-post", "trained", "depth-width"])
def test_what_a_chapter_prints_fits_a_phone(name):
    """39 letters of code are as wide as the box of an output on a phone of 360 px.

    Of a cell that asks a question a page shows the question, not the line that is printed.
    """
    for cell in notebooks.read(Path("chapters", f"{name}.ipynb")).cells:
        if cell.cell_type == "code" and "remove-cell" not in cell.metadata.get("tags", ()) and "rs.check(" not in cell.source:
            for output in cell.outputs:
                assert max(map(len, output.get("text", "").splitlines()), default=0) <= 39, cell.id


def test_execution_keeps_text_and_drops_the_rest(tmp_path):
    path = saved(little(
        new_markdown_cell("A sum."),
        new_code_cell("print('one')\n1 + 1"),
        new_code_cell("from IPython.display import HTML\nHTML('<b>bold</b>')"),
        new_code_cell(""),
        new_code_cell("import ipywidgets\nipywidgets.IntSlider()"),
    ), tmp_path)
    assert main(["notebooks", str(path)]) == 0
    done = notebooks.read(path)
    assert notebooks.faults(path) == []
    assert [cell.execution_count for cell in done.cells[1:]] == [1, 2, None, 3]
    assert done.cells[1].outputs[0].text == "one\n" and done.cells[1].outputs[1].data == {"text/plain": "2"}
    assert all(set(o.data) <= set(notebooks.KEPT) for cell in done.cells[2:] for o in cell.outputs)
    assert "widgets" not in done.metadata
    before = path.read_bytes()
    assert main(["notebooks", str(path)]) == 0
    assert path.read_bytes() == before, "a second run must give the same file"


def test_failing_cell_is_named_and_the_notebook_stays(tmp_path, capsys):
    path = saved(little(new_code_cell("x = 1"), new_code_cell("\n1 / 0")), tmp_path)
    before = path.read_bytes()
    assert main(["notebooks", str(path)]) == 1
    told = capsys.readouterr().err
    assert "little.ipynb, cell 2 (1 / 0): ZeroDivisionError: division by zero" in told
    assert path.read_bytes() == before


def test_endless_cell_is_ended_and_told(tmp_path, capsys):
    path = saved(little(new_code_cell("while True: pass")), tmp_path)
    assert main(["notebooks", str(path), "--timeout", "2"]) == 1
    assert "little.ipynb, cell 1 (while True: pass): it ran for more than 2 seconds" in capsys.readouterr().err


def test_a_dead_kernel_is_told(tmp_path, capsys):
    path = saved(little(new_code_cell("import os\nos.kill(os.getpid(), 9)")), tmp_path)
    before = path.read_bytes()
    assert main(["notebooks", str(path)]) == 1
    assert "little.ipynb, cell 1 (import os): the kernel died" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_timeout_of_nothing_is_refused(tmp_path, capsys):
    path = saved(little(new_code_cell("1")), tmp_path)
    assert main(["notebooks", str(path), "--timeout", "0"]) == 2
    assert "--timeout must be at least 1 second" in capsys.readouterr().err


def executed(source, *outputs):
    return new_code_cell(source, execution_count=1, outputs=list(outputs))


SICK = {
    "skipped by nbval": (little(executed("# NBVAL_SKIP\n1")), "tells nbval not to compare"),
    "a tag of nbval": (little(new_markdown_cell("A.", metadata={"tags": ["nbval-skip"]})), "tag nbval-skip"),
    "a warning": (little(executed("1", new_output("stream", name="stderr", text="x"))), "stores a warning"),
    "too much": (little(executed("1", new_output("stream", name="stdout", text="x" * 30_000))), "more than 20000"),
    "never executed": (little(new_code_cell("1 + 1")), "never executed"),
    "image": (little(new_code_cell("1", execution_count=1, outputs=[
        new_output("display_data", {"image/png": "", "text/plain": "x"})])), "not normalised"),
    "error": (little(new_code_cell("1", execution_count=1, outputs=[
        new_output("error", ename="E", evalue="", traceback=[])])), "stores an error"),
    "address": (little(new_code_cell("1", execution_count=1, outputs=[
        new_output("execute_result", {"text/plain": "<object at 0x7f0012ab34cd>"}, execution_count=1)])), "memory address"),
    "long cell": (little(new_code_cell("\n".join("x = 1" for _ in range(13)), execution_count=1)), "more than 12 lines"),
    "two sentences": (little(new_markdown_cell("One sentence. Another one.")), "two sentences on one line"),
    "run out of order": (little(new_code_cell("1", execution_count=7)), "not normalised"),
}


@pytest.mark.parametrize("name", SICK)
def test_sick_notebook_is_told(name, tmp_path):
    notebook, sentence = SICK[name]
    found = notebooks.faults(saved(notebook, tmp_path))
    assert any(sentence in fault for fault in found), found


@pytest.mark.filterwarnings("ignore::nbformat.warnings.DuplicateCellId")
def test_twin_ids_are_told(tmp_path):
    path = saved(little(new_markdown_cell("A."), new_markdown_cell("B.")), tmp_path)
    path.write_text(path.read_text().replace('"c1"', '"c0"'))
    assert any("share an id" in fault for fault in notebooks.faults(path))


@pytest.mark.parametrize("content, sentence", [
    ("", "not a readable notebook"), ("{", "not a readable notebook"), ('{"cells": 3}', "not a readable notebook"),
    (None, "no such notebook"),
])
def test_unreadable_file_is_refused_in_one_line(tmp_path, capsys, content, sentence):
    path = tmp_path / "broken.ipynb"
    if content is not None:
        path.write_text(content)
    assert main(["notebooks", str(path)]) == 2
    told = capsys.readouterr().err
    assert sentence in told and "broken.ipynb" in told and told.count("\n") == 1


def test_abbreviations_formulas_and_code_are_not_sentences():
    source = ("As A. Vaswani et al. Showed it.\n\n```\nx. Y\n```\n$$\na. B\n$$\n`a. B`\n| a. B | c. D |")
    assert notebooks.crowded_lines(source) == []
