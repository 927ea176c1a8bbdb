"""Numbers put into the bank's texts: ``<<a>>`` for a parameter, ``<<stream_std:.4f>>`` for a computed value."""

import inspect
import math
import re
from functools import cache

from .keys import KEYS, MISTAKES
from .schema import BankError, near

_HOLE = re.compile(r"<<([^<>:]*)(?::([^<>]*))?>>")
_FORMAT = re.compile(r"\.[0-9][fg]|,")


@cache
def _taken(function):
    return tuple(inspect.signature(function).parameters)


def value_of(name, functions, parameters, where):
    """The finite float that the named function computes from the parameters that it takes."""
    if name not in functions:
        raise BankError(f"{where}: recall/keys has no function {name}{near(name, functions)}")
    taken = _taken(functions[name])
    for parameter in taken:
        if parameter not in parameters:
            raise BankError(f"{where}: {name} needs the parameter {parameter}, which the item does not have")
    value = float(functions[name](**{parameter: parameters[parameter] for parameter in taken}))
    if not math.isfinite(value):
        raise BankError(f"{where}: {name} is {value} for these parameters, and no answer can be compared with that")
    return value


def fill_text(text, parameters, where):
    """The text with every hole filled; raises BankError for a name or a format that is not known."""
    def number(hole):
        name, spec = hole[1].strip(), hole[2]
        if spec is not None and not _FORMAT.fullmatch(spec):
            raise BankError(f"{where}: the format {spec!r} is not known, write for instance <<{name}:.4f>>")
        if name in parameters:
            return _shown(parameters[name], spec)
        if name not in KEYS and name not in MISTAKES:
            raise BankError(f"{where}: <<{name}>> is neither a parameter nor a function of recall/keys"
                            f"{near(name, [*parameters, *KEYS])}")
        return _shown(value_of(name, KEYS | MISTAKES, parameters, where), spec or ".10g")

    filled = _HOLE.sub(number, text)
    if "<<" in filled or ">>" in filled:
        raise BankError(f"{where}: a hole is not closed, write it as <<a>>")
    return filled


def _shown(value, spec):
    if isinstance(value, list):
        return ", ".join(_shown(entry, spec) for entry in value)
    if spec == ",":     # whole numbers in groups of three
        return f"{value:,.0f}"
    text = format(value, spec) if spec else str(value)
    digits, _, exponent = text.partition("e")
    if not exponent:
        return text
    factor = "" if digits == "1" else rf"{digits} \cdot "
    return f"{factor}10^{{{int(exponent)}}}"
