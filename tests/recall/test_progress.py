"""Progress: the best of each question and task is kept in one file, and a file that is damaged loses nothing."""

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

import residual_stream as rs
from residual_stream import notebooks
from residual_stream.recall import progress

RIGHT = {"var_f": 1.0, "cov": 2.5**0.5, "var_x1": 3.5 + 2 * 2.5**0.5}


@pytest.fixture(autouse=True)
def new_session(monkeypatch):
    """Each test is a process of its own."""
    monkeypatch.setattr(progress, "_session", {})


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "of its own" / "progress.json"
    monkeypatch.setenv("RESIDUAL_STREAM_PROGRESS", str(path))
    return path


def later(monkeypatch):
    """Another process begins."""
    monkeypatch.setattr(progress, "_session", {})


def best(path):
    return json.loads(path.read_text())["best"]


def test_the_best_is_kept(file, capsys, monkeypatch):
    rs.check("q2", var_f=None, cov=None, var_x1=None)
    assert not file.exists(), "a blank is no attempt"
    rs.check("q2", **RIGHT | {"cov": 3.0})
    assert best(file) == {"q2": [2, 3]}
    rs.check("q2", **RIGHT)
    before = file.read_bytes()
    later(monkeypatch)
    rs.check("q2", **RIGHT | {"var_x1": 0.0})
    assert file.read_bytes() == before
    rs.check("write-layer-norm", layer_norm=rs.layer_norm)
    rs.check("q1", sentence="Because of the first steps.", has=[1])
    assert best(file) == {"q1": [1, 2], "q2": [3, 3], "write-layer-norm": [1, 1]}
    assert [entry.name for entry in file.parent.iterdir()] == ["progress.json"]
    assert "kept" not in capsys.readouterr().out


def test_two_notebooks_at_once(file, monkeypatch):
    """What one of them overwrote stands there again after the other's next attempt."""
    progress.record("q2", 3, 3)
    mine = dict(progress._session)
    file.write_text(json.dumps({"version": 1, "best": {"q3": [1, 1]}}))
    monkeypatch.setattr(progress, "_session", mine)
    progress.record("q4", 1, 2)
    assert best(file) == {"q2": [3, 3], "q3": [1, 1], "q4": [1, 2]}


def test_the_table(file, capsys, monkeypatch):
    rs.check("q2", **RIGHT)
    rs.check("write-layer-norm", layer_norm=rs.layer_norm)
    rs.check("q4", d_ff=3072, weights=0)
    rs.check("find-the-doubling-a", doubling=lambda x: 1.0)
    later(monkeypatch)
    capsys.readouterr()
    rs.progress()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == "tasks of the lab questions".split()
    assert lines[1].split()[:4] == ["variance-trace", "1", "of", "4"] and lines[1].split()[4:6] == ["1", "of"]
    total = next(line for line in lines if line.startswith("in all"))
    assert total.split()[2:5] == ["1", "of", "12"] and total.split()[5] == "1"
    assert lines[-2:] == ["Begun: find-the-doubling-a 0/1, q4 1/2.", f"Kept in {file}."]
    rs.progress("labs")
    assert "questions" not in capsys.readouterr().out
    rs.progress("questions")
    assert "lab" not in capsys.readouterr().out
    with pytest.raises(ValueError, match="only must be"):
        rs.progress("lab")


DAMAGED = [b"", b"{", b"[]", b"\xff\xfe", b'{"version": 2, "best": {}}', b'{"version": 1}',
           b'{"version": 1, "best": []}', b'{"version": 1, "best": {"q2": 3}}', b'{"version": 1, "best": {"q2": [4, 3]}}',
           b'{"version": 1, "best": {"q2": [true, 1]}}', b'{"version": 1, "best": {"q2": [-1, 1]}}', b"[" * 100_000]


@pytest.mark.parametrize("content", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_is_told_and_put_aside(content, file, capsys, monkeypatch):
    file.parent.mkdir()
    file.write_bytes(content)
    rs.progress()
    assert "is damaged (" in capsys.readouterr().out and file.read_bytes() == content
    rs.check("q2", **RIGHT)
    told = capsys.readouterr().out
    aside = file.with_name("progress-damaged-1.json")
    assert f"it lies in {aside} now, and a new one is begun.\n" in told and "Q2  3/3 correct" in told
    assert aside.read_bytes() == content and best(file) == {"q2": [3, 3]}
    file.write_bytes(content)
    rs.check("q3", ratio=97**0.5)
    assert file.with_name("progress-damaged-2.json").read_bytes() == content == aside.read_bytes()
    assert best(file) == {"q2": [3, 3], "q3": [1, 1]}


def test_a_folder_that_cannot_be_written_is_told(tmp_path, capsys, monkeypatch):
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("RESIDUAL_STREAM_PROGRESS", str(tmp_path / "a file" / "progress.json"))
    rs.check("q2", **RIGHT)
    told = capsys.readouterr().out
    assert "Q2  3/3 correct" in told and "Your progress could not be kept in" in told and "Not a directory" in told
    rs.progress()
    assert "could not be read: Not a directory." in capsys.readouterr().out


def test_an_interruption_leaves_the_old_file(file, monkeypatch):
    progress.record("q2", 3, 3)
    before = file.read_bytes()

    def interrupted(*arguments):
        raise KeyboardInterrupt
    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        progress.record("q3", 1, 1)
    assert file.read_bytes() == before


def test_where_it_is_kept(monkeypatch):
    monkeypatch.delenv("RESIDUAL_STREAM_PROGRESS")
    assert progress.place().parts[-2:] == ("residual-stream", "progress.json") and progress.place().is_absolute()
    monkeypatch.setenv("RESIDUAL_STREAM_PROGRESS", "~/mine.json")
    assert progress.place() == Path.home() / "mine.json"


def test_tests_and_builds_keep_nothing(file, monkeypatch, capsys):
    """What pytest, and so nbval, runs is told by the environment; the kernels of builds are told by their makers."""
    notebook = new_notebook(cells=[new_code_cell('import residual_stream as rs\nrs.check("q3", ratio=97**0.5)\n'
                                                 'rs.progress("questions")')],
                            metadata=nbformat.from_dict(notebooks.NOTEBOOK_METADATA))
    file.parent.mkdir()
    file.write_text(json.dumps({"version": 1, "best": {"q2": [3, 3]}}))
    before = file.read_bytes()
    text = notebooks.execute(notebook, file.parent / "x.ipynb").cells[0].outputs[0].text
    assert "Q3  1/1 correct" in text and "Kept as long as this notebook runs." in text
    assert text.split("in all")[1].split()[0] == "1" and file.read_bytes() == before
    monkeypatch.undo()
    assert os.environ["RESIDUAL_STREAM_PROGRESS"] == "" and progress.place() is None
