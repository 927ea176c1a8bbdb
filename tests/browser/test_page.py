"""What the page's own script does: colours, copying, the place in the page, scrolling with the keyboard."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIRST, CHAPTER = "index.html", "chapters/variance-trace.html"
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
# A page of the book with parts that a chapter may or may not have.
WIDE = """document.querySelector("main").insertAdjacentHTML("beforeend",
  '<div class="equation"><div class="equation-body" style="flex: none; width: 5rem"><math display="block" class="tml-display"' +
  ' data-tex="a+b+c+d+e"><mi>aaaaaaaaaaaaaaaaaa</mi></math></div></div>')"""


@pytest.mark.parametrize("system, names", [
    ("light", ["as the system", "dark", "light", "as the system"]),
    ("dark", ["as the system", "light", "dark", "as the system"]),
])
def test_the_colour_button_says_its_state_and_is_remembered(server, open_page, system, names):
    page = open_page(color_scheme=system)
    page.goto(f"{server}/{FIRST}")
    button = page.locator(".theme-button")
    seen, papers = [], []
    for step in range(4):
        seen.append(button.get_attribute("aria-label").removeprefix("Colours: "))
        papers.append(page.evaluate(BACKGROUND))
        if step < 3:
            button.click()
            page.reload()
    assert seen == names
    assert papers[0] == papers[2] == papers[3] != papers[1]


def test_without_storage_the_button_still_works(server, open_page):
    page = open_page()
    page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('closed'); }})")
    page.goto(f"{server}/{FIRST}")
    before = page.evaluate(BACKGROUND)
    page.locator(".theme-button").click()
    assert page.evaluate(BACKGROUND) != before and not page.faults


def test_a_kept_colour_that_is_none_is_as_the_system_and_is_left_by_a_click(server, open_page):
    page = open_page(color_scheme="light")
    page.goto(f"{server}/{FIRST}")
    paper = page.evaluate(BACKGROUND)
    page.evaluate("localStorage.setItem('theme', 'dark'); localStorage.setItem('residual-stream.theme', 'banana')")
    page.reload()
    assert page.evaluate("document.body.dataset.theme") == "auto" and page.evaluate(BACKGROUND) == paper
    button = page.locator(".theme-button")
    assert button.get_attribute("aria-label") == "Colours: as the system"
    page.evaluate("document.body.dataset.theme = 'toString'")
    button.click()
    page.reload()
    assert button.get_attribute("aria-label") == "Colours: dark" and page.evaluate(BACKGROUND) != paper
    assert page.evaluate("[localStorage.theme, localStorage['residual-stream.theme']]") == ["dark", "dark"]
    assert not page.faults


def broken_script(site, fault):
    """The book's script as it fails: at its first line, by its grammar, or where the forms show and nothing grades."""
    whole = (site / "_static" / "book.js").read_text("utf-8")
    if fault == "early":
        return "throw new Error('early');\n" + whole
    if fault == "grammar":
        return whole + "\n)"
    grader = (ROOT / "_assets" / "js" / "recall_grader.js").read_text("utf-8")
    assert whole.count(grader) == 1
    return whole.replace(grader, "throw new Error('ungraded');\n" + grader)


@pytest.mark.parametrize("fault", ["absent", "early", "grammar", "ungraded"])
def test_where_the_script_fails_the_chapter_reads_as_without_one(site, server, open_page, fault):
    plain, page = open_page(java_script_enabled=False), open_page()
    if fault == "absent":
        page.route("**/book.js*", lambda route: route.abort())
    else:
        page.route("**/book.js*", lambda route: route.fulfill(body=broken_script(site, fault),
                                                              content_type="text/javascript"))
    for opened in (plain, page):
        opened.goto(f"{server}/{CHAPTER}")
        opened.evaluate("""() => { document.querySelectorAll(".copy").forEach(button => button.remove());
            document.querySelectorAll("main details").forEach(details => { details.open = true; }); }""")
    assert page.faults, "the script did fail"
    for part in (".explorer svg", ".explorer details table", ".recall .recall-answer"):
        shown = page.locator(part).all()
        assert shown and all(element.is_visible() for element in shown), part
    controls = page.locator(":is(.explorer, .recall) :is(form, input, textarea, button), .recall-record").all()
    assert controls and not [control for control in controls if control.is_visible()]
    text = page.locator("main").inner_text()
    assert "The slider needs JavaScript." in text and text == plain.locator("main").inner_text()


