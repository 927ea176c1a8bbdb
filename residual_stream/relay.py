"""A relay of handlers, each of whom fails now and then: one that rewrites what it hands on, one that adds to it.

Each of ``handlers`` fails with probability ``p``, independently of the others. In the relay that *rewrites*, a handler
who fails hands nothing on: a series system. In the relay that *adds*, the file goes on and lacks one note.
"""

from typing import NamedTuple

import numpy as np

from .model.weights import random_source


def share_rewriting(p, handlers):
    """The expected share of the handlers' work that arrives when each must rewrite: (1 - p) ** handlers.

    All of it arrives or none. ``p`` may be an array. Raises ValueError for a p outside [0, 1] or no handlers.
    """
    return (1 - _probability(p)) ** _positive(handlers, "handlers")


def share_adding(p, handlers):
    """The expected share of the notes that a file arrives with, 1 - p whatever the number of handlers; it arrives
    always. Arguments and errors as in ``share_rewriting``."""
    _positive(handlers, "handlers")
    return 1 - _probability(p)


def works(handlers, runs, seed=0):
    """One uniform number for each handler and run, (runs, handlers): a handler works where it is at least p.

    The same numbers serve for every p, so that a handler who fails at some p fails at every larger one.
    """
    shape = _positive(runs, "runs"), _positive(handlers, "handlers")
    return random_source(seed, 0).random(shape)


class Shares(NamedTuple):
    """The mean share of the work that arrived over the runs, with its standard error."""

    mean: float
    error: float


def simulate(p, numbers):
    """``{"rewriting": Shares, "adding": Shares}`` of the runs of ``works`` at failure probability ``p``."""
    working = numbers >= _probability(p)
    return {"rewriting": _shares(working.all(axis=1)), "adding": _shares(working.mean(axis=1))}


def _shares(values):
    if len(values) < 2:
        raise ValueError("a standard error needs at least two runs, not 1")
    return Shares(float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values))))


def _probability(p):
    p = np.asarray(p, dtype=float)
    if not np.all((0 <= p) & (p <= 1)):
        raise ValueError(f"p must be a probability, from 0 to 1, not {p}")
    return p


def _positive(count, name):
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, not {count!r}")
    return count
