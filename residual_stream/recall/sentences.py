"""Every sentence that a grader says, in one table: Python reads it here, the page reads the file made from it.

``python -m residual_stream.recall.sentences`` writes ``_assets/js/recall_sentences.js`` anew.
"""

import json
import re
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "_assets" / "js" / "recall_sentences.js"

REFUSALS = {
    "long": "it is longer than {limit} characters",
    "deep": "it is nested more than {limit} levels deep",
    "comma": "a comma is not read, the decimal mark is a point",
    "instead": "{symbol} is not read here, write {instead}",
    "text": "quotation marks are not read, write the number alone",
    "character": "the character {code} is not read (digits are 0 to 9, the decimal mark is a point)",
    "call": "a call to {name} is not an answer (sqrt, exp and log can be used)",
    "name": "the name {name} has no value here (pi has; sqrt, exp and log can be used)",
    "unread": "{name} was given a meaning above that cannot be read",
    "shadowed": "{name} was given another meaning above",
    "changed": "{name} is changed in place, write its value in one assignment",
    "argument": "{name} needs a number in parentheses after it, as in {name}(2)",
    "unit": "{name} stands after a number, write the number alone, without a unit",
    "operator": "an operator is missing before {token}, as in 2 * pi",
    "early": "it stops too early, something is missing at the end",
    "place": "{token} cannot stand where it does",
    "unclosed": "a parenthesis is opened and never closed",
    "unopened": "a parenthesis is closed that was never opened",
    "endless": "{name} is not a finite number",
    "large": "its value is too large for a number of 64 bits",
    "zero": "it divides by zero",
    "real": "{name} has no real value there",
    "type": "a plain int, float or NumPy scalar is expected",
    "choice": "the answer is one of the letters {letters}",
    "prose": "a sentence in quotation marks is expected",
    "criteria": "the numbers of the criteria that it meets are expected, from 1 to {count}, or 0 for none",
}
"""Why an answer cannot be read; the reader's own words, in the form "... cannot be read: <reason>"."""

INSTEAD = {
    "^": "**", "×": "*", "·": "*", "⋅": "*", "∙": "*", "∗": "*", "÷": "/", "⁄": "/", "∕": "/", "//": "/",
    "–": "-", "—": "-", "π": "pi", "√": "sqrt( )", "²": "**2", "³": "**3", "½": "1/2", "%": "0.05 for 5 %",
    "=": "the value alone", "[": "( )", "]": "( )", "{": "( )", "}": "( )", "∞": "a finite number",
}
"""What people type or paste, and what the reader understands."""

VERDICTS = {
    "correct": "correct",
    "off": "off",
    "mistake": "off: {says}",
    "close": "close, but more digits are needed (within {percent} % counts)",
    "blank": "not answered yet",
    "refused": "{quoted} cannot be read: {reason}",
    "committed": "committed",
    "ticked": "ticked",
}
"""What is said about one field."""

TOTALS = {
    "blank": "{label}  not answered yet (0/{fields})",
    "correct": "{label}  {points}/{fields} correct",
    "some": "{label}  {points}/{fields}: {clauses}",
    "open": "{label}  not answered yet",
    "committed": "{label}  committed: compare it with the worked answer, then tick what it has",
    "self": "{label}  self {points}/{fields}",
    "unread": "{label}  {clauses}",
}
"""What is said about the whole question; the last four about prose, which is marked by its own writer."""

CLAUSES = {
    "off": "{name} is off",
    "mistake": "{name} is off: {says}",
    "close": "{name} is close, but more digits are needed (within {percent} % counts)",
    "blank": "{name} is not answered yet",
    "refused": "{name}: {quoted} cannot be read: {reason}",
    "short": "{name} cannot be read",
}
"""What the total says of a field that is not correct; its remark only if it is the only one."""

TABLES = {"refusals": REFUSALS, "instead": INSTEAD, "verdicts": VERDICTS, "totals": TOTALS, "clauses": CLAUSES}

_HOLE = re.compile(r"\{([a-z]+)\}")


def fill(sentence, **values):
    """The sentence with each ``{name}`` replaced once: what is put in is never searched for holes again."""
    return _HOLE.sub(lambda hole: str(values[hole[1]]), sentence)


def script():
    """The text of the script that carries the tables to the page."""
    tables = json.dumps(TABLES, ensure_ascii=True, indent=1)
    return (
        "// Made from residual_stream/recall/sentences.py by: python -m residual_stream.recall.sentences\n"
        f"(globalThis.residualStream ??= {{}}).sentences = {tables};\n"
    )


if __name__ == "__main__":
    SCRIPT.write_text(script(), encoding="utf-8")
