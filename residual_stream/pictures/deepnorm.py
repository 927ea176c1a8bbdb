"""The drawings of very deep stacks: how far one step moves the output, the gradients, and how alike the layers are."""

from typing import NamedTuple

import numpy as np

from ..model.wrappings import WRAPPINGS, deepnorm_constants
from ..palette import LIGHT
from .axes import Scale
from .drawing import Drawing
from .figure import Table
from .marks import circle, line, polyline, text
from .numbers import decimal
from .plots import plot
from .prediction import Prediction
from .real_layers import mean_and_error

WIDTH = 340
# Wrapping -> its colour, its strokes in a drawing and in a plot: the same in every picture here.
LOOKS = {"post-ln": ("norm", "norm", "-"), "pre-ln": ("stream", "stream", "-"),
         "deepnorm": ("norm", "norm dashed", "--")}
STEPS = {"adam": "one step of Adam at 0.0001", "sgd": "one step of gradient descent at 0.001"}


class Updates(NamedTuple):
    """The committed table ``model_update``, averaged: the relative change of the output over ``depths``.

    ``means`` and ``errors`` map (wrapping, "adam" or "sgd") to the mean over the seeds at each depth and to its
    standard error.
    """

    depths: np.ndarray
    means: dict
    errors: dict

    def draw(self, layers):
        """The slider's drawing at so many layers."""
        at = int(np.flatnonzero(self.depths == layers)[0])
        alpha, beta = deepnorm_constants(decoder=int(layers))["decoder"]
        marks, told, rows = [], [], []
        for index, (step, words) in enumerate(STEPS.items()):
            marks += self._panel(step, words, at, 228 * index)
            values = {name: self.means[name, step][at] for name in LOOKS}
            told.append(f"{words} moves the output by "
                        + ", ".join(f"{percent(value)} in {WRAPPINGS[name].title}" for name, value in values.items()))
            rows += [(f"{WRAPPINGS[name].title}, {words}", percent(value), percent(self.errors[name, step][at]))
                     for name, value in values.items()]
        words = f"DeepNorm: α = {decimal(alpha, 3)}, β = {decimal(beta, 3)}"
        marks.append(text(LEFT, 490, words, "strong"))
        alt = f"At {layers:,.0f} layers {'; '.join(told)}. {words}."
        return Drawing(WIDTH, 500, marks, alt, Table(("stack and step", "change", "standard error"), tuple(rows)))

    def say(self, layers):
        """The slider's value in words."""
        at = int(np.flatnonzero(self.depths == layers)[0])
        moved = percent(self.means["deepnorm", "adam"][at])
        return f"{layers:,.0f} layers: Adam moves DeepNorm’s output by {moved}"

    def predict(self, at, question):
        """The prediction of the change, in percent, that a step of Adam makes in a DeepNorm stack of ``at`` layers."""
        truth = 100 * self.means["deepnorm", "adam"][np.flatnonzero(self.depths == at)[0]]
        return Prediction(question, at=at, truth=float(truth), unit="%", digits=1)

    def _panel(self, step, words, at, top):
        across = Scale(np.log10(self.depths[0]), np.log10(self.depths[-1]), LEFT, WIDTH - 26)
        everything = np.log10([self.means[name, step] for name in LOOKS])
        up = Scale(np.floor(everything.min()), 0.3, top + 190, top + 48)
        marks = [text(2, top + 16, words, "strong"), *_powers(up, across),
                 *(text(across(np.log10(n)), top + 205, f"{n:,}", "grey", "middle") for n in (10, 100, 1000)),
                 text((across.start + across.end) / 2, top + 219, "layers", "grey", "middle")]
        for index, (name, (_, kind, _)) in enumerate(LOOKS.items()):
            mean, error = self.means[name, step], self.errors[name, step]
            points = [(across(np.log10(n)), up(np.log10(value))) for n, value in zip(self.depths, mean)]
            marks.append(polyline(points, kind))
            marks += [line(x, up(np.log10(max(value - e, value / 10))), x, up(np.log10(value + e)), kind.split()[0])
                      for (x, _), value, e in zip(points, mean, error)]
            marks += [line(points[at][0], up.start, *points[at], f"{kind.split()[0]} dotted"),
                      circle(*points[at], 5, kind.split()[0] + (" hollow" if "dashed" in kind else "")),
                      text((2, 101, 201)[index], top + 36, f"{WRAPPINGS[name].title} {percent(mean[at])}",
                           kind.split()[0])]
        return marks


LEFT = 62


def _powers(up, across):
    """Faint lines at the powers of ten of a logarithmic scale, told in percent."""
    marks = []
    for power in range(int(np.ceil(up.low)), int(np.floor(up.high)) + 1):
        marks += [line(across.start, up(power), across.end, up(power), "faint thin"),
                  text(across.start - 6, up(power) + 4.5, percent(10.0**power), "grey", "end")]
    return marks


def percent(fraction):
    """A fraction as a percentage of two significant digits: 93 %, 0.28 %, 0.0078 %; powers of ten of one."""
    value = 100 * fraction
    power = int(np.floor(np.log10(value) + 1e-9))
    digits = max(0, -power if abs(value / 10.0**power - 1) < 1e-9 else 1 - power)
    return f"{decimal(value, digits)} %"


def updates(table):
    """The ``Updates`` of the committed table ``model_update``."""
    depths = np.unique(table["layers"])
    means, errors = {}, {}
    for name in LOOKS:
        own = table[table["wrapping"] == name]
        for step in STEPS:
            pairs = [mean_and_error(own[step][own["layers"] == depth]) for depth in depths]
            means[name, step], errors[name, step] = np.array(pairs).T
    return Updates(depths, means, errors)


def over_layers(panels, name, caption, log=False, ends=(0, 1.03)):
    """A plot of one or more panels of curves over the layers, one curve for each wrapping of ``LOOKS``.

    ``panels`` maps a title to a dict from wrapping to values, one a layer. Logarithmic where ``log`` is set, else from
    one to the other of ``ends``.
    """
    def draw(figure):
        axes = np.ravel(figure.subplots(len(panels), 1, sharex=True))
        for axis, (title, curves) in zip(axes, panels.items()):
            for wrapping, values in curves.items():
                colour, _, style = LOOKS[wrapping]
                axis.plot(np.arange(1, len(values) + 1), values, style, color=LIGHT[colour],
                          label=WRAPPINGS[wrapping].title)
            axis.set_title(title)
            if log:
                axis.set_yscale("log")
                axis.yaxis.set_major_formatter(lambda value, _: decimal(value, max(0, round(-np.log10(value)))))
                axis.minorticks_off()
            else:
                axis.set_ylim(*ends)
        axes[0].legend(loc="lower center", ncols=3, fontsize=12, frameon=False, columnspacing=1.2, handlelength=1.6,
                       bbox_to_anchor=(0.45, 1.12), borderpad=0)
        axes[-1].set_xlabel("layer")

    told, rows = [], []
    for title, curves in panels.items():
        ends_of = {WRAPPINGS[w].title: (_short(values[0]), _short(values[-1])) for w, values in curves.items()}
        told.append(f"{title}: " + "; ".join(f"{w} from {first} to {last}" for w, (first, last) in ends_of.items()))
        rows += [(f"{title}, {w}", first, last) for w, (first, last) in ends_of.items()]
    alt = f"From the first layer to the last. {'. '.join(told)}."
    table = Table(("curve", "first layer", "last layer"), tuple(rows))
    return plot(draw, 60 + 190 * len(panels), alt, table, name, caption)


def _short(value):
    return decimal(value, 4 if abs(value) < 0.1 or 0.99 < value < 1 else 2)
