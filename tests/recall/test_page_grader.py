"""One answer, two graders: Python and the page give the same verdicts and the same sentences, word for word."""

import json
import random
from pathlib import Path

import pytest

from residual_stream.recall.bank import book_bank, find
from residual_stream.recall.grader import grade_text
from residual_stream.recall.page import page_data
from residual_stream.recall.reader import Refusal, read_answer

from .test_reader import REFUSED

SCRIPTS = sorted((Path(__file__).parents[2] / "_assets" / "js").glob("recall*.js"))

ATOMS = ["1", "2.5", "0.5", "1.5811", "1e3", "9e99", "0", "pi", "2", "10", ".5", "7."]
PIECES = [*ATOMS, "sqrt(", "exp(", "log(", ")", "(", "+", "-", "*", "/", "**", " ", "\u2212", ",", "^", "x", "cm",
          "nan", "é", "\u00a0", "1e400", "//", "'", "=", "_", "\u202e", "💥", "\x00", "²", "np.sqrt(", "[", "if"]


@pytest.fixture(scope="module")
def page():
    """The page's scripts in an engine without a page; ``page(function, *arguments)`` calls one of theirs."""
    from py_mini_racer import MiniRacer

    with MiniRacer() as engine:
        for script in SCRIPTS:
            engine.eval(script.read_text(encoding="utf-8"))
        yield lambda code, argument: json.loads(engine.eval(f"JSON.stringify(({code})({json.dumps(argument)}))"))


def expression(dice, depth=0):
    """A valid expression, mostly; now and then its value is none."""
    kind = dice.random()
    if depth > 3 or kind < 0.35:
        return dice.choice(ATOMS)
    inner = [expression(dice, depth + 1) for _ in range(2)]
    if kind < 0.75:
        return dice.choice(["+", "-", "*", "/", "**", " \u2212 "]).join(inner)
    return dice.choice(["({})", "-{}", "sqrt({})", "exp({})", "log({})"]).format(inner[0])


def near_values(dice, field):
    """A number at, beside or between what the field knows: keys, mistakes and the edges of their tolerances."""
    target = dice.choice([field.key, *(value for value, _ in field.mistakes)])
    reach = field.tolerance * (abs(target) if target else 1)
    distance = dice.choice([0, 0.5, -0.5, 0.999999, 1.000001, -1.000001, 3, 9.99, 10.01, 30])
    return dice.choice([repr, "{:.4f}".format, "{:.3g}".format])(target + distance * reach)


def typed(dice, question, name):
    """A text for one answer, of every sort that people and fuzzers type."""
    kind = dice.random()
    if name == "choice" and kind < 0.6:
        return dice.choice(["a", "b", "c", "d", " B ", "e", "ab", "A", "", "1", "\u212a"])
    if name == "sentence":
        return dice.choice(["", "  ", "One sentence.", "\u00a0", "1"])
    if name == "has" and kind < 0.8:
        return dice.choice(["", "0", "1", "2", "1 2", "1,2", "3", "0 1", "1 1", "01", "1 2 3", "all"])
    field = next((field for field in question.fields if field.name == name), None)
    if field and kind < 0.4:
        return near_values(dice, field)
    if kind < 0.6:
        return expression(dice)
    if kind < 0.75:
        return dice.choice(list(REFUSED))[:400]
    return "".join(dice.choices(PIECES, k=dice.randrange(12)))


def generated(count):
    """(question with parameters, answers) pairs, the same on every run; every rejected form is among them."""
    dice = random.Random(20)
    questions = [item.question() for item in book_bank().values()]
    questions += [book_bank()["q2"].question(a=a) for a in (0.5, 0.3, 1.7, -0.5, -2.0)]
    for text in REFUSED:
        yield find("q1"), {"sentence": "x", "has": text[:400]}
        for question in (find("q2"), find("constant-stream")):
            yield question, {question.names[-1]: text[:400]}
    for _ in range(count):
        question = dice.choice(questions)
        yield question, {name: typed(dice, question, name) for name in question.names if dice.random() < 0.85}


def test_the_same_verdict_and_the_same_sentence(page):
    pairs = list(generated(6000))
    here = [grade_text(question, answers) for question, answers in pairs]
    there = page("pairs => pairs.map(([data, answers]) => residualStream.gradeQuestion(data, answers))",
                 [[page_data(question), answers] for question, answers in pairs])
    assert len(there) == len(pairs) > 6000
    for (question, answers), python, script in zip(pairs, here, there):
        told = {"total": python.total, "fields": [{"name": verdict.name, "kind": verdict.kind,
                                                   "sentence": verdict.sentence} for verdict in python.verdicts]}
        assert script == told, (question.id, answers)
    seen = [verdict.kind for result in here for verdict in result.verdicts]
    assert all(seen.count(kind) > 100 for kind in ("correct", "mistake", "off", "close", "blank", "refused",
                                                        "committed", "ticked"))


def test_the_same_values(page):
    dice = random.Random(21)
    texts = [expression(dice) for _ in range(2000)]
    there = page("texts => texts.map(text => { try { return residualStream.readAnswer(text) } "
                 "catch (refusal) { return refusal.message } })", texts)
    for text, script in zip(texts, there):
        try:
            # The two mathematical libraries may differ in the last digit, and a difference may magnify that.
            assert script == pytest.approx(read_answer(text), rel=1e-9, abs=1e-12), text
        except Refusal as refusal:
            assert script == str(refusal), text


def test_a_fault_of_the_script_is_not_taken_for_a_refusal(page):
    assert page("""data => { try { return residualStream.gradeQuestion(data, {var_f: "1"}) }
                   catch (error) { return error.name } }""", {**page_data(find("q2")), "fields": [{"name": "var_f"}]}) \
        == "TypeError"
