"""The slider that tells five readings of "Add & Norm" apart: the stream x = [s, 0, 0, 0] grows, and what comes out?"""

import numpy as np

from ..model.add_and_norm import READINGS
from .axes import Scale, horizontal_axis
from .drawing import Drawing
from .figure import Table
from .marks import line, rect, text
from .numbers import decimal
from .prediction import Prediction

WIDTH = 340
SIZES = np.arange(1, 17) / 4
FIRST = Scale(0, 8, 138, 292)
TOP, ROW, BAR = 40, 34, 18

# What carries the norm's colour (it ends in a norm) and what the stream's (it ends in the addition).
ENDS_IN_ADDITION = ("read", "branch")


def toy_branch(z):
    """The branch of every reading here, that of the variance trace: half of what it reads, plus 1."""
    return 0.5 * z + 1


def first_places(size):
    """The first number of what each reading makes of [``size``, 0, 0, 0], without eps: by name."""
    x = np.array([size, 0.0, 0.0, 0.0])
    return {name: reading.after(x, toy_branch)[0] for name, reading in READINGS.items()}


def readings(s):
    """The slider's drawing at size ``s``: a bar for the first place of each reading."""
    values = first_places(s)
    bottom = TOP + ROW * len(values)
    marks = [text(4, 18, f"x = [{decimal(s, 2)}, 0, 0, 0]: the first place becomes", "strong"),
             *horizontal_axis(FIRST, TOP, bottom, (0, 2, 4, 6, 8))]
    for index, (name, value) in enumerate(values.items()):
        y = TOP + ROW * index + (ROW - BAR) / 2
        colour = "stream" if name in ENDS_IN_ADDITION else "norm"
        marks += [text(4, y + 14, READINGS[name].title, f"{colour} strong"),
                  rect(FIRST(0), y, FIRST(value) - FIRST(0), BAR, colour),
                  text(WIDTH - 4, y + 14, decimal(value, 3), "strong", "end")]
    told = [f"{READINGS[name].title} {decimal(value, 3)}" for name, value in values.items()]
    rows = tuple((READINGS[name].title, decimal(value, 3)) for name, value in values.items())
    return Drawing(WIDTH, bottom + 24, marks, f"First place for x = [{decimal(s, 2)}, 0, 0, 0]: {', '.join(told)}.",
                   Table(("reading", "first place"), rows))


def say(s):
    """The slider's value in words."""
    values = first_places(s)
    as_drawn, read = decimal(values["as-drawn"], 3), decimal(values["read"], 3)
    return f"s = {decimal(s, 2)}: as drawn\u00a0{as_drawn}, LN\u00a0before\u00a0F\u00a0{read}"


def predict_as_drawn(at, question):
    """The prediction of the first place of the box as drawn at size ``at``, the guess drawn on its bar."""
    return Prediction(question, at=at, truth=float(first_places(at)["as-drawn"]), digits=3, mark=_guess,
                      between=(FIRST.low, FIRST.high))


def _guess(guess):
    x, y = FIRST(guess), TOP + ROW / 2
    words = text(x, TOP + 2, "your guess", "guess strong halo", "middle")
    return words, line(x - 5, y - 5, x + 5, y + 5, "guess"), line(x - 5, y + 5, x + 5, y - 5, "guess")
