"""The committed runs of the warm-up experiment: the four arms step by step, and the map of where post-LN trains."""

import csv
from typing import NamedTuple

import numpy as np

from . import tables

BLOCK = 10      # steps averaged into one point of a curve


class Point(NamedTuple):
    """Ten steps of one arm's run, from ``step`` on: the mean loss (nats) and accuracy."""

    wrapping: str
    warm_up: int
    seed: int
    step: int
    loss: float
    accuracy: float


class Outcome(NamedTuple):
    """What became of one run of the map: the accuracy it ``reached``, and its mean ``loss`` (nats) at the end."""

    wrapping: str
    warm_up: int
    layers: int
    learning_rate: float
    init: str
    seed: int
    reached: float
    loss: float


def points(wrapping, warm_up, seed, curve):
    """A run's losses and accuracies, an array (2, steps), as ``Point``s; ValueError where steps do not fill blocks."""
    if curve.shape[1] % BLOCK:
        raise ValueError(f"steps must be a multiple of {BLOCK}, not {curve.shape[1]}")
    blocks = curve.reshape(2, -1, BLOCK).mean(axis=-1)
    return [Point(wrapping, warm_up, seed, BLOCK * n, *values) for n, values in enumerate(blocks.T)]


def outcome(run, curve):
    """What became of a ``Run`` with losses and accuracies ``curve``, an array (2, steps): an ``Outcome``.

    What it reached is its best mean accuracy over 20 successive steps: a spike at the end takes nothing away.
    """
    losses, accuracies = curve
    reached = np.convolve(accuracies, np.full(20, 1 / 20), mode="valid").max()
    config = run.config
    return Outcome(config.wrapping, run.warm_up, config.layers, run.learning_rate, config.init, config.seed,
                   reached, losses[-20:].mean())


def table_text(rows, comments):
    """The table as text: ``comments`` (lines), a header, then a line for each row, all of one kind."""
    return tables.table_text(type(rows[0])._fields, rows, comments, digits=4)


def parse_table(text, kind):
    """What ``table_text`` wrote: a list of ``kind``, ``Point`` or ``Outcome``."""
    rows = csv.DictReader(tables.without_comments(text))
    return [kind(*(kind.__annotations__[name](row[name]) for name in kind._fields)) for row in rows]


def table_file(kind):
    """Where the table of ``Point``s or ``Outcome``s lies in the package."""
    return tables.table_file({Point: "warm_up_arms", Outcome: "warm_up_map"}[kind])


def committed(kind):
    """The committed table of ``kind``; the first lines of its file say how it was made."""
    return parse_table(table_file(kind).read_text(encoding="utf-8"), kind)
