"""Two drawings of trained models, layer by layer: the sign of the correlation, and what a skipped branch costs.

They draw the committed tables; nothing is measured here.
"""

import numpy as np

from ..model.trained.tables import committed
from ..model.weights import KINDS
from .axes import Scale, horizontal_axis, vertical_axis
from .drawing import Drawing
from .figure import Table
from .marks import circle, line, rect, text
from .numbers import decimal

WIDTH = 340
TITLES = {"english-long": "English", "hindi-long": "Hindi"}


def correlations(text, kind, model="smollm2-135m"):
    """The median correlation of branch and stream in each layer, on one of the committed texts, shape (layers,)."""
    return committed("trace").column("correlation", model=model, text=text, place="rest", kind=kind)


def signs():
    """A bar a layer for English, a ring for Hindi: the correlation of attention's and of the feed-forward's branch."""
    marks, told, rows = [], [], []
    for index, kind in enumerate(KINDS):
        values = {title: correlations(name, kind) for name, title in TITLES.items()}
        count = len(values["English"])
        across = Scale(0.5, count + 0.5, 46, WIDTH - 8)
        up = Scale(-0.5, 0.75, 182 + 216 * index, 26 + 216 * index)
        marks += [*vertical_axis(up, across.start, across.end, (-0.5, 0, 0.5), 1),
                  *horizontal_axis(across, up.start, up.start, (1, 10, 20, 30), label="layer" if index else ""),
                  text(across.start, up.end - 10, kind, "branch strong")]
        for layer, (english, hindi) in enumerate(zip(*values.values()), start=1):
            marks += [rect(across(layer) - 3, up(0), 6, up(english) - up(0), "covariance"),
                      circle(across(layer), up(hindi), 3, "ink hollow")]
            rows.append((f"{kind}, layer {layer}", decimal(english, 2), decimal(hindi, 2)))
        positive = [f"{(v > 0).sum()} of {count} in {title}" for title, v in values.items()]
        told.append(f"{kind} is positive in {' and '.join(positive)}, from {decimal(values['English'].min(), 2)} to "
                    f"{decimal(values['English'].max(), 2)} in English")
    alt = f"Correlation of branch and stream in each of {count} layers of SmolLM2: {'; '.join(told)}."
    return Drawing(WIDTH, 434, marks, alt, Table(("sublayer", *TITLES.values()), tuple(rows)), "signs",
                   "The correlation of branch and stream, medians over the tokens after the first: "
                   "English prose (bars) and Hindi prose (rings).")


def losses(model, left_out):
    """``(loss with everything in place, loss with each layer's ``left_out`` silenced (layers,))``."""
    table = committed("ablation")
    return table.column("loss", model=model, layer=-1)[0], table.column("loss", model=model, left_out=left_out)


def skipping(model, between, ticks, digits, name):
    """A row for each layer: the loss without its attention (ring) and without its feed-forward network (disc).

    The axis is logarithmic, from the lowest to the highest loss of ``between``.
    """
    intact, attention = losses(model, "attention")
    feed_forward = losses(model, "feed-forward")[1]
    count = len(attention)
    pitch = 13 if count > 12 else 22
    bottom = 44 + pitch * count
    powers = Scale(*np.log10(between), 34, WIDTH - 14)

    def scale(loss):
        return powers(np.log10(loss))

    marks = [circle(40, 11, 4, "branch hollow"), text(50, 15.5, "without attention", "branch"),
             circle(178, 11, 4.5, "branch"), text(188, 15.5, "without feed-forward", "branch"),
             text(0, 31, "layer", "grey"),
             *(mark for tick in ticks for mark in (
                 line(scale(tick), 34, scale(tick), bottom, "faint thin"),
                 text(scale(tick), bottom + 15, decimal(tick, digits), "grey", "middle"))),
             text((powers.start + powers.end) / 2, bottom + 30, "loss (nats), logarithmic", "grey", "middle"),
             line(scale(intact), 34, scale(intact), bottom, "ink dashed")]
    rows = []
    for layer, (one, other) in enumerate(zip(attention, feed_forward), start=1):
        y = 44 + pitch * (layer - 1)
        marks += [line(scale(min(one, other)), y, scale(max(one, other)), y, "faint"),
                  circle(scale(one), y, 4, "branch hollow"), circle(scale(other), y, 3.5, "branch")]
        if layer == 1 or layer % 5 == 0 or count <= 12:
            marks.append(text(26, y + 4.5, str(layer), "grey", "end"))
        rows.append((f"layer {layer}", decimal(one, digits + 2), decimal(other, digits + 2)))
    worst = [(kind, *_worst(values)) for kind, values in zip(KINDS, (attention, feed_forward))]
    alt = (f"The loss of {count} layers with one branch left out at a time; {decimal(intact, digits + 2)} with all. "
           + " ".join(f"Without {kind} it is highest in layer {layer}, {decimal(loss, digits + 2)}."
                      for kind, layer, loss in worst))
    table = Table(("skipped in", "attention", "feed-forward"), tuple(rows))
    return Drawing(WIDTH, bottom + 38, marks, alt, table, name,
                   "One branch adds nothing, all others work on. "
                   "The dashed line is the loss with every branch in place.")


def _worst(values):
    at = int(np.argmax(values))
    return at + 1, values[at]
