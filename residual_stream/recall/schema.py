"""What a bank may contain: the shape of its tables, checked key by key before anything is computed."""

import difflib
import re

from .markup import inline_html, inline_plain, to_html, to_plain

_ITEM = {"id": str, "label": str, "chapter": str, "kind": str, "prompt": str, "hints": list, "answer": str}
_FIELD = {"name": str, "label": str, "key": str, "tolerance": float}
_MISTAKE = {"of": str, "says": str}
_IDENTITY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_WORDS = {str: "a text", list: "a list", float: "a decimal number", dict: "a table", bool: "true or false"}


class BankError(ValueError):
    """A fault in the bank: one sentence that says where it is and what is wrong."""


def near(name, names):
    """The end of a sentence about an unknown name: the nearest known ones, or all of them where they are few."""
    close = difflib.get_close_matches(name, list(names), n=2, cutoff=0.6)
    if close:
        return f"; did you mean {' or '.join(close)}?"
    return f"; there {'is' if len(names) == 1 else 'are'} {', '.join(names)}" if 0 < len(names) <= 12 else ""


def items(document):
    """The item tables of a parsed bank."""
    _keys(document, {"item": list}, {}, "the top level")
    if not document["item"]:
        raise BankError("there is no item in it: write at least one [[item]]")
    return document["item"]


def check_item(table):
    """Refuse an item whose shape is wrong, naming the item and the key."""
    where = f"item {table['id']}" if isinstance(table.get("id"), str) else "an item"
    kind = table.get("kind")
    if kind not in _PARTS:
        raise BankError(f"{where}: kind must be numeric, choice or prose, not {kind!r}")
    parts, check_parts = _PARTS[kind]
    _keys(table, {**_ITEM, parts: list}, {"parameters": dict, "variants": dict}, where)
    if not _IDENTITY.fullmatch(table["id"]):
        raise BankError(f"{where}: an id is lower-case words joined by hyphens, as in double-the-variance")
    for name, value in table.get("parameters", {}).items():
        _check_parameter(name, value, where)
    for name, choices in table.get("variants", {}).items():
        check_variants(name, choices, table.get("parameters", {}), where)
    if not table["hints"] or not all(isinstance(hint, str) for hint in table["hints"]):
        raise BankError(f"{where}: hints must be a list of at least one text")
    for text in (table["prompt"], table["answer"], *table["hints"]):
        _check_text(text, where, to_html)
    _check_text(table["prompt"], where, to_plain)
    if kind == "prose":
        _check_text(table["answer"], where, to_plain)
    check_parts(table[parts], where)


def _keys(table, required, optional, where):
    known = required | optional
    for name, value in table.items():
        if name not in known:
            raise BankError(f"{where}: the key {name} is not known{near(name, known)}")
        if type(value) is not known[name]:
            raise BankError(f"{where}: {name} must be {_WORDS[known[name]]}, not {value!r}")
        if known[name] is str and not value.strip():
            raise BankError(f"{where}: {name} is empty")
    for name in required:
        if name not in table:
            raise BankError(f"{where}: {name} is missing")


def _check_parameter(name, value, where):
    values = value if isinstance(value, list) and value else [value]
    if not _NAME.fullmatch(name) or not all(type(entry) in (int, float) for entry in values):
        raise BankError(f"{where}: the parameter {name} must be a lower-case name with a number or a list of numbers, "
                        f"not {value!r}")


def _check_text(text, where, shown):
    try:
        shown(text.replace("<<", "").replace(">>", ""))
    except ValueError as error:
        raise BankError(f"{where}: {error}") from error


def _check_spoken(text, where, name):
    if re.search(r"[\\`<>{}\n]", text):
        raise BankError(f"{where}: {name} is spoken as it is, so it must be one line without TeX or markup: {text!r}")


def _check_fields(fields, where):
    names = [field.get("name") for field in fields]
    for field in fields:
        here = f"{where}, field {field.get('name', '?')}"
        _keys(field, _FIELD, {"mistakes": list}, here)
        if not _NAME.fullmatch(field["name"]):
            raise BankError(f"{here}: a field's name is a lower-case Python name, as in var_f")
        if names.count(field["name"]) > 1:
            raise BankError(f"{here}: the field is there twice")
        if not 0 < field["tolerance"] <= 0.1:
            raise BankError(f"{here}: tolerance must be above 0 and at most 0.1, not {field['tolerance']!r}")
        for shown in (inline_html, inline_plain):
            _check_text(field["label"], here, shown)
        for mistake in field.get("mistakes", ()):
            _keys(mistake, _MISTAKE, {}, f"{here}, a mistake")
            _check_spoken(mistake["says"], here, "what a mistake says")
    if not fields:
        raise BankError(f"{where}: a numeric item needs at least one [[item.field]]")


def _check_options(options, where):
    if not 2 <= len(options) <= 8:
        raise BankError(f"{where}: a choice has two to eight options, not {len(options)}")
    for letter, option in zip("abcdefgh", options):
        here = f"{where}, option {letter}"
        _keys(option, {"text": str}, {"reason": str, "best": bool}, here)
        if option.get("best", False) == ("reason" in option):
            raise BankError(f"{here}: an option has either best = true or a reason why it is wrong")
        _check_spoken(option.get("reason", ""), here, "a reason")
        for shown in (inline_html, inline_plain):
            _check_text(option["text"], here, shown)
    best = sum(option.get("best", False) for option in options)
    if best != 1:
        raise BankError(f"{where}: one option is the best one, not {best}")


def _check_criteria(criteria, where):
    if not 2 <= len(criteria) <= 3:
        raise BankError(f"{where}: a prose item has two or three criteria, not {len(criteria)}")
    for criterion in criteria:
        _keys(criterion, {"text": str}, {}, f"{where}, a criterion")
        for shown in (inline_html, inline_plain):
            _check_text(criterion["text"], f"{where}, a criterion", shown)


def check_variants(name, choices, parameters, where):
    """Refuse a range of variants that is none: the parameter exists, and there is more than one value to draw."""
    if name not in parameters:
        raise BankError(f"{where}: variants are given for {name}, which is no parameter{near(name, parameters)}")
    if not isinstance(choices, dict) or set(choices) not in ({"among"}, {"from", "to", "step"}):
        raise BankError(f"{where}: the variants of {name} are written as {{ among = [...] }} "
                        "or { from = 1, to = 2, step = 0.1 }")
    if "among" in choices:
        among = choices["among"]
        if not isinstance(among, list) or len(among) < 2:
            raise BankError(f"{where}: the variants of {name} need two values at least")
        for value in among:
            _check_parameter(name, value, where)
        return
    for value in choices.values():
        _check_parameter(name, value, where)
    if not 0 < choices["step"] <= choices["to"] - choices["from"]:
        raise BankError(f"{where}: the variants of {name} need a step above 0 and two values at least")


_PARTS = {
    "numeric": ("field", _check_fields),
    "choice": ("option", _check_options),
    "prose": ("criterion", _check_criteria),
}
"""kind -> the tables that an item of this kind is made of, and what checks them."""
