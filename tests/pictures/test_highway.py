"""The highway's widths, colours and words, against streams recorded here."""

import gzip
import re

import numpy as np
import pytest

import residual_stream as rs
from residual_stream.model.stack import forward
from residual_stream.model.weights import all_weights, first_stream
from residual_stream.pictures.explorer import explore
from residual_stream.pictures.highway import COLUMN, ROW, STREAM, TOP, UNIT, Highway

LAYERS = 6


@pytest.fixture(scope="module")
def highway():
    return Highway(layers=LAYERS)


@pytest.fixture(scope="module")
def streams():
    """By wrapping, the stream's size after each addition, as it goes on to the next."""
    found = {}
    for name in ("pre-ln", "post-ln"):
        config, sums = rs.Config(layers=LAYERS, wrapping=name), []
        forward(first_stream(config), all_weights(config), config,
                lambda layer, kind, stream, branch: sums.append(stream + branch))
        every = [first_stream(config), *(rs.layer_norm(x) if name == "post-ln" else x for x in sums)]
        found[name] = [np.sqrt(x.var(axis=-1).mean()) for x in every]
    return found


def bands(drawing, left):
    """The rects of one column's stream, row by row: (kind, width) of the whole and of the core."""
    rows = {}
    for mark in drawing.marks:
        place = dict(mark.attributes)
        if mark.tag == "rect" and float(place["height"]) == ROW:
            middle = float(place["x"]) + float(place["width"]) / 2
            if middle == pytest.approx(left + STREAM, abs=0.11):
                rows.setdefault((float(place["y"]) - TOP) / ROW, []).append((place["class"], float(place["width"])))
    return rows


def norms(drawing, left):
    """How many norms are reached in a column: on the stream, on the branches."""
    green = [dict(mark.attributes) for mark in drawing.marks if mark.tag == "rect"]
    green = [place for place in green if place["class"] == "norm" and left <= float(place["x"]) < left + COLUMN]
    return sum(float(p["width"]) == 56 for p in green), sum(float(p["width"]) == 8 for p in green)


@pytest.mark.parametrize("done", [0, 1, 5, 12])
def test_the_stream_is_as_wide_as_its_size_and_shown_as_far_as_it_is_built(highway, streams, done):
    drawing = highway.drawing(done)
    for left, name in ((0, "pre-ln"), (COLUMN, "post-ln")):
        rows = bands(drawing, left)
        assert sorted(rows) == list(range(2 * LAYERS + 1))
        for n, ((outer, whole), (inner, core)) in rows.items():
            if n > done:
                assert (outer, inner) == ("faint", "faint")
                continue
            assert (outer, inner) == ("branch", "stream")
            assert whole == pytest.approx(UNIT * streams[name][int(n)], abs=0.11) and core <= whole + 0.11
            if name == "pre-ln":
                assert core == pytest.approx(UNIT * streams[name][0], abs=0.11), "nothing acts on x_0's part"


def test_norms_stand_on_the_branches_of_one_and_on_the_stream_of_the_other(highway):
    assert [norms(highway.drawing(n), 0) for n in (0, 5, 12)] == [(0, 0), (0, 5), (1, 12)]
    assert [norms(highway.drawing(n), COLUMN) for n in (0, 5, 12)] == [(0, 0), (5, 0), (12, 0)]


def test_the_words_tell_the_sizes(highway, streams):
    alt = highway.drawing(12).alt
    pre, start, post, left = (float(number) for number in re.findall(r"\d\.\d\d", alt))
    assert alt.startswith("After 12 of 12 additions. Pre-LN:")
    assert [pre, start, post] == pytest.approx([streams["pre-ln"][-1], streams["pre-ln"][0], streams["post-ln"][-1]],
                                               abs=5.1e-3)
    assert left == pytest.approx(highway.parts["post-ln"].terms[-1, 0], abs=5.1e-3) and left < 0.4
    assert [row[1] for row in highway.drawing(12).table.rows] == [f"{v:.2f}" for v in (pre, start, post, left)]


def test_the_slider_asks_for_what_is_left_and_draws_the_guess_as_a_core(highway):
    explorer = explore(highway.drawing, name="highway", addition=range(13), start=12, say=highway.say,
                       predict=highway.predict("post-ln", "?"))
    assert len(gzip.compress(explorer.html().encode())) < 8000
    left, right, _ = (dict(mark.attributes) for mark in explorer.predict.marks(0.5))
    assert float(right["x1"]) - float(left["x1"]) == pytest.approx(UNIT * 0.5)
    assert (float(right["x1"]) + float(left["x1"])) / 2 == COLUMN + STREAM
    assert explorer.said[12].startswith("after 12 additions, x₀’s part: Pre-\u2060LN 0.97, Post-\u2060LN ")


def test_every_mark_lies_in_the_drawing(highway):
    drawing = highway.drawing(12)
    for mark in drawing.marks:
        place = dict(mark.attributes)
        assert 0 <= float(place.get("x", 0)) + float(place.get("width", 0)) <= drawing.width
        assert 0 <= float(place.get("y", 0)) + float(place.get("height", 0)) <= drawing.height
