"""The drawings of gradients over depth against gradients made up for the purpose."""

import gzip
import json
import re
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
import pytest

import residual_stream as rs
from residual_stream.model.add_and_norm import READINGS
from residual_stream.pictures import pre_post
from residual_stream.pictures.explorer import explore

CHAPTER = Path(__file__).parents[2] / "chapters" / "pre-post.ipynb"
DEPTHS, SEEDS = (4, 8, 16, 32), 5


def made_up(seed=0):
    """Post-LN flat in depth, pre-LN falling like 1/sqrt(L), each layer and seed with a little noise."""
    rng = np.random.default_rng(seed)
    noise = [1 + 0.05 * rng.standard_normal((2, SEEDS, depth)) for depth in DEPTHS]
    return pre_post.Gradients(DEPTHS, {
        "post-ln": [1.3 * n[0] for n in noise],
        "pre-ln": [1.2 * depth**-0.5 * np.linspace(2, 1, depth) * n[1] for depth, n in zip(DEPTHS, noise)],
    })


@pytest.fixture(scope="module")
def gradients():
    return made_up()


def of(drawing, tag, kind):
    found = [dict(mark.attributes) for mark in drawing.marks if mark.tag == tag]
    return [attributes for attributes in found if attributes["class"] == kind]


def test_first_and_last_are_the_ends_of_each_stack(gradients):
    for wrapping in ("post-ln", "pre-ln"):
        for n, depth in enumerate(DEPTHS):
            norms = gradients.norms[wrapping][n]
            assert norms.shape == (SEEDS, depth)
            assert gradients.last(wrapping)[n].tolist() == [row[depth - 1] for row in norms.tolist()]
            expected = [row[0] / row[depth - 1] for row in norms.tolist()]
            assert gradients.first_over_last(wrapping)[n] == pytest.approx(expected)


def test_a_power_law_gives_its_exponent_for_each_seed():
    depths = (6, 12, 24, 48)
    values = np.array([[c * depth**p for c, p in ((1.0, -0.5), (3.0, 0.0), (0.1, 2.0))] for depth in depths])
    assert pre_post.exponents(depths, values) == pytest.approx([-0.5, 0.0, 2.0])


@pytest.mark.parametrize("depths, values", [
    ((6,), [[1.0]]), ((6, 12), [[1.0], [0.0]]), ((6, 12), [1.0, 2.0]), ((6, 12, 24), [[1.0], [2.0]]),
    ((6, 12), [[1.0], [float("nan")]]),
])
def test_no_exponent_without_positive_values_at_two_depths(depths, values):
    with pytest.raises(ValueError, match="positive and of shape"):
        pre_post.exponents(depths, values)


@pytest.mark.parametrize("layers", DEPTHS)
def test_the_drawing_tells_its_ends(gradients, layers):
    drawing, n = gradients.at(layers), DEPTHS.index(layers)
    ends = [fmean(gradients.norms[kind][n][:, end]) for kind in ("post-ln", "pre-ln") for end in (0, -1)]
    assert [float(x) for x in re.findall(r"\d+\.\d+", drawing.alt)] == pytest.approx(ends, abs=5.1e-3)
    errors = [stdev(gradients.norms[kind][n][:, end]) / SEEDS**0.5 for kind in ("post-ln", "pre-ln") for end in (0, -1)]
    assert [float(row[1]) for row in drawing.table.rows] == pytest.approx(ends, abs=5.1e-4)
    assert [float(row[2]) for row in drawing.table.rows] == pytest.approx(errors, abs=5.1e-4)


def test_the_points_stand_at_their_depths_with_their_errors(gradients):
    drawing = gradients.at(8)
    across, up = gradients._depth_scales()
    for kind, colour in (("post-ln", "norm"), ("pre-ln", "stream")):
        rings, bars = of(drawing, "circle", f"{colour} hollow"), of(drawing, "line", f"{colour} thick")
        assert len(rings) == len(bars) == len(DEPTHS)
        for depth, values, ring, bar in zip(DEPTHS, gradients.last(kind), rings, bars):
            mean, error = fmean(values), stdev(values) / SEEDS**0.5
            assert (float(ring["cx"]), float(ring["cy"])) == pytest.approx((across(depth), up(mean)), abs=0.06)
            assert float(bar["y1"]) - float(bar["y2"]) == pytest.approx(up(mean - error) - up(mean + error), abs=0.11)
        assert float(of(drawing, "circle", colour)[-1]["cx"]) == pytest.approx(across(8), abs=0.06)


