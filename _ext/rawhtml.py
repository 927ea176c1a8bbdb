r"""What cells print as HTML: its formulas become MathML, what only a live notebook needs is left out.

Formulas are written ``\(...\)`` in a line and ``\[...\]`` on their own, as JupyterLab typesets them too.
"""

import html
import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from mathml import converted


def markup(*verbatim):
    """What is no text: tags, comments, and the ``verbatim`` elements with all that they hold."""
    return re.compile(rf"""(<!--.*?-->
        |<(?P<verbatim>{"|".join(verbatim)})\b.*?</(?P=verbatim)\s*>
        |<[a-z/!](?:[^>"']|"[^"]*"|'[^']*')*>)""", re.S | re.I | re.X)


NO_PROSE = "script", "style", "pre", "code", "textarea"
MARKUP = markup(*NO_PROSE)
FORMULA = re.compile(r"\\\((?P<inline>.+?)\\\)|\\\[(?P<display>.+?)\\\]", re.S)
NOTEBOOK_ONLY = re.compile(r"<style data-rs\b.*?</style\s*>"
                           r"|<script type=[\"']application/vnd\.jupyter\.widget-[^>]*>.*?</script\s*>", re.S | re.I)
QUESTION = re.compile(r'<p class="recall-label" id="(?P<label>(?P<id>[\w-]+)-label)">(?P<words>.*?)</p>', re.S)
CAPTIONED = re.compile(r"<figure\b[^>]*?\sid=[\"']?(?P<id>[\w-]+)[^>]*>(?:(?!</?figure\b).)*?(?=</figcaption>)", re.S)


def texts_and_markup(fragment, markup=MARKUP):
    """Split HTML into (text, is_markup) pieces, in order."""
    position = 0
    for match in markup.finditer(fragment):
        yield fragment[position:match.start()], False
        yield match[0], True
        position = match.end()
    yield fragment[position:], False


def with_mathml(fragment, location=None):
    """HTML in which the formulas of its text, not those in tags, scripts or code, are MathML."""
    def formula(match):
        display = match["display"] is not None
        tex = html.unescape(match["display"] if display else match["inline"]).strip()
        result = converted(tex, display, location)
        return f'<span class="equation-body">{result}</span>' if display else result

    return "".join(piece if is_markup else FORMULA.sub(formula, piece)
                   for piece, is_markup in texts_and_markup(fragment))


def with_permalinks(fragment):
    """HTML in which every figure that has an id and a caption, and every question, links to itself."""
    def link(identity, what):
        return f'<a class="headerlink" href="#{identity}" title="Link to this {what}">#</a>'

    linked = CAPTIONED.sub(lambda match: match[0] + link(match["id"], "figure"), fragment)
    # The question is named by its label alone, so the link stands beside the label and not in it.
    return QUESTION.sub(lambda match: f'<p class="recall-label"><span id="{match["label"]}">{match["words"]}</span>'
                                      f'{link(match["id"], "question")}</p>', linked)


class RawHtml(SphinxPostTransform):
    """Apply the above to every raw HTML node of a page."""

    default_priority = 450
    formats = ("html",)

    def run(self, **kwargs):
        for raw in list(self.document.findall(nodes.raw)):
            if "html" not in raw.get("format", "").split():
                continue
            page = with_permalinks(with_mathml(NOTEBOOK_ONLY.sub("", raw.astext()), raw))
            raw.children, raw.rawsource = [nodes.Text(page)], page


def setup(app):
    app.add_post_transform(RawHtml)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
