"""The stack as a highway, walked down addition by addition: pre-LN beside post-LN, their widths from a real stack."""

from functools import partial

from ..model.composition import composition
from ..model.config import Config
from ..model.wrappings import WRAPPINGS
from .drawing import Drawing
from .figure import Table
from .marks import line, polyline, rect, text
from .numbers import counted, decimal
from .prediction import Prediction

WIDTH, COLUMN = 340, 170
TOP, ROW = 30, 28              # where x_0 begins, and the height of one addition
STREAM, BOX = 48, 122          # within a column: the middle of the stream, and of the branches' boxes
UNIT = 20                      # width of a stream of size 1


class Highway:
    """Two stacks of ``layers`` layers side by side, after any number of additions.

    ``names`` are the left and the right wrapping. The stream is as wide as its size, the root mean square of its
    standard deviation over the width; the blue core is x_0's part of it.
    """

    def __init__(self, layers=6, names=("pre-ln", "post-ln"), seed=0):
        self.additions = 2 * layers
        self.parts = {name: composition(Config(layers=layers, wrapping=name, seed=seed)) for name in names}

    def drawing(self, addition):
        """The slider's drawing after ``addition`` additions."""
        done, marks = int(addition), []
        for column, name in enumerate(self.parts):
            marks += self._column(name, COLUMN * column, done)
        rows = [row for name in self.parts for row in self._rows(name, done)]
        alt = (f"After {done} of {self.additions} additions. " + " ".join(
            f"{WRAPPINGS[name].title}: the stream’s size is {decimal(parts.stream[done], 2)}, x₀’s part of it "
            f"{decimal(parts.terms[done, 0], 2)}." for name, parts in self.parts.items()))
        return Drawing(WIDTH, self._y(self.additions + 1) + 54, marks, alt, Table(("quantity", "value"), tuple(rows)))

    def say(self, addition):
        """The slider's value in words."""
        told = ", ".join(f"{WRAPPINGS[name].title} {decimal(parts.terms[int(addition), 0], 2)}"
                         for name, parts in self.parts.items())
        return f"after {counted(addition, 'addition')}, x₀’s part: {told}"

    def predict(self, name, question):
        """The prediction of x_0's part at the end of the stack called ``name``, drawn as the edges of its core."""
        middle = COLUMN * list(self.parts).index(name) + STREAM
        y = self._y(self.additions)
        return Prediction(question, at=self.additions, truth=float(self.parts[name].terms[-1, 0]), digits=2,
                          mark=partial(_guess, middle, y), between=(0, 1))

    def _y(self, addition):
        return TOP + ROW * addition

    def _rows(self, name, done):
        parts, title = self.parts[name], WRAPPINGS[name].title
        return ((f"{title}, size of the stream", decimal(parts.stream[done], 2)),
                (f"{title}, x₀’s part", decimal(parts.terms[done, 0], 2)))

    def _column(self, name, left, done):
        wrapping, parts, middle = WRAPPINGS[name], self.parts[name], left + STREAM
        marks = [text(left + COLUMN / 2, 16, wrapping.title, "strong", "middle")]
        for n in range(self.additions):
            place = wrapping.place(n // 2, self.additions // 2)
            marks += _branch(left, self._y(n), "AM"[n % 2], place, "branch" if n < done else "faint")
        for n in range(self.additions + 1):
            here = n <= done
            for size, kind in ((parts.stream[n], "branch"), (parts.terms[n, 0], "stream")):
                width = UNIT * size if here else 1
                marks.append(rect(middle - width / 2, self._y(n), width, ROW, kind if here else "faint"))
        for n in range(self.additions):
            if wrapping.place(n // 2, self.additions // 2).sum:
                marks.append(rect(middle - 28, self._y(n + 1) - 3, 56, 5, "norm" if n < done else "faint"))
        bottom = self._y(self.additions + 1)
        if wrapping.final_norm:
            marks.append(rect(middle - 28, bottom - 3, 56, 5, "norm" if done == self.additions else "faint"))
        return [*marks, text(left + 4, self._y(done) + 19, str(done), "strong"),
                text(left + 4, bottom + 24, f"size {decimal(parts.stream[done], 2)}", "ink"),
                text(left + 4, bottom + 44, f"x₀’s part {decimal(parts.terms[done, 0], 2)}", "stream strong")]


def _branch(left, y, letter, place, kind):
    """One branch: out of the stream, through its norm where it has one, through its sublayer, and back."""
    middle, box, out, back = left + STREAM, left + BOX, y + 8, y + 17
    head = middle + 24
    norm = [rect(left + 86, out - 5, 8, 10, "norm" if kind == "branch" else kind)] if place.read else []
    return [line(middle, out, box - 15, out, kind), line(box - 15, back, middle, back, kind),
            polyline([(head + 5, back - 4), (head, back), (head + 5, back + 4)], kind), *norm,
            rect(box - 15, y + 5.5, 30, 14, f"{kind} hollow"), text(box, y + 17, letter, f"{kind} strong", "middle")]


def _guess(middle, y, guess):
    half = UNIT * guess / 2
    return (line(middle - half, y, middle - half, y + ROW, "guess"),
            line(middle + half, y, middle + half, y + ROW, "guess"),
            text(middle + 34, y + 19, "your guess", "guess strong halo"))