def test_a_script_that_hangs_does_not_keep_the_figures(server, open_page):
    page = open_page()
    page.clock.install()
    held = []
    page.route("**/book.js*", lambda route: held.append(route))
    page.goto(f"{server}/{CHAPTER}", wait_until="commit")
    page.wait_for_function("document.readyState === 'interactive'")
    drawing = page.locator(".predicting svg").first
    assert not drawing.is_visible()
    page.clock.run_for(4100)
    assert drawing.is_visible() and page.locator(".recall .recall-answer").first.is_visible()
    held[0].continue_()
    page.wait_for_selector(".control:not([hidden])", state="attached")
    page.wait_for_function("document.documentElement.classList.contains('scripted')")
    assert page.locator(".recall-form").first.is_visible() and not page.faults


def test_nothing_jumps_on_a_chapter_when_its_script_comes_late(server, open_page):
    page = open_page(height=20000)
    held = []
    page.route("**/book.js*", lambda route: held.append(route))
    page.add_init_script("""window.shifts = [];
        new PerformanceObserver(list => shifts.push(...list.getEntries().flatMap(({sources}) => sources)
            .map(({node}) => node?.closest?.(".explorer, .recall")).filter(Boolean).map(({id}) => id)))
            .observe({type: "layout-shift", buffered: true});""")
    page.goto(f"{server}/{CHAPTER}", wait_until="commit")
    page.wait_for_function("document.readyState === 'interactive'")
    page.wait_for_timeout(300)
    assert page.locator(".control[hidden]").count() and not page.locator(".predicting svg").first.is_visible()
    held[0].continue_()
    page.wait_for_selector(".control:not([hidden])", state="attached")
    page.wait_for_timeout(200)
    assert page.evaluate("shifts") == [] and not page.faults


