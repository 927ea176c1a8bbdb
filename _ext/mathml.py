r"""Sphinx's mathematics renderer ``mathml``: inline formulas, display formulas, numbers and their permalinks.

Chosen by ``html_math_renderer: mathml``. A formula that does not convert is a warning, so it fails a build
under ``-W``; without ``-W`` the page shows its source as code.
"""

import hashlib
import html
import re

from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

import temml

LOG = logging.getLogger(__name__)

# Sphinx numbers the whole block, so the environment itself must not number its rows.
NUMBERED_ENVIRONMENT = re.compile(r"\\(begin|end)\{(equation|align|alignat|gather|multline)\}")


def converted(tex, display, location):
    """MathML for one formula; a refusal is reported at its place in the source and shown as code."""
    try:
        return temml.mathml(tex, display)
    except temml.TexError as refusal:
        LOG.warning("formula refused: %s in %r", refusal, tex[:80], location=location)
        return f'<code class="formula-refused">{html.escape(tex)}</code>'


def arranged(tex, as_environment):
    r"""A display block as one formula: paragraphs below each other, ``\\`` alone aligned at ``&``."""
    if as_environment:
        return NUMBERED_ENVIRONMENT.sub(r"\\\1{\2*}", tex)
    paragraphs = [part for part in re.split(r"\n\s*\n", tex) if part.strip()]
    if len(paragraphs) > 1:
        return r"\begin{gathered}" + r"\\".join(paragraphs) + r"\end{gathered}"
    if r"\\" in tex and r"\begin{" not in tex:
        return r"\begin{aligned}" + tex + r"\end{aligned}"
    return tex


def heads_a_column(node):
    """Whether a formula is all that the head of a column says."""
    entry = node.parent.parent
    in_head = isinstance(entry, nodes.entry) and isinstance(entry.parent.parent, nodes.thead)
    return in_head and len(entry) == len(node.parent) == 1


def visit_inline(self, node):
    formula = converted(node.astext(), False, node)
    if heads_a_column(node) and formula.startswith("<math"):
        # Accessibility tools look for text, not for MathML, when they name the cells below.
        formula = formula.replace("<math", f'<math aria-label="{html.escape(temml.plain(node.astext()))}"', 1)
    self.body.append(formula)
    raise nodes.SkipNode


def own_anchor(tex, taken):
    """An anchor for a formula without a label: the same as long as the formula stays as it is; noted in ``taken``."""
    name = f"formula-{hashlib.sha256(' '.join(tex.split()).encode()).hexdigest()[:7]}"
    anchor = next(name for name in (name, *(f"{name}-{count}" for count in range(2, 1000))) if name not in taken)
    taken[anchor] = True
    return anchor


def visit_display(self, node):
    formula = converted(arranged(node.astext().strip(), node.get("nowrap")), True, node)
    if not node["ids"] and node.parent.get("nb_element") is None:
        node["ids"].append(own_anchor(node.astext(), self.document.ids))
    self.body.append(self.starttag(node, "div", CLASS="equation"))
    self.body.append(f'<div class="equation-body">{formula}</div>')
    if node.get("number"):
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    elif node["ids"]:
        self.add_permalink_ref(node, "Link to this formula")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    # The engine does not survive a fork: pages are read and written one after the other.
    return {"parallel_read_safe": False, "parallel_write_safe": False}
