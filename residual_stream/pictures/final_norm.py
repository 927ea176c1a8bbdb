"""The drawings of the final norm: what the logits become without it, depth by depth, and what training makes of it."""

from functools import partial
from typing import NamedTuple

import numpy as np

from ..model.final_norm import INITIALISATIONS, WRAPPED, Readout
from .axes import Scale, horizontal_axis, round_ticks, vertical_axis
from .drawing import Drawing
from .figure import Table
from .marks import circle, line, polyline, rect, text
from .numbers import counted, decimal
from .prediction import Prediction

WIDTH, BINS = 340, 40
KINDS = (("read as it is", "stream"), ("through a final norm", "norm"))


class ByDepth(NamedTuple):
    """A ``Readout`` as a slider's drawings: histograms of the logits, and the cross-entropy over the layers."""

    readout: Readout

    def draw(self, layers):
        """The drawing after so many layers."""
        layers = int(layers)  # a slider's values are floats
        spreads = [logits[layers].std() for logits in self.readout[:2]]
        losses = [loss[layers] for loss in self.readout[2:4]]
        alt = (f"{self.say(layers)}. Through a final norm they have a standard deviation of {decimal(spreads[1], 2)} "
               f"and cost {decimal(losses[1], 2)} nats. A guess costs {decimal(self.readout.guess, 2)}.")
        rows = tuple((what, decimal(plain, 2), decimal(normed, 2))
                     for what, (plain, normed) in (("std of the logits", spreads), ("cross-entropy", losses)))
        marks = (*self._histograms(layers, spreads), *self._curves(layers, losses))
        return Drawing(WIDTH, 490, marks, alt, Table(("", "without", "with"), rows))

    def say(self, layers):
        """The slider's value in words."""
        layers = int(layers)
        return (f"after {counted(layers, 'layer')}: logits of std {decimal(self.readout.plain[layers].std(), 2)}, "
                f"which cost {decimal(self.readout.plain_loss[layers], 2)} nats")

    def predict(self, at, question):
        """The prediction of the cross-entropy without a final norm after ``at`` layers, drawn beside its curve."""
        across, up = self._scales()
        return Prediction(question, at=at, truth=float(self.readout.plain_loss[at]), unit="nats", digits=1,
                          mark=partial(_guess, across(at), up), between=(up.low, up.high))

    def _scales(self):
        """Of the layers and of the cross-entropy: the same at every step."""
        highest = 1.08 * self.readout.plain_loss.max()
        return Scale(0, len(self.readout.plain_loss) - 1, 38, WIDTH - 14), Scale(0, highest, 450, 292)

    def _histograms(self, layers, spreads):
        reach = 10 * np.ceil(np.abs(self.readout.plain).max() / 10)
        scale = Scale(-reach, reach, 20, WIDTH - 20)
        edges = np.linspace(-reach, reach, BINS + 1)
        marks = []
        for index, ((words, kind), logits) in enumerate(zip(KINDS, self.readout[:2])):
            top, bottom = 14 + 132 * index, 106 + 132 * index
            counts = np.histogram(logits[layers], edges)[0] / logits[layers].size
            height = Scale(0, 0.6, bottom, top + 8)
            marks += [text(14, top, f"logits, {words}", f"{kind} strong"),
                      text(WIDTH - 14, top, f"std {decimal(spreads[index], 2)}", "", "end"),
                      *horizontal_axis(scale, top + 8, bottom, round_ticks(-reach, reach, 4))]
            marks += [rect(scale(left), bottom, scale(right) - scale(left), height(count) - bottom, kind)
                      for left, right, count in zip(edges, edges[1:], counts)]
        return marks

    def _curves(self, layers, losses):
        across, up = self._scales()
        guess, last = self.readout.guess, across.high
        marks = [text(14, 276, "cross-entropy in nats", "strong"),
                 *vertical_axis(up, across.start, across.end, round_ticks(0, up.high)),
                 *horizontal_axis(across, up.start, up.start, _quarters(last), label="layers"),
                 line(across.start, up(guess), across.end, up(guess), "ink dashed"),
                 text(across.end, up(guess) + 16, "a guess", "ink halo", "end")]
        for (words, kind), curve in zip(KINDS, self.readout[2:4]):
            marks.append(polyline([(across(n), up(value)) for n, value in enumerate(curve)], kind))
        marks += [text(across(0.5 * last), up(0.72 * up.high), "read as it is", "stream halo", "end"),
                  text(across(0.5 * last), up(guess) - 9, "through a final norm", "norm halo", "middle")]
        return (*marks, *(circle(across(layers), up(value), 5, kind) for (_, kind), value in zip(KINDS, losses)))


def _quarters(last):
    return range(0, last + 1, max(1, last // 4))


def _guess(x, scale, guess):
    y = scale(guess)
    words = text(x - 12, y + 4.5, "your guess", "guess strong halo", "end")
    return words, line(x - 5, y - 5, x + 5, y + 5, "guess"), line(x - 5, y + 5, x + 5, y - 5, "guess")


def steps_to_learn(table):
    """A ring for each training run of the committed table ``final_norm``: after how many steps 90 % were right."""
    scale = Scale(0, 10 * np.ceil(table["steps"].max() / 10 + 0.1), 92, WIDTH - 14)
    depths = np.unique(table["layers"])
    arms = [(init, layers, final) for init in INITIALISATIONS for layers in depths for final in WRAPPED]
    top, row, gap = 34, 24, 14
    marks, told, rows, y = [], [], [], top
    for index, (init, layers, final) in enumerate(arms):
        weights = f"{init} weights".replace("'", "’")
        if index % 4 == 0:
            marks.append(text(6, y + 14, weights, "strong halo"))
            y += row
        own = table[(table["init"] == init) & (table["layers"] == layers) & (table["final_norm"] == final)]
        mean, error = own["steps"].mean(), own["steps"].std(ddof=1) / np.sqrt(len(own))
        kind = "norm" if final == "with" else "stream"
        middle = y + row / 2
        if final == "with":
            marks.append(text(6, y + row + 4.5, f"{layers} layers", "grey"))
        marks += [line(scale(0), middle, scale.end, middle, "faint thin"),
                  *(circle(scale(steps), middle, 4, f"{kind} hollow") for steps in own["steps"]),
                  line(scale(mean), middle - 9, scale(mean), middle + 9, f"{kind} thick")]
        told.append(f"{weights}, {layers} layers, {final} it {decimal(mean, 1)} ± {decimal(error, 1)}")
        rows.append((f"{weights}, {layers} layers, {final}", decimal(mean, 1), decimal(error, 1)))
        y += row + (gap if index % 2 else 0)
    axis = horizontal_axis(scale, top, y, round_ticks(0, scale.high), label="steps until 90 % are right")
    legend = [circle(82, 15, 4, "norm hollow"), text(92, 19, "with a final norm", "norm"),
              circle(236, 15, 4, "stream hollow"), text(246, 19, "without", "stream")]
    alt = (f"Steps until 90 % are right, with a final norm or without it, over {len(own)} seeds: {'; '.join(told)}.")
    return Drawing(WIDTH, int(y + 36), (*axis, *legend, *marks), alt,
                   Table(("stack", "mean steps", "standard error"), tuple(rows)), "steps-to-learn",
                   "Each ring is a training run, each bar a mean.")
