"""Formulas in headings: MathML on the page, plain text in window titles, navigation and search results."""

import re

from docutils import nodes
from sphinx.transforms import SphinxTransform

import temml
from mathml import converted


class formula(nodes.TextElement):
    """A formula whose text is its plain reading; ``tex`` holds the source."""


def visit_formula(self, node):
    self.body.append(converted(node["tex"], False, node))
    raise nodes.SkipNode


class HeadingFormulas(SphinxTransform):
    """Give formulas in headings a plain reading, before titles are collected for navigation and search."""

    default_priority = 30

    def apply(self, **kwargs):
        for title in self.document.findall(nodes.title):
            for inline in list(title.findall(nodes.math)):
                tex = inline.astext()
                inline.replace_self(formula("", temml.readable(tex), tex=tex))


def without_markup(text):
    """A rendered title as plain text, still escaped for HTML."""
    return re.sub(r"<[^>]+>", "", text)


def plain_context(app, pagename, templatename, context, doctree):
    """Titles that stand in attributes, in the window's bar and in links to other pages."""
    if context.get("title"):
        context["title"] = without_markup(context["title"])
    for direction in ("next", "prev"):
        if context.get(direction):
            context[direction] = {**context[direction], "title": without_markup(context[direction]["title"])}
    for tree in ("toc", "furo_navigation_tree"):
        if context.get(tree):
            # The name of a part is called a heading there, and without its level it is none.
            context[tree] = re.sub(r' (data-tex="[^"]*"|role="heading")', "", context[tree])


def setup(app):
    app.add_node(formula, html=(visit_formula, None))
    app.add_transform(HeadingFormulas)
    app.connect("html-page-context", plain_context, priority=950)
    return {"parallel_read_safe": False}
