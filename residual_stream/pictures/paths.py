"""The drawings of the way back: the paths that a product of (I + J) holds, and the directions that come through."""

from functools import partial
from math import log10

import numpy as np

from ..model.paths import each_path, product_of, size
from .axes import Scale, horizontal_axis
from .drawing import Drawing
from .figure import Table
from .marks import circle, line, polyline, rect, text
from .numbers import counted, decimal
from .prediction import Prediction

WIDTH = 340
SUBSCRIPTS = "₁₂₃₄₅₆"


def paths(branches):
    """Every path through the sublayers of a small stack, a row each, and the size of its term.

    ``branches`` are the branches' Jacobians, attention and feed-forward by turns, first to last: at most 4.
    """
    if not 1 <= len(branches) <= 4:
        raise ValueError(f"branches must be 1 to 4 Jacobians, for one row a path, not {len(branches)}")
    terms = sorted(each_path(branches).items(), key=lambda item: (sum(item[0]), item[0][::-1]))
    sizes = {taken: size(matrix) for taken, matrix in terms}
    names = [f"{'AM'[n % 2]}{SUBSCRIPTS[n // 2]}" for n in range(len(branches))]
    scale = Scale(0, 1.02 * max(sizes.values()), 130, WIDTH - 46)
    marks = [text(_column(n), 14, name, "branch strong", "middle") for n, name in enumerate(names)]
    for row, (taken, value) in enumerate(sizes.items()):
        y, kind = 24 + 20 * row, "branch" if any(taken) else "stream"
        marks += [line(_column(-0.6), y + 8, _column(len(taken) - 0.4), y + 8, "stream thick"),
                  *(circle(_column(n), y + 8, 6.5, "branch") for n, through in enumerate(taken) if through),
                  rect(scale(0), y + 1, scale(value) - scale(0), 14, kind),
                  text(WIDTH - 4, y + 12.5, decimal(value, 2), "", "end")]
    whole = size(product_of([matrix + np.eye(len(matrix)) for matrix in branches]))
    y = 24 + 20 * len(sizes) + 14
    marks.append(text(4, y, f"all {len(sizes)} added as matrices: size {decimal(whole, 2)}", "strong"))
    rows = tuple((_words(taken, names), decimal(value, 2)) for taken, value in sizes.items())
    one = [value for taken, value in sizes.items() if sum(taken) == 1]
    alt = (f"{len(sizes)} paths through {len(names)} sublayers. The one past every branch is the identity, of size "
           f"{decimal(sizes[(False,) * len(names)], 2)}; those through one branch have sizes from "
           f"{decimal(min(one), 2)} to {decimal(max(one), 2)}, the one through every branch "
           f"{decimal(sizes[(True,) * len(names)], 2)}. Added as matrices they have size {decimal(whole, 2)}.")
    return Drawing(WIDTH, y + 8, marks, alt, Table(("path through", "size"), rows), "paths",
                   "The terms of the product, one path a row. A dot: through that branch. No dot: past it.")


def _column(n):
    return 26 + 26 * n


def _words(taken, names):
    return " ".join(name for name, through in zip(names, taken) if through) or "none (identity)"


KEPT = 0.01
LINES = (("stream", ""), ("norm", "dashed"), ("ink", "dotted"))


class Spectra:
    """The stretch factors of several stacks, layer by layer: ``by_title`` maps a title to ``model.paths.spectra``.

    Up to three, all of one shape, drawn in the order given.
    """

    def __init__(self, by_title):
        shapes = {values.shape for values in by_title.values()}
        if len(shapes) != 1 or len(by_title) > len(LINES):
            raise ValueError(f"by_title must hold up to {len(LINES)} spectra of one shape, not {len(by_title)} "
                             f"of {sorted(shapes)}")
        self.by_title = by_title
        (self.rows, self.count), = shapes
        self.across, self.up = Scale(0, self.count - 1, 50, WIDTH - 10), Scale(-9, 3, 318, 92)

    def kept(self, title, layers):
        """How many directions are stretched by at least a hundredth after so many layers."""
        return int((self.by_title[title][int(layers)] >= KEPT).sum())

    def drawing(self, layers):
        """The slider's drawing after ``layers`` layers: each stack's factors, largest first, on a logarithmic axis."""
        layers = int(layers)  # a slider's values are floats
        marks = [text(4, 84, "factor", "grey"), *horizontal_axis(
            self.across, self.up.start, self.up.start, (), label="directions, most stretched first")]
        for power, word in ((0, "1"), (-2, "1/100"), (-4, "10⁻⁴"), (-6, "10⁻⁶"), (-8, "10⁻⁸"), (2, "100")):
            y = self.up(power)
            marks += [line(self.across.start, y, self.across.end, y, "grey thin" if power in (0, -2) else "faint thin"),
                      text(44, y + 4.5, word, "grey", "end")]
        marks.append(text(44, self.up.start + 4.5, "less", "grey", "end"))
        told, rows = [], []
        for index, (title, (kind, style)) in enumerate(zip(self.by_title, LINES)):
            values, y = self.by_title[title][layers], 16 + 20 * index
            count, middle = self.kept(title, layers), float(np.median(values))
            marks += [polyline(self._points(values), f"{kind} thick {style}".strip()),
                      line(4, y - 4.5, 34, y - 4.5, f"{kind} thick {style}".strip()),
                      text(42, y, title, f"{kind} strong"),
                      text(WIDTH - 4, y, f"keeps {count} of {self.count}", "", "end")]
            told.append(f"{title} {count}")
            rows.append((title, str(count), decimal(values[0], 2), _above_rounding(middle, values[0])))
        alt = (f"After {counted(layers, 'layer')}, of {self.count} directions those that are kept at a hundredth of their size or "
               f"more: {', '.join(told)}.")
        table = Table(("stack", "kept", "largest factor", "middle factor"), tuple(rows))
        return Drawing(WIDTH, 352, marks, alt, table)

    def say(self, layers):
        """The slider's value in words."""
        kept = ", ".join(f"{title}\u00a0{self.kept(title, layers)}" for title in self.by_title)
        return f"kept after {counted(layers, 'layer')}: {kept}"

    def predict(self, title, at, question):
        """The prediction of how many directions the stack called ``title`` keeps after ``at`` layers."""
        return Prediction(question, at=at, truth=float(self.kept(title, at)), unit="directions", digits=0,
                          mark=partial(_guess, self.across, self.up(log10(KEPT))), between=(0, self.count - 1))

    def _points(self, values):
        """About 32 of the values, each a point; what is below the axis stays at its end."""
        places = np.unique(np.linspace(0, self.count - 1, 33).round().astype(int))
        logs = np.log10(np.maximum(values[places], 10.0 ** self.up.low))
        return [(self.across(n), self.up(self.up.clip(value))) for n, value in zip(places, logs)]


def _above_rounding(value, largest):
    """A factor in words; below 10^-12 of the largest one it is rounding error and gets no digits."""
    if value < 1e-12 * largest:
        return "0 to rounding"
    if value >= 1e-3:
        return decimal(value, 3)
    power = int(np.floor(log10(value)))
    return f"{decimal(value / 10.0**power, 1)} × 10^−{-power}"


def _guess(across, y, guess):
    x = across(guess)
    return (text(across(0) + 6, y - 8, "your guess", "guess strong halo"),
            line(x - 5, y - 5, x + 5, y + 5, "guess"), line(x - 5, y + 5, x + 5, y - 5, "guess"))
