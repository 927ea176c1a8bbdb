from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from residual_stream.pictures.axes import Scale, horizontal_axis, round_ticks, vertical_axis
from residual_stream.pictures.drawing import Drawing
from residual_stream.pictures.figure import Table
from residual_stream.pictures.marks import circle, line, path, polyline, rect, text

WORDS = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn", "Co")), min_size=1).filter(str.strip)
TABLE = Table(("quantity", "value"), (("Var(x0)", "2.5000"),))
SVG = "{http://www.w3.org/2000/svg}"


def drawing(*marks, alt="one mark", table=TABLE, **more):
    return Drawing(100, 50, marks, alt, table, **more)


class Elements(HTMLParser):
    """Every element of an HTML text with its attributes, and the text in it."""

    def __init__(self, html):
        super().__init__()
        self.found, self.texts = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)


@settings(deadline=None)
@given(words=WORDS, alt=WORDS)
def test_any_words_arrive_unchanged_in_svg(words, alt):
    root = ElementTree.fromstring(drawing(text(1, 2, words), alt=alt).svg())
    assert root.get("aria-label").split() == alt.split()
    assert root.find(f"{SVG}text").text.splitlines() == words.splitlines()
    assert [child.tag for child in root] == [f"{SVG}text"]


def test_hostile_words_stay_words_on_the_page():
    hostile = "</text></svg></details><script>alert(1)</script>\"'&amp;<!--"
    table = Table((hostile, "b"), ((hostile, hostile),))
    html = drawing(text(0, 0, hostile, kind='"><b>'), alt=hostile, table=table, name=hostile, caption=hostile).html()
    tags = [tag for tag, _ in Elements(html).found]
    assert tags == ["figure", "svg", "text", "figcaption", "details", "summary", "div", "table",
                    "thead", "tr", "th", "th", "tbody", "tr", "th", "td"]


def test_the_figure_is_one_picture_with_a_name_and_its_data_below():
    elements = Elements(drawing(circle(1, 2, 3), alt="a disc", name="disc").html())
    found = dict(reversed(elements.found))
    assert found["figure"]["id"] == "figure-disc"
    assert found["svg"]["role"] == "img"
    assert found["svg"]["aria-label"] == "a disc"
    assert found["svg"]["viewbox"] == "0 0 100 50"
    heads = [attributes.get("scope") for tag, attributes in elements.found if tag == "th"]
    assert heads == ["col", "col", "row"]
    assert "2.5000" in elements.texts


def test_a_notebook_keeps_the_alt_text_alone():
    bundle = drawing(circle(1, 2, 3), alt="a disc")._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"] == "a disc"
    assert bundle["text/html"].startswith("<style data-rs>")


def test_marks_have_the_geometry_that_was_asked_for():
    assert rect(10, 20, -4, -8, "stream").svg() == '<rect class="stream" x="6" y="12" width="4" height="8"/>'
    assert line(0, 0.04, 1.25, 3, "grey").svg() == '<line class="grey" x1="0" y1="0" x2="1.2" y2="3"/>'
    assert polyline([(0, 1), (2.55, -3)]).svg() == '<path d="M0 1L2.5 -3"/>'
    assert path("M0 0h3", "ink").svg() == '<path class="ink" d="M0 0h3"/>'
    assert text(1, 2, "a<b", anchor="end").svg() == '<text x="1" y="2" text-anchor="end">a&lt;b</text>'


def test_wrong_marks_are_named():
    with pytest.raises(ValueError, match="mark 1 .*'<rect/>'"):
        drawing(circle(0, 0, 1), "<rect/>")
    with pytest.raises(ValueError, match="anchor"):
        text(0, 0, "a", anchor="left")
    with pytest.raises(ValueError, match="finite"):
        circle(float("nan"), 0, 1)
    with pytest.raises(ValueError, match="alt is empty"):
        drawing(alt="  ")


def test_a_scale_is_a_line_between_its_ends():
    scale = Scale(-2, 3, 100, 0)
    assert (scale(-2), scale(3), scale(0.5)) == (100, 0, 50)
    assert (scale.clip(-9), scale.clip(9), scale.clip(1)) == (-2, 3, 1)
    with pytest.raises(ValueError, match="low < high"):
        Scale(1, 1, 0, 10)


def test_axes_put_a_number_beside_each_tick():
    scale = Scale(0, 10, 50, 150)
    *lines_and_numbers, label = horizontal_axis(scale, 0, 40, (0, 5), label="a in volts")
    lines, numbers = lines_and_numbers[:2], lines_and_numbers[2:]
    assert [dict(mark.attributes)["x1"] for mark in lines] == ["50", "100"]
    assert [(dict(mark.attributes)["x"], mark.text) for mark in numbers] == [("50", "0"), ("100", "5")]
    assert label.text == "a in volts"
    upright = vertical_axis(Scale(0, 1, 90, 10), 30, 200, (0, 0.5), digits=1, label="Var")
    assert [(dict(mark.attributes)["y1"]) for mark in upright[:2]] == ["90", "50"]
    assert [mark.text for mark in upright[2:]] == ["0.0", "0.5", "Var"]


@pytest.mark.parametrize(("low", "high", "ticks"), [
    (0, 4.59, (0, 1, 2, 3, 4)), (0, 2.9, (0, 1, 2)), (-0.25, 0.3, (-0.2, 0, 0.2)), (0, 5, (0, 1, 2, 3, 4, 5)),
    (0, 1000, (0, 200, 400, 600, 800, 1000)), (12, 13, (12, 12.2, 12.4, 12.6, 12.8, 13)),
])
def test_ticks_are_round(low, high, ticks):
    assert round_ticks(low, high) == ticks


def test_a_wide_table_becomes_a_record():
    table = Table(("layer", "before", "after"), (("1", "a", "b"), ("2", "c", "d")))
    assert table.record() == (("1, before", "a"), ("1, after", "b"), ("2, before", "c"), ("2, after", "d"))
    assert TABLE.record() == (("Var(x0)", "2.5000"),)
