"""Two tables that the bank may name: right values, and the usual wrong ones."""

KEYS = {}
"""name -> function of parameters: what the bank may call right. (A mistake may be another field's right value.)"""

MISTAKES = {}
"""name -> function of parameters: what the bank may call wrong, and recognise."""


def key(function):
    """Register a right value under the function's name."""
    KEYS[function.__name__] = function
    return function


def mistake(function):
    """Register a usual wrong value under the function's name."""
    MISTAKES[function.__name__] = function
    return function