def test_the_dashed_line_is_one_over_the_root_from_the_first_point(gradients):
    path = of(gradients.at(4), "path", "ink dashed")[0]["d"]
    points = [[float(number) for number in point.split()] for point in path[1:].split("L")]
    up = gradients._depth_scales()[1]
    first = gradients.last("pre-ln")[0].mean()
    assert points[0][1] == pytest.approx(up(first), abs=0.06)
    assert points[-1][1] == pytest.approx(up(first * (4 / 32) ** 0.5), abs=0.06)


def test_the_slider_fits_and_asks_for_pre_ln_at_the_last_depth(gradients, keeps_inside):
    explorer = explore(gradients.at, name="depth", layers=DEPTHS, say=gradients.say,
                       predict=gradients.predict(32, "?"))
    assert explorer.predict.truth == pytest.approx(gradients.last("pre-ln")[-1].mean())
    assert explorer.said[0].startswith("4 layers: last gradient 1.")
    assert len(gzip.compress(explorer.html().encode())) < 8_000
    ring = of(explorer.drawing(32), "circle", "stream hollow")[-1]
    _, *cross = explorer.predict.marks(explorer.predict.truth)
    for stroke in (dict(mark.attributes) for mark in cross):
        assert float(stroke["x1"]) + float(stroke["x2"]) == pytest.approx(2 * float(ring["cx"]), abs=0.21)
        assert float(stroke["y1"]) + float(stroke["y2"]) == pytest.approx(2 * float(ring["cy"]), abs=0.21)
    for depth in DEPTHS:
        keeps_inside(explorer.drawing(depth))


def cell(name):
    return next(c for c in json.loads(CHAPTER.read_text("utf-8"))["cells"] if c["id"] == name)


def plain(source):
    """TeX without colours, sizes of brackets and spaces."""
    source = re.sub(r"\\class\{\w+\}\{((?:[^{}]|\{[^{}]*\})*)\}", r"\1", source)
    return re.sub(r"\\bigl|\\bigr|\s", "", source)


def test_the_chapter_writes_the_formulas_of_the_code():
    wrappings, readings = plain("".join(cell("two-ways")["source"])), plain("".join(cell("readings")["source"]))
    for name in ("post-ln", "pre-ln"):
        assert f"$${plain(rs.WRAPPINGS[name].formula)}$$" in wrappings
    for reading in READINGS.values():
        assert f"|${plain(reading.formula)}$|" in readings


def test_the_chapter_s_exponents_are_those_of_the_theorem():
    """Post-LN 0 and pre-LN -1/2, within two standard errors."""
    printed = "".join(cell("exponents")["outputs"][0]["text"])
    found = [tuple(map(float, pair)) for pair in re.findall(r"([-+][\d.]+) ± ([\d.]+)", printed)]
    for (mean, error), power in zip(found, (0, -0.5), strict=True):
        assert abs(mean - power) < 2 * error


def test_the_chapter_s_words_about_sizes_hold():
    printed = "".join(cell("mechanism-cell")["outputs"][0]["text"])
    product, post = np.array([tuple(map(float, p)) for p in re.findall(r"= ([\d.]+) +([\d.]+)", printed)]).T
    assert len(product) == 5 and np.ptp(product) < 0.25 * product.mean(), "it does not depend on depth"
    assert np.abs(product / post - 1).max() < 0.15, "and is near post-LN's"
    ratios = re.findall(r"([\d.]+) ± [\d.]+", "".join(cell("not-shown-cell")["outputs"][0]["text"]))
    post, pre = np.array(ratios, dtype=float).reshape(5, 2).T
    assert post.min() > 1 and (np.diff(pre) > 0).all() and pre.min() > 2
