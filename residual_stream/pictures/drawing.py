"""A drawing: marks, the finding in words, the data. One SVG for light, dark, print and high contrast."""

from dataclasses import dataclass

from . import figure
from .marks import Mark


@dataclass(frozen=True)
class Drawing(figure.Picture):
    """A picture of ``width`` by ``height`` units made of ``marks``.

    ``alt`` says what the picture shows, numbers included: it is the picture for whoever does not see it, and the
    text that a notebook keeps. ``table`` holds the data. ``name``, if given, becomes the figure's anchor,
    ``caption`` (plain text, TeX between ``\\(`` and ``\\)``) stands below it.
    """

    width: int
    height: int
    marks: tuple[Mark, ...]
    alt: str
    table: figure.Table
    name: str = ""
    caption: str = ""

    def __post_init__(self):
        object.__setattr__(self, "marks", tuple(self.marks))
        for index, mark in enumerate(self.marks):
            if not isinstance(mark, Mark):
                raise ValueError(f"mark {index} of a drawing is {mark!r}: make marks with rect, line, circle ...")
        if not self.alt.strip():
            raise ValueError("alt is empty: say in one or two sentences what the drawing shows, with the numbers")

    def svg(self):
        """The drawing as SVG source."""
        return figure.svg(self.width, self.height, "".join(mark.svg() for mark in self.marks), self.alt)
