"""A typed answer is read, never run: a number, or arithmetic on numbers.

    sum     = product (("+" | "-") product)*
    product = signed (("*" | "/") signed)*
    signed  = ("+" | "-") signed | power
    power   = atom ["**" signed]
    atom    = number | "pi" | ("sqrt" | "exp" | "log") "(" sum ")" | "(" sum ")"

Precedence is Python's. The minus sign U+2212, which the page itself prints, counts as a minus. Every number is a
float from the start, so that 9**9**9 overflows at once instead of growing. ``recall_reader.js`` reads the same
language in the page, rule by rule; only there are no names of one's own, which ``cells.py`` reads.
"""

import math
import re
from functools import partial
from types import MappingProxyType

from .sentences import INSTEAD, REFUSALS, fill

LONGEST = 200
DEEPEST = 30

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_.]*)"
    r"|(?P<sign>\*\*|/(?!/)|[-+*()\u2212])"
    r"|(?P<blank>[ \t\r\n\u00a0]+)"
    r"|(?P<other>//|.)",
    re.DOTALL,
)
_BLANK = " \t\r\n\u00a0"
# Control characters, direction marks and lone surrogates would break the line that quotes them.
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)
_FUNCTIONS = {"sqrt": math.sqrt, "exp": math.exp, "log": math.log}


class Refusal(ValueError):
    """An answer that cannot be read; its text is the reason, one clause without a full stop."""


def _refuse(reason, **values):
    raise Refusal(fill(REFUSALS[reason], **values))


def trim(text):
    """The text without the blanks around it; the same few blanks in every language."""
    return text.strip(_BLANK)


def quoted(text, longest=30):
    """The text as a sentence may quote it: cut to ``longest`` characters, on one line."""
    clean = _UNPRINTABLE.sub("\ufffd", trim(text))
    return f"“{clean}”" if len(clean) <= longest else f"“{clean[:longest]}…”"


def _tokens(text):
    matches = [match for match in _TOKEN.finditer(text) if match.lastgroup != "blank"]
    return [(match.lastgroup, match[0].replace("\u2212", "-")) for match in matches]


def _refuse_character(token):
    if token == ",":
        _refuse("comma")
    if token in "\"'“”‘’`":
        _refuse("text")
    if token in INSTEAD:
        _refuse("instead", symbol=token, instead=INSTEAD[token])
    _refuse("character", code=f"U+{ord(token):04X}")


class _Parser:
    """Recursive descent over the tokens; trees are (operation, operand, ...) with floats for leaves."""

    def __init__(self, tokens, names):
        self.tokens, self.at, self.names = tokens, 0, names

    def peek(self):
        if self.at == len(self.tokens):
            return ("end", "")
        kind, token = self.tokens[self.at]
        if kind == "other":
            _refuse_character(token)
        return kind, token

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def chain(self, operators, operand, depth):
        tree = operand(depth)
        while self.peek()[1] in operators:
            tree = (self.take()[1], tree, operand(depth))
        return tree

    def sum(self, depth):
        return self.chain(("+", "-"), self.product, depth)

    def product(self, depth):
        return self.chain(("*", "/"), self.signed, depth)

    def signed(self, depth):
        if depth > DEEPEST:
            _refuse("deep", limit=DEEPEST)
        if self.peek()[1] in ("+", "-"):
            return ("sign" + self.take()[1], self.signed(depth + 1))
        base = self.atom(depth)
        if self.peek()[1] == "**":
            return (self.take()[1], base, self.signed(depth + 1))
        return base

    def atom(self, depth):
        kind, token = self.peek()
        if kind == "end":
            _refuse("early")
        self.take()
        if kind == "number":
            return float(token)
        if kind == "word":
            return self.word(token, depth)
        if token != "(":
            _refuse("place", token=token)
        return self.closed(depth)

    def word(self, name, depth):
        opened = self.peek()[1] == "("
        if name in self.names and not opened:
            return _known(name, self.names[name])
        if name in _FUNCTIONS and name in self.names:
            _refuse("shadowed", name=name)
        if name in _FUNCTIONS:
            if opened:
                self.take()
            if not opened or self.peek()[1] == ")":
                _refuse("argument", name=name)
            return (name, self.closed(depth))
        if opened:
            _refuse("call", name=name)
        if name == "pi":
            return math.pi
        _refuse("endless" if name.lower() in ("nan", "inf", "infinity") else "name", name=name)

    def closed(self, depth):
        tree = self.sum(depth + 1)
        if self.peek()[0] == "end":
            _refuse("unclosed")
        if self.peek()[1] != ")":
            self.stray()
        self.take()
        return tree

    def stray(self):
        kind, token = self.peek()
        if token == ")":
            _refuse("unopened")
        after_number = self.tokens[self.at - 1][0] == "number"
        if kind == "word" and after_number and token != "pi" and token not in _FUNCTIONS:
            _refuse("unit", name=token)
        _refuse("operator", token=token)


def _known(name, value):
    if isinstance(value, float):
        return value
    _refuse("name" if value is None else "unread", name=name)


def _power(base, exponent):
    if base == 0 and exponent < 0:
        _refuse("zero")
    if base < 0 and not exponent.is_integer():
        _refuse("real", name="a fractional power of a negative number")
    return math.pow(base, exponent)


def _quotient(numerator, denominator):
    if denominator == 0:
        _refuse("zero")
    return numerator / denominator


def _function(name, argument):
    if argument < 0 and name != "exp" or argument == 0 and name == "log":
        _refuse("real", name=name)
    return _FUNCTIONS[name](argument)


def _value(tree):
    if isinstance(tree, float):
        value = tree
    else:
        operation, *operands = tree
        values = [_value(operand) for operand in operands]
        try:
            value = _OPERATIONS[operation](*values)
        except OverflowError:
            _refuse("large")
    if math.isinf(value):
        _refuse("large")
    return value


_OPERATIONS = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": _quotient,
    "**": _power,
    "sign+": lambda operand: operand,
    "sign-": lambda operand: -operand,
    **{name: partial(_function, name) for name in _FUNCTIONS},
}


def read_answer(text, names=MappingProxyType({})):
    """The finite float that a typed answer stands for; raises Refusal with the reason for anything else.

    ``names`` maps names that may stand in it to floats, to the Refusal that one of them met with, or to None for one
    that was left blank; a name takes the place of the function or of pi that is called so.
    A blank text is no answer and is the caller's business; here it is refused as stopping too early.
    """
    if len(text) > LONGEST:
        _refuse("long", limit=LONGEST)
    parser = _Parser(_tokens(text), names)
    tree = parser.sum(0)
    if parser.peek()[0] != "end":
        parser.stray()
    return _value(tree)
