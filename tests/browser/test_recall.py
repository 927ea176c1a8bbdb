"""Recall questions in a real browser, on a page of their own: typed, spoken, by keyboard alone, without scripts."""

import re
from pathlib import Path

import pytest

import residual_stream as rs
from residual_stream.palette import stylesheet
from residual_stream.recall.bank import book_bank, find
from residual_stream.recall.grader import grade_text
from residual_stream.recall.plain_tex import plain_tex

ASSETS = Path(__file__).parents[2] / "_assets"
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
FORMULA = re.compile(r"\\\((.*?)\\\)|\\\[(.*?)\\\]")


def typeset(html):
    """Formulas as characters, where the site's build would put MathML."""
    return FORMULA.sub(lambda match: plain_tex(match[1] or match[2]), html)


@pytest.fixture(scope="session")
def recall_page(tmp_path_factory):
    """The address of a page with every question of the bank, one of them twice."""
    style = stylesheet() + "".join((ASSETS / "css" / name).read_text("utf-8") for name in ("page.css", "recall.css"))
    script = "".join(file.read_text("utf-8") for file in sorted((ASSETS / "js").glob("recall*.js")))
    sheets = [*map(rs.question, book_bank()), rs.question("q2", name="q2-again")]
    file = tmp_path_factory.mktemp("recall") / "recall.html"
    file.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Recall</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{style}</style>'
        f'<body data-theme="auto"><main style="padding:16px"><h1>Recall</h1>'
        f'{typeset("".join(sheet.html() for sheet in sheets))}</main><script>{script}</script></body></html>', "utf-8")
    return file.as_uri()


@pytest.fixture
def asked(page, recall_page):
    page.goto(recall_page)
    yield page
    assert page.faults == []


def fill(page, identity="recall-q2", **answers):
    for name, text in answers.items():
        page.fill(f"#{identity}-{name}", text)


def says(page, name, identity="recall-q2"):
    return page.locator(f"#{identity}-{name}-says")


def total(page, identity="recall-q2"):
    return page.locator(f"#{identity} [role=status]")


@pytest.mark.parametrize("answers", [
    {"var_f": "1", "cov": "sqrt(2.5)", "var_x1": "(sqrt(2.5) + 1)**2"},
    {"var_f": "1", "cov": "1.5811", "var_x1": "5.0811"},
    {"var_f": "1,0", "cov": "open('key')", "var_x1": "<img src=x onerror=alert(1)>"},
    {"var_f": "2.5", "cov": "", "var_x1": "9**9**9"},
    {"var_f": "\u22121", "cov": "1.59", "var_x1": "6.66 units"},
    {},
], ids=["right", "a known mistake", "garbage", "mixed", "signs", "nothing"])
def test_says_what_the_notebook_says(asked, answers):
    fill(asked, **answers)
    asked.click("#recall-q2 button[type=submit]")
    result = grade_text("q2", answers)
    assert total(asked).text_content() == result.total
    for verdict in result.verdicts:
        assert says(asked, verdict.name).text_content() == ("" if verdict.kind == "blank" else verdict.sentence)
        assert asked.locator(f"#recall-q2-{verdict.name}").get_attribute("aria-invalid") == \
            (None if verdict.kind in ("blank", "correct") else "true")
    assert asked.locator("#recall-q2 img").count() == 0


def test_each_field_answers_when_it_is_left(asked):
    fill(asked, var_x1="5.0811")
    assert says(asked, "var_x1").text_content() == ""
    asked.keyboard.press("Tab")
    assert says(asked, "var_x1").text_content() == "off: did you add the covariance twice?"
    assert total(asked).text_content() == "var_x1: off: did you add the covariance twice?"
    assert total(asked).evaluate("region => getComputedStyle(region).opacity") == "0"
    assert says(asked, "var_f").text_content() == ""
    asked.focus("#recall-q2-var_x1")
    asked.keyboard.press("End")
    asked.keyboard.type("1")
    assert says(asked, "var_x1").text_content() == "" and total(asked).text_content() == ""


