"""The drawings of real layers: how correlated a branch is with its stream, and what depth adds to the variance.

They draw traces that the chapter has measured; nothing is measured here.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from ..model.weights import ATTENTION, FEED_FORWARD, KINDS
from ..palette import LIGHT
from .axes import Scale, horizontal_axis, round_ticks, vertical_axis
from .drawing import Drawing
from .figure import Table
from .marks import circle, line, polyline, rect, text
from .numbers import counted, decimal
from .plots import plot, power_of_ten
from .prediction import Prediction

WIDTH = 340


def mean_and_error(values):
    """``(mean, standard error of the mean)`` of one number a seed; ValueError for fewer than two."""
    values = np.asarray(values, dtype=float)
    if values.size < 2:
        raise ValueError(f"values must come from at least two seeds to have a standard error, not {values.size}")
    return values.mean(), values.std(ddof=1) / np.sqrt(values.size)


def mean_correlations(traces, kind):
    """The correlation of branch and stream in each trace, averaged over its additions of ``kind``: shape (seeds,)."""
    return np.array([trace.correlation[trace.kind == kind].mean() for trace in traces])


def correlations(traces):
    """One dot for each stack: its mean correlation of branch and stream, attention and feed-forward apart."""
    scale, bottom = Scale(-0.1, 1.0, 14, WIDTH - 14), 132
    marks = [*horizontal_axis(scale, 14, bottom, (0, 0.5, 1), 1, "correlation of branch and stream"),
             text(scale(1) - 12, 34, "the pencil’s example", "ink halo", "end"), circle(scale(1), 29.5, 5, "ink")]
    told, rows = [], []
    for index, kind in enumerate(KINDS):
        values, y = mean_correlations(traces, kind), 66 + 46 * index
        mean, error = mean_and_error(values)
        marks += [circle(scale(value), y, 4, "branch hollow") for value in values]
        marks += [line(scale(mean), y - 13, scale(mean), y + 13, "ink thick"),
                  text(scale(0.15), y + 4.5, f"{kind}: {decimal(mean, 3)} ± {decimal(error, 3)}", "branch strong halo")]
        told.append(f"{decimal(mean, 3)} for {kind}, with a standard error of {decimal(error, 3)}")
        rows.append((kind, decimal(mean, 3), decimal(error, 3), decimal(values.min(), 3), decimal(values.max(), 3)))
    alt = (f"{len(traces)} stacks, a dot each, on an axis of correlation from {decimal(scale.low, 1)} to 1. "
           f"The mean is {' and '.join(told)}. The pencil’s example stands far off, at 1.")
    columns = ("sublayer", "mean", "standard error", "least", "greatest")
    return Drawing(WIDTH, 172, marks, alt, Table(columns, tuple(rows)), "correlations",
                   f"The mean correlation in each of {len(traces)} stacks (rings) and over all of them (bar).")


class Depth(NamedTuple):
    """What depth does to the variance of the stream, layer by layer, averaged over stacks.

    ``variance`` has the start and the variance after each layer, (layers + 1,); ``attention``, ``feed_forward`` and
    ``covariance`` what each layer's branches have, both covariances together; ``similarity`` the mean cosine of two
    tokens after each layer: all (layers,).
    """

    variance: np.ndarray
    attention: np.ndarray
    feed_forward: np.ndarray
    covariance: np.ndarray
    similarity: np.ndarray

    def upto(self, layer):
        """What adds up to ``variance[layer]``: the start, attention, feed-forward, twice the covariance."""
        return (self.variance[0], self.attention[:layer].sum(), self.feed_forward[:layer].sum(),
                2 * self.covariance[:layer].sum())

    def uncorrelated(self):
        """What the variance would be if no branch had any covariance with its stream, (layers + 1,)."""
        return self.variance[0] + np.concatenate([[0], np.cumsum(self.attention + self.feed_forward)])

    def growth(self, layer):
        """The slider's drawing after ``layer`` layers: the account as bars, and the measured curve."""
        layer = int(layer)  # a slider's values are floats
        total = self.variance[layer]
        alt = f"{self.say(layer)}: {_account_in_words(self, layer)}."
        rows = zip(("start", "attention", "feed-forward", "2 Cov"), self.upto(layer))
        table = Table(("quantity", "value"), (*((name, decimal(value, 2)) for name, value in rows),
                                              ("variance", decimal(total, 2)),
                                              ("cosine of tokens", _cosine(self, layer))))
        return Drawing(WIDTH, 452, (*_bars(self, layer), *_curve(self, layer)), alt, table)

    def say(self, layer):
        """The slider's value in words."""
        return f"after {counted(layer, 'layer')}: variance {decimal(self.variance[int(layer)], 2)}"

    def predict(self, at, question):
        """The prediction of the variance after ``at`` layers, its guess drawn beside the curve."""
        layers, high = self._scales()[1:]
        return Prediction(question, at=at, truth=float(self.variance[at]), digits=1,
                          mark=partial(_guess, layers(at), high), between=(high.low, high.high))

    def _scales(self):
        """Of the bars, of the layers, of the curve: the same for every layer, so that nothing jumps."""
        most = 1.08 * max(self.variance.max(), self.uncorrelated().max())
        return (Scale(min(0, 2 * np.cumsum(self.covariance).min()), most, 96, 284),
                Scale(0, len(self.attention), 38, WIDTH - 14), Scale(0, most, 402, 226))


