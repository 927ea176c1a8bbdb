"""The slider through a trained pre-norm stack: the stream's variance at a typical and at the first token.

It draws the committed table; nothing is measured here.
"""

from typing import NamedTuple

import numpy as np

from ..model.trained.tables import committed
from .axes import Scale, horizontal_axis
from .drawing import Drawing
from .figure import Table
from .marks import circle, line, polyline, text
from .numbers import decimal

WIDTH = 340
TICKS = ((-2, "0.01"), (0, "1"), (2, "100"), (4, "10⁴"), (6, "10⁶"))
POWER = Scale(-2.3, 6.6, 236, 26)
ROWS = (("Var(x)", "var_stream", "stream"), ("+ Var(f)", "var_branch", "branch"),
        ("+ 2 Cov", "covariance", "covariance"), ("= Var(x), new", "var_sum", "stream"),
        ("correlation", "correlation", "ink"))


class Growth(NamedTuple):
    """The additions of SmolLM2 on one text, by number of the table: at the ``typical`` token (medians over the tokens
    after the first) and at the ``first``; ``layer`` and ``kind`` of each; ``post``, MiniLM's stream on that text."""

    typical: dict
    first: dict
    layer: list
    kind: list
    post: np.ndarray

    def ratio(self):
        """By how much the variance at the typical token has grown from the embedding to the end."""
        return self.typical["var_sum"][-1] / self.typical["var_stream"][0]

    def say(self, addition):
        """The slider's value in words."""
        at = int(addition) - 1
        return (f"addition {at + 1}, {self.kind[at]} of layer {self.layer[at] + 1}: "
                f"variance\u00a0{short(self.typical['var_sum'][at])}")

    def at(self, addition):
        """The slider's drawing of one addition, counted from 1."""
        at = int(addition) - 1
        columns = [[_value(numbers, name, at) for _, name, _ in ROWS] for numbers in (self.typical, self.first)]
        names = ("Var(x)", "Var(f)", "2 Cov", "Var(x) after", "correlation")
        account = [", ".join(f"{name} {value}" for name, value in zip(names, column)) for column in columns]
        alt = (f"Addition {at + 1} of {len(self.kind)}, {self.kind[at]} of layer {self.layer[at] + 1}. "
               f"Typical token: {account[0]}. First token: {account[1]}.")
        rows = tuple((f"{who}: {name}", value) for who, column in zip(("typical", "first"), columns)
                     for name, value in zip(names, column))
        marks = (*self._curves(at), *self._account(at, columns))
        return Drawing(WIDTH, 420, marks, alt, Table(("quantity", "value"), rows))

    def _curves(self, at):
        across = Scale(0, len(self.kind), 44, WIDTH - 12)
        curves = [np.log10([numbers["var_stream"][0], *numbers["var_sum"]]) for numbers in (self.typical, self.first)]
        post = np.log10(self.post)
        points = [[(across(n), POWER(power)) for n, power in enumerate(curve)] for curve in curves]
        stretched = [(across(n * across.high / len(post)), POWER(power)) for n, power in enumerate(post)]
        x = across(at + 1)
        return (
            *(mark for power, name in TICKS for mark in (
                line(across.start, POWER(power), across.end, POWER(power), "faint thin"),
                text(across.start - 6, POWER(power) + 4.5, name, "grey", "end"))),
            *horizontal_axis(across, POWER.start, POWER.start, (0, 15, 30, 45, 60), label="additions done"),
            text(across.start, 14, "Var(x), logarithmic", "grey"),
            line(x, POWER.start, x, POWER.end, "stream dotted"),
            polyline(points[1], "ink dashed"), polyline(stretched, "norm"), polyline(points[0], "stream"),
            text(across(33), POWER(5.1), "first token", "ink halo"),
            text(across(38), POWER(0.95), "typical token", "stream halo"),
            text(across(across.high), POWER(-1.2), "MiniLM, post-LN (12 additions)", "norm halo", "end"),
            circle(x, POWER(curves[1][at + 1]), 4.5, "ink hollow"), circle(x, POWER(curves[0][at + 1]), 5.5, "stream"),
        )

    def _account(self, at, columns):
        top = 292
        marks = [text(4, top, f"Layer {self.layer[at] + 1}, {self.kind[at]}", "strong"),
                 text(244, top, "typical", "grey", "end"), text(WIDTH - 4, top, "first token", "grey", "end")]
        for index, (name, _, kind) in enumerate(ROWS):
            y = top + 24 * (index + 1)
            marks += [text(4, y, name, f"{kind} strong"), text(244, y, columns[0][index], "", "end"),
                      text(WIDTH - 4, y, columns[1][index], "", "end")]
        return marks


def growth(text="english-long"):
    """The ``Growth`` on one of the committed texts."""
    table = committed("trace")

    def numbers(place):
        return {name: table.column(name, model="smollm2-135m", text=text, place=place) for name in table.layout.numbers}

    where = {"model": "smollm2-135m", "text": text, "place": "rest"}
    return Growth(numbers("rest"), numbers("0"), [int(layer) for layer in table.column("layer", **where)],
                  table.column("kind", **where), table.column("var_stream", **(where | {"model": "minilm"})))


def _value(numbers, name, at):
    value = numbers[name][at]
    return decimal(value, 2) if name == "correlation" else short(2 * value if name == "covariance" else value)


def short(value):
    """A number of any size to three or four digits: 0.0135, 2.59, 1,578, 696,420."""
    size = abs(value)
    if size >= 1000:
        sign, digits = ("\u2212", -value) if value < 0 else ("", value)
        return f"{sign}{digits:,.0f}"
    return decimal(value, 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 1 else 4)
