"""The command line of a trace: what it prints, what it refuses, and what it survives."""

import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from dataclasses import replace
from functools import partial
from io import StringIO

import numpy as np
import pytest

from residual_stream.__main__ import main
from residual_stream.model.config import Config
from residual_stream.model.memory import machine_bytes, needed_bytes, require_memory
from residual_stream.model.presets import preset_config
from residual_stream.model.trace import gradient_norms, trace

TINY = ["--layers", "2", "--width", "12", "--heads", "3", "--tokens", "4"]
ACCOUNT = ("var_stream", "var_branch", "covariance", "correlation", "var_sum")
FULL_SIZE = ["trace", "--preset", "gpt3", "--layers", "12", "--width", "1536", "--heads", "12", "--json"]


def program(*arguments, **options):
    """The command in a process of its own, on one BLAS thread, its output buffered as it is by default.

    It hears Ctrl-C, though a shell that runs these tests in the background passes on that nobody does.
    """
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": ""} | options.pop("env", {})
    return subprocess.Popen([sys.executable, "-m", "residual_stream", *arguments], env=environment, text=True,
                            stdout=options.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE,
                            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL), **options)


def refused(capsys, *arguments):
    """The one line on standard error of a command that is refused with status 2."""
    try:
        status = main(["trace", *arguments])
    except SystemExit as end:
        status = end.code
    out, err = capsys.readouterr()
    assert status == 2 and out == "" and err.count("\n") == 1 and err.endswith("\n"), err
    return err


