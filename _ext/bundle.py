"""One style sheet and one script for the whole book, put together from their source files.

Order: the palette (written by the package, which draws the figures with it), the page, everything else by name,
print last. Every script is a plain file that wraps itself in a function: order does not matter among them.
"""

import re
from pathlib import Path

from residual_stream import palette

FIRST, LAST = ["page.css", "layout.css"], ["print.css"]
VENDOR = Path(__file__).parent / "vendor"


def ordered(files):
    """Style sheets in the order in which later ones may refine earlier ones."""
    def rank(file):
        if file.name in FIRST:
            return FIRST.index(file.name)
        return len(FIRST) + (file.name in LAST)

    return sorted(files, key=lambda file: (rank(file), file.name))


def without_comments(css):
    """CSS without comments and indentation, strings untouched (ours hold neither)."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    return re.sub(r"\s*\n\s*", "\n", css).strip()


def stylesheet(assets):
    """The text of ``book.css``."""
    sources = [palette.stylesheet(), (VENDOR / "temml.css").read_text("utf-8")]
    sources += [file.read_text("utf-8") for file in ordered((assets / "css").glob("*.css"))]
    return "\n".join(map(without_comments, sources)) + "\n"


def script(assets):
    """The text of ``book.js``."""
    return "\n".join(file.read_text("utf-8") for file in sorted((assets / "js").glob("*.js")))


def write(app):
    """Write both before the pages, so that their links carry the digest of what they will load."""
    if app.builder.format != "html":
        return
    assets, static = Path(app.confdir) / "_assets", Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    for name, text in (("book.css", stylesheet(assets)), ("book.js", script(assets))):
        (static / name).write_text(text, "utf-8")


def setup(app):
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
