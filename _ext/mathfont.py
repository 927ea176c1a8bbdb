"""The mathematics font, cut to the characters that the pages use.

TeX Gyre Termes Math (GUST Font License, ``vendor/``) has the MATH table that stretches fences and roots; whole it
weighs half a megabyte, cut to one book some tens of kilobytes.
"""

import base64
import html
import logging
import re
from pathlib import Path

from fontTools import subset
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from sphinx.util import logging as sphinx_logging

LOG = sphinx_logging.getLogger(__name__)
FONT = Path(__file__).parent / "vendor" / "texgyretermes-math.otf"
PLACE = 'url("math.woff2")'
FORMULA = re.compile(r"<math\b.*?</math>", re.S)

# MathML shows a one-letter <mi> in mathematical italic: those characters never stand in the page's text.
ITALIC = [*range(0x1D434, 0x1D468), 0x210E, *range(0x1D6FC, 0x1D71C)]
ASCII = range(0x20, 0x7F)
RADICAL = [0x221A]    # <msqrt> draws it, no page writes it
# "ssty" (script-size variants) and the stylistic sets would double the size for no visible gain here.
# Thousandths of an em that an italic letter may reach to the left of its place; more, and "+ f" closes up to "+f".
OVERHANG = 80
FEATURES = ["dtls", "ccmp", "kern", "mark", "mkmk"]


def characters(page):
    """The characters that stand in the formulas of one HTML page."""
    return {character for formula in FORMULA.findall(page)
            for character in html.unescape(re.sub(r"<[^>]+>", "", formula))}


def cut(used, target):
    """Write the font with the glyphs of ``used`` (an iterable of characters), ASCII and the italics, as WOFF2."""
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    options = subset.Options(flavor="woff2", hinting=False, layout_features=FEATURES, recalc_timestamp=False)
    font = subset.load_font(str(FONT), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes={*map(ord, used), *ASCII, *ITALIC, *RADICAL})
    cutter.subset(font)
    straighten(font)
    subset.save_font(font, str(target), options)


def straighten(font):
    """Move the italic letters that reach further to the left than ``OVERHANG`` back to it, and widen them by as much."""
    names, glyphs, outlines = font.getBestCmap(), font.getGlyphSet(), font["CFF "].cff.topDictIndex[0].CharStrings
    for name in {names[letter] for letter in ITALIC if letter in names}:
        width, left = font["hmtx"][name]
        if (shift := -OVERHANG - left) > 0:
            pen = T2CharStringPen(None, None)
            glyphs[name].draw(TransformPen(pen, (1, 0, 0, 1, shift, 0)))
            outlines[name] = pen.getCharString(outlines[name].private, outlines[name].globalSubrs)
            font["hmtx"][name] = width + shift, left + shift


def embedded(css, font):
    """The style sheet with the font inside: one request less, and no formula changes its size while a page loads.

    Raises ValueError for a style sheet that does not ask for ``math.woff2``.
    """
    if PLACE not in css:
        raise ValueError(f"the style sheet has no {PLACE}, so the mathematics font has no place in it: add the @font-face")
    return css.replace(PLACE, f'url("data:font/woff2;base64,{base64.b64encode(font).decode()}")')


def embed_font(app, exception):
    """Read the characters from the finished pages, so that pages left unchanged keep theirs."""
    if exception or app.builder.format != "html":
        return
    used = set().union(*(characters(page.read_text("utf-8")) for page in Path(app.outdir).rglob("*.html")))
    kept = Path(app.doctreedir) / "math.woff2"
    wanted = "".join(sorted(used)) + Path(__file__).read_text("utf-8")    # what is cut, and how
    record = kept.with_suffix(".txt")
    if not (kept.exists() and record.exists() and record.read_text("utf-8") == wanted):
        cut(used, kept)
        record.write_text(wanted, "utf-8")
        LOG.info("mathematics font: %d characters, %d bytes", len(used), kept.stat().st_size)
    css = Path(app.outdir) / "_static" / "book.css"
    css.write_text(embedded(css.read_text("utf-8"), kept.read_bytes()), "utf-8")


def setup(app):
    app.connect("build-finished", embed_font)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
