"""The bank of questions: read, checked, and filled in with numbers.

``bank.toml`` is the only source. An ``Item`` is a question with holes; ``Item.question(**parameters)`` fills them.
Every fault in the bank is a BankError whose one sentence says where it is and what is wrong.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from . import schema, variants
from .filling import fill_text, value_of
from .keys import KEYS, MISTAKES
from .schema import BankError, near

BANK = Path(__file__).with_name("bank.toml")


@dataclass(frozen=True)
class Field:
    """One number that is asked for: its key, the relative tolerance, and the mistakes that can be told from it."""

    name: str
    label: str
    key: float
    tolerance: float
    mistakes: tuple[tuple[float, str], ...]
    hidden: tuple[str, ...]
    """Mistakes (function names) that coincide here with the key or with an earlier mistake, and are never named."""

    @property
    def percent(self):
        """The tolerance as a sentence gives it."""
        return f"{100 * self.tolerance:g}"


@dataclass(frozen=True)
class Option:
    """One answer of a choice: its letter, its text, and why it is wrong (empty for the best one)."""

    letter: str
    text: str
    reason: str


@dataclass(frozen=True)
class Question:
    """A question with its numbers: what is shown, asked and graded."""

    id: str
    label: str
    chapter: str
    kind: str
    prompt: str
    hints: tuple[str, ...]
    answer: str
    fields: tuple[Field, ...]
    options: tuple[Option, ...]
    criteria: tuple[str, ...]
    """Of a prose question: what the learner, or whoever marks the class, looks for."""
    parameters: dict

    @property
    def names(self):
        """The names of the answers: the fields', ``choice``, or ``sentence`` and ``has`` (the criteria it meets)."""
        if self.kind == "prose":
            return ("sentence", "has")
        return tuple(field.name for field in self.fields) or ("choice",)

    @property
    def out_of(self):
        """The points that can be had: one for each field, for a choice, for each criterion."""
        return len(self.fields) or len(self.criteria) or 1


def close(value, target, tolerance):
    """Whether a value counts as ``target``: a relative tolerance, or an absolute one for a target of 0."""
    return abs(value - target) <= tolerance * (abs(target) if target != 0 else 1)


class Item:
    """One question of the bank as it is written there, with holes for the numbers."""

    def __init__(self, table):
        schema.check_item(table)
        self.table, self.id = table, table["id"]
        self.parameters = table.get("parameters", {})

    def question(self, **parameters):
        """The question with its own parameters, or with these instead. Raises ValueError for an unknown parameter."""
        for name in parameters:
            if name not in self.parameters:
                raise ValueError(f"{self.id} has no parameter {name}{near(name, self.parameters)}")
        values = {**self.parameters, **parameters}
        where = f"item {self.id}"
        text = {name: fill_text(self.table[name], values, f"{where}, {name}") for name in ("prompt", "answer")}
        return Question(
            id=self.id, label=self.table["label"], chapter=self.table["chapter"], kind=self.table["kind"], **text,
            hints=tuple(fill_text(hint, values, f"{where}, hints") for hint in self.table["hints"]),
            fields=tuple(_field(table, values, f"{where}, field {table['name']}")
                         for table in self.table.get("field", ())),
            options=tuple(_option(letter, table, values, f"{where}, option {letter}")
                          for letter, table in zip("abcdefgh", self.table.get("option", ()))),
            criteria=tuple(fill_text(criterion["text"], values, f"{where}, a criterion")
                           for criterion in self.table.get("criterion", ())),
            parameters=values,
        )

    @property
    def variants(self):
        """The parameters that a class draws, each with its values in order; empty where all get the same numbers."""
        return {name: variants.values(choices) for name, choices in self.table.get("variants", {}).items()}

    def draw(self, student):
        """The parameters of one student: a dict for ``question``, the same at every call."""
        return variants.draw(self.variants, f"{self.table['chapter']}:{self.id}:{student}")


def _field(table, parameters, where):
    tolerance = table["tolerance"]
    key = value_of(table["key"], KEYS, parameters, where)
    told, hidden = [], []
    for mistake in table.get("mistakes", ()):
        value = value_of(mistake["of"], MISTAKES | KEYS, parameters, where)
        if any(_overlap(value, other, tolerance) for other in (key, *(other for other, _ in told))):
            hidden.append(mistake["of"])
        else:
            told.append((value, mistake["says"]))
    return Field(table["name"], fill_text(table["label"], parameters, where), key, tolerance,
                 tuple(told), tuple(hidden))


def _overlap(left, right, tolerance):
    """Whether one value could count as both."""
    reach = sum(tolerance * (abs(value) if value != 0 else 1) for value in (left, right))
    return abs(left - right) <= reach


def _option(letter, table, parameters, where):
    return Option(letter, fill_text(table["text"], parameters, where), table.get("reason", ""))


def read_bank(path=BANK):
    """The bank in a file as a dict from id to Item, each filled in once with its own parameters to prove it sound."""
    path = Path(path)
    try:
        items = [Item(table) for table in schema.items(tomllib.loads(path.read_text(encoding="utf-8")))]
        bank = {item.id: item for item in items}
        if len(bank) < len(items):
            twice = next(item.id for item in items if bank[item.id] is not item)
            raise BankError(f"item {twice} is there twice: give each item an id of its own")
        for item in items:
            item.question()
    except tomllib.TOMLDecodeError as error:
        raise BankError(f"{path.name} is not TOML: {error}") from error
    except UnicodeDecodeError as error:
        raise BankError(f"{path.name} is not UTF-8: byte {error.start} cannot be read, save it as UTF-8") from error
    except BankError as error:
        raise BankError(f"{path.name}, {error}") from error
    return bank


@cache
def book_bank():
    """The book's own bank, read once."""
    return read_bank()


def find(identity):
    """The question with this id, with the book's numbers; raises ValueError, with near matches, if there is none."""
    if not isinstance(identity, str):
        raise ValueError(f"a question is named by its id, as in 'q2', and not by {type(identity).__name__}")
    bank = book_bank()
    if identity.lower() not in bank:
        raise ValueError(f"there is no question {identity!r}{near(identity.lower(), bank)}")
    return bank[identity.lower()].question()
