"""An answer cell is read, never run: its assignments of numbers to names, from top to bottom.

What stands in a loop, a condition or a function, and whatever else is no plain assignment, is passed over and told.
"""

import re
from dataclasses import dataclass
from keyword import iskeyword

from .reader import Refusal, quoted, read_answer, trim
from .sentences import REFUSALS, fill

LONGEST_CELL = 5_000

_UP_TO_COMMENT = re.compile(r"""(?:[^#'"]|'[^']*'|"[^"]*"|['"])*""")
_STATEMENT = re.compile(r"""(?:[^;'"]|'[^']*'|"[^"]*"|['"])+""")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*(?::[^=]*)?(\*\*|//|<<|>>|[-+*/%@&|^])?=(?!=)(.*)", re.DOTALL)
_HARMLESS = re.compile(r"(from math import [a-z]+(, *[a-z]+)*|import math|import numpy as np|"
                       r"import residual_stream as rs|\.\.\.)")
_BLANK = ("", "...", "None")
_GIVEN = ("pi", "sqrt", "exp", "log")


@dataclass(frozen=True)
class Answer:
    """What a name was given: the text, and the float it stands for or the Refusal; both None for a blank."""

    text: str
    value: float | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True)
class Cell:
    """The answers of a cell by name, and a sentence for each thing in it that was passed over."""

    answers: dict
    notes: tuple[str, ...]


def read_cell(source):
    """Read the assignments of an answer cell; never raises, whatever the text is."""
    if len(source) > LONGEST_CELL:
        return Cell({}, (f"an answer cell holds more than {LONGEST_CELL} characters and was not read",))
    answers, names, passed, shadowed = {}, {}, [], []
    for number, line in _logical_lines(source):
        for statement in _STATEMENT.findall(line):
            found = None if line[0] in " \t" else _ASSIGNMENT.fullmatch(trim(statement))
            if found and not iskeyword(found[1]):
                if found[1] in _GIVEN:
                    shadowed.append(f"line {number} gives {found[1]} a meaning of its own")
                answer = answers[found[1]] = _assigned(found, names)
                names[found[1]] = answer.refusal or answer.value
            elif trim(statement) and not _HARMLESS.fullmatch(trim(statement)):
                passed.append((number, statement))
    notes = tuple(f"line {number} is no assignment of a value and was not read: {quoted(statement)}"
                  for number, statement in passed[:3])
    if len(passed) > 3:
        notes += (f"{len(passed) - 3} more lines were not read",)
    return Cell(answers, notes + tuple(shadowed[:3]))


def _assigned(found, names):
    name, operator, text = found[1], found[2], trim(found[3])
    if operator:
        return Answer(f"{operator}= {text}", refusal=Refusal(fill(REFUSALS["changed"], name=name)))
    if text in _BLANK:
        return Answer("")
    try:
        return Answer(text, value=read_answer(text, names))
    except Refusal as refusal:
        return Answer(text, refusal=refusal)


def _logical_lines(source):
    """(number, text) of each line without its comment, lines inside parentheses joined, texts over lines left out."""
    lines, held, inside = [], "", None
    for number, line in enumerate(source.splitlines(), 1):
        marks = re.findall(r"\"\"\"|'''", line)
        if inside or marks:
            if inside:
                marks = marks[marks.index(inside) + 1:] if inside in marks else None
            if marks is not None:
                inside = marks[0] if len(marks) % 2 else None
            lines.append((number, f" {line}"))
            held = ""
            continue
        text = _UP_TO_COMMENT.match(line)[0].rstrip()
        if held and _ASSIGNMENT.fullmatch(text):    # a parenthesis that was never closed ends here
            lines.append((start, held))
            held = ""
        held = f"{held} {text}" if held else text
        start = start if held != text else number
        if held.endswith("\\") and len(held) <= LONGEST_CELL:
            held = held[:-1]
        elif held.count("(") <= held.count(")"):
            if trim(held):
                lines.append((start, held))
            held = ""
    return [*lines, (start, held)] if trim(held) else lines
