"""The drawings of shapes and of the final norm, against the presets, hand-made readouts and the committed runs."""

import gzip
import re

import numpy as np
import pytest

from residual_stream.model.final_norm import Readout
from residual_stream.model.presets import PRESETS, parameter_counts
from residual_stream.model.tables import read_table
from residual_stream.pictures import depth_width, final_norm
from residual_stream.pictures.explorer import explore

LAYERS = 8


@pytest.fixture(scope="module")
def by_depth():
    """Logits whose spread is the root of the depth; losses that anybody can name."""
    source = np.random.default_rng(0)
    plain = source.standard_normal((LAYERS + 1, 4000)) * np.sqrt(1 + np.arange(LAYERS + 1))[:, None]
    normed = source.standard_normal((LAYERS + 1, 4000))
    depth = np.arange(LAYERS + 1)
    return final_norm.ByDepth(Readout(plain, normed, 4.5 + 2.0 * depth, np.full(LAYERS + 1, 4.6), 4.16))


def of(drawing, tag, kind):
    found = [dict(mark.attributes) for mark in drawing.marks if mark.tag == tag]
    return [attributes for attributes in found if attributes["class"] == kind]


def test_every_preset_is_on_the_map():
    picture = depth_width.shapes()
    assert picture.table.rows[3] == ("GPT-3, 175B", "96", "12,288")
    assert picture.table.rows[5] == ("DeepNet, 1,000 layers", "1,000", "512"), "500 and 500 layers"
    for name in ("BERT, GPT-2", "DeepNet", "LLaMA", "Transformer"):
        assert f">{name}</text>" in picture.svg()
    assert "GPT-2, small 12 and 768" in picture.alt


def test_no_line_of_equal_size_runs_through_a_model_s_name():
    """On logarithmic axes the lines have slope -1/2; a name's box is 7.5 units a character wide and 12 high."""
    svg = depth_width.shapes().svg()
    lines = [np.array(re.findall(r"[\d.-]+", d), dtype=float).reshape(2, 2)
             for d in re.findall(r'd="(M[^"]*)"[^>]*stroke-dasharray', svg)]
    assert len(lines) == 3
    for name in ("BERT, GPT-2", "DeepNet", "GPT-3", "LLaMA", "Transformer"):
        tag = re.search(rf"<text([^>]*)>{name}</text>", svg)[1]
        x, y = (float(re.search(rf' {axis}="([\d.-]+)"', tag)[1]) for axis in "xy")
        shift = {"middle": 0.5, "end": 1}.get((re.search(r"text-anchor:\s*(\w+)", tag) or [0, ""])[1], 0)
        left, right = x - shift * 7.5 * len(name), x + (1 - shift) * 7.5 * len(name)
        for (x1, y1), (x2, y2) in lines:
            at = [y1 + (y2 - y1) * (end - x1) / (x2 - x1) for end in (left, right)]
            assert min(at) > y or max(at) < y - 12 or right < x1 or left > x2, name


def test_the_bars_of_a_model_are_its_parameters_and_fill_the_row():
    drawing = depth_width.parts()
    rects = [dict(mark.attributes) for mark in drawing.marks if mark.tag == "rect"][3:]  # after the legend
    for row, (name, preset) in zip(np.array_split(rects, len(PRESETS)), PRESETS.items()):
        counts = parameter_counts(name)
        total = counts["total"]
        wide = np.array([float(bar["width"]) for bar in row])
        expected = [counts["attention"], counts["feed_forward"], counts["norms"], counts["embeddings"] + counts["head"]]
        assert wide / wide.sum() == pytest.approx(np.array(expected) / total, abs=1e-3)
        left = np.array([float(bar["x"]) for bar in row])
        assert left == pytest.approx(depth_width.LEFT + np.concatenate([[0], np.cumsum(wide)[:-1]]), abs=0.3)
        assert wide.sum() == pytest.approx(340 - 2 * depth_width.LEFT, abs=0.3)
    assert "GPT-3, 175B 33, 66 and 0" in drawing.alt


def test_twice_the_width_is_told_with_its_variance():
    picture = depth_width.width_rule((10, 20), (0.5, 2.0), {"wide": (40, 8.0)})
    assert picture.table.rows == (("width 10", "10", "0.500"), ("width 20", "20", "2.00"), ("wide", "40", "8.00"))
    assert "wide 8.00" in picture.alt and "slope 2" in picture.alt


