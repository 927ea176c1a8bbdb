"""The committed table of GPT-3's stack at full size: 192 additions, with and without GPT-2's residual scaling."""

import csv

import numpy as np

from . import tables
from .trace import Trace

COLUMNS = ("residual_scale", *Trace._fields)


def table_text(traces, comments):
    """The table as text, ``comments`` above a row for each addition; ``traces`` maps residual_scale to a ``Trace``."""
    rows = [(int(scaled), *row) for scaled, trace in traces.items() for row in zip(*trace, strict=True)]
    return tables.table_text(COLUMNS, rows, comments)


def parse_table(text):
    """What ``table_text`` wrote: a dict from residual_scale to a ``Trace``."""
    rows = list(csv.DictReader(tables.without_comments(text)))
    traces = {}
    for scaled in (True, False):
        columns = {name: [row[name] for row in rows if row["residual_scale"] == str(int(scaled))] for name in COLUMNS}
        layer, kind = np.array(columns["layer"], dtype=int), np.array(columns["kind"])
        measures = (np.array(columns[name], dtype=float) for name in Trace._fields[2:])
        traces[scaled] = Trace(layer, kind, *measures)
    return traces


def gpt3_trace(residual_scale=True):
    """The trace of GPT-3's stack at initialisation as committed: a ``Trace`` of 192 additions.

    96 layers of width 12,288, 16 tokens, weights of standard deviation 0.02 (GPT-2's rule), with or without its
    factor 1 / sqrt(192) on the output projections. The file's first lines say how it was made.
    """
    return parse_table(table_file().read_text(encoding="utf-8"))[bool(residual_scale)]


def table_file():
    """Where the table lies in the package."""
    return tables.table_file("gpt3_trace")
