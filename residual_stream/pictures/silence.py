"""The drawing of silenced branches: what each wrote, and how far the last stream moves without it."""

import numpy as np

from .axes import Scale, horizontal_axis, round_ticks, vertical_axis
from .drawing import Drawing
from .figure import Table
from .marks import circle, line, rect, text
from .numbers import decimal
from .real_layers import mean_and_error

WIDTH = 340


def silence(runs):
    """Bars and rings of ``runs``, a ``Silenced`` for each of at least two seeds: means, with two standard errors."""
    term = np.mean([run.term for run in runs], axis=0)
    change, error = np.transpose([mean_and_error(values) for values in zip(*(run.change for run in runs))])
    count, most = len(term), 1.1 * (change + 2 * error).max()
    across, up = Scale(0, count, 42, WIDTH - 8), Scale(0, most, 232, 44)
    marks = [*vertical_axis(up, across.start, across.end, round_ticks(0, most), 1),
             *horizontal_axis(across, up.start, up.start, (), label="addition at which one branch is silenced"),
             rect(4, 5, 12, 12, "branch"), text(22, 15, "missing term", "branch strong"),
             circle(134, 11, 4, "stream hollow"), text(146, 15, "change of the last stream", "stream strong")]
    for n in range(count):
        left, right, middle = across(n), across(n + 1), across(n + 0.5)
        marks += [rect(left + 1.5, up(term[n]), right - left - 3, up(0) - up(term[n]), "branch"),
                  line(middle, up(change[n] - 2 * error[n]), middle, up(change[n] + 2 * error[n]), "stream"),
                  circle(middle, up(change[n]), 3.5, "stream hollow")]
        if n == 0 or (n + 1) % 6 == 0:
            marks.append(text(middle, up.start + 15, str(n + 1), "grey", "middle"))
    alt = (f"{count} additions, one branch silenced at a time, means of {len(runs)} stacks, as shares of the last "
           f"stream. Without the first branch, a term of {decimal(term[0], 2)}, the last stream moves by "
           f"{decimal(change[0], 2)}, with a standard error of {decimal(error[0], 2)}; without the last branch, a "
           f"term of {decimal(term[-1], 2)}, by {decimal(change[-1], 2)}.")
    rows = tuple((str(n + 1), decimal(term[n], 2), decimal(change[n], 2), decimal(error[n], 2)) for n in range(count))
    table = Table(("addition", "missing term", "change of the last stream", "standard error"), rows)
    return Drawing(WIDTH, 268, marks, alt, table, "silence",
                   "Each branch silenced in turn: the term that is then missing (bar), and how far the last stream "
                   "moves (ring, with two standard errors). Shares of the last stream’s size.")
