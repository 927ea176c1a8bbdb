"""What every command does with Ctrl-C, with files that cannot be read or written, and with too little memory."""

import os
import subprocess
import sys

import pytest

from residual_stream import __main__ as program
from residual_stream.commands import notebooks, recall, trained
from residual_stream.commands.book import explain
from residual_stream.recall.classroom.files import write_whole

COMMANDS = {"notebooks": (notebooks, []), "recall": (recall, ["questions"]), "trained": (trained, ["--write"])}


def ended(capsys, monkeypatch, command, fault):
    """The exit status and the lines on standard error of ``command`` whose work ends with ``fault``."""
    module, arguments = COMMANDS[command]

    def work(_):
        raise fault

    monkeypatch.setattr(module, "run", work)
    status = program.main([command, *arguments])
    out, err = capsys.readouterr()
    assert out == ""
    return status, err.strip("\n").splitlines()


@pytest.mark.parametrize("command", COMMANDS)
def test_an_interruption_is_one_line(capsys, monkeypatch, command):
    status, lines = ended(capsys, monkeypatch, command, KeyboardInterrupt())
    assert (status, lines) == (130, [f"python -m residual_stream {command}: stopped"])


def test_an_interruption_while_a_command_is_imported_is_one_line(capsys, monkeypatch):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "import_module", interrupted)
    assert program.main(["trace"]) == 130
    assert capsys.readouterr().err.strip() == "python -m residual_stream trace: stopped"


def test_an_interrupted_build_is_an_interruption():
    failure = RuntimeError("There was an error in building your book.")
    failure.__cause__ = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        explain(failure)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("fault, said", [
    (PermissionError(13, "Permission denied", "x.csv"), "x.csv: Permission denied"),
    (OSError(28, "No space left on device"), "No space left on device"),
    (MemoryError(), "there is not enough memory for this: ask for less"),
])
def test_a_fault_of_the_machine_is_one_line(capsys, monkeypatch, command, fault, said):
    status, lines = ended(capsys, monkeypatch, command, fault)
    assert (status, lines) == (2, [f"python -m residual_stream {command}: {said}"])


@pytest.mark.parametrize("arguments", [["recall", "questions"], ["recall", "--help"], ["--help"]])
def test_a_reader_that_leaves_is_no_fault(arguments):
    read, write = os.pipe()
    os.close(read)
    with open(write, "w") as left:
        done = subprocess.run([sys.executable, "-m", "residual_stream", *arguments], stdout=left, stderr=subprocess.PIPE,
                              env=os.environ | {"PYTHONUNBUFFERED": ""})
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), ValueError("a line that cannot be made")])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, fault):
    def lines():
        yield "new\n"
        raise fault

    (path := tmp_path / "one.ipynb").write_text("old\n")
    with pytest.raises(type(fault)):
        write_whole(path, lines())
    assert path.read_text() == "old\n" and os.listdir(tmp_path) == ["one.ipynb"]
