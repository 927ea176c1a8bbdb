"""Spaced practice: 5 days after the first success, then 2.3 times as long each time, 10 minutes after a miss."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

SCRIPT = Path(__file__).parents[2] / "_assets" / "js" / "recall_practice.js"
MINUTE, DAY = 60_000, 86_400_000


@pytest.fixture(scope="module")
def call():
    from py_mini_racer import MiniRacer

    with MiniRacer() as engine:
        engine.eval(SCRIPT.read_text("utf-8"))
        yield lambda code, *arguments: json.loads(
            engine.eval(f"JSON.stringify(({code})(...{json.dumps(arguments)})) ?? 'null'"))


AFTER = "(entry, success, now) => residualStream.afterAttempt(entry ?? undefined, success, now)"


def test_the_intervals(call):
    now, entry = 0, None
    for days in (5, 11.5, 26.45, 60.835):
        entry = call(AFTER, entry, True, now)
        assert entry["due"] - now == pytest.approx(days * DAY)
        assert call(AFTER, entry, True, now + DAY)["due"] == entry["due"], "too early to count"
        now = entry["due"]
    entry = call(AFTER, entry, False, now)
    assert entry == {"interval": 0, "due": now + 10 * MINUTE, "seen": now}
    assert call(AFTER, entry, True, now + 1)["due"] == now + 1 + 5 * DAY


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 40 * DAY)), max_size=20))
def test_a_second_account_of_the_same_rule(call, attempts):
    """The days between successes that counted are 5 * 2.3^n, n the successes since the last miss."""
    entry, now, row, due = None, 0, 0, 0
    for success, later in attempts:
        now += later
        entry = call(AFTER, entry, success, now)
        if not success:
            row, due = 0, now + 10 * MINUTE
        elif row == 0 or now >= due:
            due, row = now + 5 * DAY * 2.3**row, row + 1
        assert entry["due"] == pytest.approx(due) and entry["seen"] == now


@pytest.mark.parametrize("entry, words", [
    (None, "Not practised yet"), ({"due": 0}, "Due for practice now"), ({"due": MINUTE}, "Practise again in 1 minute"),
    ({"due": 10 * MINUTE}, "Practise again in 10 minutes"), ({"due": 60 * MINUTE}, "Practise again in 1 hour"),
    ({"due": DAY - 1}, "Practise again in 24 hours"), ({"due": 5 * DAY}, "Practise again in 5 days"),
    ({"due": 11.5 * DAY}, "Practise again in 12 days"),
])
def test_words(entry, words, call):
    assert call("entry => residualStream.dueWords(entry ?? undefined, 0)", entry) == words


READ = """text => { try { return [...residualStream.readRecord(text)] } catch (error) {
            if (error.constructor !== Error) throw error; return error.message } }"""


@pytest.mark.parametrize("text, words", [
    ("", "not JSON"), ("{", "not JSON"), ("3", "of this book"), ("null", "of this book"), ('{"version": 2}', "of this book"),
    ('{"version": 1, "questions": null}', "of this book"), ('{"version": 1, "questions": {"q2": 3}}', "damaged at"),
    ('{"version": 1, "questions": {"Q 2": {"interval": 0, "due": 1, "seen": 1}}}', "damaged at"),
    ('{"version": 1, "questions": {"q2": {"interval": 0, "due": "1", "seen": 1}}}', "damaged at"),
    ('{"version": 1, "questions": {"q2": {"interval": 0, "due": -1, "seen": 1}}}', "damaged at"),
    ('{"version": 1, "questions": {"__proto__": {"interval": 0, "due": 1, "seen": 1}}}', "damaged at"),
])
def test_records_that_are_none(text, words, call):
    assert words in call(READ, text)


def test_written_and_read_again(call):
    record = [["double-the-variance", {"interval": 0, "due": 5, "seen": 1}], ["q2", {"interval": 3, "due": 9, "seen": 2}]]
    text = call("record => residualStream.writeRecord(new Map(record))", record[::-1])
    assert call(READ, text) == record


def test_two_records_in_one(call):
    old, new = {"interval": 1, "due": 2, "seen": 3}, {"interval": 9, "due": 9, "seen": 4}
    merge = "(first, second) => [...residualStream.mergeRecords(new Map(first), new Map(second))]"
    assert call(merge, [["q2", old]], [["q2", new], ["q3", old]]) == [["q2", new], ["q3", old]]
    assert call(merge, [["q2", new]], [["q2", old]]) == [["q2", new]]
