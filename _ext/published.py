"""Where the book is published: one address, ``html: baseurl`` in ``_config.yml``, from which all else follows.

``BOOK_ADDRESS`` and ``BOOK_REPOSITORY`` (owner/name on GitHub) in the environment win over it, so that a copy of the
repository publishes with addresses of its own. Pages get their canonical address, what other sites show beside a
link, and a description; the site gets ``sitemap.xml`` and ``robots.txt``.
"""

import html
import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from docutils import nodes

import card
import temml

BRANCH = "main"
GITHUB_PAGES = ".github.io"
APART = {"search", "404"}    # pages that are not part of the text
LONGEST, SHORTEST = 160, 60    # characters of a description
ALT = "Three bars add up: the variance of the stream, of the branch, and twice their covariance."


def settle(app, config):
    """Take the address from the environment where it is set, and refuse one that cannot be."""
    address = os.environ.get("BOOK_ADDRESS") or config.html_baseurl
    if urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).netloc:
        raise ValueError(f"the published address must be a whole one, such as https://owner.github.io/book/, not {address!r}")
    config.html_baseurl = address.rstrip("/") + "/"


def repository(address):
    """owner/name on GitHub of the repository that GitHub Pages publishes at ``address``, or what the environment says.

    Raises ValueError where neither tells.
    """
    if named := os.environ.get("BOOK_REPOSITORY"):
        return named
    host, path = urlsplit(address).netloc, urlsplit(address).path.strip("/")
    if not host.endswith(GITHUB_PAGES):
        raise ValueError(f"{address} does not tell the repository: set BOOK_REPOSITORY to owner/name")
    return f"{host.removesuffix(GITHUB_PAGES)}/{path or host}"


def plain(node):
    """The text of a part of a page, its formulas as one reads them."""
    if isinstance(node, (nodes.math, nodes.math_block)):
        return temml.readable(node.astext())
    return node.astext() if isinstance(node, nodes.Text) else "".join(map(plain, node.children))


def description(text):
    """The first sentences of a text, at most 160 characters; a first sentence that is longer is cut after a word."""
    text = " ".join(text.split())
    sentences = re.split(r"(?<=[.!?]) ", text)
    kept = sentences.pop(0)
    while sentences and len(kept) + 1 + len(sentences[0]) <= LONGEST:
        kept += " " + sentences.pop(0)
    return kept if len(kept) <= LONGEST else kept[:LONGEST - 1].rsplit(" ", 1)[0] + "\u2026"


def describe(doctree):
    """A page's description: its first paragraph that says something, or None."""
    paragraphs = (plain(node) for node in doctree.findall(nodes.paragraph))
    return next((description(text) for text in paragraphs if len(text) >= SHORTEST), None)


def tags(pairs):
    """``<meta>`` elements for (attribute, name, content)."""
    return "\n".join(f'<meta {attribute}="{name}" content="{html.escape(content)}">' for attribute, name, content in pairs)


def address_of(app, pagename):
    """Where a page is published; the first page at the address of the book itself."""
    base = app.config.html_baseurl
    return base if pagename == app.config.root_doc else base + app.builder.get_target_uri(pagename)


def head(app, pagename, templatename, context, doctree):
    """What the head of a page says to whoever links to it or lists it."""
    about = (doctree is not None and describe(doctree)) or app.config.book_description
    address, title = address_of(app, pagename), context.get("title") or app.config.html_title
    pairs = [] if 'name="description"' in context.get("metatags", "") else [("name", "description", about)]
    if pagename in APART:
        context["pageurl"] = None
    else:
        context["pageurl"] = address
        pairs += [
            ("property", "og:title", html.unescape(re.sub(r"<[^>]+>", "", title))),
            ("property", "og:description", about),
            ("property", "og:type", "website" if pagename == app.config.root_doc else "article"),
            ("property", "og:url", address),
            ("property", "og:site_name", app.config.html_title),
            ("property", "og:image", f"{app.config.html_baseurl}_static/{card.NAME}"),
            ("property", "og:image:width", str(card.WIDTH)), ("property", "og:image:height", str(card.HEIGHT)),
            ("property", "og:image:alt", ALT),
            ("name", "twitter:card", "summary_large_image"),
        ]
    context["metatags"] = "\n".join(filter(None, [context.get("metatags"), tags(pairs)]))
    context["published_path"] = urlsplit(app.config.html_baseurl).path


def list_pages(app, exception):
    """Write ``sitemap.xml`` and ``robots.txt``, which names it."""
    if exception or app.builder.format != "html":
        return
    addresses = [address_of(app, name) for name in app.env.collect_relations()]
    urls = "\n".join(f"<url><loc>{html.escape(address)}</loc></url>" for address in addresses)
    out = Path(app.outdir)
    (out / "sitemap.xml").write_text('<?xml version="1.0" encoding="utf-8"?>\n'
                                     '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
                                     f"{urls}\n</urlset>\n", "utf-8")
    (out / "robots.txt").write_text(f"User-agent: *\nAllow: /\nSitemap: {app.config.html_baseurl}sitemap.xml\n", "utf-8")


def setup(app):
    app.add_config_value("book_description", "", "html", [str])
    app.connect("config-inited", settle)
    app.connect("html-page-context", head)
    app.connect("build-finished", list_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
