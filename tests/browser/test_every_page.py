"""Every page of the site, in a real Chromium: what it asks for, how it reads, what it weighs."""

import gzip
import re
from urllib.parse import urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup

WIDTHS = (320, 360, 768, 1280)
SCHEMES = ("light", "dark")
BUDGET_BYTES, BUDGET_REQUESTS = 120_000, 10

# Text that a reader sees, formulas left out (their TeX source is an attribute, for copying).
VISIBLE_TEXT = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const parts = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!element.closest("script, style, pre, code, template, noscript")) parts.push(walker.currentNode.data);
  }
  return parts.join(" ");
}"""

# What a page without a script must show and does not: text, formulas, figures, tables, the answers that were opened.
UNREADABLE = """() => {
  const set_aside = "details:not([open]) > :not(summary) *, [hidden], [hidden] *, noscript *, p:empty";
  const kinds = "main :is(p, math, figure svg, img, table, summary), main details[open] > :not(summary)";
  return [...document.querySelectorAll(kinds)]
    .filter(e => !e.matches(set_aside) && !e.matches("details:not([open]) > :not(summary)"))
    .filter(e => !e.checkVisibility({visibilityProperty: true, opacityProperty: true}) || !e.getBoundingClientRect().height)
    .map(e => e.outerHTML.slice(0, 100));
}"""

# Answers, hints and sources of cells that stay closed.
FOLDED = """() => [...document.querySelectorAll("main details:not(.recall-record) > :not(summary)")]
  .filter(e => !e.checkVisibility()).map(e => e.outerHTML.slice(0, 100))"""

# Contrast of text with the nearest painted background, by WCAG 2's formula; the lowest on the page and its text.
LOWEST_CONTRAST = r"""() => {
  const canvas = Object.assign(document.createElement("canvas"), {width: 1, height: 1});
  const context = canvas.getContext("2d", {willReadFrequently: true});
  const rgba = colour => {
    context.clearRect(0, 0, 1, 1); context.fillStyle = colour; context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * x + .7152 * y + .0722 * z;
  };
  const paper = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgba(getComputedStyle(e).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  let lowest = [99, ""];
  for (const element of document.querySelectorAll("main *, nav *, header *, footer *")) {
    if (element.closest("svg") || !element.checkVisibility({opacityProperty: true})) continue;
    if (![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
    const [a, b] = [luminance(rgba(getComputedStyle(element).color)), luminance(paper(element))];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < lowest[0]) lowest = [ratio, element.outerHTML.slice(0, 90)];
  }
  return lowest;
}"""


def chapters(site):
    """The pages that the table of contents promises."""
    def entries(node):
        yield from (node[key] for key in ("root", "file") if key in node)
        for child in (*node.get("parts", ()), *node.get("chapters", ()), *node.get("sections", ())):
            yield from entries(child)

    contents = yaml.safe_load((site.parents[1] / "_toc.yml").read_text("utf-8"))
    return [re.sub(r"\.(ipynb|md)$", "", name) + ".html" for name in entries(contents)]


def test_the_site_has_the_pages_that_its_contents_promise_and_no_sources(site, pages):
    assert set(chapters(site)) | {"search.html"} <= set(pages)
    assert not (site / "_sources").exists()
    assert not [file for file in site.rglob("*") if file.suffix in {".py", ".md", ".ipynb", ".pickle"}]


def test_no_page_asks_another_host_or_fails_over_http(server, pages, page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for name in pages:
        page.goto(f"{server}/{name}", wait_until="networkidle")
    foreign = [url for url in asked if not url.startswith((f"{server}/", "data:"))]
    assert not foreign and not page.faults
    assert any(url.split("?")[0].endswith("book.css") for url in asked)


def test_every_page_works_from_its_file(site, pages, page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for name in pages:
        page.goto(f"{site.as_uri()}/{name}", wait_until="networkidle")
        assert page.evaluate("document.fonts.load('16px \"Book Math\"').then(faces => faces.length)") == 1, name
        assert page.locator(".theme-button").is_visible(), name
    assert {urlsplit(url).scheme for url in asked} <= {"file", "data"} and not page.faults


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_scrolls_sideways(site, pages, open_page, width):
    page = open_page(width)
    for name in pages:
        page.goto(f"{site.as_uri()}/{name}")
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true); scrollTo(5000, 0)")
        assert page.evaluate("[scrollX, document.documentElement.scrollWidth <= innerWidth]") == [0, True], name


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_is_readable_in_both_schemes(site, pages, open_page, scheme):
    page = open_page(color_scheme=scheme)
    for name in pages:
        page.goto(f"{site.as_uri()}/{name}")
        red = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        assert all(value > 240 for value in red) if scheme == "light" else all(value < 40 for value in red), name
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        ratio, where = page.evaluate(LOWEST_CONTRAST)
        assert ratio >= 4.5, f"{name}: {ratio:.2f} at {where}"


def test_without_javascript_everything_reads(site, pages, open_page):
    page = open_page(java_script_enabled=False)
    for name in pages:
        page.goto(f"{site.as_uri()}/{name}")
        assert page.evaluate(UNREADABLE) == [], name
        assert not page.locator(".theme-button").is_visible(), "a button that does nothing"
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert page.evaluate(UNREADABLE) == [], f"{name}, opened"


def test_no_raw_tex_survives(site, pages, page):
    for name in pages:
        page.goto(f"{site.as_uri()}/{name}")
        text = page.evaluate(VISIBLE_TEXT)
        assert not re.search(r"\\[(\[)\]]|\$\$|\\[a-zA-Z]{2,}|\$[^$\n]*[\\_^][^$\n]*\$", text), name
        assert not page.locator(".formula-refused").count(), name


def test_language_titles_and_headings(site, pages, page):
    titles = set()
    for name in pages:
        page.goto(f"{site.as_uri()}/{name}")
        assert page.evaluate("document.documentElement.lang") == "en", name
        assert page.locator("meta[name=viewport]").count() == 1, name
        levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.tagName[1])")
        assert levels[0] == 1 and levels.count(1) == 1, name
        assert all(after - before <= 1 for before, after in zip(levels, levels[1:])), (name, levels)
        titles.add(page.title())
    assert len(titles) == len(pages)


def test_no_id_stands_twice_and_every_link_inside_leads_somewhere(site, pages):
    trees = {name: BeautifulSoup((site / name).read_text("utf-8"), "html.parser") for name in pages}
    ids = {name: [element["id"] for element in tree.find_all(id=True)] for name, tree in trees.items()}
    for name, tree in trees.items():
        assert len(ids[name]) == len(set(ids[name])), name
        for link in (element["href"] for element in tree.find_all("a", href=True)):
            if urlsplit(link).scheme:
                continue
            path, _, anchor = link.partition("#")
            target = ((site / name).parent / path.split("?")[0] if path else site / name).resolve()
            assert target.is_file(), f"{name}: {link}"
            if anchor:
                assert anchor in ids[target.relative_to(site.resolve()).as_posix()], f"{name}: {link}"


def test_no_page_carries_the_state_of_a_live_notebook(site, pages):
    for name in pages:
        text = re.sub(r"<pre>.*?</pre>", "", (site / name).read_text("utf-8"), flags=re.S)
        for live in ("widget-state+json", "widget-view+json", "require.js", "<style data-rs", "thebe", "tex-mml"):
            assert live not in text, f"{name}: {live}"


def test_on_paper_the_text_stands_alone_and_open(site, pages, open_page):
    page = open_page(color_scheme="dark")
    page.emulate_media(media="print")
    for name in pages:
        page.goto(f"{site.as_uri()}/{name}")
        for hidden in (".bar", ".contents", ".neighbours", ".headerlink", ".copy", ".recall-record"):
            assert page.evaluate("s => [...document.querySelectorAll(s)].every(e => !e.checkVisibility())", hidden), \
                f"{name}: {hidden}"
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)", name
        assert page.evaluate(FOLDED) == [], name
        assert page.evaluate("[...document.querySelectorAll('main pre')].every(e => e.scrollWidth <= e.clientWidth + 1)"), name


def test_a_first_visit_is_light(server, site, pages, open_page):
    for name in pages:
        page = open_page(390, 844)
        asked = set()
        page.on("request", lambda request: asked.add(request.url.split("?")[0]))
        page.goto(f"{server}/{name}", wait_until="networkidle")
        files = [url.removeprefix(server + "/") for url in asked if url.startswith(server)]
        weight = sum(len(gzip.compress((site / file).read_bytes())) for file in files)
        assert weight <= BUDGET_BYTES and len(files) <= BUDGET_REQUESTS, f"{name}: {weight} bytes, {sorted(files)}"
