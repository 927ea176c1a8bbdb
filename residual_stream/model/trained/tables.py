"""The committed tables of the trained models: how they are written, read and compared."""

import csv
import io
from functools import cache
from typing import NamedTuple

import numpy as np

from ..addition import Account
from ..tables import table_file


class Layout(NamedTuple):
    """A table's columns: ``keys``, texts that name a row, and ``numbers``; and ``about``, what it holds."""

    keys: tuple
    numbers: tuple
    about: str


LAYOUTS = {
    "trace": Layout(
        ("model", "text", "tokens", "place", "layer", "kind"), Account._fields,
        "Every addition. place: rest = medians over the tokens after the first; a number = the token at that place.",
    ),
    "channels": Layout(
        ("text", "depth", "channel", "second_channel"),
        ("value", "second_value", "typical", "rest_largest", "rest_typical"),
        "SmolLM2's stream at each depth (additions done): the first token's two largest channels and its median size; "
        "of the other tokens the median of the largest size and of all.",
    ),
    "lens": Layout(
        ("prompt", "depth", "answer", "rank", "place", "word"), ("answer_probability", "probability"),
        "What final norm and output matrix read of SmolLM2's last token at each depth (additions done).",
    ),
    "reading": Layout(
        ("text", "tokens"),
        ("loss", "shuffled", "shuffled_error", "first_size", "rest_size", "logit_deviation", "undivided_loss"),
        "SmolLM2's loss (nats a token), in order and shuffled, with its standard error; root mean square of the last "
        "stream, first token and median of the others; median deviation of the logits; the loss where the final norm "
        "multiplies by its gain and does not divide.",
    ),
    "ablation": Layout(
        ("model", "layer", "left_out"), ("loss", "probability"),
        "One branch or one whole layer adds nothing (layer -1: all add; a branch may do so at some tokens only). "
        "SmolLM2: loss on English prose, probability of Tokyo. MiniLM: loss and mean probability of finding each "
        "sentence's partner.",
    ),
}


class Table(NamedTuple):
    """``rows`` maps the texts of a row's keys to the array of its numbers, in the order of the file."""

    layout: Layout
    rows: dict

    def column(self, name, **wanted):
        """The column ``name``, numbers or a key's texts, of the rows whose keys have the ``wanted`` values."""
        places = {self.layout.keys.index(key): str(value) for key, value in wanted.items()}
        kept = [(key, values) for key, values in self.rows.items() if all(key[at] == v for at, v in places.items())]
        if name in self.layout.keys:
            return [key[self.layout.keys.index(name)] for key, _ in kept]
        return np.array([values[self.layout.numbers.index(name)] for _, values in kept])


def table(name, rows):
    """The ``Table`` called ``name`` of measured ``rows``, each its keys and its numbers in the layout's order."""
    layout = LAYOUTS[name]
    count = len(layout.keys)
    return Table(layout, {tuple(map(str, row[:count])): np.array(row[count:], dtype=float) for row in rows})


def text_of(table, comments):
    """The table as CSV under ``comments`` (lines), six significant digits a number."""
    written = io.StringIO()
    written.writelines(f"# {comment}\n" for comment in (table.layout.about, *comments))
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow((*table.layout.keys, *table.layout.numbers))
    for key, values in table.rows.items():
        writer.writerow((*key, *(f"{value:.6g}" for value in values)))
    return written.getvalue()


def parsed(name, text):
    """What ``text_of`` wrote of the table called ``name``."""
    rows = csv.reader(line for line in text.split("\n") if line and not line.startswith("# "))
    next(rows)
    return table(name, rows)


def place(name):
    """Where the committed table lies in the package."""
    return table_file(f"trained/{name}")


@cache
def committed(name):
    """The committed ``Table`` called ``name``, one of ``LAYOUTS``."""
    return parsed(name, place(name).read_text("utf-8"))


def difference(table, other):
    """The largest difference of two tables' numbers, relative to the larger of the two.

    A correlation is compared with 1 and a covariance with the deviations of stream and branch, since both may be
    near zero. Raises ValueError, naming a row, where the tables do not have the same rows.
    """
    if list(table.rows) != list(other.rows):
        odd = next(iter(set(table.rows) ^ set(other.rows)), "the order of the rows")
        raise ValueError(f"the tables have different rows: {odd}")
    ours, theirs = (np.array(list(one.rows.values())) for one in (table, other))
    scale = np.maximum(np.abs(ours), np.abs(theirs))
    numbers = table.layout.numbers
    if "covariance" in numbers:
        stream, branch = (theirs[:, numbers.index(name)] for name in ("var_stream", "var_branch"))
        scale[:, numbers.index("covariance")] = np.sqrt(stream * branch)
        scale[:, numbers.index("correlation")] = 1.0
    return float((np.abs(ours - theirs) / np.where(scale > 0, scale, 1.0)).max())