@pytest.mark.parametrize("layers", [0, 3, LAYERS])
def test_histograms_and_curves_show_the_readout(by_depth, layers):
    drawing = by_depth.draw(layers)
    for index, (kind, logits) in enumerate((("stream", by_depth.readout.plain), ("norm", by_depth.readout.normed))):
        bars = of(drawing, "rect", kind)
        heights = np.array([float(bar["height"]) for bar in bars])
        assert len(bars) == final_norm.BINS and (heights >= 0).all()
        assert heights.sum() == pytest.approx(84 / 0.6, abs=2), "all of the logits are in the bars"
        middles = [float(bar["x"]) + float(bar["width"]) / 2 for bar in bars]
        reach = 10 * np.ceil(np.abs(by_depth.readout.plain).max() / 10)
        values = (np.array(middles) - 170) * reach / 150
        found = np.sqrt(np.sum(heights * values**2) / heights.sum())
        spread = logits[layers].std()
        assert found == pytest.approx(np.hypot(spread, reach / final_norm.BINS / 3**0.5), rel=0.03)
        assert f"{spread:.2f}" in drawing.alt
    assert f"which cost {4.5 + 2 * layers:.2f} nats" in drawing.alt and "cost 4.60 nats" in drawing.alt


def test_the_points_lie_on_their_curves_and_the_guess_beside_them(by_depth):
    for layers in range(LAYERS + 1):
        drawing = by_depth.draw(layers)
        for kind in ("stream", "norm"):
            path, = of(drawing, "path", kind)
            x, y = path["d"][1:].split("L")[layers].split()
            point, = of(drawing, "circle", kind)
            assert (float(point["cx"]), float(point["cy"])) == pytest.approx((float(x), float(y)))
    prediction = by_depth.predict(LAYERS, "?")
    assert prediction.truth == 4.5 + 2 * LAYERS
    _, *cross = prediction.marks(prediction.truth)
    point, = of(by_depth.draw(LAYERS), "circle", "stream")
    for stroke in (dict(mark.attributes) for mark in cross):
        assert float(stroke["y1"]) + float(stroke["y2"]) == pytest.approx(2 * float(point["cy"]), abs=0.21)


def test_the_slider_is_light_and_keeps_to_its_drawing(by_depth, keeps_inside):
    explorer = explore(by_depth.draw, layers=range(LAYERS + 1), say=by_depth.say, predict=by_depth.predict(3, "?"))
    assert len(gzip.compress(explorer.html().encode())) < 15_000
    for layers in range(LAYERS + 1):
        drawing = by_depth.draw(layers)
        assert (drawing.width, drawing.height) == (340, 490)
        keeps_inside(drawing)


def test_a_ring_for_each_run_and_the_means_that_the_table_gives():
    table = read_table("final_norm")
    drawing = final_norm.steps_to_learn(table)
    rings = of(drawing, "circle", "norm hollow") + of(drawing, "circle", "stream hollow")
    assert len(rings) == len(table) + 2, "the two others are the legend's"
    chosen = table["steps"][(table["init"] == "Xavier") & (table["layers"] == 24) & (table["final_norm"] == "without")]
    mean, error = chosen.mean(), chosen.std(ddof=1) / len(chosen) ** 0.5
    assert f"Xavier weights, 24 layers, without it {mean:.1f} ± {error:.1f}" in drawing.alt


def test_what_the_chapter_says_of_the_runs_holds():
    table = read_table("final_norm")

    def steps(init, layers, final):
        chosen = table["steps"][(table["init"] == init) & (table["layers"] == layers) & (table["final_norm"] == final)]
        return chosen.mean(), chosen.std(ddof=1) / len(chosen) ** 0.5

    delay = {}
    for layers in (12, 24):
        (with_norm, e1), (without, e2) = (steps("Xavier", layers, final) for final in ("with", "without"))
        delay[layers] = without - with_norm
        assert delay[layers] > 3 * np.hypot(e1, e2)
        (with_norm, e1), (without, e2) = (steps("GPT-2's", layers, final) for final in ("with", "without"))
        assert abs(without - with_norm) < np.hypot(e1, e2)
    assert delay[24] > delay[12]
    assert table["last_accuracy"].min() > 0.99
    assert len(re.findall("±", final_norm.steps_to_learn(table).alt)) == 8