def test_what_is_pressed_stays_in_place(asked):
    """Leaving a field by a press further down must not move that place away before the click is complete."""
    fill(asked, var_x1="a long text that cannot be read and needs several lines to say so")
    asked.click("#recall-q2 .recall-hint summary >> nth=0")
    assert asked.locator("#recall-q2 .recall-hint").nth(0).get_attribute("open") is not None
    says(asked, "var_x1").filter(has_text="cannot be read").wait_for()


def test_by_keyboard_alone(asked):
    asked.focus("#recall-q2-var_f")
    for text in ("1", "sqrt(2.5)", "6.6623"):
        asked.keyboard.type(text)
        asked.keyboard.press("Tab")
    assert asked.evaluate("document.activeElement.textContent") == "Check"
    outline = asked.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert float(outline.removesuffix("px")) >= 2
    asked.keyboard.press("Enter")
    assert total(asked).text_content() == "Q2  3/3 correct"
    asked.keyboard.press("Tab")
    asked.keyboard.press("Enter")
    assert asked.locator("#recall-q2-var_f").input_value() == "" and total(asked).text_content() == ""
    asked.focus("#recall-constant-stream-a")
    asked.keyboard.press("ArrowDown")
    assert says(asked, "choice", "recall-constant-stream").text_content() == ""
    asked.keyboard.press("Enter")
    assert total(asked, "recall-constant-stream").text_content() == "A constant stream  1/1 correct"


def test_a_wrong_choice_gets_its_reason(asked):
    asked.check("#recall-constant-stream-a")
    asked.click("#recall-constant-stream button[type=submit]")
    reason = find("constant-stream").options[0].reason
    assert says(asked, "choice", "recall-constant-stream").text_content() == f"off: {reason}"


def test_the_worked_answer_waits_for_an_attempt(asked):
    answer, later = asked.locator("#recall-q2 .recall-answer"), asked.locator("#recall-q2 .recall-later")
    assert not answer.is_visible() and later.is_visible()
    asked.click("#recall-q2 button[type=submit]")
    assert not answer.is_visible()
    for unreadable in ("6,6623", "\u221a2.5"):
        fill(asked, cov=unreadable)
        asked.click("#recall-q2 button[type=submit]")
        assert says(asked, "cov").get_attribute("data-kind") == "refused" and not answer.is_visible()
    fill(asked, cov="7")
    asked.click("#recall-q2 button[type=submit]")
    assert answer.is_visible() and not later.is_visible()
    assert not asked.locator("#recall-twelve-additions .recall-answer").is_visible()


def test_prose_is_committed_then_marked_by_its_writer(asked):
    answer, criteria = asked.locator("#recall-q1 .recall-answer"), asked.locator("#recall-q1 .recall-criteria")
    asked.click("#recall-q1 button[type=submit]")
    assert total(asked, "recall-q1").text_content() == "Q1  not answered yet"
    assert not answer.is_visible() and not criteria.is_visible()
    asked.fill("#recall-q1-sentence", "The first steps are too large.")
    asked.click("#recall-q1 button[type=submit]")
    assert total(asked, "recall-q1").text_content() == \
        grade_text("q1", {"sentence": "The first steps are too large."}).total
    assert answer.get_attribute("open") is not None and criteria.is_visible()
    asked.check("#recall-q1-has-1")
    assert total(asked, "recall-q1").text_content() == "Q1  self 1/2"
    asked.check("#recall-q1-has-2")
    assert total(asked, "recall-q1").text_content() == "Q1  self 2/2"
    asked.uncheck("#recall-q1-has-1")
    asked.uncheck("#recall-q1-has-2")
    assert total(asked, "recall-q1").text_content() == "Q1  self 0/2"
    asked.click("#recall-q1 button[type=reset]")
    assert total(asked, "recall-q1").text_content() == "" and not criteria.is_visible()


