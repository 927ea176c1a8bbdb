"""Every page of the site, in a real Chromium: what it asks for, how it reads, what it weighs, whom it keeps out.

A page is visited three times: from its file, over HTTP by a browser that has seen nothing yet, and without
JavaScript. The first two visits note all that the tests then ask about.
"""

import gzip
import re
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup

WIDTHS = (1280, 768, 360, 320)
CHAPTER_BYTES, TEXT_BYTES, MOST_REQUESTS = 120_000, 80_000, 10
AXE = Path(__file__).parent / "vendor" / "axe.min.js"

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
  const set_aside = "details:not([open]) > :not(summary) *, [hidden], [hidden] *, [popover] *, noscript *, p:empty";
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
  const remembered = new Map();
  const rgba = colour => {
    if (!remembered.has(colour)) {
      context.clearRect(0, 0, 1, 1); context.fillStyle = colour; context.fillRect(0, 0, 1, 1);
      remembered.set(colour, [...context.getImageData(0, 0, 1, 1).data]);
    }
    return remembered.get(colour);
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

AXE_RUN = """async () => {
  const {violations} = await axe.run(document, {resultTypes: ["violations"], preload: false});
  return violations.flatMap(({id, nodes}) => nodes.map(node => `${id}: ${node.html.slice(0, 120)}`));
}"""

# Short words with a hyphen (pre-LN, GPT-2, feed-forward) that stand on two lines.
BROKEN_WORDS = r"""() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken = new Set(), range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest("script, style, pre, code, svg, math, noscript, a[href^='http']")) continue;
    for (const {0: word, index} of node.data.matchAll(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+/gu)) {
      const parts = word.split("-");
      if (word.length > 14 || (parts[0].length > 4 && parts.at(-1).length > 3)) continue;
      range.setStart(node, index); range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({top}) => Math.round(top))).size > 1) broken.add(word);
    }
  }
  return [...broken];
}"""

# Words kept whole that look otherwise than what they stand in.
STANDING_OUT = """() => [...document.querySelectorAll("span.together")].filter(word => {
  const [own, around] = [word, word.parentElement].map(element => getComputedStyle(element));
  return own.display !== "inline" || own.font !== around.font || own.color !== around.color;
}).map(word => word.outerHTML)"""

OPEN_ALL = "document.querySelectorAll('details').forEach(d => d.open = true)"
LEFT_ON_PAPER = """() => [".bar", ".contents", ".launch", ".neighbours", ".headerlink", ".copy", ".recall-record"]
  .filter(selector => [...document.querySelectorAll(selector)].some(element => element.checkVisibility()))"""
CUT_CODE = "[...document.querySelectorAll('main pre')].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"
WIDE_TABLES = """() => [...document.querySelectorAll("main table")]
  .filter(table => !table.closest("details") && table.offsetWidth > table.parentElement.clientWidth + 1)
  .map(table => table.innerText)"""
PHONE = 360
# What is wider than a sheet of A4 between its margins.
PAPER = 640
TOO_WIDE = f"""() => [...document.querySelectorAll("main :is(table, svg, pre, math, figure)")]
  .filter(element => element.getBoundingClientRect().right > {PAPER}).map(element => element.outerHTML.slice(0, 100))"""
SCREEN = {"media": "screen", "color_scheme": "light", "forced_colors": "none", "reduced_motion": "reduce"}


def visit(page, address):
    """One visit of a page from its file: wide and narrow, light and dark, on paper, in high contrast."""
    seen = SimpleNamespace(asked=[], sideways={}, broken={}, contrast={}, paper={}, violations={})

    def note(request):
        seen.asked.append(request.url)

    page.on("request", note)
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    page.emulate_media(**SCREEN)
    page.goto(address)
    seen.font = page.evaluate("document.fonts.load('16px \"Book Math\"').then(faces => faces.length)")
    seen.button = page.locator(".theme-button").is_visible()
    seen.title, seen.language = page.title(), page.evaluate("document.documentElement.lang")
    seen.viewports, seen.refused = page.locator("meta[name=viewport]").count(), page.locator(".formula-refused").count()
    seen.levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.tagName[1])")
    seen.text, seen.standing_out = page.evaluate(VISIBLE_TEXT), page.evaluate(STANDING_OUT)

    page.emulate_media(media="print", color_scheme="dark")
    seen.left, seen.folded, seen.cut = page.evaluate(LEFT_ON_PAPER), page.evaluate(FOLDED), page.evaluate(CUT_CODE)
    note_colours(page, seen, "print")
    page.set_viewport_size({"width": PAPER, "height": 900})
    page.evaluate(OPEN_ALL)
    seen.too_wide = page.evaluate(TOO_WIDE)
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    page.emulate_media(**SCREEN)

    page.evaluate(OPEN_ALL)
    page.add_script_tag(path=AXE)
    note_colours(page, seen, "light")
    seen.violations["light, wide"] = page.evaluate(AXE_RUN)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("scrollTo(5000, 0)")
        seen.broken[width] = page.evaluate(BROKEN_WORDS)
        seen.sideways[width] = page.evaluate("[scrollX, Math.max(document.documentElement.scrollWidth - innerWidth, 0)]")
        if width == PHONE:
            seen.wide_tables = page.evaluate(WIDE_TABLES)
    page.emulate_media(color_scheme="dark")
    note_colours(page, seen, "dark")
    seen.violations["dark, narrow"] = page.evaluate(AXE_RUN)
    page.emulate_media(forced_colors="active")
    note_colours(page, seen, "high contrast")
    page.remove_listener("request", note)
    return seen


