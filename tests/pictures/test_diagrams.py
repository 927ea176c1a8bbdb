"""The wiring diagrams against the formulas of the wrappings, which were written by hand beside the table."""

import re

import pytest

import residual_stream as rs
from residual_stream.pictures import diagrams
from residual_stream.pictures.diagrams import BRANCH, STREAM


def boxes(drawing):
    """The words in the drawing's boxes with the middle that each stands at, from top to bottom."""
    found = []
    for box, words in zip(drawing.marks, drawing.marks[1:]):
        if box.tag == "rect":
            place, inside = dict(box.attributes), dict(words.attributes)
            middle = float(place["x"]) + float(place["width"]) / 2
            assert middle == float(inside["x"]) and float(place["y"]) < float(inside["y"])
            found.append((float(place["y"]), middle, words.text))
    return [(words, middle) for _, middle, words in sorted(found)]


def additions(drawing):
    return sum(mark.tag == "circle" for mark in drawing.marks)


@pytest.mark.parametrize("name, expected", {
    "pre-ln": [("LayerNorm", BRANCH), ("attention", BRANCH), ("LayerNorm", BRANCH), ("feed-forward", BRANCH),
               ("LayerNorm", STREAM)],
    "post-ln": [("attention", BRANCH), ("LayerNorm", STREAM), ("feed-forward", BRANCH), ("LayerNorm", STREAM)],
    "none": [("attention", BRANCH), ("feed-forward", BRANCH)],
    "pre-rms": [("RMSNorm", BRANCH), ("attention", BRANCH), ("RMSNorm", BRANCH), ("feed-forward", BRANCH),
                ("RMSNorm", STREAM)],
    "res-post-norm": [("attention", BRANCH), ("LayerNorm", BRANCH), ("feed-forward", BRANCH), ("LayerNorm", BRANCH),
                      ("LayerNorm", STREAM)],
}.items())
def test_the_boxes_stand_in_the_order_of_the_formula(name, expected):
    assert boxes(diagrams.wiring(name)) == expected


def test_deepnorm_is_post_ln_with_a_factor_on_the_stream():
    words = boxes(diagrams.wiring("deepnorm"))
    assert [pair for pair in words if pair != ("× α", STREAM)] == boxes(diagrams.wiring("post-ln"))
    assert words.count(("× α", STREAM)) == 2
    assert "times 2.21" in diagrams.wiring("deepnorm", layers=12).alt  # 24 ** (1 / 4)


@pytest.mark.parametrize("name", sorted(set(rs.WRAPPINGS) - {"parallel", "mix-ln"}))
def test_as_many_norms_as_the_formula_names_for_each_of_two_sublayers(name):
    wrapping = rs.WRAPPINGS[name]
    named = len(re.findall(r"\\mathrm\{(?:LN|RMS)\}", wrapping.formula))
    drawn = sum("Norm" in words for words, _ in boxes(diagrams.wiring(name)))
    assert drawn == 2 * named + (wrapping.final_norm is not None)


def test_a_parallel_block_reads_once_and_adds_once():
    drawing = diagrams.wiring("parallel")
    read, *both, final = boxes(drawing)
    assert read == ("LayerNorm", BRANCH) and final == ("LayerNorm", STREAM)
    assert [words for words, _ in both] == ["attention", "feed-forward"] and both[0][1] < BRANCH < both[1][1]
    assert additions(drawing) == 1 and "1 addition." in drawing.alt


def test_mix_ln_is_post_ln_first_and_pre_ln_after():
    assert boxes(diagrams.wiring("mix-ln", layer=2, layers=12))[:4] == boxes(diagrams.wiring("post-ln"))
    assert boxes(diagrams.wiring("mix-ln", layer=3, layers=12)) == boxes(diagrams.wiring("pre-ln"))


def test_a_decoder_layer_has_a_third_sublayer_and_a_third_addition():
    drawing = diagrams.wiring("post-ln", sublayers=("self-attention", "cross-attention", "feed-forward"))
    assert additions(drawing) == 3 and "3 additions" in drawing.alt
    assert drawing.name != diagrams.wiring("post-ln").name, "a page may show both, and each is an anchor"
    assert [words for words, _ in boxes(drawing)][::2] == ["self-attention", "cross-attention", "feed-forward"]


@pytest.mark.parametrize("name, sublayers", [
    *((name, ("attention", "feed-forward")) for name in rs.WRAPPINGS),
    ("post-ln", ("self-attention", "cross-attention", "feed-forward")),
])
def test_every_mark_lies_in_the_drawing_and_no_box_on_another(name, sublayers):
    drawing = diagrams.wiring(name, sublayers)
    places = []
    for mark in drawing.marks:
        there = dict(mark.attributes)
        for attribute, limit in {"x": drawing.width, "x1": drawing.width, "cx": drawing.width,
                                 "y": drawing.height, "y2": drawing.height, "cy": drawing.height}.items():
            assert 0 <= float(there.get(attribute, 0)) <= limit, mark
        if mark.tag == "rect":
            x, y, width, height = (float(there[part]) for part in ("x", "y", "width", "height"))
            assert 7.6 * len(drawing.marks[drawing.marks.index(mark) + 1].text) < width + 8, "words fit their box"
            assert not any(x < right and left < x + width and y < low and top < y + height
                           for left, top, right, low in places), mark
            places.append((x, y, x + width, y + height))


def test_an_unknown_wrapping_and_a_layer_too_many_are_refused():
    with pytest.raises(ValueError, match="did you mean 'pre-ln'"):
        diagrams.wiring("preln")
    with pytest.raises(ValueError, match="layer must be from 0 to 11 in a stack of 12 layers, not 12"):
        diagrams.wiring("pre-ln", layer=12)
    with pytest.raises(ValueError, match="layers must be at least 1"):
        diagrams.wiring("pre-ln", layers=0)


@pytest.mark.parametrize("name, sublayers, told", [
    ("pre-ln", (), "at least one sublayer for 'pre-ln', not ()"),
    ("parallel", ("a", "b", "c"), "two sublayers for 'parallel'"),
])
def test_sublayers_that_cannot_be_drawn_are_refused(name, sublayers, told):
    with pytest.raises(ValueError, match=re.escape(told)):
        diagrams.wiring(name, sublayers)


@pytest.mark.parametrize("name", rs.WRAPPINGS)
def test_a_branch_leaves_the_stream_below_the_norm_and_comes_back_to_the_addition(name):
    marks = diagrams.wiring(name).marks
    on_stream = [(float(d["y"]), float(d["y"]) + float(d["height"])) for d in (dict(m.attributes) for m in marks
                 if m.tag == "rect") if float(d["x"]) < STREAM]
    rings = [dict(mark.attributes)["cy"] for mark in marks if mark.tag == "circle"]
    wires = [dict(mark.attributes)["d"][1:].split("L") for mark in marks if mark.tag == "path"]
    for wire in (wire for wire in wires if len(wire) == 6):
        (x, fork), (end, back) = wire[0].split(), wire[-1].split()
        assert float(x) == float(end) == STREAM and back in rings
        assert all(not top - 3 < float(fork) < low + 3 for top, low in on_stream)


def test_the_words_say_how_the_stream_is_carried():
    assert "carried past each branch as it is;" in diagrams.wiring("pre-ln").alt
    assert "carried past each branch times 2.21;" in diagrams.wiring("deepnorm", layers=12).alt      # (2 * 12) ** (1 / 4)
