"""The variance-trace chapter from start to end as its readers meet it: by keyboard alone on a telephone whose network
is gone, and as a screen reader hears it."""

from pathlib import Path

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
CHAPTER = "chapters/variance-trace.html"


def tab_to(page, selector):
    """Press Tab until the focus is on what the selector names; every stop on the way is in sight."""
    for _ in range(150):
        page.keyboard.press("Tab")
        here, seen = page.evaluate("""selector => { const at = document.activeElement, box = at.getBoundingClientRect();
            return [at.matches(selector), box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth]; }""",
                                   selector)
        assert seen, page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        if here:
            return
    raise AssertionError(f"Tab never reached {selector}")


def test_the_chapter_is_done_by_keyboard_alone_without_a_network(server, open_page):
    page = open_page(360, 740)
    page.goto(f"{server}/{CHAPTER}")
    page.context.set_offline(True)

    tab_to(page, "#variance-guess")
    page.keyboard.type("0.5")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "variance-value"
    assert "You guessed 0.5; the computed value is 0.3377." in page.locator(".verdict").inner_text()
    page.keyboard.press("End")
    assert page.locator("#explorer-variance output").inner_text() == "a = 2.50: Var(x₁) = 16.6557"

    tab_to(page, "#recall-q2-var_f")
    for answer in ("1", "sqrt(2.5)", "6.6623"):
        page.keyboard.type(answer)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator("#recall-q2 [role=status]").text_content() == "Q2  3/3 correct"
    tab_to(page, "#recall-q2 .recall-answer > summary")
    page.keyboard.press("Enter")
    assert page.locator("#recall-q2 .recall-answer").get_by_text("Put together").is_visible()

    tab_to(page, "#recall-constant-stream input")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert "correct" in page.locator("#recall-constant-stream [role=status]").text_content()
    tab_to(page, ".neighbours .next")
    # Chromium asks for the icon anew whenever the address changes, as a slider's does.
    assert [fault for fault in page.faults if "favicon.svg" not in fault and "DISCONNECTED" not in fault] == []
    assert {fault for fault in page.faults if fault.startswith("failed:")} <= {f"failed: {server}/_static/favicon.svg"}


def test_a_screen_reader_hears_a_name_for_all_it_can_use_or_look_at(site, page):
    page.goto(f"{site.as_uri()}/{CHAPTER}")
    page.get_by_role("button", name="Show me without guessing").click()
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    heard = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if not node["ignored"]]
    roles = [role for role, _ in heard]
    assert {"main", "navigation", "banner", "contentinfo", "search", "slider", "textbox", "image", "MathMLMath"} <= set(roles)
    nameless = [role for role, name in heard if role in {"button", "link", "textbox", "slider", "radio", "checkbox",
                                                         "DisclosureTriangle", "image", "searchbox"} and not name.strip()]
    assert nameless == []
    assert ("slider", "a") in heard


def test_what_only_a_telephone_shows_is_accessible(site, open_page):
    page = open_page(360, 740, is_mobile=True, has_touch=True)
    page.goto(f"{site.as_uri()}/{CHAPTER}")
    assert page.evaluate("matchMedia('(hover: none)').matches")
    page.add_script_tag(path=AXE)
    assert page.evaluate("async () => (await axe.run({preload: false})).violations.map(({id, nodes}) => [id, nodes[0].html])") == []
