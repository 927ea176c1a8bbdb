"""The mathematics font, cut to the characters that the pages use.

TeX Gyre Termes Math (GUST Font License, ``vendor/``) has the MATH table that stretches fences and roots; whole it
weighs half a megabyte, cut to one book some tens of kilobytes.
"""

import html
import logging
import re
from pathlib import Path

from fontTools import subset
from sphinx.util import logging as sphinx_logging

LOG = sphinx_logging.getLogger(__name__)
FONT = Path(__file__).parent / "vendor" / "texgyretermes-math.otf"
FORMULA = re.compile(r"<math\b.*?</math>", re.S)

# MathML shows a one-letter <mi> in mathematical italic: those characters never stand in the page's text.
ITALIC = [*range(0x1D434, 0x1D468), 0x210E, *range(0x1D6FC, 0x1D71C)]
ASCII = range(0x20, 0x7F)
# "ssty" (script-size variants) and the stylistic sets would double the size for no visible gain here.
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
    cutter.populate(unicodes={*map(ord, used), *ASCII, *ITALIC})
    cutter.subset(font)
    target.parent.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, str(target), options)


def write_font(app, exception):
    """Read the characters from the finished pages, so that pages left unchanged keep theirs."""
    if exception or app.builder.format != "html":
        return
    used = set().union(*(characters(page.read_text("utf-8")) for page in Path(app.outdir).rglob("*.html")))
    wanted, target = "".join(sorted(used)), Path(app.outdir) / "_static" / "math.woff2"
    record = Path(app.doctreedir) / "mathfont.txt"
    if target.exists() and record.exists() and record.read_text("utf-8") == wanted:
        return
    cut(used, target)
    record.write_text(wanted, "utf-8")
    LOG.info("mathematics font: %d characters, %d bytes", len(used), target.stat().st_size)


def setup(app):
    app.connect("build-finished", write_font)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
