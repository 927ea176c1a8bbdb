"""The drawings of the variance trace: x0 = [1, -1, 2, -2], f(z) = a z + 1, x1 = x0 + f(LN(x0)).

Every number is computed here, by the package's own layer norm, addition and closed form.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from ..closed_form import X0, toy_branch, variance_after
from ..model.addition import Account, account
from .axes import Scale, horizontal_axis, round_ticks, vertical_axis
from .drawing import Drawing
from .figure import Table
from .marks import circle, line, polyline, rect, text
from .numbers import MINUS, decimal, digits_of
from .prediction import Prediction

WIDTH = 340
LEFT, RIGHT = 78, 278
SMALLEST, LARGEST = -2.5, 2.5

# One scale for every a of the slider, so that nothing jumps: the largest value is (std0 + 2.5)^2 = 16.7,
# and its bar keeps clear of the number beside it.
VARIANCE = Scale(0, 17.9, LEFT, RIGHT)
COMPONENT = Scale(-4.6, 6.6, LEFT, RIGHT)


class Addition(NamedTuple):
    """One addition of the worked example: the stream before, the branch, the stream after, and their account."""

    before: np.ndarray
    branch: np.ndarray
    after: np.ndarray
    account: Account

    @property
    def naive(self):
        """The sum's variance for whoever forgets the covariance."""
        return self.account.var_stream + self.account.var_branch


def add(a):
    """The worked example's addition at strength ``a``, layer norm without eps."""
    before = np.array(X0)
    branch = toy_branch(before, a)
    return Addition(before, branch, before + branch, account(before, branch))


def three_bars(a=0.5):
    """Var(x0), Var(f) and 2 Cov(x0, f) as bars that add up to Var(x1), with the naive guess marked."""
    addition = add(a)
    scale = Scale(0, 1.06 * max(addition.naive, addition.account.var_sum), LEFT, RIGHT)
    words = _sum_in_words(addition)
    return Drawing(
        width=WIDTH, height=150, marks=_bars(addition, 22, scale, round_ticks(scale.low, scale.high)),
        alt=words[0].upper() + words[1:], table=_sum_table(addition), name="three-bars",
        caption=f"Three bars that add up, at a = {decimal(a, 2)}. "
                "The dashed line is where the sum would end without the covariance.",
    )


def addition(a):
    """The slider's drawing at strength ``a``: what the variance is made of, the vector, the closed form's curve."""
    this = add(a)
    alt = (f"At a = {decimal(a, 2)}: {_sum_in_words(this)} The vector goes from {_vector(this.before, 0)} "
           f"to {_vector(this.after, 4)}.")
    components = [(f"x1[{index}]", decimal(value)) for index, value in enumerate(this.after)]
    table = Table(("quantity", "value"), (*_sum_table(this).rows, *components))
    marks = (*_bars(this, 22, VARIANCE, (0, 5, 10, 15)), *_components(this, 198), *_curve(a, this, 348))
    return Drawing(WIDTH, 520, marks, alt, table)


def say_variance(a):
    """The slider's value in words: what stands beside it and what a screen reader speaks."""
    return f"a = {decimal(a, 2)}: Var(x₁) = {decimal(add(a).account.var_sum)}"


def predict_variance(at, question):
    """The prediction of Var(x1) at ``a = at``, its guess drawn on the closed form's curve of ``addition``."""
    return Prediction(question, at=at, truth=float(add(at).account.var_sum),
                      mark=partial(_guess, at), between=(CURVE.low, CURVE.high))


BAR, ROW, HALO = 18, 26, 4


def _bars(addition, top, scale, ticks):
    var_stream, var_branch, covariance, _, var_sum = addition.account
    rows = (
        ("Var(x₀)", "stream", 0, var_stream, decimal(var_stream)),
        ("+ Var(f)", "branch", var_stream, addition.naive, decimal(var_branch)),
        ("+ 2 Cov", "covariance", addition.naive, var_sum, decimal(2 * covariance)),
        ("= Var(x₁)", "stream", 0, var_sum, decimal(var_sum)),
    )
    bottom = top + ROW * len(rows)
    naive, last = scale(addition.naive), bottom - ROW
    marks = [*horizontal_axis(scale, top, bottom, ticks, digits_of(ticks)), line(naive, top, naive, last, "ink dashed")]
    for index, (name, kind, start, end, value) in enumerate(rows):
        y = top + ROW * index + (ROW - BAR) / 2
        marks += [
            text(4, y + 14, name, f"{kind} strong"),
            rect(scale(start), y, scale(end) - scale(start), BAR, kind),
            text(WIDTH - 4, y + 14, value, "strong" if name.startswith("=") else "", "end"),
        ]
    for index, (_, _, _, end, _) in enumerate(rows[:-1]):
        y = top + ROW * (index + 1)
        marks.append(line(scale(end), y - (ROW - BAR) / 2, scale(end), y + (ROW - BAR) / 2, "grey thin"))
    words = f"naive guess {decimal(addition.naive)}"
    # Where the last bar ends at the guess, a halo would eat its end: it has no length there.
    halo = bottom if scale(var_sum) > naive + HALO else last
    return (*marks, line(naive, last, naive, halo, "halo"), line(naive, last, naive, bottom, "ink dashed"),
            text(min(max(naive, LEFT + 60), RIGHT), top - 8, words, "ink", "middle"))