def due(page, identity="recall-q2"):
    return page.locator(f"#{identity} .recall-due")


def answer_q2(page, **wrong):
    fill(page, **{"var_f": "1", "cov": "sqrt(2.5)", "var_x1": "(sqrt(2.5) + 1)**2"} | wrong)
    page.click("#recall-q2 button[type=submit]")


def test_questions_come_back_in_time(asked, expect):
    asked.clock.install(time=1_800_000_000)
    asked.reload()
    assert due(asked).text_content() == "Not practised yet"
    asked.click("#recall-q2 button[type=submit]")
    assert due(asked).text_content() == "Not practised yet", "a blank is no attempt"
    for unfinished in ({"var_x1": "6,6623"}, {"cov": "\u221a2.5"}, {"var_x1": ""}, {"cov": "7", "var_x1": " "}):
        answer_q2(asked, **unfinished)
        assert due(asked).text_content() == "Not practised yet", "an answer that is not whole is no attempt"
    answer_q2(asked, cov="7")
    assert due(asked).text_content() == "Practise again in 10 minutes"
    answer_q2(asked)
    assert due(asked).text_content() == due(asked, "recall-q2-again").text_content() == "Practise again in 5 days"
    answer_q2(asked)
    assert due(asked).text_content() == "Practise again in 5 days", "the same success counts once"
    asked.reload()      # it may come in a new process, which hears of what was kept a moment later
    expect(due(asked), "it is kept").to_have_text("Practise again in 5 days")
    asked.clock.install(time=1_800_000_000 + 5 * 86400 + 60)
    asked.reload()
    expect(due(asked)).to_have_text("Due for practice now")
    answer_q2(asked)
    assert due(asked).text_content() == "Practise again in 12 days"


def test_prose_comes_back_as_its_writer_marks_it(asked):
    asked.fill("#recall-q1-sentence", "Small first steps.")
    asked.click("#recall-q1 button[type=submit]")
    assert due(asked, "recall-q1").text_content() == "Not practised yet"
    asked.check("#recall-q1-has-1")
    assert due(asked, "recall-q1").text_content() == "Practise again in 10 minutes"
    asked.check("#recall-q1-has-2")
    assert due(asked, "recall-q1").text_content() == "Practise again in 5 days"


def test_the_record_goes_to_a_file_and_comes_back(asked, expect, tmp_path):
    answer_q2(asked)
    panel = asked.locator(".recall-record")
    panel.locator("summary").click()
    with asked.expect_download() as download:
        panel.get_by_role("button", name="Save to a file").click()
    path = tmp_path / "record.json"
    download.value.save_as(path)
    asked.evaluate("localStorage.clear()")
    asked.reload()
    expect(due(asked)).to_have_text("Not practised yet")
    panel.locator("summary").click()
    panel.locator("input").set_input_files(path)
    panel.get_by_role("status").filter(has_text="Loaded: 1 question.").wait_for()
    assert due(asked).text_content() == "Practise again in 5 days"
    (tmp_path / "other.json").write_text('{"version": 1, "questions": {"q2": {"due": "<img src=x>"}}}')
    panel.locator("input").set_input_files(tmp_path / "other.json")
    panel.get_by_role("status").filter(has_text="damaged at the question “q2”").wait_for()
    assert due(asked).text_content() == "Practise again in 5 days"


def test_two_open_pages_keep_one_record(asked, expect, recall_page):
    other = asked.context.new_page()
    other.goto(recall_page)
    answer_q2(asked)
    expect(due(other)).to_have_text("Practise again in 5 days")
    other.check("#recall-constant-stream input >> nth=1")
    other.click("#recall-constant-stream button[type=submit]")
    expect(due(asked, "recall-constant-stream")).to_have_text("Practise again in 5 days")
    asked.reload()
    for question in ("recall-q2", "recall-constant-stream"):
        expect(due(asked, question)).to_have_text("Practise again in 5 days")
    other.evaluate("localStorage.clear()")
    expect(due(asked)).to_have_text("Not practised yet")


