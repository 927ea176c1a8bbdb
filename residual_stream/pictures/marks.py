"""The marks of a drawing: SVG elements as immutable values. A mark's ``kind`` is its class: the vocabulary of colours
(``stream``, ``branch``, ``norm``, ``covariance``, ``ink``, ``grey``, ``faint``, ``guess``) and of strokes and shapes
(``thick``, ``thin``, ``dashed``, ``dotted``, ``hollow``, ``strong``)."""

from html import escape
from typing import NamedTuple

from .numbers import coordinate


class Mark(NamedTuple):
    """One SVG element: its tag, its attributes in order, its text where it has one (both unescaped)."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    text: str | None = None

    def svg(self):
        """The element as SVG source, everything escaped."""
        attributes = "".join(f' {name}="{escape(value)}"' for name, value in self.attributes if value)
        if self.text is None:
            return f"<{self.tag}{attributes}/>"
        return f"<{self.tag}{attributes}>{escape(self.text, quote=False)}</{self.tag}>"

    def with_attribute(self, name, value):
        """The same mark with one attribute more (or another value for one that it has)."""
        return self._replace(attributes=tuple((dict(self.attributes) | {name: value}).items()))


def _mark(tag, kind, text=None, **attributes):
    named = {name: coordinate(value) if not isinstance(value, str) else value for name, value in attributes.items()}
    return Mark(tag, tuple(({"class": kind} | named).items()), text)


def rect(x, y, width, height, kind=""):
    """A bar from ``(x, y)``; a negative width or height reaches left or up."""
    left, right = sorted((float(x), float(x + width)))
    top, bottom = sorted((float(y), float(y + height)))
    return _mark("rect", kind, x=left, y=top, width=right - left, height=bottom - top)


def line(x1, y1, x2, y2, kind=""):
    """A straight line between two points."""
    return _mark("line", kind, x1=x1, y1=y1, x2=x2, y2=y2)


def circle(x, y, radius, kind=""):
    """A disc; ``hollow`` in its kind makes it a ring."""
    return _mark("circle", kind, cx=x, cy=y, r=radius)


def path(commands, kind=""):
    """A path from SVG's path commands, as text."""
    return _mark("path", kind, d=commands)


def polyline(points, kind=""):
    """A path through ``points``, pairs of coordinates."""
    return path("M" + "L".join(f"{coordinate(x)} {coordinate(y)}" for x, y in points), kind)


def text(x, y, words, kind="", anchor="start"):
    """Words with their baseline at ``(x, y)``; ``anchor`` is start, middle or end."""
    if anchor not in ("start", "middle", "end"):
        raise ValueError(f"anchor must be start, middle or end, not {anchor!r}")
    return _mark("text", kind, words, x=x, y=y, **({} if anchor == "start" else {"text-anchor": anchor}))
