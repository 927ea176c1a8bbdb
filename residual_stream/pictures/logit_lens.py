"""The slider of the logit lens: which next tokens the final norm and the output matrix read at each depth.

It draws the committed table; nothing is measured here.
"""

import numpy as np

from ..model.trained.tables import committed
from .axes import Scale, horizontal_axis
from .drawing import Drawing
from .figure import Table
from .marks import circle, line, polyline, rect, text
from .numbers import decimal
from .prediction import Prediction

WIDTH = 340
BARS = Scale(0, 1, 116, 288)
RANK = Scale(0, np.log10(49152), 206, 322)      # the best rank, 1, above
TICKS = ((0, "1"), (1, "10"), (2, "100"), (3, "1,000"), (4, "10,000"))


class Lens:
    """What is read at each depth of one committed ``prompt``: words and probabilities, and the answer's rank."""

    def __init__(self, prompt="tokyo"):
        def column(name, **wanted):
            return committed("lens").column(name, prompt=prompt, **wanted)

        self.answer = column("answer")[0]
        self.rank = [int(rank) for rank in column("rank", place=1)]
        self.chance = column("answer_probability", place=1)
        self.words = [column("word", depth=depth) for depth in range(len(self.rank))]
        self.probability = [column("probability", depth=depth) for depth in range(len(self.rank))]

    def first_on_top(self):
        """The smallest depth from which on the answer is always the most probable token."""
        below = [depth for depth, rank in enumerate(self.rank) if rank > 1]
        return below[-1] + 1 if below else 0

    def predict(self, question):
        """The prediction of that depth, the guess drawn as a line across the curve of ranks."""
        across = self._across()

        def mark(guess):
            x = across(guess)
            words = text(x - 6, RANK(3.4), "your guess", "guess strong halo", "end")
            return line(x, RANK.start, x, RANK.end, "guess"), words

        return Prediction(question, at=self.first_on_top(), truth=self.first_on_top(), unit="additions", digits=0,
                          mark=mark, between=(across.low, across.high))

    def _across(self):
        return Scale(0, len(self.rank) - 1, 62, WIDTH - 12)

    def say(self, depth):
        """The slider's value in words."""
        depth = int(depth)
        read = f"{place(depth)}: {shown(self.words[depth][0])} first"
        return read if self.rank[depth] == 1 else f"{read}, {shown(self.answer)} at rank {self.rank[depth]:,}"

    def at(self, depth):
        """The slider's drawing after ``depth`` additions."""
        depth = int(depth)
        read = list(zip(self.words[depth], self.probability[depth], strict=True))
        told = ", ".join(f"{shown(word)} {decimal(chance, 3)}" for word, chance in read)
        alt = (f"{place(depth)}: {told}. The answer, {shown(self.answer)}, has probability "
               f"{decimal(self.chance[depth], 3)} and rank {self.rank[depth]:,}.")
        rows = [(f"rank {rank}", f"{shown(word)} {decimal(chance, 3)}") for rank, (word, chance) in enumerate(read, 1)]
        table = Table(("quantity", "value"), (*rows, ("the answer’s rank", f"{self.rank[depth]:,}")))
        return Drawing(WIDTH, 366, (*self._bars(depth, read), *self._curve(depth)), alt, table)

    def _bars(self, depth, read):
        marks = [text(4, 14, place(depth), "strong"), text(WIDTH - 4, 14, "probability", "grey", "end")]
        for index, (word, chance) in enumerate(read):
            y = 26 + 27 * index
            kind = "branch" if word == self.answer else "stream"
            marks += [text(4, y + 14, shown(word), f"{kind} strong"),
                      rect(BARS(0), y, BARS(chance) - BARS(0), 18, kind),
                      text(WIDTH - 4, y + 14, decimal(chance, 3), "", "end")]
        return marks

    def _curve(self, depth):
        across = self._across()
        points = [(across(n), RANK(np.log10(rank))) for n, rank in enumerate(self.rank)]
        x, y = points[depth]
        return (
            text(4, 188, f"rank of {shown(self.answer)}: {self.rank[depth]:,}", "branch strong"),
            *(mark for power, name in TICKS for mark in (
                line(across.start, RANK(power), across.end, RANK(power), "faint thin"),
                text(across.start - 9, RANK(power) + 4.5, name, "grey", "end"))),
            *horizontal_axis(across, RANK.end, RANK.end, (0, 15, 30, 45, 60), label="additions done"),
            polyline(points, "branch"), line(x, RANK.end, x, y, "branch dotted"), circle(x, y, 5.5, "branch"),
        )


def place(depth):
    """A depth in words: two additions make a layer."""
    if depth == 0:
        return "The embedding"
    return f"Layer {(depth + 1) // 2}, after {'attention' if depth % 2 else 'feed-forward'}"


def shown(word):
    """A token as it is written on the page: without the space before it, in quotation marks."""
    return f"“{word.removeprefix(' ')}”"
