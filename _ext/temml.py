"""TeX to MathML by Temml (MIT, ``vendor/``), run in an embedded engine while the book is built.

Nothing of it reaches the reader: a page carries the MathML alone. The result depends on the formula only
(no random names, no state from one formula to the next), so two builds write the same bytes.
"""

import json
import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path

from py_mini_racer import MiniRacer

VENDOR = Path(__file__).parent / "vendor"

# Only \class is trusted, with plain names: it colours a term through the style sheet. \id, \style, \data and
# \includegraphics stay refused, so a formula can neither load nor restyle anything.
WRAPPER = r"""
function convert(tex, display) {
  const trust = call => call.command === "\\class" && /^[a-z][a-z0-9 -]*$/.test(call.class);
  const options = {displayMode: display, throwOnError: true, wrap: display ? "none" : "tex", trust};
  try {
    return JSON.stringify({mathml: temml.renderToString(tex, options)});
  } catch (error) {
    return JSON.stringify({error: String(error.message)});
  }
}
"""

# Elements that make what they stand in taller than one line of text.
TALL = {"mfrac", "msqrt", "mroot", "munder", "mover", "munderover", "mtable", "msubsup", "mspace"}
# Below and above a base, TeX sets relations and operations without space around them.
SCRIPTED = {"msub", "msup", "msubsup", "munder", "mover", "munderover"}
TIGHT = set("+-\u2212=<>\u2264\u2265\u2260\u2248\u2208\u2192\u00b1\u00d7\u22c5")
BREAKABLE_FROM = 22    # characters: a longer formula in a line of text may break after its relations


class TexError(ValueError):
    """A formula that Temml refuses; the message says what it met and where."""


@cache
def engine():
    """One JavaScript engine with Temml loaded, kept for the whole build."""
    racer = MiniRacer()
    racer.eval((VENDOR / "temml.min.js").read_text("utf-8"))
    racer.eval(WRAPPER)
    return racer


@cache
def mathml(tex, display=False):
    r"""The ``<math>`` element for a TeX formula, as text; its source stays in ``data-tex`` for copying.

    Raises TexError for a formula that does not convert.
    """
    answer = json.loads(engine().call("convert", tex, display))
    if "error" in answer:
        raise TexError(first_sentence(answer["error"]))
    root = ElementTree.fromstring(answer["mathml"])
    settle_fences(root)
    rest_on_fences(root)
    tighten_scripts(root)
    mark_signs(root)
    close_applications(root)
    close_names(root)
    close_ellipses(root)
    root.attrib.pop("style", None)
    if not display and len(reading(root)) >= BREAKABLE_FROM:
        loosen(root)
        if len(root) > 1:
            root.set("class", "breakable")
    root.set("data-tex", " ".join(tex.split()))
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)


def plain(tex):
    """A formula as a line of plain text, for titles of windows, links and search results."""
    return reading(ElementTree.fromstring(mathml(tex)))


def readable(tex):
    """A formula as plain text; the source of one that is refused, which the page itself reports, with its place."""
    try:
        return plain(tex)
    except TexError:
        return tex


def reading(root):
    """The characters of a formula without its layout."""
    return re.sub("[\u2061\u2062\u2063\u200b]", "", "".join(root.itertext())).strip()


def settle_fences(root):
    r"""Keep ``\left( x \right)`` around one line of content at its normal height.

    Chromium reserves the room of the widest variant for a fence that might stretch.
    """
    for row in root.iter("mrow"):
        parts = list(row)
        if len(parts) > 2 and all(part.get("stretchy") == "true" for part in (parts[0], parts[-1])):
            inner = [element for part in parts[1:-1] for element in part.iter()]
            if not any(element.tag in TALL or element.get("largeop") == "true" for element in inner):
                parts[0].set("stretchy", "false")
                parts[-1].set("stretchy", "false")


def rest_on_fences(root):
    """An index or a power after a parenthesis of one line's height stands at that height, as in TeX.

    On the whole group it would stand above the tallest part of it: the inner power of ``(N^4 M)^{1/16}``.
    """
    for row in list(root.iter()):
        for place, script in enumerate(list(row)):
            group = script[0] if script.tag in ("msub", "msup", "msubsup") else ()
            if len(group) > 2 and not group.get("class") and group[-1].get("form") == "postfix" and group[-1].get("stretchy") == "false":
                script[0] = group[-1]
                group[-1] = script
                row[place] = group


def tighten_scripts(root):
    """Indices and limits without the space that Chromium leaves around operators at every size."""
    for base in root.iter():
        if base.tag in SCRIPTED:
            for operator in (element for script in list(base)[1:] for element in script.iter("mo")):
                if operator.text in TIGHT:
                    operator.attrib.update(lspace="0", rspace="0")


def mark_signs(root):
    """A sign after a comma and a space is a sign, not a subtraction: no space between it and its number."""
    for row in root.iter():
        solid = [element for element in row if element.tag != "mspace" and (element.text or "x").strip("\u00a0 ")]
        for before, sign in zip(solid, solid[1:]):
            if before.get("separator") and sign.tag == "mo" and sign.text in ("\u2212", "+", "\u00b1"):
                sign.set("form", "prefix")


def close_applications(root):
    r"""``\class{norm}{\operatorname{LN}}(x)`` without the space that a name has before anything but a parenthesis."""
    for row in root.iter():
        for name, argument in zip(row, list(row)[1:]):
            first = argument[0] if argument.tag == "mrow" and len(argument) else argument
            if first.tag == "mo" and first.text in ("(", "[") and name.tag == "mrow" and len(name) and name[-1].tag == "mspace":
                name.remove(name[-1])


def close_names(root):
    r"""``2\operatorname{Cov} = 1`` without the space that a name keeps for an argument: here none follows."""
    parents = {child: parent for parent in root.iter() for child in parent}
    leaves = [element for element in root.iter() if not len(element)]
    for name, space, after in zip(leaves, leaves[1:], [*leaves[2:], None]):
        if name.text == "\u2061" and space.tag == "mspace" and (after is None or after.text == "="):
            parents[space].remove(space)


def close_ellipses(root):
    """Three dots with a thin space on each side, as in TeX, and not with that of a relation."""
    for dots in root.iter("mo"):
        if dots.text in ("\u22ef", "\u2026"):
            dots.attrib.update(lspace=".17em", rspace=".17em")


def loosen(root):
    """Let a long formula break after operations inside its parentheses too: Temml lets it break outside only."""
    for row in [row for row in root if row.tag == "mrow" and len(reading(row)) >= BREAKABLE_FROM]:
        parts = [ElementTree.Element("mrow")]
        for element in unfenced(row):
            parts[-1].append(element)
            if element.tag == "mo" and element.text in TIGHT and not element.get("form"):
                parts.append(ElementTree.Element("mrow"))
        place = list(root).index(row)
        root[place:place + 1] = [part for part in parts if len(part)]


def unfenced(row):
    """The elements of a row, those inside parentheses of one line's height among them."""
    for element in row:
        if element.tag == "mrow" and not element.get("class") and len(element) and element[0].get("stretchy") == "false":
            yield from unfenced(element)
        else:
            yield element


def first_sentence(message):
    """Temml's complaint without the picture of the formula that follows it on further lines."""
    return message.replace("ParseError:", "").split("\n")[0].strip(" :")