def test_keyboard_alone_skips_to_the_text(file_page):
    page = file_page(FIRST)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["y"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "text"


def test_focus_is_visible_on_everything_that_takes_it(file_page):
    page = file_page(FIRST)
    for _ in range(12):
        page.keyboard.press("Tab")
        outline = page.evaluate("(s => s.outlineStyle + ' ' + s.outlineWidth)(getComputedStyle(document.activeElement))")
        assert outline == "solid 3px", page.evaluate("document.activeElement.outerHTML")


@pytest.mark.parametrize("script", [True, False])
def test_on_a_telephone_the_contents_open_and_close_without_a_script(site, open_page, script):
    page = open_page(360, 740, java_script_enabled=script)
    page.goto(f"{site.as_uri()}/{FIRST}")
    contents = page.locator("#book-contents")
    assert not contents.is_visible()
    page.get_by_role("button", name="Contents").press("Enter")
    assert contents.get_by_role("link", name="Search the book").is_visible()
    assert contents.get_by_role("link").last.is_visible()
    page.keyboard.press("Escape")
    assert not contents.is_visible()


def test_the_book_s_contents_stand_beside_the_text_where_there_is_room(file_page):
    page = file_page(FIRST)
    contents, text = page.locator("#book-contents").bounding_box(), page.locator("main").bounding_box()
    assert contents["x"] + contents["width"] <= text["x"]
    assert not page.get_by_role("button", name="Contents").is_visible()


def test_the_contents_mark_the_section_that_is_read(file_page):
    page = file_page(FIRST)
    links = page.locator("#page-contents a[href^='#']:not([href='#'])")
    assert links.count() > 1
    last = links.nth(1)
    page.evaluate("id => { const s = document.getElementById(id); s.style.minHeight = '150vh'; s.scrollIntoView() }",
                  last.get_attribute("href")[1:])
    page.wait_for_function("a => a.getAttribute('aria-current') === 'true'", arg=last.element_handle())
    assert page.locator("#page-contents [aria-current]").count() == 1


def test_the_text_keeps_a_readable_measure(file_page):
    page = file_page(FIRST)
    characters = page.evaluate("""() => {
      const text = document.querySelector("main section > p:not(.reading, :has(em:only-child))");
      const range = document.createRange(), node = [...text.childNodes].find(n => n.nodeType === 3 && n.data.length > 80);
      range.setStart(node, 0); range.setEnd(node, 60);
      return text.getBoundingClientRect().width / ([...range.getClientRects()].reduce((w, r) => w + r.width, 0) / 60);
    }""")
    assert 55 <= characters <= 85


def test_no_line_begins_with_the_punctuation_of_a_formula(file_page):
    page = file_page(FIRST)
    page.evaluate("""() => document.querySelector("main").insertAdjacentHTML("beforeend", '<p id="narrow">One or two ' +
      '<span class="together"><math class="breakable"><mrow><mi>x</mi><mo>=</mo></mrow><mrow><mn>12345</mn></mrow></math>' +
      '.</span> So</p>')""")
    fallen = page.evaluate("""() => {
      const line = document.getElementById("narrow"), formula = line.querySelector("math"), stop = document.createRange();
      stop.selectNode(formula.nextSibling);
      return [...Array(60).keys()].filter(step => {
        line.style.width = `${60 + 5 * step}px`;
        return stop.getBoundingClientRect().left < formula.getBoundingClientRect().left + 1;
      });
    }""")
    assert fallen == []


def test_a_wide_formula_scrolls_in_its_box_and_takes_the_keyboard(file_page):
    page = file_page(FIRST)
    page.evaluate(WIDE)
    box = page.locator(".equation-body").last
    page.wait_for_function("b => b.tabIndex === 0", arg=box.element_handle())
    assert box.get_attribute("aria-label") == "Formula, scrolls sideways" and box.get_attribute("role") == "group"
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("b => b.scrollLeft > 0", arg=box.element_handle())
    box.evaluate("b => { b.style.width = '40rem'; document.querySelector('main').style.minHeight = '9000px' }")
    page.wait_for_function("b => !b.hasAttribute('tabindex')", arg=box.element_handle())


def test_copied_formulas_come_out_as_tex(server, open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{server}/{FIRST}")
    page.evaluate(WIDE)
    page.locator("main").evaluate("""m => { m.insertAdjacentHTML("beforeend",
      '<p id="copied">Where <math data-tex="x_1"><msub><mi>x</mi><mn>1</mn></msub></math> stands.</p>');
      getSelection().selectAllChildren(document.getElementById("copied")) }""")
    page.keyboard.press("Control+C")
    assert page.evaluate("navigator.clipboard.readText()") == "Where $x_1$ stands."
    page.locator(".equation-body").last.evaluate("e => getSelection().selectAllChildren(e)")
    page.keyboard.press("Control+C")
    assert page.evaluate("navigator.clipboard.readText()").strip() == "$$a+b+c+d+e$$"


def test_code_is_copied_by_a_button_with_a_name(server, site, pages, open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    with_code = [name for name in pages if '<div class="cell_input' in (site / name).read_text("utf-8")]
    assert with_code
    page.goto(f"{server}/{with_code[0]}")
    button = page.get_by_role("button", name="Copy the code").first
    button.focus()
    button.press("Enter")
    page.get_by_text("Copied").first.wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator(".cell_input pre").first.text_content()


@pytest.fixture
def published(site, page):
    """The page with the site as it is published: below a path, and one page for all that are missing."""
    base = "https://residual-stream.github.io/residual-stream/"

    def answer(route):
        path = route.request.url.removeprefix(base).split("?")[0].split("#")[0] or "index.html"
        found = (site / path).is_file()
        route.fulfill(status=200 if found else 404, path=site / (path if found else "404.html"))

    page.route(f"{base}**", answer)
    return page, base


def test_a_missing_page_helps_on_from_any_depth(published):
    page, base = published
    page.goto(f"{base}chapters/old/variance-trac.html")
    assert page.get_by_role("heading", name="There is no page here").is_visible()
    assert page.locator("main input").input_value() == "variance trac"
    assert page.evaluate("getComputedStyle(document.querySelector('main')).display") == "block"
    assert page.evaluate("[...document.querySelectorAll('a, form')].map(e => e.href ?? e.action).filter(a => !a.startsWith(%r))"
                         % base) == []
    page.add_script_tag(path=AXE)
    assert page.evaluate("async () => (await axe.run()).violations.map(({id}) => id)") == []
    page.locator("main input").press("Enter")
    page.wait_for_url("**/residual-stream/search.html?q=variance+trac")
    page.locator("#search-results a").first.click()
    page.wait_for_url("**/residual-stream/chapters/**")
    assert [fault for fault in page.faults if "404" not in fault] == []


def test_on_paper_hints_and_answers_stand_at_the_end(site, page):
    page.goto(f"{site.as_uri()}/{CHAPTER}")
    questions, inside = page.locator(".recall").count(), page.locator(".recall details").count()
    page.emulate_media(media="print")
    page.locator(".appendix").wait_for()
    assert page.locator(".recall details").count() == 0 and page.locator(".appendix details").count() == inside
    assert page.locator(".appendix h3").all_inner_texts() == page.locator(".recall-label > span").all_inner_texts()
    assert all(answer.is_visible() for answer in page.locator(".appendix .recall-answer > p").all())
    assert page.evaluate("document.querySelector('main').lastElementChild.className") == "appendix"
    page.emulate_media(media="screen")
    page.locator(".appendix").wait_for(state="detached")
    assert page.locator(".recall details").count() == inside > questions > 0
    page.evaluate("dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".appendix").count() == 1
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".recall details").count() == inside


def test_the_place_in_the_book_is_kept_and_pages_read_are_ticked(server, open_page):
    page = open_page()
    page.goto(f"{server}/{CHAPTER}")
    page.locator("#with-algebra h2").scroll_into_view_if_needed()
    page.evaluate("document.getElementById('with-algebra').scrollIntoView()")
    page.wait_for_function("JSON.parse(localStorage['residual-stream.place']).last.anchor === '#with-algebra'")
    assert page.locator("#book-contents .read").count() == 0
    page.goto(f"{server}/{FIRST}")
    page.get_by_role("link", name="Go on with The variance trace").click()
    page.wait_for_url(f"**/{CHAPTER}#with-algebra")
    page.locator(".neighbours").scroll_into_view_if_needed()
    page.locator("#book-contents .current-page .read").wait_for()
    page.goto(f"{server}/{FIRST}")
    ticked = page.get_by_role("navigation", name="Book").get_by_role("link", name=re.compile(", read$"))
    assert ticked.count() == 1 and "variance trace" in ticked.inner_text() and not page.faults


@pytest.mark.parametrize("anchor", ['<section id="x"><h2>Part</h2></section>', '<h2 id="x">Part</h2>',
                                    '<dl class="glossary"><dt id="x">term</dt></dl>',
                                    '<div class="claim" id="x">Claim</div>', '<div class="equation" id="x">a = b</div>',
                                    '<figure class="picture" id="x">Figure</figure>'])
def test_what_a_link_leads_to_stands_just_below_the_bar(page, tmp_path, anchor):
    names = ("page", "math", "claims", "figure")
    style = "".join((ROOT / "_assets" / "css" / f"{name}.css").read_text("utf-8") for name in names)
    file = tmp_path / "page.html"
    file.write_text(f'<!doctype html><meta charset="utf-8"><style>{style}</style><div style="height: 2000px"></div>{anchor}'
                    '<div style="height: 2000px"></div>', "utf-8")
    page.goto(f"{file.as_uri()}#x")
    assert abs(page.evaluate("document.getElementById('x').getBoundingClientRect().top") - 80) < 2


def test_only_a_chapter_is_a_place_to_go_on_from(page, tmp_path):
    script = (ROOT / "_assets" / "js" / "progress.js").read_text("utf-8")
    (tmp_path / "chapters").mkdir()
    for name, root in (("index", "./"), ("glossary", "./"), ("chapters/one", "../")):
        (tmp_path / f"{name}.html").write_text(
            f'<!doctype html><html data-content_root="{root}"><meta charset="utf-8"><title>x</title><nav id="book-contents">'
            f'<a href="{root}chapters/one.html">One</a> <a href="{root}glossary.html">Glossary</a></nav><main><h1>{name}</h1>'
            f'<p class="reading">1 min</p></main><p class="neighbours">Next</p><script>{script}</script>', "utf-8")
    for name in ("glossary", "chapters/one", "glossary", "index"):
        page.goto((tmp_path / f"{name}.html").as_uri())
        page.wait_for_function("() => localStorage['residual-stream.place'] || location.pathname.endsWith('glossary.html')")
    assert page.locator(".go-on").all_inner_texts() == ["Go on with chapters/one"] and not page.faults


@pytest.mark.parametrize("kept", ["{", "null", '{"read": 1}', '{"read": [1]}', '{"read": ["<img src=x>"], "last": {"page": 1}}',
                                  '{"read": [], "last": {"page": "https://example.org/", "anchor": "", "title": "x"}}',
                                  '{"read": [], "last": {"page": "../../etc", "anchor": "", "title": "x"}}'])
def test_a_damaged_place_counts_as_none(server, page, kept):
    page.add_init_script(f"localStorage.setItem('residual-stream.place', {json.dumps(kept)})")
    page.goto(f"{server}/{FIRST}")
    assert page.locator(".theme-button").is_visible() and not page.faults
    assert [link.get_attribute("href") for link in page.locator(".go-on").all()] == []
    assert page.locator(".read").count() == 0


def test_a_term_explains_itself_on_hover_and_focus_and_escape_closes_it(site, page):
    page.goto(f"{site.as_uri()}/{CHAPTER}")
    link = page.locator("main a.term").first
    tip = page.locator(f"#{link.get_attribute('aria-describedby')}")
    assert not tip.is_visible()
    link.hover()
    tip.wait_for()
    box, word = tip.bounding_box(), link.bounding_box()
    assert box["y"] >= word["y"] + word["height"] or box["y"] + box["height"] <= word["y"]
    tip.hover()
    page.wait_for_timeout(300)
    assert tip.is_visible(), "it stays while the pointer is on it"
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    page.mouse.move(0, 0)
    link.evaluate("""link => { const before = document.createElement("button");
        before.textContent = "before"; link.before(before); before.focus(); }""")
    page.keyboard.press("Tab")
    assert tip.is_visible()
    page.add_script_tag(path=AXE)
    assert page.evaluate("async () => (await axe.run({runOnly: ['wcag2a', 'wcag2aa']})).violations.map(({id}) => id)") == []
    page.keyboard.press("Tab")
    assert not tip.is_visible()


def test_a_first_touch_explains_a_term_and_a_second_follows_it(site, open_page):
    page = open_page(360, 740, has_touch=True, is_mobile=True)
    page.goto(f"{site.as_uri()}/{CHAPTER}")
    link = page.locator("main a.term").first
    link.scroll_into_view_if_needed()
    page.wait_for_timeout(100)
    link.tap()
    tip = page.locator(f"#{link.get_attribute('aria-describedby')}")
    tip.wait_for()
    box = tip.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    link.tap()
    page.wait_for_url("**/glossary.html#term-*")


def test_motion_stops_for_readers_who_ask_for_it(site, open_page):
    page = open_page(reduced_motion="reduce")
    page.goto(f"{site.as_uri()}/{FIRST}")
    assert page.evaluate("getComputedStyle(document.querySelector('.headerlink')).transitionDuration") == "0s"
