"""A slider over one drawing: on a page a plain range input and a script, in a live notebook ipywidgets, one source."""

import re
from dataclasses import dataclass, replace

from . import explorer_page, figure
from .merging import Merged, merge
from .numbers import decimal, digits_of
from .prediction import Prediction

__all__ = ["Explorer", "Prediction", "explore"]

# A name such as Pre-LN stays on one line; the script writes the words as plain text, so they say it themselves.
HYPHEN = re.compile(r"(?<=\w)-(?=\w)")


@dataclass(frozen=True)
class Explorer:
    """A drawing for each value of one parameter. Made by ``explore``; a notebook and a page display it."""

    name: str
    parameter: str
    label: str
    values: tuple[float, ...]
    start: int
    said: tuple[str, ...]
    merged: Merged
    predict: Prediction | None = None
    caption: str = ""

    def drawing(self, value):
        """The drawing at ``value``, one of the slider's."""
        return self.merged.drawing(self.step(value))

    def step(self, value):
        """The place of ``value`` among the slider's values; ValueError where it is none of them."""
        rounded = _rounded(value)
        if rounded not in self.values:
            raise ValueError(f"{self.parameter} = {value} is not on the slider, which goes from {self.values[0]} to "
                             f"{self.values[-1]}; its nearest value is {self.values[self.nearest(value)]}")
        return self.values.index(rounded)

    def nearest(self, value):
        """The place of the slider's value nearest to ``value``."""
        return min(range(len(self.values)), key=lambda step: abs(self.values[step] - value))

    def value_text(self, step):
        """The value at ``step`` with as many decimals as the slider's values need."""
        return decimal(self.values[step], digits_of(self.values))

    def table(self):
        """The data at telling values, one a row: the ends, the start, what the reader predicts, and some between."""
        steps = _telling(len(self.values)) | {self.start} | ({self.step(self.predict.at)} if self.predict else set())
        records = [(self.value_text(step), self.merged.tables[step].record()) for step in sorted(steps)]
        heads = (self.label, *(name for name, _ in records[0][1]))
        return figure.Table(heads, tuple((value, *(cell for _, cell in record)) for value, record in records))

    def html(self):
        """The slider as HTML: reads without a script, which brings it to life."""
        return explorer_page.html(self)

    def text(self):
        """The drawing's finding at the start, and what the slider changes."""
        return (f"{self.merged.alts[self.start]}\nA slider changes {self.label} from {self.value_text(0)} to "
                f"{self.value_text(-1)}; this is {self.label} = {self.value_text(self.start)}.")

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle = figure.bundle(self.text(), self.html())
        if _kernel_is_live():
            from .explorer_widget import view

            bundle |= view(self)
        return bundle


def explore(draw, name=None, start=None, say=None, predict=None, label=None, caption="", **parameter):
    """A slider over ``draw``: ``explore(draw, a=values)`` shows ``draw(a=value)`` for the value that the reader sets.

    ``draw`` returns a Drawing, made of the same marks for every value; their attributes and texts may differ.
    ``values`` grow; they are read to ten significant digits. ``start`` is one of them (the middle one by default).
    ``say(a=value)``, called like ``draw``, is what a screen reader hears and what stands beside the slider.
    ``label`` names the slider, and ``name`` its ids and its place in the page's address (``?name=value``): lower-case
    letters, digits and hyphens, once a page; both are the parameter's name by default.
    ``caption`` (plain text, TeX between ``\\(`` and ``\\)``) stands below.
    ``predict``, a Prediction, has the reader commit a guess first, unless the address names a value.

    Raises ValueError for values that are empty or do not grow, a start that is none of them, and drawings that do not
    fit one another, saying which mark at which value.
    """
    if len(parameter) != 1:
        raise ValueError(f"explore takes one parameter's values, as in explore(draw, a=values), not {len(parameter)}")
    (parameter, values), = parameter.items()
    name = parameter if name is None else name
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise ValueError(f"name must be of lower-case letters, digits and hyphens, a letter first, not {name!r}")
    label = parameter if label is None else label
    try:
        values = tuple(map(_rounded, values))
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"the values of {parameter} must be a list of numbers, not {values!r:.60}") from error
    _check_growing(parameter, values)
    drawings = [draw(**{parameter: value}) for value in values]
    explorer = Explorer(
        name=name, parameter=parameter, label=label, values=values, start=len(values) // 2,
        said=tuple(_say(say, parameter, label, value, digits_of(values)) for value in values),
        merged=merge(drawings, [f"draw({parameter}={value})" for value in values]), predict=predict,
        caption=caption,
    )
    if predict is not None:
        explorer.step(predict.at)
    return explorer if start is None else replace(explorer, start=explorer.step(start))


def _say(say, parameter, label, value, digits):
    words = f"{label} = {decimal(value, digits)}" if say is None else say(**{parameter: value})
    return HYPHEN.sub("-\N{WORD JOINER}", words.replace(" %", "\N{NO-BREAK SPACE}%"))


def _rounded(value):
    return float(f"{float(value):.10g}")


def _check_growing(parameter, values):
    if not values:
        raise ValueError(f"the values of {parameter} are empty: give at least two")
    for before, after in zip(values, values[1:]):
        if not before < after:
            raise ValueError(f"the values of {parameter} must grow, but {after} follows {before}")
    if len(values) < 2:
        raise ValueError(f"a slider needs at least two values of {parameter}, not only {values[0]}")


def _telling(count):
    last = count - 1
    rows = next((rows for rows in range(11, 4, -1) if last % (rows - 1) == 0), 9)
    return {round(last * row / (rows - 1)) for row in range(rows)}


def _kernel_is_live():
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")
