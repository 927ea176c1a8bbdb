"""A formula in a line and the punctuation that touches it stay on one line, which no browser sees to by itself."""

import re

from rawhtml import texts_and_markup

TOUCHING = re.compile(r"""(?P<before>[(\[\u201c\u2018]*)
    (?P<formula><math\b(?![^>]*display="block")[^>]*>(?:(?!</math>).)*</math>)
    (?P<after>[^\s<]*)""", re.S | re.X)
PERCENT = re.compile(r"(?<=\d) (?=%)")


def together(body):
    """HTML in which no line breaks between a formula and what touches it; a long one still breaks inside."""
    def kept(match):
        if not (match["before"] or match["after"]):
            return match[0]
        return f'<span class="together">{match[0]}</span>'

    return TOUCHING.sub(kept, body)


def percentages(body):
    """HTML in which no line begins with the percent sign of the number before it."""
    return "".join(piece if is_markup else PERCENT.sub("\N{NO-BREAK SPACE}", piece)
                   for piece, is_markup in texts_and_markup(body))


def keep(app, pagename, templatename, context, doctree):
    if context.get("body"):
        context["body"] = percentages(together(context["body"]))


def setup(app):
    app.connect("html-page-context", keep)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
