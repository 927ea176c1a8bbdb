"""The drawing of the two relays: a typical run, desk by desk, and the shares that arrive over all probabilities."""

from functools import partial

import numpy as np

from ..relay import share_adding, share_rewriting, simulate, works
from .axes import Scale, horizontal_axis, vertical_axis
from .drawing import Drawing
from .figure import Table
from .marks import circle, line, polyline, rect, text
from .numbers import decimal
from .prediction import Prediction

WIDTH = 340
LARGEST = 0.5
ACROSS, UP = Scale(0, LARGEST, 42, WIDTH - 14), Scale(0, 1, 372, 208)
DOTS = np.linspace(0, LARGEST, 11).round(2)


class Relays:
    """Both relays of ``handlers`` handlers: the closed forms, ``runs`` simulated runs, and one typical run drawn.

    As p grows, half of the runs have their first failure before the typical one has it, and half after.
    """

    def __init__(self, handlers=12, runs=2001, seed=0):
        self.handlers, self.numbers = handlers, works(handlers, runs, seed)
        self.typical = self.numbers[np.argsort(self.numbers.min(axis=1))[runs // 2]]
        self.dots = [simulate(p, self.numbers) for p in DOTS]

    def drawing(self, p):
        """The slider's drawing at failure probability ``p``."""
        working = self.typical >= p
        wrote = int(np.argmin(working)) if not working.all() else self.handlers
        notes = int(working.sum())
        rewriting, adding = share_rewriting(p, self.handlers), share_adding(p, self.handlers)
        alt = (f"{self.handlers} desks, each failing with probability {decimal(p, 2)}. In the run drawn, "
               f"{_stopped(wrote, self.handlers)}, while the relay that adds delivers a file with {notes} notes of "
               f"{self.handlers}. On average the first delivers {decimal(rewriting, 3)} of the work, the second "
               f"{decimal(adding, 3)}.")
        table = Table(("quantity", "value"), (
            ("rewriting, closed form", decimal(rewriting, 3)), ("adding, closed form", decimal(adding, 3)),
            ("desks before the first failure, this run", str(wrote)), ("notes in the file, this run", str(notes))))
        return Drawing(WIDTH, 410, (*self._run(working, wrote, notes), *self._curves(p, rewriting, adding)), alt, table)

    def say(self, p):
        """The slider's value in words."""
        rewriting, adding = share_rewriting(p, self.handlers), share_adding(p, self.handlers)
        return f"p = {decimal(p, 2)}: rewriting {decimal(rewriting, 3)}, adding {decimal(adding, 3)}"

    def predict(self, at, question):
        """The prediction of the rewriting relay's share at ``p = at``, the guess drawn beside its curve."""
        truth = float(share_rewriting(at, self.handlers))
        return Prediction(question, at=at, truth=truth, digits=3, mark=partial(_guess, ACROSS(at)), between=(0, 1))

    def _run(self, working, wrote, notes):
        """The run: above, who rewrote before the first failure; below, the file and its notes."""
        desks = np.linspace(20, WIDTH - 20, self.handlers)
        marks = [text(4, 16, "rewrites", "branch strong"), text(4, 94, "adds", "stream strong"),
                 text(WIDTH - 4, 16, _stopped(wrote, self.handlers, brief=True), "ink", "end"),
                 text(WIDTH - 4, 94, f"arrives with {notes} of {self.handlers} notes", "ink", "end"),
                 line(4, 45, desks[wrote] - 9 if wrote < self.handlers else WIDTH - 4, 45, "branch thick"),
                 line(4, 140, WIDTH - 4, 140, "stream thick")]
        for desk, x in enumerate(desks):
            busy = "branch" if desk < wrote else "branch hollow" if working[desk] else "ink hollow"
            marks += [rect(x - 8, 37, 16, 16, busy), *_cross(x, 45, 0 if working[desk] else 5),
                      line(x, 120, x, 140 if working[desk] else 120, "branch"),
                      rect(x - 8, 104, 16, 16, "branch" if working[desk] else "ink hollow"),
                      *_cross(x, 112, 0 if working[desk] else 5)]
        return [*marks, text(4, 72, "× failed", "grey"), text(84, 72, "hollow: nothing to rewrite", "grey"),
                text(4, 160, "the file passes every desk", "grey")]

    def _curves(self, p, rewriting, adding):
        grid = np.linspace(0, LARGEST, 51)
        marks = [text(4, 190, "share of the work that arrives", "strong"),
                 *vertical_axis(UP, ACROSS.start - 4, ACROSS.end, (0, 0.5, 1), 1),
                 *horizontal_axis(ACROSS, UP.start, UP.start, (0, 0.1, 0.2, 0.3, 0.4, 0.5), 1, "p, a desk fails")]
        for name, share, kind in (("adding", share_adding, "stream"), ("rewriting", share_rewriting, "branch")):
            marks.append(polyline([(ACROSS(at), UP(share(at, self.handlers))) for at in grid], kind))
            for at, shares in zip(DOTS, (dots[name] for dots in self.dots), strict=True):
                low, high = UP.clip(shares.mean - 2 * shares.error), UP.clip(shares.mean + 2 * shares.error)
                marks += [line(ACROSS(at), UP(low), ACROSS(at), UP(high), kind),
                          circle(ACROSS(at), UP(shares.mean), 2.5, f"{kind} hollow")]
        return [*marks, line(ACROSS(p), UP(0), ACROSS(p), UP(adding), "grey dotted"),
                text(ACROSS(0.3), UP(0.76), "adding", "stream strong halo"),
                text(ACROSS(0.16), UP(0.22), "rewriting", "branch strong halo"),
                circle(ACROSS(p), UP(adding), 5.5, "stream"), circle(ACROSS(p), UP(rewriting), 5.5, "branch")]


def _stopped(wrote, handlers, brief=False):
    if wrote == handlers:
        return "arrives" if brief else "the relay that rewrites delivers"
    return f"stops at desk {wrote + 1}" if brief else f"the relay that rewrites stops at desk {wrote + 1}"


def _cross(x, y, size):
    """A cross of half-width ``size``; of size 0 it cannot be seen."""
    return (line(x - size, y - size, x + size, y + size, "ink"), line(x - size, y + size, x + size, y - size, "ink"))


def _guess(x, guess):
    y = UP(guess)
    words = text(x + 10, y + 4.5 + 8 * guess, "your guess", "guess strong halo")
    return words, line(x - 5, y - 5, x + 5, y + 5, "guess"), line(x - 5, y + 5, x + 5, y - 5, "guess")
