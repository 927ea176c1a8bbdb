"""The worked example's addition, iterated: what layer norm makes of growth."""

import numpy as np

from ..closed_form import X0, toy_branch
from ..model.addition import account
from .figure import Table
from .numbers import decimal
from ..palette import LIGHT
from .plots import plot


def variances(branch, times):
    """Var(x) before the first and after each of ``times`` additions x <- x + branch(x), shape (times + 1,)."""
    stream, values = np.array(X0), [np.var(X0)]
    for _ in range(times):
        addition = branch(stream)
        values.append(account(stream, addition).var_sum)
        stream = stream + addition
    return np.array(values)


def repeated_addition(a=0.5, times=12):
    """A plot of ``times`` additions with layer norm (the standard deviation grows by ``a`` each time) and without it
    (each multiplies the variance by ``(1 + a)**2``)."""
    normed = variances(lambda stream: toy_branch(stream, a), times)
    plain = variances(lambda stream: a * stream + 1, times)
    count = np.arange(times + 1)
    factor = decimal((1 + a) ** 2, 2)

    def draw(figure):
        std_axes, variance_axes = figure.subplots(2, 1, sharex=True)
        std_axes.plot(count, np.sqrt(normed), "o-", color=LIGHT["norm"], markersize=5)
        std_axes.set_title(f"std with LayerNorm: +{a:g} each time")
        std_axes.set_ylim(0, 1.08 * np.sqrt(normed[-1]))
        variance_axes.plot(count, plain, "s--", color=LIGHT["ink"], markersize=4.5)
        variance_axes.plot(count, normed, "o-", color=LIGHT["norm"], markersize=5)
        variance_axes.set_yscale("log")
        powers = 10.0 ** np.arange(0, np.ceil(np.log10(plain[-1])) + 0.5)
        variance_axes.set_yticks(powers, [f"{power:,.0f}" for power in powers])
        variance_axes.minorticks_off()
        variance_axes.set_title("variance, on a logarithmic axis")
        variance_axes.set_xlabel("additions")
        variance_axes.set_xticks(np.linspace(0, times, 5) if times % 4 == 0 else count)
        middle = times // 2
        variance_axes.text(middle - 0.4, plain[middle], f"without: ×{factor}", ha="right", va="bottom")
        variance_axes.text(times, normed[-1] / 3, "with LayerNorm", ha="right", va="top", color=LIGHT["norm"])

    alt = (f"After {times} additions with a = {a:g}: with layer norm the standard deviation has grown on a straight "
           f"line from {decimal(normed[0] ** 0.5)} to {decimal(normed[-1] ** 0.5)}, by {a:g} each time, and the "
           f"variance is {decimal(normed[-1])}; without it the variance has been multiplied by {factor} each time and "
           f"is {decimal(plain[-1], 0)}.")
    rows = tuple((str(n), decimal(normed[n] ** 0.5), decimal(normed[n]), decimal(plain[n])) for n in count)
    table = Table(("additions", "std with layer norm", "variance with layer norm", "variance without"), rows)
    caption = (f"The addition repeated, at a = {a:g}. With layer norm the standard deviation grows by the same step "
               "each time, so the variance grows quadratically; without it every addition multiplies.")
    return plot(draw, 400, alt, table, "repeated-addition", caption)
