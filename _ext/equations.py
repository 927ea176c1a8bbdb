r"""Equation labels: stable ones, and TeX's own ``\label`` and ``\eqref`` beside MyST's ``(name)`` and ``{eq}``."""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

RANDOM_LABEL = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
LABEL = re.compile(r"\\label\{([^}]*)\}")
UNNUMBERED = re.compile(r"\\(nonumber|notag)\b")
REFERENCE = re.compile(r"\s*\\(?:eqref|ref)\{([^}]*)\}\s*")


def anchor(label):
    """The id of an equation on its page."""
    return nodes.make_id(f"equation-{label}")


class EquationLabels(SphinxTransform):
    """Give every display formula its label before numbers are resolved."""

    default_priority = 20

    def apply(self, **kwargs):
        for position, block in enumerate(list(self.document.findall(nodes.math_block))):
            self.settle(block, f"{self.env.docname}-{position}")
            self.adopt(block)
        for formula in list(self.document.findall(nodes.math)):
            if reference := REFERENCE.fullmatch(formula.astext()):
                formula.replace_self(self.cross_reference(reference[1]))

    def settle(self, block, stable):
        """MyST labels each amsmath block with a random uuid; the page must come out the same twice."""
        random = block.get("label") or ""
        if not RANDOM_LABEL.fullmatch(random):
            return
        equations = self.env.get_domain("math").equations
        equations[stable] = equations.pop(random)
        block["label"] = stable
        for target in self.document.findall(nodes.target):
            if anchor(random) in target["ids"]:
                target["ids"] = [anchor(stable)]

    def adopt(self, block):
        r"""Turn ``\label{name}`` inside a formula into Sphinx's label; later ones share the block's number."""
        tex = block.astext()
        labels = LABEL.findall(tex)
        if not labels:
            return
        bare = UNNUMBERED.sub("", LABEL.sub("", tex))
        block.children, block.rawsource = [nodes.Text(bare)], bare
        domain = self.env.get_domain("math")
        for label in labels:
            if block.get("label") is None:
                block["label"], block["docname"] = label, self.env.docname
                domain.note_equation(self.env.docname, label, location=block)
                block["number"] = domain.get_equation_number_for(label)
            else:
                domain.equations[label] = (self.env.docname, block["number"])
            block["ids"].append(anchor(label))

    def cross_reference(self, label):
        reference = addnodes.pending_xref("", refdomain="math", reftype="eq", reftarget=label,
                                          refdoc=self.env.docname, refwarn=True)
        reference += nodes.literal(label, label)
        return reference


def setup(app):
    app.add_transform(EquationLabels)
    return {"parallel_read_safe": True}
