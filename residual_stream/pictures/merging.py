"""Many drawings as one: what never changes is kept once, what changes as a list with one entry for each step."""

from dataclasses import dataclass, replace

from .drawing import Drawing
from .marks import Mark


@dataclass(frozen=True)
class Merged:
    """Drawings that share their marks. ``varying`` has (mark's index, attribute's name, its values, one a step); the
    name "" stands for the mark's text."""

    first: Drawing
    varying: tuple[tuple[int, str, tuple[str, ...]], ...]
    alts: tuple[str, ...]
    tables: tuple

    def drawing(self, step):
        """The drawing of one step, put together again."""
        marks = list(self.first.marks)
        for index, name, values in self.varying:
            marks[index] = _changed(marks[index], name, values[step])
        return replace(self.first, marks=tuple(marks), alt=self.alts[step], table=self.tables[step])


def merge(drawings, labels):
    """Merge ``drawings``; ``labels`` (such as "draw(a=0.5)") say in an error which drawing is meant.

    Raises ValueError where two drawings differ in more than attributes, texts, alt and the cells of the table.
    """
    first = drawings[0]
    for drawing, label in zip(drawings, labels):
        _same_shape(first, labels[0], drawing, label)
    varying = []
    for index, mark in enumerate(first.marks):
        versions = [drawing.marks[index] for drawing in drawings]
        for position, (name, _) in enumerate(mark.attributes):
            varying.append((index, name, tuple(version.attributes[position][1] for version in versions)))
        if mark.text is not None:
            varying.append((index, "", tuple(version.text for version in versions)))
    return Merged(
        first=first,
        varying=tuple(entry for entry in varying if len(set(entry[2])) > 1),
        alts=tuple(drawing.alt for drawing in drawings),
        tables=tuple(drawing.table for drawing in drawings),
    )


def _changed(mark, name, value):
    return mark._replace(text=value) if name == "" else mark.with_attribute(name, value)


def _same_shape(first, first_label, other, label):
    remedy = "draw the same marks for every value and let only their attributes and texts differ"
    if not isinstance(other, Drawing):
        raise ValueError(f"{label} returned {type(other).__name__}, not a Drawing")
    for what in ("width", "height", "name"):
        if getattr(first, what) != getattr(other, what):
            raise ValueError(f"{label} has {what} {getattr(other, what)!r}, but {first_label} has "
                             f"{getattr(first, what)!r}: {remedy}")
    if len(first.marks) != len(other.marks):
        raise ValueError(f"{label} has {len(other.marks)} marks, but {first_label} has {len(first.marks)}: {remedy}")
    for index, (mark, twin) in enumerate(zip(first.marks, other.marks)):
        if _kind(mark) != _kind(twin):
            raise ValueError(f"mark {index} of {label} is {_described(twin)}, but in {first_label} it is "
                             f"{_described(mark)}: {remedy}")
    if [name for name, _ in first.table.record()] != [name for name, _ in other.table.record()]:
        raise ValueError(f"the table of {label} has other heads than that of {first_label}: "
                         "give every value the same ones")


def _kind(mark: Mark):
    return mark.tag, tuple(name for name, _ in mark.attributes), mark.text is None


def _described(mark):
    text = "" if mark.text is None else f" {mark.text!r}"
    return f"<{mark.tag}>{text} with {', '.join(name for name, _ in mark.attributes)}"