def test_json_is_the_trace_of_the_configuration(capsys):
    assert main(["trace", *TINY, "--seed", "3", "--wrapping", "post-ln", "--gradients", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    config = Config(layers=2, width=12, heads=3, tokens=4, seed=3, wrapping="post-ln")
    assert Config(**printed["config"]) == config
    expected, gradients = trace(config), gradient_norms(config)
    assert [tuple(row) for row in printed["sublayers"]] == [("layer", "kind", *ACCOUNT)] * 4
    assert [row["layer"] for row in printed["sublayers"]] == [0, 0, 1, 1]
    assert [row["kind"] for row in printed["sublayers"]] == ["attention", "feed-forward"] * 2
    for name in ACCOUNT:
        assert [row[name] for row in printed["sublayers"]] == pytest.approx(getattr(expected, name).tolist(), rel=1e-9)
    read = [[row["attention"], row["feed_forward"]] for row in printed["gradients"]]
    np.testing.assert_allclose(read, gradients, rtol=1e-9)
    assert [row["layer"] for row in printed["gradients"]] == [0, 1]


def test_without_gradients_json_has_none(capsys):
    main(["trace", *TINY, "--json"])
    assert set(json.loads(capsys.readouterr().out)) == {"config", "sublayers"}


def test_a_number_that_is_not_finite_is_null(capsys):
    main(["trace", *TINY, "--wrapping", "rezero", "--json"])
    text = capsys.readouterr().out
    assert json.loads(text, parse_constant=pytest.fail)["sublayers"][0]["correlation"] is None


def test_the_table_shows_the_same_numbers(capsys):
    main(["trace", *TINY, "--gradients", "--residual-scale", "--init", "gpt2"])
    title, meaning, empty, heading, *rows = capsys.readouterr().out.splitlines()
    config = Config(layers=2, width=12, heads=3, tokens=4, residual_scale=True, init="gpt2")
    assert title.startswith("Pre-LN: 2 layers, width 12, 3 heads, 4 tokens, init gpt2, scaled by 1/sqrt(2L), seed 0")
    assert meaning.startswith("stream: ") and empty == ""
    assert heading.split("  ")[-1].strip() == "gradient"
    expected = np.column_stack([*(getattr(trace(config), name) for name in ACCOUNT), gradient_norms(config).ravel()])
    np.testing.assert_allclose([[float(cell) for cell in row.split()[2:]] for row in rows], expected, rtol=1e-4)


def test_every_column_stays_apart(capsys):
    main(["trace", "--layers", "500", "--width", "8", "--heads", "1", "--tokens", "2", "--wrapping", "none"])
    assert {len(row.split()) for row in capsys.readouterr().out.splitlines()[4:]} == {7}


def test_a_preset_with_changes(capsys):
    assert main(["trace", "--preset", "gpt2", *TINY, "--no-residual-scale", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    config = preset_config("gpt2", layers=2, width=12, heads=3, tokens=4, residual_scale=False)
    assert Config(**printed["config"]) == config and config.init == "gpt2"
    assert printed["sublayers"][-1]["var_sum"] == pytest.approx(trace(config).var_sum[-1], rel=1e-5)


@pytest.mark.parametrize("arguments, says", [
    ("--width 65", "heads must divide width, but 4 does not divide 65: choose heads=1 or width=68"),
    ("--layers -3", "layers must be at least 1, not -3"),
    ("--layers=0", "layers must be at least 1, not 0"),
    ("--tokens 0", "tokens must be at least 1, not 0"),
    ("--heads 0", "heads must be at least 1, not 0"),
    ("--seed -1", "seed must be at least 0, not -1"),
    ("--layers 2.5", "--layers: must be a whole number such as 12, not '2.5'"),
    ("--width 1e3", "--width: must be a whole number such as 12, not '1e3'"),
    ("--width nan", "--width: must be a whole number such as 12, not 'nan'"),
    ("--layers " + "9" * 5000, "--layers: must be a whole number such as 12, not '9999"),
    ("--wrapping pre-nl", "wrapping 'pre-nl' is unknown: did you mean 'pre-ln'"),
    ("--wrapping zzz", "wrapping 'zzz' is unknown: choose one of pre-ln, pre-ln-no-final, post-ln"),
    ("--init xaver", "init 'xaver' is unknown: did you mean 'xavier'"),
    ("--preset gpt-3", "preset must be a known model, not 'gpt-3': did you mean gpt3"),
    ("--preset qqqq", "preset must be a known model, not 'qqqq': choose one of vaswani-base"),
    ("--preset gpt3 --gradients", "gradients need all weights in memory, where preset gpt3 has none: leave"),
    ("--preset gpt3 --layers 2 --wrapping deepnorm", "wrapping 'deepnorm' cannot be drawn in blocks: choose one of"),
    ("--checkpoint x", "checkpoint is for full-size presets only: choose a --preset of gpt3, llama-7b, or leave"),
    ("--width 4000000", "width 4000000 is too much: this needs about"),
    ("--tokens 90000000", "tokens 90000000 is too much: this needs about"),
    ("--gradients --width 1024 --layers 1000000", "layers 1000000 is too much: this needs about"),
    ("--layers 99999999999999999999", "layers 99999999999999999999 is too much: this needs about"),
    ("--preset gpt3 --tokens 9000000", "tokens 9000000 is too much: this needs about"),
    ("--preset gpt3 --width 96 --checkpoint /dev/null/x", "checkpoint /dev/null/x cannot be written"),
    ("--preset gpt3 --width 96 --checkpoint /", "checkpoint / cannot be read"),
    ("--preset gpt3 --width 96 --checkpoint=", "checkpoint must name a file, not ''"),
    ("--layers " + "9" * 400, "layers must be at most 10**40"),
    ("--heads", "argument --heads: expected one argument"),
    ("--seed ''", "--seed: must be a whole number"),
])
def test_bad_input_is_refused_in_one_line(capsys, arguments, says):
    assert says in refused(capsys, *arguments.split(" "))


def test_help_teaches(capsys):
    with pytest.raises(SystemExit) as end:
        main(["trace", "--help"])
    text = capsys.readouterr().out
    assert end.value.code == 0
    for word in ("Var stream", "Cov", "corr", "gradient", "Examples:", "--preset gpt3", "deepnorm", "default 64"):
        assert word in text


def test_every_example_of_the_help_is_accepted(monkeypatch, capsys):
    with pytest.raises(SystemExit):
        main(["trace", "--help"])
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("  python -m")]
    ran = []
    for name in ("stored_trace", "drawn_trace"):
        monkeypatch.setattr(f"residual_stream.commands.trace.{name}",
                            lambda config, *_: ran.append(config) or trace(replace(config, layers=1, width=8, heads=1)))
    monkeypatch.setattr("residual_stream.commands.trace.gradient_norms", lambda config: np.ones((1, 2)))
    assert len(lines) == 5 and [main(line[3:]) for line in lines] == [0] * 5
    assert ran[-1].width == 12_288 and ran[2].layers == 96


@pytest.mark.parametrize("changes", [
    {}, {"tokens": 512}, {"width": 256}, {"heads": 16, "tokens": 256}, {"ff": 4096}, {"activation": "swiglu"},
    {"dtype": "float32", "width": 256, "tokens": 256}, {"wrapping": "sandwich", "tokens": 256},
])
def test_the_memory_estimate_is_near_the_peak(changes):
    config = Config(**({"layers": 6, "width": 128, "tokens": 64} | changes))
    for function, gradients in ((trace, False), (gradient_norms, True)):
        tracemalloc.start()
        function(config)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert 0.8 < needed_bytes(config, gradients) / peak < 1.5, (function.__name__, peak)


@pytest.mark.parametrize("gradients", [False, True])
@pytest.mark.parametrize("changes, field", [({"width": 4096}, "width"), ({"tokens": 9000}, "tokens")])
def test_what_a_memory_refusal_proposes_fits(gradients, changes, field):
    config, available = Config(layers=4, heads=4, **changes), 100e6
    with pytest.raises(ValueError, match=f"^{field} .* choose {field}=[0-9]+ or less") as refusal:
        require_memory(config, gradients, available=available)
    value = int(str(refusal.value).split(f"choose {field}=")[1].split()[0])
    fitting = replace(config, **{field: value}, **({"ff": 4 * value} if field == "width" else {}))
    require_memory(fitting, gradients, available=available)
    with pytest.raises(ValueError, match="is too much"):
        step = 4 if field == "width" else 1
        more = {"ff": 4 * (value + step)} if field == "width" else {}
        require_memory(replace(config, **{field: value + step}, **more), gradients, available=available)


def test_the_machines_memory_is_known():
    assert 1e8 < machine_bytes() < 1e14


def test_a_reader_that_leaves_ends_the_command_quietly():
    process = program("trace", "--layers", "400", "--width", "8", "--tokens", "2", "--json")
    process.stdout.close()
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (141, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk_is_one_line():
    with open("/dev/full", "w") as full:
        _, err = (process := program("trace", *TINY, stdout=full)).communicate(timeout=120)
    assert process.returncode == 2
    assert err == "python -m residual_stream trace: standard output cannot be written: No space left on device\n"


def test_a_closed_standard_output_is_refused_before_the_work(monkeypatch):
    errors = StringIO()
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", errors)
    assert main(["trace", *TINY]) == 2
    assert "standard output is closed" in errors.getvalue()


@pytest.mark.parametrize("how, status", [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_an_interrupted_full_size_trace_goes_on_to_the_same_bits(tmp_path, capsys, how, status):
    path = tmp_path / "state.npz"
    # Deep enough to be still at work when this process, on a busy machine, comes round to looking.
    command = [*FULL_SIZE, "--layers", "48", "--checkpoint", str(path)]
    process = program(*command)
    while process.poll() is None and not (path.exists() and np.load(path)["layer"] >= 2):
        time.sleep(0.005)
    process.send_signal(how)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (status, "")
    assert err.startswith(f"state kept in {path}; after an interruption the same command goes on from there\n")
    assert "Traceback" not in err and path.exists()

    assert main(command) == 0
    resumed = capsys.readouterr()
    assert resumed.err.startswith(f"going on from {path};") and not path.exists()
    assert main(command) == 0
    assert capsys.readouterr().out == resumed.out
