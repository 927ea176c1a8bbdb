r"""The search index: every section, question and glossary entry of the book, read from the finished pages.

It is a script, ``_static/search_index.js``, because a page opened from a file may load scripts but fetch nothing.
Its entries are ``[page, title of the page, [[anchor, heading, text], ...]]``, in the order of the book.
"""

import html
import json
import re
from pathlib import Path

NAME = "search_index.js"
CONTENT = re.compile(r'<main id="text".*?</main>', re.S)
# What is no prose: scripts, drawings, forms, formulas on lines of their own, data tables, permalinks; and what gives
# the answer of a question away.
SILENT = re.compile(r'<(script|style|svg|form|noscript)\b.*?</\1>|<math [^>]*display="block".*?</math>'
                    r'|<details class="(?:data|recall-[a-z]+)">.*?</details>|<p class="recall-(?:later|due)".*?</p>'
                    r'|<div class="definition".*?</div>|<p class="reading">.*?</p>'
                    r'|<div class="control" hidden>.*?</div>|<a class="headerlink".*?</a>', re.S)
HEADING = re.compile(r'(?:<span id="[^"]*"></span>)*<h[1-6]>(?P<heading>.*?)</h[1-6]>', re.S)
# Where an entry begins: a section with its heading, a question with its label, a term with its definition.
START = re.compile(rf'<section[^>]* id="(?P<section>[^"]+)">\s*{HEADING.pattern}'
                   r'|<div class="recall" id="(?P<question>[^"]+)"[^>]*><p class="recall-label"[^>]*>(?P<label>.*?)</p>'
                   r'|<dt id="(?P<entry>term-[^"]+)">(?P<term>.*?)</dt>', re.S)
SUPERSCRIPT = re.compile(r"<mn>(\d)</mn></msup>")
# A root's bar is no character. Innermost roots first: what is inside holds no other.
ROOT = re.compile(r"<msqrt\b[^>]*>((?:(?!<msqrt\b).)*?)</msqrt>", re.S)
ONE = re.compile(r"<(mi|mn)\b[^>]*>[^<]*</\1>")
BLOCK = re.compile(r"</?(?:p|li|ul|ol|dl|dd|dt|div|table|tr|t[hd]|section|figure|figcaption|details|summary|pre|h[1-6]|br)\b[^>]*>")


def with_roots(fragment):
    """MathML whose square roots are written out: a root sign before one symbol, brackets around anything longer."""
    while True:
        fragment, found = ROOT.subn(
            lambda root: f"\u221a{root[1]}" if ONE.fullmatch(root[1].strip()) else f"\u221a({root[1]})", fragment)
        if not found:
            return fragment


def text(fragment):
    """HTML as one line of plain text; words of different blocks stay apart, those of one line together."""
    powers = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
    fragment = SUPERSCRIPT.sub(lambda power: powers[int(power[1])], with_roots(fragment))
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", BLOCK.sub(" ", fragment)))
                    .translate({0x2061: None, 0x2062: None, 0x2063: None, 0x200B: None}).split())


def entries(page):
    """[anchor, heading, text] for each part of a page's HTML; the first part, the title's, has no anchor."""
    content = SILENT.sub("", CONTENT.search(page)[0])
    starts = list(START.finditer(content))
    ends = [start.start() for start in starts[1:]] + [len(content)]
    result = []
    for start, end in zip(starts, ends):
        anchor = start["section"] or start["question"] or start["entry"]
        heading = start["heading"] or start["label"] or start["term"]
        result.append([anchor if result else "", text(heading), text(content[start.end():end])])
    return result


def index(pages):
    """The script that hands the entries of ``pages``, (address, HTML) pairs, to the search page."""
    listed = []
    for address, page in pages:
        parts = entries(page)
        listed.append([address, parts[0][1], parts])
    data = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    return f"(globalThis.residualStream ??= {{}}).searchIndex = {data};\n"


def write(app, exception):
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    names = [app.builder.get_target_uri(name) for name in app.env.collect_relations()]
    pages = [(name, (out / name).read_text("utf-8")) for name in names if (out / name).is_file()]
    (out / "_static" / NAME).write_text(index(pages), "utf-8")


def replace_sphinx_s(app):
    """Leave Sphinx's own index out; the search page is one of the book's templates."""
    app.builder.search = False


def setup(app):
    app.connect("builder-inited", replace_sphinx_s)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
