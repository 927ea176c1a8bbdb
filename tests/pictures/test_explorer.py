import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from residual_stream.pictures.drawing import Drawing
from residual_stream.pictures.explorer import explore
from residual_stream.pictures.figure import Table
from residual_stream.pictures.marks import circle, line, rect, text
from residual_stream.pictures.merging import merge
from residual_stream.pictures.prediction import Prediction


def bar(a, mark=rect):
    table = Table(("quantity", "value"), (("length", f"{a:g}"), ("twice", f"{2 * a:g}")))
    marks = (line(0, 0, 0, 9, "grey"), rect(0, 0, 10 * a, 5, "stream"), text(1, 20, f"a is {a:g}"))
    return Drawing(100, 30, marks, f"a bar of length {a:g}", table)


def data_of(html):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)[1])


COORDINATES = st.floats(-1000, 1000)
VERSION = st.tuples(COORDINATES, COORDINATES, st.sampled_from(("stream", "branch")), st.text(max_size=5))


@settings(deadline=None)
@given(versions=st.lists(VERSION, min_size=1, max_size=6))
def test_every_step_is_put_together_again_exactly(versions):
    drawings = [
        Drawing(10, 10, (rect(x, y, 3, x), circle(y, x, 2, kind), line(0, 0, 1, 1), text(x, 1, words)),
                f"alt {words}", Table(("q", "v"), (("x", f"{x}"),)))
        for x, y, kind, words in versions
    ]
    merged = merge(drawings, [f"draw({index})" for index in range(len(drawings))])
    assert [merged.drawing(step) for step in range(len(drawings))] == drawings


def test_what_never_changes_is_not_listed():
    merged = merge([bar(1), bar(2)], ["one", "two"])
    assert merged.varying == ((1, "width", ("10", "20")), (2, "", ("a is 1", "a is 2")))


def test_the_page_carries_the_start_and_every_other_step():
    explorer = explore(bar, a=np.linspace(0, 1, 21), start=0.3)
    html, data = explorer.html(), data_of(explorer.html())
    assert explorer.drawing(0.3) == bar(0.3)
    assert "a bar of length 0.3" in html and "a is 0.3" in html
    assert data["values"] == [round(0.05 * step, 10) for step in range(21)]
    assert data["values"][data["start"]] == 0.3
    assert data["alts"][20] == "a bar of length 1"
    assert data["varying"][1] == [2, "", [f"a is {value:g}" for value in data["values"]]]
    assert 'aria-valuetext="a = 0.30"' in html


def test_the_table_tells_the_ends_the_start_and_some_between():
    table = explore(bar, a=np.linspace(0, 1, 21), start=0.35).table()
    assert table.columns == ("a", "length", "twice")
    assert [row[0] for row in table.rows] == ["0.00", "0.10", "0.20", "0.30", "0.35", "0.40", "0.50", "0.60", "0.70",
                                              "0.80", "0.90", "1.00"]
    assert table.rows[4] == ("0.35", "0.35", "0.7")


def test_words_cannot_leave_the_data_or_an_attribute():
    def hostile(a):
        words = f"</script><!--<script> \"'& {a}"
        return Drawing(10, 10, (text(0, 0, words),), words, Table(("q", "v"), ((words[:9], words),)))

    html = explore(hostile, a=(1, 2), say=lambda a: f"</script>\"' {a}", label="<b>").html()
    assert html.count("</script>") == 1 and html.count("<script") == 1 and "<!--" not in html and "<b>" not in html
    assert data_of(html)["said"] == ["</script>\"' 1.0", "</script>\"' 2.0"]


def test_a_name_in_what_is_said_is_not_broken_at_its_hyphen():
    assert explore(bar, a=(1, 2), say=lambda a: f"Pre-LN {a:.0f} - 1").said == ("Pre-\u2060LN 1 - 1", "Pre-\u2060LN 2 - 1")


def test_a_percent_sign_never_begins_a_line_of_what_is_said():
    assert explore(bar, a=(1, 2), say=lambda a: f"{a:.0f} % of it").said == ("1\u00a0% of it", "2\u00a0% of it")


def test_a_notebook_keeps_the_finding_and_what_the_slider_changes():
    bundle = explore(bar, a=(1, 2, 3), label="length")._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}, "no kernel runs here, so there is no widget"
    assert bundle["text/plain"] == "a bar of length 2\nA slider changes length from 1 to 3; this is length = 2."


def test_the_nearest_value():
    explorer = explore(bar, a=(0, 0.5, 2))
    assert [explorer.nearest(value) for value in (-9, 0.2, 0.3, 1.2, 1.3, 9)] == [0, 0, 1, 1, 2, 2]


def other(a):
    marks = {1: (circle(0, 0, 1),), 2: (circle(0, 0, 1), circle(0, 0, 1)), 3: (text(0, 0, "three"),)}[a]
    return Drawing(10, 10, marks, "alt", Table(("q", "v"), ()))


@pytest.mark.parametrize(("arguments", "message"), [
    ({"a": ()}, "values of a are empty"),
    ({"a": (1,)}, "at least two"),
    ({"a": (1, 3, 2)}, "must grow, but 2.0 follows 3.0"),
    ({"a": (1, 1)}, "must grow"),
    ({"a": (1, float("nan"))}, "must grow"),
    ({"a": (1, 2), "start": 1.5}, "a = 1.5 is not on the slider, which goes from 1.0 to 2.0; its nearest value is 1.0"),
    ({"a": (1, 2), "b": (1, 2)}, "one parameter's values"),
    ({}, "one parameter's values, as in explore(draw, a=values), not 0"),
    ({"a": (1, 2), "name": "Two words"}, "name must be"),
    ({"a": (1, 2), "predict": Prediction("?", at=3, truth=1)}, "a = 3 is not on the slider"),
])
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        explore(bar, **arguments)


@pytest.mark.parametrize(("values", "message"), [
    ((1, 2), r"draw\(a=2.0\) has 2 marks, but draw\(a=1.0\) has 1"),
    ((1, 3), r"mark 0 of draw\(a=3.0\) is <text> 'three' with .* but in draw\(a=1.0\) it is <circle>"),
])
def test_drawings_that_do_not_fit_are_named(values, message):
    with pytest.raises(ValueError, match=message):
        explore(other, a=values)


def test_other_misfits_are_named():
    with pytest.raises(ValueError, match=r"draw\(a=1.0\) returned str, not a Drawing"):
        explore(lambda a: "a drawing", a=(1, 2))
    with pytest.raises(ValueError, match="has width 20"):
        explore(lambda a: Drawing(int(10 * a), 10, (), "alt", Table(("q", "v"), ())), a=(1, 2))
    with pytest.raises(ValueError, match="table of .* other heads"):
        explore(lambda a: Drawing(10, 10, (), "alt", Table(("q", "v"), ((str(a), "1"),))), a=(1, 2))


@pytest.mark.parametrize("values", [None, 3, "abc", [1j, 2], [None, 1], [[1, 2], [3, 4]], [1, 10**400]])
def test_values_that_are_no_numbers_are_refused(values):
    with pytest.raises(ValueError, match="the values of a must be a list of numbers"):
        explore(lambda a: None, a=values)
