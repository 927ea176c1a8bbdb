"""The bank of questions: read, checked, and filled in with numbers.

``bank.toml`` is the only source. An ``Item`` is a question with holes; ``Item.question(**parameters)`` fills them.
Every fault in the bank is a BankError whose one sentence says where it is and what is wrong.
"""

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from . import schema, variants
from .filling import fill_text, value_of
from .keys import KEYS, MISTAKES
from .schema import BankError, near

BANK = Path(__file__).with_name("bank.toml")


class Field:
    """One number that is asked for: its key, the relative tolerance, and the mistakes that can be told from it."""

    def __init__(self, table, parameters, where):
        self.table, self.parameters, self.where = table, parameters, where
        self.name, self.tolerance = table["name"], table["tolerance"]

    @cached_property
    def label(self):
        return fill_text(self.table["label"], self.parameters, self.where)

    @cached_property
    def key(self):
        """The right value, a float."""
        return value_of(self.table["key"], KEYS, self.parameters, self.where)

    @cached_property
    def _sorted(self):
        """The mistakes as (value, sentence), and the function names of those that coincide with an earlier value."""
        told, hidden = [], []
        for mistake in self.table.get("mistakes", ()):
            value = value_of(mistake["of"], MISTAKES | KEYS, self.parameters, self.where)
            if any(_overlap(value, other, self.tolerance) for other in (self.key, *(other for other, _ in told))):
                hidden.append(mistake["of"])
            else:
                told.append((value, mistake["says"]))
        return tuple(told), tuple(hidden)

    @property
    def mistakes(self):
        """(value, sentence) of every mistake that can be told from the key and from the mistakes before it."""
        return self._sorted[0]

    @property
    def hidden(self):
        """Mistakes (function names) that coincide here with the key or with an earlier mistake, and are never named."""
        return self._sorted[1]

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


class Question:
    """A question with its numbers: what is shown, asked and graded. Each part is filled in when it is first asked for.

    ``prompt``, ``answer``, ``hints`` and ``criteria`` (of prose: what whoever marks it looks for) are texts of the
    bank with their holes filled, ``fields`` and ``options`` what a numeric question or a choice asks for.
    """

    def __init__(self, table, parameters):
        self.table, self.parameters = table, parameters
        self.id, self.label, self.chapter, self.kind = (table[name] for name in ("id", "label", "chapter", "kind"))

    def _filled(self, text, part):
        return fill_text(text, self.parameters, f"item {self.id}, {part}")

    @cached_property
    def prompt(self):
        return self._filled(self.table["prompt"], "prompt")

    @cached_property
    def answer(self):
        return self._filled(self.table["answer"], "answer")

    @cached_property
    def hints(self):
        return tuple(self._filled(hint, "hints") for hint in self.table["hints"])

    @cached_property
    def criteria(self):
        return tuple(self._filled(criterion["text"], "a criterion") for criterion in self.table.get("criterion", ()))

    @cached_property
    def fields(self):
        return tuple(Field(table, self.parameters, f"item {self.id}, field {table['name']}")
                     for table in self.table.get("field", ()))

    @cached_property
    def options(self):
        return tuple(Option(letter, self._filled(table["text"], f"option {letter}"), table.get("reason", ""))
                     for letter, table in zip("abcdefgh", self.table.get("option", ())))

    @property
    def names(self):
        """The names of the answers: the fields', ``choice``, or ``sentence`` and ``has`` (the criteria it meets)."""
        if self.kind == "prose":
            return ("sentence", "has")
        return tuple(table["name"] for table in self.table.get("field", ())) or ("choice",)

    @property
    def out_of(self):
        """The points that can be had: one for each field, for a choice, for each criterion."""
        return len(self.table.get("field", ()) or self.table.get("criterion", ())) or 1


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
        return Question(self.table, {**self.parameters, **parameters})

    @cached_property
    def variants(self):
        """The parameters that a class draws, each with its values in order; empty where all get the same numbers."""
        return {name: variants.values(choices) for name, choices in self.table.get("variants", {}).items()}

    def draw(self, student):
        """The parameters of one student: a dict for ``question``, the same at every call, however the id is spelled."""
        return variants.draw(self.variants, f"{self.table['chapter']}:{self.id}:{student.lower()}")


def _overlap(left, right, tolerance):
    """Whether one value could count as both."""
    reach = sum(tolerance * (abs(value) if value != 0 else 1) for value in (left, right))
    return abs(left - right) <= reach


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
            question = item.question()
            for part in ("prompt", "answer", "hints", "criteria", "fields", "options"):
                getattr(question, part)
            for field in question.fields:
                _ = field.label, field.key, field.mistakes
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
