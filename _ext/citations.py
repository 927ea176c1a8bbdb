"""Citations by author and year; the bibliography as a list of author (year), title, place, link.

An entry's label, "Xiong et al. 2020", is what citations are made from: ``cite:t`` is "Xiong et al. (2020)", ``cite:p``
"(Xiong et al. 2020; Wang et al. 2022a)".
"""

import re
from collections import Counter

from pybtex.plugin import register_plugin
from pybtex.richtext import Text
from pybtex.style import FormattedEntry
from pybtex.style.formatting import BaseStyle
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.sorting import BaseSortingStyle
from pybtex.style.template import field, first_of, href, join, node, optional, optional_field, sentence, tag
from sphinxcontrib.bibtex.plugin import register_plugin as register_reference_style
from sphinxcontrib.bibtex.style.referencing import BaseReferenceStyle
from sphinxcontrib.bibtex.style.template import entry_label, reference

ADDRESS = re.compile(r"(?<=>)https?://[^<]+(?=</a>)")


def listed(names, most=None):
    """Names as a sentence has them; "and others" at the end, or more than ``most`` names, become "et al."."""
    if most and len(names) > most:
        return Text(names[0], " et\u00a0al.")
    if str(names[-1]) == "others":
        return Text(Text(", ").join(names[:-1]), " et\u00a0al.")
    return Text(Text(", ").join(names[:-1]), " and ", names[-1]) if len(names) > 1 else Text(names[0])


@node
def all_authors(children, data):
    return listed([data["style"].format_name(person).format_data(data) for person in data["entry"].persons["author"]])


class Labels(BaseLabelStyle):
    """Up to two last names and the year; with a letter where another work that is cited would have the same label."""

    def format_labels(self, sorted_entries):
        plain = [f"{cited_as(entry)} {entry.fields.get('year', 'undated')}" for entry in sorted_entries]
        total, seen = Counter(plain), Counter()
        for label in plain:
            seen[label] += 1
            yield label + ("abcdefgh"[seen[label] - 1] if total[label] > 1 else "")


def cited_as(entry):
    return listed([Text.from_latex(" ".join(person.prelast_names + person.last_names))
                   for person in entry.persons["author"]], most=2)


class Order(BaseSortingStyle):
    """By what a reader looks for, the label: organisations among persons, works that share their names by year."""

    def sorting_key(self, entry):
        people = " ".join(str(person) for person in entry.persons["author"])
        return str(cited_as(entry)).casefold(), entry.fields.get("year", "undated"), people, entry.fields["title"]


@node
def in_a_sentence(children, data):
    authors, year = data["formatted_entry"].label.rsplit(" ", 1)
    return Text(f"{authors} ({year})")


class BibliographyStyle(BaseStyle):
    """One shape for every kind of entry."""

    default_name_style, default_label_style, default_sorting_style = "plain", "book", "book"

    def format_entry(self, label, entry, bib_data=None):
        place = first_of[[optional[field(name)] for name in ("booktitle", "journal", "howpublished", "institution")]]
        arxiv = join["https://arxiv.org/abs/", field("eprint", raw=True)]
        url = field("url", raw=True)
        template = join(sep=" ")[
            join[all_authors, " (", label.rsplit(" ", 1)[1], ")."],
            sentence[tag("em")[field("title")]],
            sentence[place, optional_field("volume"), optional[join["pages ", field("pages")]]],
            sentence(capfirst=True)[optional_field("note")],
            optional[href(arxiv)[join["arXiv:", field("eprint", raw=True)]]],
            optional[href(url)[url]],
        ]
        return FormattedEntry(entry.key, template.format_data({"entry": entry, "style": self}), label)


class CitationStyle(BaseReferenceStyle):
    """``cite:t`` stands in a sentence, ``cite:p`` in brackets."""

    def role_names(self):
        return ["t", "p"]

    def inner(self, role_name):
        return reference[in_a_sentence if role_name == "t" else entry_label]

    def outer(self, role_name, children):
        if role_name == "t":
            return join(sep=", ", sep2=" and ", last_sep=" and ")[children]
        return join["(", join(sep="; ")[children], ")"]


def list_items(app, pagename, templatename, context, doctree):
    """Entries are items of their list, as the role that Docutils writes has been withdrawn; addresses break at slashes."""
    if "doc-biblioentry" in context.get("body", ""):
        context["body"] = ADDRESS.sub(lambda match: re.sub(r"(?<=[^/:]/)(?=[^/])", "<wbr>", match[0]), context["body"].replace(
            'role="doc-biblioentry"', 'role="listitem"'))


def setup(app):
    app.connect("html-page-context", list_items)
    register_plugin("pybtex.style.labels", "book", Labels)
    register_plugin("pybtex.style.sorting", "book", Order)
    register_plugin("pybtex.style.formatting", "book", BibliographyStyle)
    register_reference_style("sphinxcontrib.bibtex.style.referencing", "book", CitationStyle)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