def test_a_damaged_record_does_not_stop_the_page(asked, expect):
    asked.evaluate("localStorage.setItem('residual-stream-recall', '{')")
    asked.reload()
    expect(asked.locator(".recall-record [role=status]")).to_contain_text("not JSON")
    answer_q2(asked)
    assert total(asked).text_content() == "Q2  3/3 correct" and due(asked).text_content() == "Practise again in 5 days"


def test_hints_come_one_after_the_other(asked):
    hints = asked.locator("#recall-q2 .recall-hint")
    assert [hint.is_visible() for hint in hints.all()] == [True, False, False]
    hints.nth(0).locator("summary").click()
    assert [hint.is_visible() for hint in hints.all()] == [True, True, False]


def test_two_copies_keep_apart(asked):
    fill(asked, var_f="1")
    asked.click("#recall-q2 button[type=submit]")
    assert total(asked, "recall-q2-again").text_content() == "" and says(asked, "var_f").text_content() == "correct"
    assert says(asked, "var_f", "recall-q2-again").text_content() == ""


def test_names_for_screen_readers(asked):
    question = asked.get_by_role("group", name="Q2", exact=True).first
    for name in ("Var(f) var_f", "Cov(x0, f) cov", "Var(x1) var_x1"):
        assert question.get_by_role("textbox", name=name, exact=True).count() == 1
    assert question.get_by_role("group", name="Your answer").count() == 1
    assert question.get_by_role("button", name="Check", exact=True).count() == 1
    assert question.get_by_role("status").count() == 1
    choice = asked.get_by_role("group", name="A constant stream", exact=True)
    assert choice.get_by_role("radio").count() == 4
    assert choice.get_by_role("radio", name="b) 0", exact=True).count() == 1


def test_a_verdict_is_part_of_the_fields_description(asked):
    fill(asked, var_x1="5.0811")
    asked.click("#recall-q2 button[type=submit]")
    described = asked.locator("#recall-q2-var_x1").get_attribute("aria-describedby").split()
    assert says(asked, "var_x1").get_attribute("id") in described


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_fits_and_has_no_violation(open_page, recall_page, scheme, width):
    page = open_page(width, color_scheme=scheme, reduced_motion="reduce")
    page.goto(recall_page)
    fill(page, var_f="1", cov="1,5", var_x1="5.0811")
    page.click("#recall-q2 button[type=submit]")
    page.fill("#recall-q5-sentence", "x")
    page.click("#recall-q5 button[type=submit]")
    page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.add_script_tag(path=AXE)
    assert page.evaluate("async () => (await axe.run()).violations.map(({id, nodes}) => [id, nodes[0].html])") == []


def test_reads_without_scripts(open_page, recall_page):
    page = open_page(java_script_enabled=False)
    page.goto(recall_page)
    assert not page.locator("#recall-q2 form").is_visible()
    assert page.locator("#recall-q2 .recall-prompt").is_visible()
    assert all(hint.is_visible() for hint in page.locator("#recall-q2 .recall-hint").all())
    page.click("#recall-q2 .recall-answer summary")
    assert "6.6623" in page.locator("#recall-q2 .recall-answer").inner_text()
    assert page.locator("#recall-constant-stream .recall-options li").all_inner_texts()[1] == "0"
    assert not page.locator("#recall-q2 .recall-later").is_visible()


def test_on_paper_everything_is_there(asked):
    asked.emulate_media(media="print")
    assert not asked.locator("#recall-q2 form").is_visible()
    assert asked.locator("#recall-q2 .recall-answer").is_visible()
    assert asked.locator("#recall-constant-stream .recall-options").is_visible()
