"""Native ``<details>`` for admonitions of class ``dropdown`` and for hidden cells: they open without a script."""

import html

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.transforms.post_transforms import SphinxPostTransform


class details(nodes.Element):
    """An admonition that opens and closes; ``toggle-shown`` among its classes starts it open."""


class summary(nodes.TextElement):
    """The line that opens it."""


def visit_details(self, node):
    self.body.append(self.starttag(node, "details", CLASS="admonition",
                                   **({"open": "open"} if "toggle-shown" in node["classes"] else {})))


def depart_details(self, node):
    self.body.append("</details>\n")


def visit_summary(self, node):
    self.body.append('<summary class="admonition-title">')


def depart_summary(self, node):
    self.body.append("</summary>\n")


def disclosed(admonition):
    """The admonition as a details element; one without a title of its own is named by its kind."""
    children = list(admonition.children)
    titled = children and isinstance(children[0], nodes.title)
    heading = children.pop(0).children if titled else [nodes.Text(admonition.tagname.title())]
    result = details("", classes=admonition["classes"], ids=admonition["ids"])
    result += summary("", "", *heading)
    result.extend(children)
    return result


def visit_hidden_cell(self, node):
    self.body.append(f'<details class="hidden-cell {" ".join(node["classes"])}">'
                     f'<summary>{html.escape(node["prompt_show"])}</summary>\n')


class Disclosure(SphinxPostTransform):
    default_priority = 400
    formats = ("html",)

    def run(self, **kwargs):
        for admonition in list(self.document.findall(nodes.Admonition)):
            if "dropdown" in admonition.get("classes", []):
                admonition.replace_self(disclosed(admonition))


def setup(app):
    app.add_node(details, html=(visit_details, depart_details))
    app.add_node(summary, html=(visit_summary, depart_summary))
    app.setup_extension("myst_nb")
    app.add_node(HideCodeCellNode, override=True, html=(visit_hidden_cell, depart_details))
    app.add_post_transform(Disclosure)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
