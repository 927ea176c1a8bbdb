"""Tables of measurements that are committed with the package: comments on how they were made, a header, rows."""

import platform
from importlib.resources import files
from pathlib import Path

import numpy as np


def table_text(columns, rows, comments, digits=7):
    """The table as text: ``comments`` (lines) after "# ", the names of the columns, then the rows, comma-separated.

    Numbers are written to so many significant ``digits``, whole ones in full.
    """
    lines = [f"# {comment}" for comment in comments] + [",".join(columns)]
    return "\n".join(lines + [",".join(_cell(value, digits) for value in row) for row in rows]) + "\n"


def without_comments(text):
    """The lines of a table's text from its header on."""
    return [line for line in text.splitlines() if not line.startswith("#")]


def parse_table(text):
    """What ``table_text`` wrote: a structured array, a field for each column, numbers where all of it are numbers."""
    return np.genfromtxt(without_comments(text), delimiter=",", names=True, dtype=None, encoding="utf-8")


def read_table(name):
    """The committed table ``residual_stream/data/<name>.csv``, as ``parse_table`` gives it."""
    return parse_table(table_file(name).read_text(encoding="utf-8"))


def write_table(name, columns, rows, comments):
    """Write ``residual_stream/data/<name>.csv``, its last comment the versions that made it."""
    Path(str(table_file(name))).write_text(table_text(columns, rows, [*comments, _versions()]), "utf-8", newline="\n")


def table_file(name):
    """Where the table lies in the package."""
    return files("residual_stream") / "data" / f"{name}.csv"


def _cell(value, digits):
    return str(value) if isinstance(value, str | int | np.integer) else f"{value:.{digits}g}"


def _versions():
    from residual_stream import __version__

    return (f"versions: residual-stream {__version__}, NumPy {np.__version__}, Python {platform.python_version()}, "
            f"{platform.system()} {platform.machine()}")
