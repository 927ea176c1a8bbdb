"""Plots drawn by matplotlib, made part of the book: the page's colours and fonts, few bytes, the same every time."""

import io
import re
from dataclasses import dataclass
from html import escape
from math import log10
from xml.etree import ElementTree

from . import figure
from .numbers import coordinate
from ..palette import LIGHT

WIDTH = 340
POINTS_PER_INCH = 72

STYLE = {
    "svg.fonttype": "none",
    "font.size": 13,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": LIGHT["faint"],
    "axes.edgecolor": LIGHT["grey"],
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "text.color": LIGHT["ink"],
    "axes.labelcolor": LIGHT["grey"],
    "xtick.color": LIGHT["grey"],
    "ytick.color": LIGHT["grey"],
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "xtick.minor.size": 0,
    "ytick.minor.size": 0,
    "lines.linewidth": 1.5,
}

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_KEPT = {"fill", "stroke", "stroke-width", "stroke-dasharray", "text-anchor", "font-weight", "opacity",
         "fill-opacity", "stroke-opacity"}
_NAMES = {colour: name for name, colour in LIGHT.items()}
_UNTURNED = re.compile(r"rotate\(-?0 [^)]*\)")


_RAISED = str.maketrans("-0123456789", "\N{SUPERSCRIPT MINUS}⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(value, _position=None):
    """The tick label of a power of ten on a logarithmic axis, in characters that every font raises: 10⁻², 1, 10, 10³.

    A matplotlib formatter: ``axes.yaxis.set_major_formatter(power_of_ten)``.
    """
    power = round(log10(value))
    return ("1", "10")[power] if power in (0, 1) else f"10{str(power).translate(_RAISED)}"


@dataclass(frozen=True)
class Plot(figure.Picture):
    """A finished plot: SVG ``content`` on ``width`` by ``height`` units, the finding in words, the data."""

    width: int
    height: int
    content: str
    alt: str
    table: figure.Table
    name: str
    caption: str = ""

    def svg(self):
        """The plot as SVG source."""
        return figure.svg(self.width, self.height, self.content, self.alt, kind="plot")


def plot(draw, height, alt, table, name, caption="", width=WIDTH):
    """A Plot of ``width`` by ``height`` units of what ``draw(figure)`` puts on a matplotlib figure.

    Colours must be the palette's (``palette.LIGHT[...]``): the page replaces them by its own, light or dark.
    ``name`` becomes the figure's anchor and the beginning of the ids in it. Raises ValueError for another colour.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        canvas = Figure(figsize=(width / POINTS_PER_INCH, height / POINTS_PER_INCH), layout="constrained")
        draw(canvas)
        source = io.StringIO()
        canvas.savefig(source, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return Plot(width, height, _content(ElementTree.fromstring(source.getvalue()), name), alt, table, name, caption)


def _content(root, name):
    referred = {link for element in root.iter() for link in _links(element)}
    renamed = {}
    for element in root.iter():
        identity = element.attrib.pop("id", None)
        if identity in referred:
            element.set("id", renamed.setdefault(identity, f"{name}-{len(renamed) + 1}"))
    for element in root.iter():
        _lighten(element, renamed)
    return "".join(_source(child) for child in root if child.find(f"{_SVG}style") is None)


def _links(element):
    return re.findall(r"#([\w.-]+)", element.get(_LINK, "") + " " + element.get("clip-path", ""))


def _lighten(element, renamed):
    """Shorten the element's numbers, keep the style that matters, take the colours from the page."""
    for name, value in list(element.attrib.items()):
        if name == "style":
            value = _style(value)
        elif name == _LINK:
            name, value = "href", f"#{renamed[value[1:]]}"
            del element.attrib[_LINK]
        elif name == "clip-path":
            value = f"url(#{renamed[_links(element)[0]]})"
        elif name != "id":
            value = _rounded(_UNTURNED.sub("", value))
        if value:
            element.set(name, value)
        else:
            del element.attrib[name]


def _style(value):
    declarations = (declaration.split(":", 1) for declaration in value.split(";") if declaration.strip())
    kept = ((name.strip(), _painted(text.strip())) for name, text in declarations if name.strip() in _KEPT)
    return ";".join(f"{name}:{text}" for name, text in kept)


def _painted(text):
    if not text.startswith("#"):
        return text
    if text not in _NAMES:
        raise ValueError(f"the plot uses the colour {text}, which is not in the palette: take palette.LIGHT[...]")
    return f"var(--{_NAMES[text]})"


def _rounded(value):
    numbers = re.sub(r"-?\d+\.\d+", lambda match: coordinate(match[0]), value)
    return re.sub(r"\s+", " ", re.sub(r"\s*([MLHVCSQZz])\s*", r"\1", numbers)).strip()


def _source(element):
    """The element as SVG source; a group without attributes is only its children."""
    inner = escape((element.text or "").strip(), quote=False) + "".join(map(_source, element))
    tag = element.tag.removeprefix(_SVG)
    if tag == "g" and not element.attrib:
        return inner
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in element.attrib.items())
    return f"<{tag}{attributes}>{inner}</{tag}>" if inner else f"<{tag}{attributes}/>"
