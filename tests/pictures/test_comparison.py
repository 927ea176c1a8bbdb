"""The drawings of the comparison against hand-made measurements, and the chapter's words against new seeds."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import residual_stream as rs
from residual_stream.model.comparison import Compared, along, compare
from residual_stream.model.weights import all_weights
from residual_stream.pictures import comparison
from residual_stream.pictures.explorer import explore

CHAPTER = Path(__file__).parents[2] / "chapters" / "after.ipynb"


def hand_made(title, variance, **other):
    zeros = np.zeros((2, len(variance)))
    given = {"first": [1.0, 1.0], "last": [1.0, 1.0], "update": [0.1, 0.1]} | other
    first, last, update = (np.array(given[name]) for name in ("first", "last", "update"))
    return Compared(title.lower(), title, zeros + variance, zeros + 0.25, first, last, update)


ROWS = [hand_made("Grows", [1.0, 10.0, 100.0]), hand_made("Holds", [1.0, 1.0, 1.0]),
        hand_made("Leaves", [1.0, 1e3, 1e6]), hand_made("Shrinks", [1.0, 0.5, 0.25])]


def bars(drawing):
    return [dict(mark.attributes) for mark in drawing.marks if mark.tag == "rect"]


def test_bars_are_logarithms_and_end_at_the_axis():
    growth = comparison.Growth(ROWS)
    assert growth.layers == 2
    for layer, widths in ((1, [1 / 3, 0, 1, 0]), (2, [2 / 3, 0, 1, 0])):
        drawn = bars(growth.after(float(layer)))
        expected = [max(100 * width, 1) for width in widths]
        assert [float(bar["width"]) for bar in drawn] == pytest.approx(expected, abs=0.06)
        assert {bar["x"] for bar in drawn} == {"132"} and {bar["class"] for bar in drawn} == {"stream"}
    assert growth.after(2).alt == ("after 2 layers. Variance of the stream and cosine of two tokens: Grows 100, 0.25; "
                                   "Holds 1.00, 0.25; Leaves 10⁶, 0.25; Shrinks 0.25, 0.25.")
    assert growth.after(2).table.rows[2] == ("Leaves", "10⁶", "0.25")


def test_the_slider_asks_for_one_wrapping_at_the_end():
    growth = comparison.Growth(ROWS)
    explorer = explore(growth.after, layer=range(3), say=growth.say, predict=growth.predict("grows", "?"))
    assert explorer.predict.truth == 100 and explorer.predict.at == 2 and explorer.said[1] == "after 1 layer"


def test_a_ring_and_a_disc_for_each_row_and_what_lies_beyond_in_words(keeps_inside):
    hollow = [[1, 3], [0, 0], [1e5, 1e5], [0.5, 0.5], [2, 2]]
    solid = [[10, 10], [0, 0], [1e7, 1e7], [1e-6, 1e-6], [1e4, 1e4]]
    drawing = comparison.pairs("ABCDE", np.array(hollow), np.array(solid), ("one", "other"), -2, 3, "pairs", "Two.")
    circles = [dict(mark.attributes) for mark in drawing.marks if mark.tag == "circle"][2:]
    axis = lambda power: 132 + 188 * (power + 2) / 5
    expected = [axis(np.log10(2)), axis(1), axis(-2), axis(-2), axis(3), axis(3), axis(np.log10(0.5)), axis(-2),
                axis(np.log10(2)), axis(3)]
    assert [float(c["cx"]) for c in circles] == pytest.approx(expected, abs=0.06)
    assert [c["class"] for c in circles] == ["ink hollow", "ink"] * 5
    beyond = [mark for mark in drawing.marks if "halo" in dict(mark.attributes).get("class", "")]
    assert [mark.text for mark in beyond] == ["0", "10⁵ and 10⁷", "other: 10⁻⁶", "other: 10⁴"]
    beside = [axis(-2) + 9, axis(3) - 9, axis(np.log10(0.5)) + 9, axis(np.log10(2)) - 9]
    assert [float(dict(mark.attributes)["x"]) for mark in beyond] == pytest.approx(beside, abs=0.06)
    assert drawing.alt == "Two. one and other: A 2.00 and 10.0; B 0 and 0; C 10⁵ and 10⁷; D 0.50 and 10⁻⁶; E 2.00 and 10⁴."
    assert drawing.table.rows[0] == ("A", "one", "2.00", "1.00")
    keeps_inside(drawing)


@pytest.mark.parametrize("value, words", [
    (0, "0"), (1.1e-6, "10⁻⁶"), (0.07, "0.070"), (0.5, "0.50"), (12.34, "12.3"), (345.6, "346"), (2e15, "10¹⁵")])
def test_short_numbers(value, words):
    assert comparison.short(value) == words


# The chapter.

def cell(name):
    return "".join(next(c for c in json.loads(CHAPTER.read_text("utf-8"))["cells"] if c["id"] == name)["source"])


def test_the_chapter_writes_the_formulas_of_the_wrappings():
    def bare(tex):
        """What stands right of the head's x_{l+1}, words and formulas in one."""
        tex = re.sub(r"\\class\{\w+\}\{((?:[^{}]|\{[^{}]*\})*)\}", r"\1", tex).removeprefix("x_{l+1} = ")
        return re.sub("[ $]", "", re.sub(r"\\text\{([^}]*)\}|\\;", r"\1", tex))

    written = bare(cell("norms") + cell("numbers"))
    assert written.count("|wrapping|x_{l+1}|from|") == 2
    told = set(re.findall(r'"([^"]+)"', cell("compare-cell"))) - {"pre-ln", "post-ln"}
    assert len(told) == 10
    assert [name for name in told if f"|{bare(rs.WRAPPINGS[name].formula)}|" not in written] == []


