"""Wrappings side by side, a row each: what depth does to the stream, and two numbers of each on one axis.

They draw what ``model.comparison`` has measured; nothing is measured here.
"""

import math
from typing import NamedTuple

import numpy as np

from .drawing import Drawing
from .figure import Table
from .marks import circle, line, rect, text
from .numbers import counted, decimal
from .prediction import Prediction
from .real_layers import mean_and_error

WIDTH, TOP, ROW, BAR = 340, 44, 24, 14
LEFT = 132
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Decades(NamedTuple):
    """A logarithmic axis of powers of ten, from 10^low at ``start`` to 10^high at ``end`` (coordinates)."""

    low: int
    high: int
    start: float
    end: float

    def __call__(self, value):
        """The coordinate of a value; of one beyond the axis, zero included, its nearer end."""
        power = math.log10(value) if value > 0 else self.low
        share = (min(max(power, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + (self.end - self.start) * share

    def holds(self, value):
        """Whether the value lies on the axis."""
        return value > 0 and self.low <= math.log10(value) <= self.high

    def marks(self, bottom):
        """A faint line and a number at each power of ten."""
        for power in range(self.low, self.high + 1):
            x = self(10.0**power)
            yield line(x, TOP - 8, x, bottom, "faint thin")
            yield text(x, bottom + 15, decimal(10.0**power, max(0, -power)), "grey", "middle")


def short(value):
    """A number of any size, 0 or above, in a few characters."""
    if value == 0:
        return "0"
    if value >= 1e4 or value < 5e-4:
        return f"10{f'{math.log10(value):.0f}'.translate(RAISED)}"
    return decimal(value, 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 0.1 else 3)


class Growth(NamedTuple):
    """What depth does to the streams of wrappings that were compared at one depth: the slider's drawing."""

    compared: list

    @property
    def layers(self):
        """How many layers the stacks have."""
        return self.compared[0].variance.shape[1] - 1

    def at(self, layer):
        """``(variance, similarity)`` after so many layers, means over the seeds, one for each wrapping."""
        layer = int(layer)  # a slider's values are floats
        return (np.array([c.variance[:, layer].mean() for c in self.compared]),
                np.array([c.similarity[:, layer].mean() for c in self.compared]))

    def after(self, layer):
        """The drawing after ``layer`` layers: the variance of each stream as a bar, the tokens' cosine beside it."""
        variance, similarity = self.at(layer)
        axis, bottom = Decades(0, 3, LEFT, 232), TOP + ROW * len(self.compared)
        marks = [*axis.marks(bottom), text(286, TOP - 14, "Var(x)", "stream strong", "end"),
                 text(WIDTH - 2, TOP - 14, "cosine", "grey", "end")]
        for index, (c, size, alike) in enumerate(zip(self.compared, variance, similarity)):
            y = TOP + ROW * index
            marks += [text(2, y + 12, c.title),
                      rect(axis.start, y, max(axis(size) - axis.start, 1), BAR, "stream"),
                      text(286, y + 12, short(size), "", "end"),
                      text(WIDTH - 2, y + 12, decimal(alike, 2), "grey", "end")]
        rows = tuple((c.title, short(size), decimal(alike, 2))
                     for c, size, alike in zip(self.compared, variance, similarity))
        table = Table(("wrapping", "variance", "cosine of tokens"), rows)
        alt = (f"{self.say(layer)}. Variance of the stream and cosine of two tokens: "
               + "; ".join(f"{title} {size}, {alike}" for title, size, alike in rows) + ".")
        return Drawing(WIDTH, bottom + 24, marks, alt, table)

    def say(self, layer):
        """The slider's value in words."""
        return f"after {counted(layer, 'layer')}"

    def predict(self, name, question):
        """The prediction of one wrapping's variance after the last layer."""
        truth = next(c.variance[:, -1].mean() for c in self.compared if c.name == name)
        return Prediction(question, at=self.layers, truth=float(truth), digits=1)


def pairs(titles, hollow, solid, names, low, high, name, caption):
    """A row for each title with two values on a logarithmic axis from 10^low to 10^high: a ring and a disc.

    ``hollow`` and ``solid`` are arrays (titles, seeds), of which the mean is drawn and the standard error told;
    ``names`` is what ring and disc stand for. A value beyond the axis is written at its end.
    """
    axis, bottom = Decades(low, high, LEFT, WIDTH - 20), TOP + ROW * len(titles)
    marks = [*axis.marks(bottom), circle(LEFT + 6, TOP - 24, 4.5, "ink hollow"), text(LEFT + 16, TOP - 19.5, names[0]),
             circle(LEFT + 106, TOP - 24, 4.5, "ink"), text(LEFT + 116, TOP - 19.5, names[1])]
    rows = []
    for index, (title, *both) in enumerate(zip(titles, hollow, solid)):
        y = TOP + ROW * index + 7
        (ring, ring_error), (disc, disc_error) = map(mean_and_error, both)
        marks += [text(2, y + 5, title), line(axis(ring), y, axis(disc), y, "grey thick"),
                  circle(axis(ring), y, 4.5, "ink hollow"), circle(axis(disc), y, 4.5, "ink"),
                  *_beyond(axis, (ring, disc), names, y)]
        rows += [(title, names[0], short(ring), short(ring_error)), (title, names[1], short(disc), short(disc_error))]
    told = "; ".join(f"{ring[0]} {ring[2]} and {disc[2]}" for ring, disc in zip(rows[::2], rows[1::2]))
    table = Table(("wrapping", "layers", "mean", "standard error"), tuple(rows))
    alt = f"{caption} {names[0]} and {names[1]}: {told}."
    return Drawing(WIDTH, bottom + 24, marks, alt, table, name, caption)


def _beyond(axis, values, names, y):
    """What the values are that lie beyond the axis, written beside both marks, towards its middle; one alone by name."""
    outside = [value for value in values if not axis.holds(value)]
    words, ends = " and ".join(dict.fromkeys(map(short, outside))), [axis(value) for value in values]
    if len(outside) == 1:
        words = f"{names[values.index(outside[0])]}: {words}"
    if not outside:
        return []
    if outside[0] < 10.0**axis.low:
        return [text(max(ends) + 9, y + 5, words, "halo")]
    return [text(min(ends) - 9, y + 5, words, "halo", "end")]