def note_colours(page, seen, medium):
    """The lowest contrast of a text and its ground, and the brightness of the paper from 0 to 255."""
    seen.contrast[medium] = page.evaluate(LOWEST_CONTRAST)
    seen.paper[medium] = page.evaluate("Math.min(...getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3))")


@pytest.fixture(scope="module")
def visited(site, pages, module_page):
    """What was seen of each page from its file: name -> notes."""
    page = module_page()
    seen = {name: visit(page, f"{site.as_uri()}/{name}") for name in pages}
    assert page.faults == []
    return seen


# How far what was painted moved without the reader's doing, as browsers count it (Cumulative Layout Shift).
MOVED = """window.moved = 0;
new PerformanceObserver(list => { for (const {value} of list.getEntries()) moved += value; })
  .observe({type: "layout-shift", buffered: true});"""


@pytest.fixture(scope="module")
def first_visits(server, pages, module_page):
    """What a browser that has seen nothing yet asks for and does over HTTP: name -> (addresses, faults, movement)."""
    asked = {}
    for name in pages:
        page = module_page(390, 844)
        addresses = []
        page.on("request", lambda request, addresses=addresses: addresses.append(request.url))
        page.add_init_script(MOVED)
        page.goto(f"{server}/{name}")
        page.evaluate("document.fonts.ready.then(() => new Promise(painted => requestAnimationFrame(() => setTimeout(painted))))")
        asked[name] = addresses, page.faults, page.evaluate("moved")
    return asked


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
    assert not [file for file in site.rglob("*") if file.suffix in {".py", ".md", ".pickle"}]
    for notebook in site.rglob("*.ipynb"):
        place = notebook.relative_to(site)
        assert place.with_suffix(".html").as_posix() in chapters(site)
        assert notebook.read_bytes() == (site.parents[1] / place).read_bytes()


def test_no_page_asks_another_host_or_fails_over_http(server, first_visits):
    for name, (asked, faults, _) in first_visits.items():
        assert [url for url in asked if not url.startswith((f"{server}/", "data:"))] == [] == faults, name
        assert any(url.split("?")[0].endswith("book.css") for url in asked), name


