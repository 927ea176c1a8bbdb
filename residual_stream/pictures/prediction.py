"""Predict, then see: the reader's guess, how it is read, drawn and compared with the computed value.

The page does the same in its script; tests hold the two against each other.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from .marks import Mark
from .numbers import MINUS, decimal

LARGEST_GUESS = 1e9
NO_GUESS = "Type your guess first, or choose to see the figure without one."
COMMA = "Write the decimal mark as a point: 2.75, not 2,75."
NO_NUMBER = "That is not a number. Type one such as 2.75 or \u22120.5."
TOO_LARGE = "Type a number between \u22121000000000 and 1000000000."
OUTSIDE = " Your guess lies outside the drawing, so its mark stands at the edge."

BLANKS = " \t\r\n\u00a0"
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Prediction:
    """A question that the reader answers before the slider appears.

    ``question`` is plain text (TeX between ``\\(`` and ``\\)``); ``at`` is the value of the slider that it asks about;
    ``truth`` the computed answer, in ``unit``, told with ``digits`` decimals; ``asked_as``
    says of a number without a unit what it is, such as "as a factor". ``mark(guess)`` draws the guess: a Mark
    or several, whose coordinates are linear in the guess over the range ``between``, to which the mark is clipped.
    """

    question: str
    at: float
    truth: float
    unit: str = ""
    asked_as: str = ""
    digits: int = 4
    mark: Callable[[float], Mark | tuple[Mark, ...]] | None = None
    between: tuple[float, float] | None = None

    def __post_init__(self):
        if not abs(self.truth) <= LARGEST_GUESS:
            raise ValueError(f"truth must be a finite number that can be guessed, not {self.truth}")
        if (self.mark is None) != (self.between is None):
            raise ValueError("mark and between belong together: how the guess is drawn, and the plot's range")
        if self.mark:
            self._check_linear()

    def marks(self, guess):
        """The marks that show ``guess``, clipped to the plot; empty where the prediction draws none."""
        if self.mark is None:
            return ()
        low, high = self.between
        drawn = self.mark(min(max(guess, low), high))
        return (drawn,) if isinstance(drawn, Mark) else tuple(drawn)

    def moving(self):
        """What moves with the guess: (mark's index, attribute, value at the low end, value at the high end)."""
        if self.mark is None:
            return ()
        return tuple(
            (index, name, at_low, at_high)
            for index, (one, other) in enumerate(zip(*map(self.marks, self.between)))
            for (name, at_low), (_, at_high) in zip(one.attributes, other.attributes)
            if at_low != at_high
        )

    def data(self):
        """What the page's script needs to read, judge and draw a guess."""
        return {
            "truth": self.truth,
            "told": decimal(self.truth, self.digits),
            "unit": self.unit,
            "digits": self.digits,
            "between": self.between,
            "marks": len(self.marks(self.truth)),
            "moving": self.moving(),
        }

    def verdict(self, guess, typed):
        """One sentence or two that set ``guess``, as the reader typed it, beside the truth."""
        off = decimal(abs(guess - self.truth), self.digits)
        unit = f" {self.unit}" if self.unit else ""
        told = f"You guessed {pretty(typed)}{unit}; the computed value is {decimal(self.truth, self.digits)}{unit}."
        side = "low" if guess < self.truth else "high"
        judged = " Your guess is right." if float(off) == 0 else f" Your guess is {off}{unit} too {side}."
        return told + judged + (OUTSIDE if self._outside(guess) else "")

    @property
    def label(self):
        """What stands before the field for the guess."""
        return "Your guess" + (f" in {self.unit}" if self.unit else "") + (f", {self.asked_as}" if self.asked_as else "")

    def _outside(self, guess):
        return self.between is not None and not self.between[0] <= guess <= self.between[1]

    def _check_linear(self):
        low, high = self.between
        if not low < high:
            raise ValueError(f"between must be two growing numbers, not {self.between}")
        ends = self.marks(low), self.marks((low + high) / 2), self.marks(high)
        for index, versions in enumerate(zip(*ends, strict=True)):
            if len({(mark.tag, mark.text, tuple(name for name, _ in mark.attributes)) for mark in versions}) > 1:
                raise ValueError(f"mark {index} of the guess changes more than coordinates with the guess")
            for (name, at_low), (_, at_middle), (_, at_high) in zip(*(mark.attributes for mark in versions)):
                if at_low != at_high and not _on_a_line(at_low, at_middle, at_high):
                    raise ValueError(f"{name} of mark {index} of the guess is not linear in the guess: "
                                     f"{at_low}, {at_middle}, {at_high} at its low end, middle and high end")


def _on_a_line(*coordinates):
    if not all(_NUMBER.fullmatch(text) for text in coordinates):
        return False
    low, middle, high = map(float, coordinates)
    return abs(low + high - 2 * middle) <= 0.2001  # each was rounded to a tenth


def read_guess(typed):
    """``(number, None)`` for what the reader typed, or ``(None, message)`` where it is no number."""
    text = typed.strip(BLANKS).replace(MINUS, "-")
    if not text:
        return None, NO_GUESS
    if "," in text:
        return None, COMMA
    if not _NUMBER.fullmatch(text):
        return None, NO_NUMBER
    number = float(text)
    return (number, None) if abs(number) <= LARGEST_GUESS else (None, TOO_LARGE)


def pretty(typed):
    """What the reader typed, trimmed, with a true minus."""
    return typed.strip(BLANKS).replace("-", MINUS)
