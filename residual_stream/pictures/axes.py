"""Scales from numbers to coordinates, and the axes that show them."""

from dataclasses import dataclass
from math import ceil, floor, log10

from .marks import line, text
from .numbers import decimal

TICK_LABEL_DROP = 15


@dataclass(frozen=True)
class Scale:
    """The straight line that takes ``low`` to ``start`` and ``high`` to ``end`` (numbers to coordinates)."""

    low: float
    high: float
    start: float
    end: float

    def __post_init__(self):
        if not self.low < self.high:
            raise ValueError(f"a scale needs low < high, not {self.low} and {self.high}")

    def __call__(self, value):
        """The coordinate of ``value``."""
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)

    def clip(self, value):
        """``value``, or the nearer end of the scale where it lies outside."""
        return min(max(value, self.low), self.high)


def round_ticks(low, high, most=5):
    """Round numbers from ``low`` to ``high``: steps of 1, 2 or 5 times a power of ten, at most ``most`` steps."""
    power = 10.0 ** floor(log10((high - low) / most))
    step = next(power * factor for factor in (1, 2, 5, 10) if high - low <= most * power * factor)
    return tuple(round(step * number, 12) for number in range(ceil(low / step), floor(high / step) + 1))


def horizontal_axis(scale, top, bottom, ticks, digits=0, label=""):
    """Marks of an axis along ``bottom``: at each tick a faint line up to ``top`` and a number; a label."""
    lines = [line(scale(tick), top, scale(tick), bottom, "grey thin" if tick == 0 else "faint thin") for tick in ticks]
    numbers = [text(scale(tick), bottom + TICK_LABEL_DROP, decimal(tick, digits), "grey", "middle") for tick in ticks]
    middle = (scale.start + scale.end) / 2
    name = [text(middle, bottom + 2 * TICK_LABEL_DROP, label, "grey", "middle")] if label else []
    return (*lines, *numbers, *name)


def vertical_axis(scale, left, right, ticks, digits=0, label=""):
    """Marks of an axis along ``left``: at each tick a faint line out to ``right`` and a number; a label above."""
    lines = [line(left, scale(tick), right, scale(tick), "grey thin" if tick == 0 else "faint thin") for tick in ticks]
    numbers = [text(left - 6, scale(tick) + 4.5, decimal(tick, digits), "grey", "end") for tick in ticks]
    name = [text(left, min(scale.start, scale.end) - 10, label, "grey")] if label else []
    return (*lines, *numbers, *name)
