"""The claims of the text that this book began from, each with a verdict, its source, and where the book shows it.

``claims.toml`` is the only place where they stand. A number in a statement is a hole, ``<<name:.4f>>``, filled with
what the function of that name in ``numbers`` computes; numbers that a source reports are listed under ``reported``.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..pictures.numbers import MINUS
from ..recall.filling import fill_text
from .numbers import NUMBERS

CLAIMS = Path(__file__).with_name("claims.toml")
VERDICTS = {
    "right": "Right",
    "nuance": "Right, with a nuance",
    "wrong": "Wrong",
    "unverified": "Not verified",
    "missing": "Left out",
}
"""Verdict as ``claims.toml`` has it -> as the page has it."""
_NEGATIVE = re.compile(r"(?<= )-(?=\d)")


class _Computed(Mapping):
    """``NUMBERS``, each called when its value is asked for."""

    def __getitem__(self, name):
        return NUMBERS[name]()

    def __iter__(self):
        return iter(NUMBERS)

    def __len__(self):
        return len(NUMBERS)


@dataclass(frozen=True)
class Claim:
    """One claim. ``says`` paraphrases the text, ``truth`` is the right statement; both are Markdown.

    ``sources`` are keys of ``references.bib`` (empty: it follows from what the book computes itself), ``shown`` places
    in the book, ``tests`` tests of the repository as pytest names them, ``reported`` the numbers of
    ``truth`` that come from a source.
    """

    row: str
    part: str
    verdict: str
    says: str
    truth: str
    sources: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    reported: tuple[str, ...] = ()

    @property
    def statement(self):
        """``truth`` with its numbers and their true minus. Raises ValueError for a hole that no function fills."""
        return _NEGATIVE.sub(MINUS, fill_text(self.truth.strip(), _Computed(), f"claim {self.row}"))


def read_claims(path=CLAIMS):
    """The claims of a file in order. Raises ValueError, with the row, for an unknown verdict or field."""
    claims = []
    for table in tomllib.loads(Path(path).read_text("utf-8"))["claim"]:
        fields = {name: tuple(value) if isinstance(value, list) else str(value) for name, value in table.items()}
        unknown = set(fields) - set(Claim.__dataclass_fields__)
        if unknown:
            raise ValueError(f"claim {table.get('row')}: there is no field {', '.join(sorted(unknown))}")
        claim = Claim(**fields)
        if claim.verdict not in VERDICTS:
            raise ValueError(f"claim {claim.row}: the verdict must be one of {', '.join(VERDICTS)}, not {claim.verdict!r}")
        claims.append(claim)
    return claims


@cache
def book_claims():
    """The book's own claims, read once."""
    return tuple(read_claims())