def depth(traces):
    """The ``Depth`` of traces of one configuration with different seeds, whose stream is never normed or scaled."""
    def layerwise(field, kind):
        return np.mean([getattr(trace, field)[trace.kind == kind] for trace in traces], axis=0)

    start = np.mean([trace.var_stream[0] for trace in traces])
    return Depth(np.array([start, *layerwise("var_sum", FEED_FORWARD)]),
                 layerwise("var_branch", ATTENTION), layerwise("var_branch", FEED_FORWARD),
                 layerwise("covariance", ATTENTION) + layerwise("covariance", FEED_FORWARD),
                 layerwise("token_similarity", FEED_FORWARD))


def _cosine(depth, layer):
    """The tokens' mean cosine after ``layer`` layers; at the start nothing has been measured."""
    return decimal(depth.similarity[layer - 1], 2) if layer else "not measured"


def _account_in_words(depth, layer):
    start, attention, feed_forward, covariance = (decimal(value, 2) for value in depth.upto(layer))
    return (f"{start} at the start, {attention} from attention, {feed_forward} from feed-forward networks and "
            f"{covariance} from twice the covariance; cosine of two tokens {_cosine(depth, layer)}")


BAR, ROW = 18, 27


def _bars(depth, layer):
    scale, top, parts = depth._scales()[0], 12, depth.upto(layer)
    ends = np.cumsum(parts)
    total = depth.variance[layer]
    rows = (("start", "stream", 0, ends[0], parts[0]), ("+ attention", "branch", ends[0], ends[1], parts[1]),
            ("+ feed-fwd.", "branch", ends[1], ends[2], parts[2]),
            ("+ 2 Cov", "covariance", ends[2], ends[3], parts[3]),
            ("= Var(x)", "stream", 0, total, total))
    ticks = round_ticks(max(scale.low, 0), scale.high)
    marks = [*horizontal_axis(scale, top, top + ROW * len(rows), ticks)]
    for index, (name, kind, start, end, value) in enumerate(rows):
        y = top + ROW * index + (ROW - BAR) / 2
        marks += [text(4, y + 14, name, f"{kind} strong"), rect(scale(start), y, scale(end) - scale(start), BAR, kind),
                  text(WIDTH - 4, y + 14, decimal(value, 2), "strong" if index == 4 else "", "end")]
    return (*marks, text(4, 190, f"cosine of two tokens: {_cosine(depth, layer)}"))


def _curve(depth, layer):
    _, across, up = depth._scales()
    last = len(depth.attention)
    measured = [(across(n), up(value)) for n, value in enumerate(depth.variance)]
    summed = [(across(n), up(value)) for n, value in enumerate(depth.uncorrelated())]
    value = depth.variance[layer]
    return (*vertical_axis(up, across.start, across.end, round_ticks(0, up.high)),
            *horizontal_axis(across, up.start, up.start, (*range(0, last + 1, max(1, last // 4)),), label="layers"),
            polyline(summed, "ink dashed"),
            polyline(measured, "stream"),
            # Above the curves: below them the line of the point passes.
            text(across(0.04 * last), up(0.8 * up.high), "Var(x), measured", "stream halo"),
            text(across(0.04 * last), up(0.68 * up.high), "dashed: Var(f) summed", "ink halo"),
            line(across(layer), up(0), across(layer), up(value), "stream dotted"),
            circle(across(layer), up(value), 5.5, "stream"))


def _guess(x, scale, guess):
    y = scale(guess)
    words = text(x - 12, y + 4.5, "your guess", "guess strong halo", "end")
    return words, line(x - 5, y - 5, x + 5, y + 5, "guess"), line(x - 5, y + 5, x + 5, y - 5, "guess")


def lines(curves, title, across, name, caption):
    """A plot of ``curves`` over additions on a logarithmic axis.

    ``curves`` maps a label to (positive values, colour's name in the palette, matplotlib's line style, the side of the
    line's middle where the label stands, clear of the line over its whole width: "upper left", "upper right",
    "lower left" or "lower right").
    """
    def draw(figure):
        axes = figure.subplots()
        for label, (values, colour, style, side) in curves.items():
            axes.plot(np.arange(len(values)), values, style, color=LIGHT[colour])
            at = len(values) // 2
            up, left = side.startswith("upper"), side.endswith("left")
            reach = len(values) * len(label) // 30  # a letter is about a thirtieth of the axis
            beside = values[max(at - reach, 0):at + 1] if left else values[at:at + reach + 1]
            axes.annotate(label, (at, max(beside) if up else min(beside)), (-6 if left else 6, 3 if up else -6),
                          textcoords="offset points", color=LIGHT[colour],
                          ha="right" if left else "left", va="bottom" if up else "top")
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(power_of_ten)
        axes.set_ylim(bottom=0.3 * min(min(values) for values, *_ in curves.values()))
        axes.minorticks_off()
        axes.set_title(title)
        axes.set_xlabel(across)

    ends = {label: (values[0], values[-1]) for label, (values, *_) in curves.items()}
    alt = f"{title}, over {across}: " + "; ".join(
        f"{label} from {_short(first)} to {_short(last)}" for label, (first, last) in ends.items()) + "."
    rows = tuple((label, _short(first), _short(last)) for label, (first, last) in ends.items())
    return plot(draw, 260, alt, Table(("line", "first", "last"), rows), name, caption)


def _short(value):
    """A number of any size in few characters: 34.6, 1.2 times ten to the 19."""
    if value < 1e5:
        return decimal(value, 2)
    power = int(np.floor(np.log10(value)))
    return f"{decimal(value / 10.0**power, 1)} × 10^{power}"
