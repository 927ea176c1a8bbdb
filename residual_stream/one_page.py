"""The whole book as one HTML page, for printing: chapter after chapter, hints and worked answers as an appendix.

The pages are those of the built site. Their ids get the page's name in front, so that links from chapter to chapter
stay inside the page; what only works on a screen is left out.
"""

import posixpath
import re
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup

# What only a screen has a use for; `noscript` speaks of sliders, which paper shows where they stand first.
SCREEN_ONLY = ("script, noscript, .headerlink, .recall-form, .recall-due, .recall-later, .prediction, .verdict, "
               ".control, .definition, .copy")
REFERRING = ("for", "aria-labelledby", "aria-describedby", "aria-controls", "headers")
# A heading keeps the space at which its line breaks, so that its bookmark has it too.
PRINTED = """
article { break-before: page }
h1, h2, h3 { white-space: pre-wrap }
.contents-list { list-style: none; padding: 0 }
.contents-list li { margin: .5em 0 }
.see-answer { font-size: .9em; margin: .4em 0 0 }
@page { @bottom-center { content: counter(page); font: 9pt sans-serif } }
@page :first { @bottom-center { content: "" } }
"""


def slug(page):
    """The name of a page inside the one page: ``chapters/relay.html`` is ``chapters-relay``."""
    return re.sub(r"[^\w]+", "-", page.removesuffix(".html"))


def own_id(page, identity):
    return f"{slug(page)}--{identity}"


def article(page, html, pages, address):
    """The text of one page of the site as an ``<article>`` whose ids and links fit into the one page.

    ``pages`` are the paths of all pages in it; links to anything else of the site lead to ``address``, where it is
    published. Raises ValueError for a page without a ``<main>``.
    """
    main = BeautifulSoup(html, "html.parser").find("main")
    if main is None:
        raise ValueError(f"{page} has no <main>: it is no page of this book")
    for element in main.select(SCREEN_ONLY):
        element.decompose()
    for element in main.find_all(True):
        if element.get("id"):
            element["id"] = own_id(page, element["id"])
        for name in REFERRING:
            if element.get(name):
                named = element[name] if isinstance(element[name], list) else element[name].split()
                element[name] = " ".join(own_id(page, identity) for identity in named)
        if element.get("href"):
            element["href"] = target(page, element["href"], pages, address)
        if element.name == "details":
            element["open"] = ""
    main.name, main.attrs = "article", {"id": slug(page)}
    return main


def target(page, href, pages, address):
    """Where a link of ``page`` leads from the one page."""
    if urlsplit(href).scheme:
        return href
    path, _, anchor = href.partition("#")
    place = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    if place not in pages:
        return urljoin(address, place) + (f"#{anchor}" if anchor else "")
    return f"#{own_id(place, anchor)}" if anchor else f"#{slug(place)}"


def title(part):
    """The title of an article, as the HTML inside its first heading."""
    return inner(part.find("h1"))


def inner(element):
    """The HTML inside an element, without ids: they stay where they were."""
    copied = BeautifulSoup(element.decode_contents(), "html.parser")
    for named in copied.find_all(id=True):
        del named["id"]
    return str(copied)


def appendix(articles):
    """Take hints and worked answers out of the articles; the section that has them all, or None where there are none."""
    soup = BeautifulSoup('<article id="answers"><h1>Hints and worked answers</h1></article>', "html.parser")
    result = soup.article
    for part in articles:
        questions = [question for question in part.select(".recall") if question.find("details")]
        if questions:
            result.append(BeautifulSoup(f"<h2>{title(part)}</h2>", "html.parser"))
        for question in questions:
            identity = question["id"]
            label = inner(question.select_one(".recall-label"))
            result.append(BeautifulSoup(f'<h3 id="answer-{identity}"><a href="#{identity}">{label}</a></h3>', "html.parser"))
            for details in question.find_all("details"):
                result.append(details.extract())
            question.append(BeautifulSoup(
                f'<p class="see-answer"><a href="#answer-{identity}">Hints and worked answer</a></p>', "html.parser"))
    return result if len(result.contents) > 1 else None


def contents(articles):
    entries = "".join(f'<li><a href="#{part["id"]}">{title(part)}</a></li>' for part in articles)
    return f'<article id="contents"><h1>Contents</h1><ol class="contents-list">{entries}</ol></article>'


def combine(pages, style, name, address):
    """The one page, as text.

    ``pages`` are (path, HTML) pairs in the order of the book, the first of them its title page; ``style`` is the
    site's style sheet, ``name`` the book's title, ``address`` where the site is published.
    """
    paths = {path for path, _ in pages}
    articles = [article(path, html, paths, address) for path, html in pages]
    answers = appendix(articles)
    first, *rest = articles
    listed = [*rest, *([answers] if answers else [])]
    body = "\n".join([str(first), contents(listed), *map(str, listed)])
    return (f'<!doctype html>\n<html class="no-js" lang="en"><head><meta charset="utf-8"><title>{name}</title>'
            f'<style>{style}{PRINTED}</style></head><body data-theme="light"><main>{body}</main></body></html>\n')