def test_a_first_visit_is_light(server, site, first_visits):
    for name, (asked, _, _) in first_visits.items():
        files = {url.split("?")[0].removeprefix(server + "/") for url in asked if url.startswith(server)}
        weight = sum(len(gzip.compress((site / file).read_bytes())) for file in files)
        budget = CHAPTER_BYTES if 'class="cell_output' in (site / name).read_text("utf-8") else TEXT_BYTES
        assert weight <= budget and len(files) <= MOST_REQUESTS, f"{name}: {weight} bytes, {sorted(files)}"


def test_nothing_moves_while_a_page_comes(first_visits):
    assert {name: moved for name, (_, _, moved) in first_visits.items() if moved > 0.01} == {}


def test_every_page_works_from_its_file(visited):
    for name, seen in visited.items():
        assert {urlsplit(url).scheme for url in seen.asked} <= {"file", "data"}, name
        assert seen.font == 1 and seen.button, name


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_scrolls_sideways(visited, width):
    assert {name: seen.sideways[width] for name, seen in visited.items()} == dict.fromkeys(visited, [0, 0])


def test_every_table_of_the_text_fits_a_phone(visited):
    assert {name: seen.wide_tables for name, seen in visited.items()} == dict.fromkeys(visited, [])


@pytest.mark.parametrize("width", WIDTHS)
def test_no_short_word_is_broken_at_its_hyphen(visited, width):
    assert {name: seen.broken[width] for name, seen in visited.items()} == dict.fromkeys(visited, [])


def test_words_kept_whole_look_as_what_they_stand_in(visited):
    assert {name: seen.standing_out for name, seen in visited.items()} == dict.fromkeys(visited, [])


@pytest.mark.parametrize("medium", ["light", "dark", "print", "high contrast"])
def test_text_is_readable_in_every_medium(visited, medium):
    for name, seen in visited.items():
        ratio, where = seen.contrast[medium]
        assert ratio >= 4.5, f"{name}: {ratio:.2f} at {where}"
        if medium != "high contrast":
            assert seen.paper[medium] < 40 if medium == "dark" else seen.paper[medium] > 240, name


@pytest.mark.parametrize("how", ["light, wide", "dark, narrow"])
def test_axe_finds_no_violation(visited, how):
    assert {name: seen.violations[how] for name, seen in visited.items()} == dict.fromkeys(visited, [])


def test_axe_finds_what_it_should(page):
    page.set_content("<html><body><img src='data:,'><button></button></body></html>")
    page.add_script_tag(path=AXE)
    found = {violation.split(":")[0] for violation in page.evaluate(AXE_RUN)}
    assert {"image-alt", "button-name", "html-has-lang"} <= found


def test_without_javascript_everything_reads(site, pages, open_page):
    page = open_page(java_script_enabled=False)
    for name in pages:
        page.goto(f"{site.as_uri()}/{name}")
        assert page.evaluate(UNREADABLE) == [], name
        assert not page.locator(".theme-button").is_visible(), "a button that does nothing"
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert page.evaluate(UNREADABLE) == [], f"{name}, opened"


def test_no_raw_tex_survives(visited):
    for name, seen in visited.items():
        assert not re.search(r"\\[(\[)\]]|\$\$|\\[a-zA-Z]{2,}|\$[^$\n]*[\\_^][^$\n]*\$", seen.text), name
        assert not seen.refused, name


def test_quotation_marks_and_apostrophes_are_curly(visited):
    for name, seen in visited.items():
        assert not re.search(r"[\"']", seen.text), name


def test_language_titles_and_headings(visited):
    for name, seen in visited.items():
        assert (seen.language, seen.viewports) == ("en", 1), name
        assert seen.levels[0] == 1 and seen.levels.count(1) == 1, name
        assert all(after - before <= 1 for before, after in zip(seen.levels, seen.levels[1:])), (name, seen.levels)
    assert len({seen.title for seen in visited.values()}) == len(visited)


def test_on_paper_the_text_stands_alone_and_open(visited):
    for name, seen in visited.items():
        assert (seen.left, seen.folded, seen.cut, seen.too_wide) == ([], [], [], []), name


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
