"""Furo, made light: each page asks for one style sheet and one deferred script.

The book's toolchain adds scripts for live kernels, copy buttons, tabs and comments to every page; the page's own
script does what is needed of that, so they are left out here, and their files do not ship.
"""

import re
import shutil
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

import card
import search

STYLES = {"book.css"}
SCRIPTS = {"book.js"}
SHIPPED = STYLES | SCRIPTS | {card.NAME, search.NAME}

# sphinx-thebe appends its configuration and a script to the body of every page.
LEFTOVERS = re.compile(r'<script type="text/x-thebe-config">.*?</script>\s*|<script>[^<]*\bthebe[^<]*</script>\s*', re.S)

# The corner of a table with heads of rows and of columns heads nothing.
EMPTY_HEAD = re.compile(r'<th\b((?:(?! scope=)[^>])*)(?: scope="\w+")?([^>]*)>\s*(?:<p>\s*</p>)?\s*</th>')

VIEWPORT = re.compile(r'<meta name="viewport"[^>]*>\s*')     # the template has it; the writer of pages adds another


class SingleIds(SphinxPostTransform):
    """Furo copies the ids of tables and formulas to the box around them; an id stands once on a page."""

    default_priority = 510     # after Furo's own transform
    formats = ("html",)

    def run(self, **kwargs):
        for box in self.document.findall(nodes.container):
            if {"table-wrapper", "math-wrapper"} & set(box["classes"]):
                box["ids"] = []


def file_name(asset):
    """The last part of an asset's path; inline scripts have none."""
    return Path(str(asset.filename or "")).name


def slim(app, pagename, templatename, context, doctree):
    """Keep the book's own style sheet and script."""
    context["css_files"] = [asset for asset in context["css_files"] if file_name(asset) in STYLES]
    context["script_files"] = [asset for asset in context["script_files"] if file_name(asset) in SCRIPTS]
    context["metatags"] = VIEWPORT.sub("", context.get("metatags") or "")
    if context.get("body"):
        context["body"] = EMPTY_HEAD.sub(r"<td\1\2></td>", LEFTOVERS.sub("", context["body"]))


def remove_unused(app, exception):
    """Leave in ``_static`` what the pages ask for and what the configuration's own static paths put there."""
    if exception or app.builder.format != "html":
        return
    # Extensions add their folders as absolute paths.
    configured = [Path(app.confdir) / path for path in app.config.html_static_path if not Path(path).is_absolute()]
    own = {file.name for path in configured for file in listed(path)}
    for entry in (Path(app.outdir) / "_static").iterdir():
        if entry.is_dir():
            shutil.rmtree(entry)
        elif entry.name not in SHIPPED | own:
            entry.unlink()


def listed(path):
    """The files that a static path stands for: itself, or all in it."""
    return path.rglob("*") if path.is_dir() else [path]


def setup(app):
    app.setup_extension("furo")     # so that pygments_dark_style, which Furo's theme reads, is a known value
    app.add_css_file("book.css")
    app.add_js_file("book.js", defer="defer")
    app.add_post_transform(SingleIds)
    app.connect("html-page-context", slim, priority=990)
    app.connect("build-finished", remove_unused, priority=990)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
