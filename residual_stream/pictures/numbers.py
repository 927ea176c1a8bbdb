"""Numbers as text: short ones for coordinates, honest ones for readers."""

import math
from decimal import ROUND_HALF_UP, Context, Decimal

MINUS = "\u2212"
_EXACT = Context(prec=400)  # the largest float has 309 digits before its point


def coordinate(value):
    """A coordinate as SVG text, to a tenth of a unit: finer is invisible and weighs bytes."""
    rounded = round(_finite(value), 1)
    return str(int(rounded)) if rounded == int(rounded) else str(rounded)


def decimal(value, digits=4):
    """``value`` with ``digits`` decimals and a true minus, halves rounded away from zero as ``toFixed`` does."""
    text = f"{abs(Decimal(_finite(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, _EXACT)):f}"
    return MINUS + text if value < 0 and float(text) != 0 else text


def counted(number, noun):
    """A whole number and what it counts: 0 layers, 1 layer, 2 layers."""
    return f"{decimal(number, 0)} {noun}{'' if number == 1 else 's'}"


def digits_of(values):
    """The decimals that tell all ``values`` apart from their neighbours, read to ten significant digits."""
    return max(len(f"{value:.10f}".rstrip("0").partition(".")[2]) for value in values)


def _finite(value):
    value = float(value)
    if not math.isfinite(value):
        raise ValueError(f"a drawing needs finite numbers, not {value}: leave out what is infinite or undefined")
    return value
