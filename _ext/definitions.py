"""Glossary terms in the chapters: linked where they first stand, and explained there on hover and focus.

The glossary's definitions travel with each page that uses them, so that no server is asked. A term that a chapter
sets in bold is being explained there, so it is not linked; neither are ``PLAIN_WORDS``, which also have a plain sense.
"""

import html
import re

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

import temml
from reading import CHAPTERS

PLAIN_WORDS = {"addition", "block", "gain", "gate", "head", "layer", "norm", "seed", "shift", "stack", "token", "trace",
               "update", "width", "worked example"}
LINK = re.compile(r'<a class="reference internal" href="(?P<href>[^"#]+#(?P<anchor>term-[^"]+))"[^>]*>'
                  r'<span class="xref std std-term">(?P<words>.*?)</span></a>', re.S)


def definition(node):
    """A definition as HTML of one paragraph: its text and formulas, without links."""
    if isinstance(node, nodes.math):
        return temml.mathml(node.astext())
    if isinstance(node, nodes.Text):
        return html.escape(node.astext(), quote=False)
    return "".join(map(definition, node.children))


def entries(doctree):
    """(term, anchor, definition as HTML) of every entry of a page's glossaries."""
    for glossary in doctree.findall(addnodes.glossary):
        for item in glossary.findall(nodes.definition_list_item):
            paragraph = next(item.findall(nodes.paragraph), None)
            if paragraph is not None:
                for term in item.findall(nodes.term):
                    yield term.astext(), term["ids"][0], definition(paragraph)


def known(env):
    """Page -> its glossary's entries, kept from build to build."""
    if not hasattr(env, "glossary_entries"):
        env.glossary_entries = {}
    return env.glossary_entries


def note(app, doctree):
    if found := list(entries(doctree)):
        known(app.env)[app.env.docname] = found


def forget(app, env, docname):
    known(env).pop(docname, None)


def renew(app, env):
    """A change in the glossary may change every chapter."""
    before, env.glossary_written = getattr(env, "glossary_written", None), dict(known(env))
    return [] if before in (None, env.glossary_written) else list(env.found_docs)


def pattern(terms):
    """A regular expression for any of the terms, the longest first, also in the plural and at a sentence's begin."""
    def spelled(term):
        first = term[0]
        either = f"[{first}{first.upper()}]" if first.islower() else re.escape(first)
        return either + re.escape(term[1:])

    longest_first = sorted(terms, key=len, reverse=True)
    return re.compile(r"(?<![\w-])(" + "|".join(map(spelled, longest_first)) + r")(?:s|es)?(?![\w-])")


def spell(words, terms):
    """The term that the matched words are."""
    return words if words in terms else words[0].lower() + words[1:]


def split(text, terms, finder):
    """A text as strings and (term, words) pairs: each of ``terms`` where it first stands; it is then taken out of them."""
    done = 0
    for match in finder.finditer(text):
        term = spell(match[1], terms)
        if term in terms:
            yield text[done:match.start()]
            yield term, match[0]
            terms.discard(term)
            done = match.end()
    yield text[done:]


class LinkedTerms(SphinxPostTransform):
    """Link each term of the glossary where a chapter's paragraphs first use it."""

    default_priority = 5     # before references are resolved

    def run(self, **kwargs):
        if not self.env.docname.startswith(CHAPTERS):
            return
        terms = {term for found in known(self.env).values() for term, _, _ in found} - PLAIN_WORDS
        terms -= {reference["reftarget"] for reference in self.document.findall(addnodes.pending_xref)
                  if reference["reftype"] == "term"}
        if not terms:
            return
        finder = pattern(terms)
        for paragraph in list(self.document.findall(nodes.paragraph)):
            if isinstance(paragraph.parent, (nodes.section, nodes.list_item)):
                self.link(paragraph, terms, finder)

    def link(self, paragraph, terms, finder):
        for child in list(paragraph.children):
            if isinstance(child, nodes.strong):
                terms -= {spell(match[1], terms) for match in finder.finditer(child.astext())}
            elif isinstance(child, nodes.Text):
                parts = list(split(child.astext(), terms, finder))
                if len(parts) > 1:
                    paragraph.replace(child, [nodes.Text(part) if isinstance(part, str) else self.reference(*part)
                                              for part in parts])

    def reference(self, term, words):
        reference = addnodes.pending_xref("", refdomain="std", reftype="term", reftarget=term, refexplicit=True,
                                          refdoc=self.env.docname, refwarn=True)
        reference += nodes.inline("", words, classes=["xref", "std", "std-term"])
        return reference


def explained(body, definitions):
    """HTML whose links to terms name their definitions, and those definitions, each once, as HTML."""
    used = {}

    def described(match):
        if match["anchor"] not in definitions:
            return match[0]
        used[match["anchor"]] = definitions[match["anchor"]]
        return (f'<a class="term" href="{match["href"]}" aria-describedby="about-{match["anchor"]}">{match["words"]}</a>')

    body = LINK.sub(described, body)
    return body, "".join(f'<div class="definition" id="about-{anchor}" role="tooltip" popover="manual">{text}</div>'
                         for anchor, text in used.items())


def explain(app, pagename, templatename, context, doctree):
    if context.get("body") and pagename not in known(app.env):
        definitions = {anchor: text for found in known(app.env).values() for _, anchor, text in found}
        context["body"], tooltips = explained(context["body"], definitions)
        context["body"] += tooltips


def setup(app):
    app.connect("doctree-read", note)
    app.connect("env-purge-doc", forget)
    app.connect("env-updated", renew)
    app.connect("html-page-context", explain)
    app.add_post_transform(LinkedTerms)
    return {"version": "1", "env_version": 1, "parallel_read_safe": False, "parallel_write_safe": False}
