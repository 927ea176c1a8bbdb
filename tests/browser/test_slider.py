"""The slider figure in a real browser, on a page of its own: what it shows is what Python computed."""

from html import escape
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import numpy as np
import pytest

from residual_stream.pictures.explorer import explore
from residual_stream.palette import stylesheet
from residual_stream.pictures.variance_growth import repeated_addition
from residual_stream.pictures.variance_trace import addition, predict_variance, say_variance, three_bars

ASSETS = Path(__file__).parents[2] / "_assets"
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
VALUES = np.linspace(-2.5, 2.5, 101)
QUESTION = "What is Var(x1) at a = 1?"
MARKS = """svg => [...svg.children].map(mark => [mark.tagName,
    Object.fromEntries([...mark.attributes].map(({name, value}) => [name, value])), mark.textContent])"""


def explorer(name="variance", **more):
    return explore(addition, name=name, a=VALUES, start=0.5, say=say_variance, **more)


def page_of(*figures):
    style = stylesheet() + (ASSETS / "css" / "figure.css").read_text("utf-8")
    script = "".join((ASSETS / "js" / name).read_text("utf-8") for name in ("slider.js", "slider_page.js"))
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Sliders</title>'
            f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{style}'
            f'body{{margin:0;padding:16px;font:16px system-ui,sans-serif;color:var(--ink);background:var(--paper)}}'
            f'</style>'
            f'<body data-theme="auto"><main><h1>Sliders</h1>{"".join(figure.html() for figure in figures)}</main>'
            f'<script>{script}</script></body></html>')


