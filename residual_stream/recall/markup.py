r"""The bank's texts: paragraphs divided by blank lines, with `code`, *emphasis*, \(inline\) and \[displayed\] TeX."""

import re
from html import escape

from .plain_tex import plain_tex

_PART = re.compile(
    r"\\\((?P<inline>.*?)\\\)|\\\[(?P<display>.*?)\\\]|`(?P<code>[^`]+)`|\*(?P<em>[^*\s][^*]*)\*", re.DOTALL
)
_TAGS = {"code": "<code>{}</code>", "em": "<em>{}</em>", "inline": r"\({}\)", "display": r"\[{}\]"}


def curly(words):
    """Straight quotation marks and apostrophes as a printer sets them."""
    return re.sub(r'(?<![\w.,!?)])"(?![\s.,;:!?)])', "\u201c", words).replace('"', "\u201d").replace("'", "\u2019")


def to_html(text):
    """The text as HTML paragraphs; TeX stays TeX, for whatever typesets the page."""
    return "".join(f"<p>{inline_html(paragraph)}</p>" for paragraph in _paragraphs(text))


def inline_html(text):
    """One paragraph's content as HTML."""
    return _parts(text, lambda kind, content: _TAGS[kind].format(escape(content, quote=False)),
                  lambda words: escape(curly(words), quote=False))


def to_plain(text):
    """The text in plain characters; raises ValueError for TeX that has no plain form."""
    return "\n".join(inline_plain(paragraph) for paragraph in _paragraphs(text))


def inline_plain(text):
    """One paragraph in plain characters."""
    return _parts(text, lambda kind, content: plain_tex(content) if kind in ("inline", "display") else content,
                  lambda words: words)


def to_markdown(text):
    """The text as a notebook's Markdown, one sentence a line; formulas between dollar signs, without colour classes."""
    def marked(kind, content):
        if kind in ("inline", "display"):
            content = re.sub(r"\\class\{[a-z]+\}", "", content).strip()
            return f"${content}$" if kind == "inline" else f"\n$$\n{content}\n$$\n"
        return f"`{content}`" if kind == "code" else f"*{content}*"

    paragraphs = (_parts(paragraph, marked, lambda words: re.sub(r"(?<=[.?!]) (?=[A-Z])", "\n", words))
                  for paragraph in _paragraphs(text))
    return "\n\n".join(re.sub(r" *\n *", "\n", paragraph).strip() for paragraph in paragraphs)


def _paragraphs(text):
    return [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text.strip())]


def _parts(text, marked, words):
    done, at = [], 0
    for match in _PART.finditer(text):
        done += [words(text[at:match.start()]), marked(match.lastgroup, match[match.lastgroup])]
        at = match.end()
    return "".join([*done, words(text[at:])])
