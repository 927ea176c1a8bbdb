"""The drawings of pre-LN against post-LN: what the loss's gradient is, layer by layer and over depth.

They draw gradients that the chapter has measured; nothing is measured here.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from .axes import Scale, horizontal_axis, round_ticks, vertical_axis
from .drawing import Drawing
from .figure import Table
from .marks import circle, line, polyline, text
from .numbers import decimal
from .prediction import Prediction
from .real_layers import mean_and_error

WIDTH = 340
LEFT, RIGHT = 38, WIDTH - 14

# The wrapping's place in the book's colours, as in every figure that has both, and its words.
KINDS = {"post-ln": ("norm", "post-LN"), "pre-ln": ("stream", "pre-LN")}


class Gradients(NamedTuple):
    """Norms of the gradient of the feed-forward's second matrix, by wrapping and depth.

    ``norms[wrapping][n]`` has shape (seeds, depths[n]): a row for each stack of ``depths[n]`` layers, the first layer
    first.
    """

    depths: tuple
    norms: dict

    def last(self, wrapping):
        """The last layer's norm, shape (depths, seeds)."""
        return np.array([norms[:, -1] for norms in self.norms[wrapping]])

    def first_over_last(self, wrapping):
        """How many times the last layer's norm the first one's is, shape (depths, seeds)."""
        return np.array([norms[:, 0] / norms[:, -1] for norms in self.norms[wrapping]])

    def at(self, layers):
        """The slider's drawing for stacks of ``layers`` layers: every layer's gradient, and the last one's over depth."""
        layers = int(layers)  # a slider's values are floats
        place = self.depths.index(layers)
        profiles = {kind: self.norms[kind][place].mean(axis=0) for kind in KINDS}
        told = [f"in {words} from {decimal(profiles[kind][0], 2)} at the first layer to "
                f"{decimal(profiles[kind][-1], 2)} at the last" for kind, (_, words) in KINDS.items()]
        rows = tuple(
            (f"{words}, {where}", *(decimal(number, 3) for number in mean_and_error(self.norms[kind][place][:, end])))
            for kind, (_, words) in KINDS.items() for where, end in (("first layer", 0), ("last layer", -1)))
        marks = (*self._profiles(profiles), *self._over_depth(place))
        return Drawing(WIDTH, 470, marks, f"In stacks of {layers} layers the gradient goes {' and '.join(told)}.",
                       Table(("gradient", "mean", "standard error"), rows))

    def say(self, layers):
        """The slider's value in words."""
        place = self.depths.index(int(layers))
        post, pre = (decimal(self.last(kind)[place].mean(), 2) for kind in KINDS)
        return f"{decimal(layers, 0)} layers: last gradient {post} in post-LN, {pre} in pre-LN"

    def predict(self, at, question):
        """The prediction of pre-LN's last gradient at ``at`` layers, the guess drawn beside its points."""
        across, up = self._depth_scales()
        truth = self.last("pre-ln")[self.depths.index(at)].mean()
        return Prediction(question, at=at, truth=float(truth), digits=2, mark=partial(_guess, across(at), up),
                          between=(up.low, up.high))

    def _profiles(self, profiles):
        most = max(norms.mean(axis=0).max() for kind in KINDS for norms in self.norms[kind])
        up, across = Scale(0, 1.08 * most, 188, 40), Scale(0, 1, LEFT, RIGHT)
        marks = [text(4, 16, "Gradient of each layer", "strong"),
                 *vertical_axis(up, LEFT, RIGHT, round_ticks(0, up.high, 4)),
                 text(LEFT, 203, "first layer", "grey"), text(RIGHT, 203, "last layer", "grey", "end")]
        for kind, (colour, _) in KINDS.items():
            values = profiles[kind]
            points = [(across(part), up(value)) for part, value in zip(np.linspace(0, 1, len(values)), values)]
            marks += [polyline(points, f"{colour} thick"), circle(*points[-1], 4.5, colour)]
        return [*marks, text(RIGHT, 36, "upper line: post-LN", "norm strong halo", "end"),
                text(RIGHT, 54, "lower line: pre-LN", "stream strong halo", "end")]

    def _over_depth(self, place):
        across, up = self._depth_scales()
        ticks = [depth for depth in self.depths if depth == self.depths[0] or depth >= 0.2 * self.depths[-1]]
        pre = self.last("pre-ln").mean(axis=1)
        grid = np.linspace(self.depths[0], self.depths[-1], 40)
        root = [(across(depth), up(pre[0] * (self.depths[0] / depth) ** 0.5)) for depth in grid]
        marks = [text(4, 238, "Last layer’s gradient, over depth", "strong"),
                 *vertical_axis(up, LEFT, RIGHT, round_ticks(0, up.high, 4), 1),
                 *horizontal_axis(across, up.end, up.start, ticks, label="layers"),
                 polyline(root, "ink dashed"),
                 text(across(0.5 * self.depths[-1]), up(0.27 * up.high), "dashed: 1/√L", "ink halo", "middle")]
        for kind, (colour, words) in KINDS.items():
            last = self.last(kind)
            for depth, values in zip(self.depths, last):
                mean, error = mean_and_error(values)
                marks += [line(across(depth), up(mean - error), across(depth), up(mean + error), f"{colour} thick"),
                          circle(across(depth), up(mean), 4, f"{colour} hollow")]
            mean, error = mean_and_error(last[-1])
            marks += [circle(across(self.depths[place]), up(last[place].mean()), 5.5, colour),
                      text(RIGHT, min(up(mean) - 12, up(mean + error) - 6), words, f"{colour} strong halo", "end")]
        return marks

    def _depth_scales(self):
        """Of the depths and of the last layer's gradient: the same for every depth, so that nothing jumps."""
        most = max(self.last(kind).mean(axis=1).max() for kind in KINDS)
        return Scale(0, self.depths[-1], LEFT, RIGHT - 10), Scale(0, 1.25 * most, 424, 258)


def exponents(depths, values):
    """The exponent p of ``values`` proportional to depth ** p for each seed, by least squares of the logarithms.

    ``values`` is positive and of shape (depths, seeds), the result of shape (seeds,). Raises ValueError otherwise.
    """
    values = np.asarray(values, dtype=float)
    if len(depths) < 2 or values.ndim != 2 or len(values) != len(depths) or not (values > 0).all():
        raise ValueError("values must be positive and of shape (depths, seeds) for at least two depths, "
                         f"not of shape {values.shape} for {len(depths)}")
    return np.polyfit(np.log(depths), np.log(values), 1)[0]


def _guess(x, scale, guess):
    y = scale(guess)
    words = text(x - 12, y + 4.5, "your guess", "guess strong halo", "end")
    return words, line(x - 5, y - 5, x + 5, y + 5, "guess"), line(x - 5, y + 5, x + 5, y - 5, "guess")
