"""The search page: sections by keyboard alone, answers while one types, and an index that does not come."""

import re

import pytest


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_search_leads_to_a_section_by_keyboard_alone(site, server, page, scheme):
    root = site.as_uri() if scheme == "file" else server
    page.goto(f"{root}/index.html")
    page.get_by_role("searchbox").fill("guess misses covariance")
    page.keyboard.press("Enter")
    result = page.locator("#search-results li").first
    result.wait_for()
    assert page.get_by_role("status").filter(has_text="place").is_visible()
    assert result.locator("a").inner_text() == "The guess that misses"
    assert "variance trace" in result.locator(".search-page").inner_text() and result.locator("mark").count()
    page.locator("main input").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/variance-trace.html#the-guess-that-misses")
    assert page.evaluate("document.getElementById('the-guess-that-misses').getBoundingClientRect().top") < 200
    assert not page.faults


def test_a_page_takes_the_focus_and_is_painted_although_the_font_of_the_formulas_stays_away(site, page):
    page.add_init_script("document.fonts.load = () => new Promise(() => {})")
    page.goto(f"{site.as_uri()}/search.html")
    assert page.evaluate("document.activeElement.name") == "q"
    page.wait_for_function("document.body.style.opacity === ''")


def test_search_answers_while_one_types_and_says_so(file_page):
    page = file_page("search.html")
    assert page.evaluate("document.activeElement.name") == "q"
    page.keyboard.type("layer norm")
    page.get_by_text(re.compile("^[0-9]+ places")).wait_for()
    assert page.evaluate("location.search") == "?q=layer+norm"
    page.keyboard.type(" <img src=x onerror=alert(1)>")
    page.get_by_text("Nothing has").wait_for()
    assert page.locator("#search-results li, main img").count() == 0
    page.locator("main input").fill("")
    page.wait_for_function("location.search === ''")
    assert page.locator("#search-status").inner_text() == ""


def test_search_says_that_its_index_did_not_load(http_page, page):
    page.route("**/search_index.js", lambda route: route.abort())
    http_page("search.html?q=norm")
    page.get_by_text("The search index did not load.").wait_for()