@pytest.fixture(scope="module")
def afresh():
    """Other seeds than the chapter's."""
    def stack(wrapping, seed):
        return rs.Config(layers=24, width=32, tokens=16, wrapping=wrapping, seed=seed)
    return stack


def test_the_words_about_growth_hold(afresh):
    ends = {name: np.mean([along(afresh(name, seed)).variance[-1] for seed in (11, 12, 13, 14, 15, 16)])
            for name in ("sandwich", "pre-ln", "rezero", "layerscale", "layernorm-scaling")}
    assert ends["sandwich"] == pytest.approx(49, rel=0.3) and ends["pre-ln"] < ends["sandwich"]
    assert ends["rezero"] == pytest.approx(ends["layerscale"], rel=1e-3) and ends["layernorm-scaling"] < 8
    alike = [along(afresh(name, 11)).similarity[-1] for name in ("post-ln", "mix-ln")]
    assert min(alike) > 0.9


def test_the_words_about_sharp_attention_hold(afresh):
    def without_scores(config):
        for weights in all_weights(config):
            weights["attention"]["qkv"][:, :2 * config.width] = 0
            yield weights
    configs = [afresh("res-post-norm", seed) for seed in (11, 12, 13, 14)]
    first = np.median([rs.gradient_norms(config)[0, 1] for config in configs])
    still = np.median([rs.gradient_norms(config, layers=without_scores(config))[0, 1] for config in configs])
    sandwich = np.median([rs.gradient_norms(afresh("sandwich", seed))[0, 1] for seed in (11, 12, 13, 14)])
    assert first > 4 * still and first > 4 * sandwich and still < 2.5 * sandwich


def test_the_words_about_updates_hold():
    names = [name for name in rs.WRAPPINGS if name not in ("rezero", "layerscale")]
    shallow, deep = (compare(names, layers=layers, seeds=2, width=16, tokens=8) for layers in (4, 16))
    update = {c.name: c.update.mean() for c in deep}
    assert all(c.update.mean() < update[c.name] for c in shallow)
    assert sorted(update, key=update.get)[:2] == ["deepnorm", "layernorm-scaling"]
