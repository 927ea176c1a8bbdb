"""A formula in a line and the punctuation that touches it stay on one line, which no browser sees to by itself."""

import re

TOUCHING = re.compile(r"""(?P<before>[(\[\u201c\u2018]*)
    (?P<formula><math\b(?![^>]*display="block")[^>]*>(?:(?!</math>).)*</math>)
    (?P<after>[^\s<]*)""", re.S | re.X)


def together(body):
    """HTML in which no line breaks between a formula and what touches it; a long one still breaks inside."""
    def kept(match):
        if not (match["before"] or match["after"]):
            return match[0]
        return f'<span class="together">{match[0]}</span>'

    return TOUCHING.sub(kept, body)


def keep(app, pagename, templatename, context, doctree):
    if context.get("body"):
        context["body"] = together(context["body"])


def setup(app):
    app.connect("html-page-context", keep)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
