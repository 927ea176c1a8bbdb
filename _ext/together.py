"""What a line must not be broken in, which no browser sees to by itself: a formula and the punctuation that touches
it, a number and its percent sign, "et al.", and a short word with a hyphen or a dash, such as pre-LN, GPT-2 or a
range of pages.
"""

import re

from rawhtml import NO_PROSE, markup, texts_and_markup

TOUCHING = re.compile(r"""(?P<before>[(\[\u201c\u2018]*)
    (?P<formula><math\b(?![^>]*display="block")[^>]*>(?:(?!</math>).)*</math>)
    (?P<after>[^\s<]*)""", re.S | re.X)
CLOSE = re.compile(r"(?<=\d) (?=%)|(?<=\bet) (?=al\.)")
NO_WORDS = markup(*NO_PROSE, "svg", "math", "select")
HYPHENATED = re.compile(r"\w[\w\u2019]*(?:[-\u2013]\w[\w\u2019]*)+")
LONGEST = 16


def together(body):
    """HTML in which no line breaks between a formula and what touches it; a long one still breaks inside."""
    def kept(match):
        if not (match["before"] or match["after"]):
            return match[0]
        return f'<span class="together">{match[0]}</span>'

    return TOUCHING.sub(kept, body)


def close(body):
    """HTML in which no line begins with the percent sign of the number before it, or with the "al." of "et al."."""
    return "".join(piece if is_markup else CLOSE.sub("\N{NO-BREAK SPACE}", piece)
                   for piece, is_markup in texts_and_markup(body))


def unbroken(word):
    """Whether a word with a hyphen stays on one line: it begins or ends with a part of a few letters."""
    first, *_, last = re.split(r"[-\u2013]", word.partition("\u2019")[0])
    return len(word) <= LONGEST and (len(first) <= 4 or len(last) <= 3)


def words_together(fragment):
    """HTML in whose running text no short word is broken at its hyphen."""
    def kept(match):
        return f'<span class="together">{match[0]}</span>' if unbroken(match[0]) else match[0]

    return "".join(piece if is_markup else HYPHENATED.sub(kept, piece)
                   for piece, is_markup in texts_and_markup(fragment, NO_WORDS))


def keep(app, pagename, templatename, context, doctree):
    if context.get("body"):
        context["body"] = close(together(context["body"]))


def keep_words(app, pagename, templatename, context, doctree):
    """Page, contents and navigation; last of all, so that what others look for is found as it was written."""
    for name in ("body", "toc", "furo_navigation_tree"):
        if context.get(name):
            context[name] = words_together(context[name])
    for name in ("prev", "next"):
        if context.get(name):
            context[name] = {**context[name], "title": words_together(context[name]["title"])}


def setup(app):
    app.connect("html-page-context", keep)
    app.connect("html-page-context", keep_words, priority=970)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
