"""Where code in a line of text may break: a short piece nowhere, a longer one between its words, and a long name after
its underscores and slashes; never at the hyphens of an option or of a file, where a browser would break.
"""

import html
import re

CODE = re.compile(r'<(?P<verbatim>script|style|pre|textarea|svg|math)\b.*?</(?P=verbatim)\s*>'
                  r'|<code(?P<attributes>(?: class="[^"]*")?)>(?P<inside>(?:[^<]|</?span\b[^>]*>)*)</code>', re.S)
SHORT = 18      # characters that fit on a line of the narrowest screen with room to spare
LONG = 24
JOINT = re.compile(r"(?<=[_/])(?=[^_/])")


def length(source):
    return len(html.unescape(source))


def unbroken(source):
    return f'<span class="together">{source}</span>' if "-" in source and length(source) <= LONG else source


def word(source):
    """One word of code, escaped, with the places at which it may break."""
    return "<wbr>".join(map(unbroken, JOINT.split(source) if length(source) > LONG else [source]))


def with_class(attributes):
    return attributes.replace('="', '="together ') if attributes else ' class="together"'


def breaking(match):
    if match["verbatim"]:
        return match[0]
    attributes, source = match["attributes"], re.sub(r"<[^>]*>", "", match["inside"])
    if length(source) <= SHORT:
        plain = re.fullmatch(r"\w+", source)
        return f"<code{attributes if plain else with_class(attributes)}>{source}</code>"
    return f"<code{attributes}>{' '.join(map(word, source.split()))}</code>"


def broken_well(body):
    """HTML whose inline code breaks at its joints."""
    return CODE.sub(breaking, body)


def keep(app, pagename, templatename, context, doctree):
    if context.get("body"):
        context["body"] = broken_well(context["body"])


def setup(app):
    app.connect("html-page-context", keep)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