@pytest.fixture(scope="session")
def slider_pages(tmp_path_factory):
    """Addresses of two pages: one slider, and one behind a question with other figures beside it."""
    folder = tmp_path_factory.mktemp("sliders")
    asking = explorer(predict=predict_variance(1, QUESTION))
    (folder / "plain.html").write_text(page_of(explorer()), "utf-8")
    (folder / "asking.html").write_text(page_of(asking, three_bars(), repeated_addition(), explorer("second")), "utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in ("plain", "asking")}


@pytest.fixture
def plain(page, slider_pages):
    page.goto(slider_pages["plain"])
    yield page
    assert page.faults == []


@pytest.fixture
def asking(page, slider_pages):
    page.goto(slider_pages["asking"])
    yield page
    assert page.faults == []


def shown(page):
    return page.eval_on_selector("#explorer-variance svg", MARKS)


def drawn(a):
    """What Python draws, as the page lists it."""
    return [[mark.tag, {name: value for name, value in mark.attributes if value}, mark.text or ""]
            for mark in addition(a).marks]


def slider(page):
    return page.get_by_role("slider", name="a", exact=True).first


def assert_shows(page, a):
    assert shown(page)[:len(drawn(a))] == drawn(a)
    assert page.get_attribute("#explorer-variance svg", "aria-label") == addition(a).alt
    assert page.inner_text("#explorer-variance output") == say_variance(a)
    assert slider(page).get_attribute("aria-valuetext") == say_variance(a)


def set_to(page, step):
    slider(page).evaluate("(input, step) => { input.value = step; input.dispatchEvent(new Event('input')); }", step)


def test_every_step_shows_what_python_draws(plain):
    assert_shows(plain, 0.5)
    for step, value in enumerate(VALUES):
        set_to(plain, step)
        assert_shows(plain, value)


def test_keys_move_by_one_by_ten_and_to_the_ends(plain):
    slider(plain).focus()
    for key, value in (("ArrowRight", 0.55), ("ArrowUp", 0.6), ("ArrowLeft", 0.55), ("ArrowDown", 0.5), ("PageUp", 1),
                       ("PageDown", 0.5), ("End", 2.5), ("PageUp", 2.5), ("Home", -2.5), ("PageDown", -2.5)):
        plain.keyboard.press(key)
        assert_shows(plain, value)


def test_the_mouse_drags_it_continuously(plain):
    plain.evaluate("""() => { window.seen = new Set();
        new MutationObserver(() => seen.add(document.querySelector("#explorer-variance output").textContent))
            .observe(document.querySelector("#explorer-variance output"), {childList: true}); }""")
    box = slider(plain).bounding_box()
    middle = box["y"] + box["height"] / 2
    plain.mouse.move(box["x"] + 0.6 * box["width"], middle)
    plain.mouse.down()
    for share in np.linspace(0.6, 1.1, 12):
        plain.mouse.move(box["x"] + share * box["width"], middle)
    assert_shows(plain, 2.5)
    plain.mouse.up()
    assert plain.evaluate("seen.size") > 6, "the drawing follows the hand, not only its release"
    assert_shows(plain, 2.5)


def test_a_finger_drags_it(open_page, slider_pages):
    page = open_page(360, 740, has_touch=True, is_mobile=True)
    page.goto(slider_pages["plain"])
    slider(page).scroll_into_view_if_needed()
    box = slider(page).bounding_box()
    assert box["height"] >= 44
    touch, y = page.context.new_cdp_session(page), box["y"] + box["height"] / 2

    def finger(kind, share):
        points = [] if share is None else [{"x": box["x"] + share * box["width"], "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    finger("touchStart", 0.6)
    for share in (0.5, 0.3, 0.1, 0):
        finger("touchMove", share)
    finger("touchEnd", None)
    assert_shows(page, -2.5)
    assert page.faults == []


def test_a_screen_reader_hears_name_value_and_picture(plain):
    slider(plain).focus()
    plain.keyboard.press("PageUp")
    tree = plain.context.new_cdp_session(plain).send("Accessibility.getFullAXTree")["nodes"]
    named = {node["role"]["value"]: node for node in tree if not node["ignored"]}
    assert named["slider"]["name"]["value"] == "a"
    # The protocol's tree tells the step (70); assistive technology is handed the value text in its place.
    assert slider(plain).get_attribute("aria-valuetext") == "a = 1.00: Var(x₁) = 6.6623"
    assert named["image"]["name"]["value"] == addition(1).alt


def test_the_address_keeps_the_state(plain):
    slider(plain).focus()
    plain.keyboard.press("PageUp")
    plain.wait_for_function("location.search === '?variance=1'")
    plain.reload()
    assert_shows(plain, 1)
    slider(plain).focus()
    plain.keyboard.press("PageDown")
    plain.wait_for_function("location.search === ''")


def test_an_address_opens_at_its_state_and_is_kept_whole(page, slider_pages):
    page.goto(slider_pages["plain"] + "?highlight=ln&variance=1.35#explorer-variance")
    assert_shows(page, 1.35)
    slider(page).focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search === '?highlight=ln&variance=1.4' && location.hash === '#explorer-variance'")
    assert page.faults == []


@pytest.mark.parametrize("named", ["99", "1.36", "abc", "", "NaN", "__proto__", "<script>alert(1)</script>", "1e400"])
def test_an_address_that_names_no_value_is_ignored(page, slider_pages, named):
    page.goto(f"{slider_pages['plain']}?variance={escape(named)}&constructor=1")
    assert_shows(page, 0.5)
    assert page.faults == []


def commit(page, guess):
    page.get_by_label("Your guess").fill(guess)
    page.keyboard.press("Enter")


def test_the_answer_is_hidden_until_the_reader_commits(asking):
    first = asking.locator("#explorer-variance")
    assert first.get_by_text(QUESTION).is_visible()
    assert not first.locator("svg").is_visible() and not first.locator("summary").is_visible()
    assert "6.6623" not in first.inner_text()
    commit(asking, "3.5")
    assert not first.get_by_text(QUESTION).is_visible() and first.locator("svg").is_visible()
    status = first.get_by_role("status").first
    assert status.inner_text() == "You guessed 3.5; the computed value is 6.6623. Your guess is 3.1623 too low."
    assert_shows(asking, 1)
    assert asking.evaluate("document.activeElement.id") == "variance-value", "the keyboard goes on with the slider"


def test_the_whole_figure_is_in_view_after_a_guess(asking):
    asking.set_viewport_size({"width": 900, "height": 1000})
    asking.add_style_tag(content="h1 { margin-top: 1500px }")
    asking.evaluate("document.querySelector('#explorer-variance').scrollIntoView({block: 'end'})")
    commit(asking, "3.5")
    figure = asking.evaluate("document.querySelector('#explorer-variance').getBoundingClientRect().toJSON()")
    assert figure["height"] < 1000 and figure["top"] >= -0.5 and figure["bottom"] <= 1000.5


def test_the_guess_is_drawn_where_python_draws_it(asking):
    commit(asking, "3.5")
    guess = predict_variance(1, QUESTION).marks(3.5)
    for (tag, attributes, words), mark in zip(shown(asking)[-len(guess):], guess, strict=True):
        assert (tag, words) == (mark.tag, mark.text or "")
        assert {name: value for name, value in attributes.items() if name not in ("x", "y", "y1", "y2")} == \
            {name: value for name, value in mark.attributes if name not in ("x", "y", "y1", "y2")}
        for name in {"x", "y", "y1", "y2"} & set(attributes):
            assert float(attributes[name]) == pytest.approx(float(dict(mark.attributes)[name]), abs=0.1001)
    before = shown(asking)[-len(guess):]
    asking.keyboard.press("PageDown")
    assert shown(asking)[-len(guess):] == before and before[0][2] == "your guess"


@pytest.mark.parametrize(("guess", "error"), [
    ("2,75", "Write the decimal mark as a point: 2.75, not 2,75."),
    ("six", "That is not a number. Type one such as 2.75 or −0.5."),
    ("", "Type your guess first, or choose to see the figure without one."),
])
def test_what_is_no_number_is_told_and_asked_again(asking, guess, error):
    commit(asking, guess)
    assert asking.get_by_role("alert").first.inner_text() == error
    assert asking.get_by_label("Your guess").get_attribute("aria-invalid") == "true"
    assert asking.evaluate("document.activeElement.id") == "variance-guess"
    commit(asking, "6.6622776602")
    assert asking.get_by_role("status").first.inner_text().endswith("Your guess is right.")


def test_a_guess_beyond_the_plot_stands_at_its_edge(asking):
    commit(asking, "1000")
    assert asking.get_by_role("status").first.inner_text().endswith("its mark stands at the edge.")
    cross = asking.locator("#explorer-variance svg .guess").last
    assert float(cross.get_attribute("y1")) == float(dict(predict_variance(1, "?").marks(17)[-1].attributes)["y1"])


def test_the_figure_shows_without_a_guess(asking):
    asking.get_by_role("button", name="Show me without guessing").click()
    assert_shows(asking, 1)
    assert asking.get_by_role("status").first.inner_text() == ""
    assert not asking.locator("#explorer-variance svg .guess").first.is_visible()


def test_an_address_with_a_state_shows_it_without_a_question(page, slider_pages):
    page.goto(slider_pages["asking"] + "?variance=-0.5")
    assert page.locator("#explorer-variance svg").is_visible() and not page.get_by_text(QUESTION).is_visible()
    assert_shows(page, -0.5)


def test_two_sliders_of_a_page_are_independent(page, slider_pages):
    page.goto(slider_pages["asking"] + "?variance=1&second=-1")
    assert_shows(page, 1)
    assert page.inner_text("#explorer-second output") == say_variance(-1)
    ids = page.eval_on_selector_all("[id]", "all => all.map(element => element.id)")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", ["plain", "asking"])
def test_without_a_script_everything_reads(open_page, slider_pages, name):
    page = open_page(java_script_enabled=False)
    page.goto(slider_pages[name])
    assert shown(page)[:len(drawn(0.5))] == drawn(0.5)
    assert page.locator("svg").first.is_visible() and page.locator("summary").first.is_visible()
    assert not [control for control in page.locator("form, input, button").all() if control.is_visible()]
    page.locator("summary").first.click()
    cells = page.locator("#explorer-variance tbody tr").first.locator("th, td").all_inner_texts()
    assert cells[:5] == ["−2.50", "2.5000", "6.2500", "−7.9057", "0.8443"]


@pytest.mark.parametrize("name", ["plain", "asking"])
def test_nothing_jumps_when_the_script_comes_late(page, slider_pages, name, tmp_path):
    path = url2pathname(urlsplit(slider_pages[name]).path)
    scripted = Path(path).read_text("utf-8").replace("<html ", '<html class="scripted" ')
    late = scripted.replace("<script>", "<script>setTimeout(() => {").replace(
        "</script></body>", "}, 300)</script></body>").replace("</main>", "<p>What follows the figure.</p></main>")
    (tmp_path / "late.html").write_text(late, "utf-8")
    page.add_init_script("""window.shifts = [];
        new PerformanceObserver(list => shifts.push(...list.getEntries().map(entry => entry.value)))
            .observe({type: "layout-shift", buffered: true});""")
    page.goto((tmp_path / "late.html").as_uri())
    page.wait_for_selector(".control:not([hidden])", state="attached")
    page.wait_for_timeout(200)
    assert page.evaluate("shifts") == []


def test_on_a_narrow_screen_all_fits_and_every_word_is_legible(open_page, slider_pages):
    page = open_page(320, 640)
    page.goto(slider_pages["asking"])
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    commit(page, "3.5")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    sizes = page.eval_on_selector_all("svg text", """texts => texts.map(text =>
        parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)""")
    assert min(sizes) >= 11
    outside = page.eval_on_selector_all("svg text", """texts => texts.filter(text => {
        const {left, right} = text.getBoundingClientRect(), svg = text.ownerSVGElement.getBoundingClientRect();
        return left < svg.left - 1 || right > svg.right + 1; }).map(text => text.textContent)""")
    assert outside == []


@pytest.mark.parametrize("media", [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"},
                                   {"media": "print"}, {"media": "print", "color_scheme": "dark"}])
def test_marks_stand_out_from_the_paper_in_every_medium(plain, media):
    plain.emulate_media(**media)
    colours = plain.evaluate("""() => { const style = selector => getComputedStyle(document.querySelector(selector));
        return [style("svg").backgroundColor, style("svg rect").fill, style("svg path").stroke,
                style("svg text").fill]; }""")
    paper, *marks = colours
    assert paper not in marks
    if media.get("media") == "print":
        assert (paper, marks[0]) == ("rgb(255, 255, 255)", "rgb(13, 57, 116)")


@pytest.mark.parametrize(("system", "attribute", "value", "paper"), [
    ("dark", "data-theme", "light", "rgb(255, 255, 255)"), ("light", "data-theme", "dark", "rgb(19, 20, 22)"),
    ("dark", "data-jp-theme-light", "true", "rgb(255, 255, 255)"),
    ("light", "data-jp-theme-light", "false", "rgb(19, 20, 22)"),
])
def test_the_reader_s_choice_wins_over_the_system_s(plain, system, attribute, value, paper):
    plain.emulate_media(color_scheme=system)
    plain.evaluate("([name, value]) => document.body.setAttribute(name, value)", [attribute, value])
    assert plain.evaluate("getComputedStyle(document.querySelector('svg')).backgroundColor") == paper


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("search", ["", "?variance=1"])
def test_axe_finds_nothing(open_page, slider_pages, scheme, search):
    page = open_page(320, 640, color_scheme=scheme)
    page.goto(slider_pages["asking"] + search)
    page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")
    page.add_script_tag(path=AXE)
    found = page.evaluate("""async () => (await axe.run(document)).violations
        .flatMap(({id, nodes}) => nodes.map(node => `${id}: ${node.html.slice(0, 150)}`))""")
    assert found == []