def _components(addition, top):
    rows = 4
    bottom = top + 22 * rows
    marks = [
        text(4, top - 10, "x₀", "stream strong"),
        circle(LEFT + 10, top - 14.5, 4.5, "stream hollow"), text(LEFT + 20, top - 10, "before"),
        line(LEFT + 72, top - 14.5, LEFT + 90, top - 14.5, "branch thick"), text(LEFT + 96, top - 10, "branch"),
        circle(LEFT + 154, top - 14.5, 5, "stream"), text(LEFT + 164, top - 10, "after"),
        text(WIDTH - 4, top - 10, "x₁", "stream strong", "end"),
        *horizontal_axis(COMPONENT, top, bottom, (-4, -2, 0, 2, 4, 6)),
    ]
    for index, (before, after) in enumerate(zip(addition.before, addition.after)):
        y = top + 22 * index + 11
        marks += [
            text(4, y + 4.5, decimal(before, 0)),
            line(COMPONENT(before), y, COMPONENT(after), y, "branch thick"),
            circle(COMPONENT(before), y, 4.5, "stream hollow"),
            circle(COMPONENT(after), y, 5, "stream"),
            text(WIDTH - 4, y + 4.5, decimal(after), "", "end"),
        ]
    return tuple(marks)


STRENGTH = Scale(SMALLEST, LARGEST, 38, WIDTH - 12)
CURVE = Scale(0, 17, 482, 358)


def _curve(a, addition, top):
    grid = np.linspace(SMALLEST, LARGEST, 51)
    std = np.std(addition.before)
    closed = [(STRENGTH(at), CURVE(value)) for at, value in zip(grid, variance_after(std, grid))]
    naive = [(STRENGTH(at), CURVE(np.var(addition.before) + at * at)) for at in grid]
    value = addition.account.var_sum
    sum_squared = f"({decimal(std)} {MINUS if a < 0 else '+'} {decimal(abs(a), 2)})²"
    return (
        text(WIDTH / 2, top, f"Var(x₁) = {sum_squared} = {decimal(value)}", "strong", "middle"),
        *vertical_axis(CURVE, STRENGTH.start, STRENGTH.end, (0, 5, 10, 15)),
        *horizontal_axis(STRENGTH, CURVE.start, CURVE.start, (-2, -1, 0, 1, 2), label="a"),
        polyline(naive, "ink dashed"),
        text(STRENGTH(-2.3), CURVE(9.4), "naive", "ink halo"),
        polyline(closed, "stream"),
        text(STRENGTH(1.55), CURVE(12), "(std₀ + a)²", "stream halo", "end"),
        line(STRENGTH(a), CURVE(0), STRENGTH(a), CURVE(value), "stream dotted"),
        circle(STRENGTH(a), CURVE(value), 5.5, "stream"),
    )


def _guess(at, guess):
    x, y = STRENGTH(at), CURVE(guess)
    # Beside the point where the naive curve rises away, unless the words would leave the drawing there.
    side, anchor = (-10, "end") if -1.2 <= at < 0 or at > 1 else (10, "start")
    # They keep clear of the axis when the guess is low and of the title when it is high.
    words = text(x + side, y + 12 * guess / CURVE.high, "your guess", "guess strong halo", anchor)
    return words, line(x - 5, y - 5, x + 5, y + 5, "guess"), line(x - 5, y + 5, x + 5, y - 5, "guess")


def _sum_in_words(addition):
    var_stream, var_branch, covariance, _, var_sum = addition.account
    return (f"three bars add up: Var(x0) {decimal(var_stream)}, Var(f) {decimal(var_branch)} and 2 Cov(x0, f) "
            f"{decimal(2 * covariance)} make Var(x1) {decimal(var_sum)}; the naive guess without the covariance "
            f"is {decimal(addition.naive)}.")


def _sum_table(addition):
    var_stream, var_branch, covariance, _, var_sum = addition.account
    names = ("Var(x0)", "Var(f)", "2 Cov(x0, f)", "Var(x1)", "naive guess")
    values = (var_stream, var_branch, 2 * covariance, var_sum, addition.naive)
    return Table(("quantity", "value"), tuple((name, decimal(value)) for name, value in zip(names, values)))


def _vector(values, digits):
    return f"[{', '.join(decimal(value, digits) for value in values)}]"
