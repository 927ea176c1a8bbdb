"""The drawings of real layers against hand-made traces and against the arrays that a run really adds up."""

import gzip
import json
import re
from pathlib import Path
from statistics import fmean, stdev
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import residual_stream as rs
from residual_stream.model.stack import forward
from residual_stream.model.weights import all_weights, first_stream
from residual_stream.pictures import real_layers
from residual_stream.pictures.explorer import explore

CHAPTER = Path(__file__).parents[2] / "chapters" / "real-layers.ipynb"
LAYERS = 6
CONFIGS = [rs.Config(layers=LAYERS, width=32, tokens=8, seed=seed) for seed in range(5)]


@pytest.fixture(scope="module")
def traces():
    return [rs.trace(config) for config in CONFIGS]


@pytest.fixture(scope="module")
def depth(traces):
    return real_layers.depth(traces)


@pytest.fixture(scope="module")
def additions():
    """By seed, what was added to what: (kind, stream, branch) at each addition, recorded by the stack itself."""
    recorded = []
    for config in CONFIGS:
        rows = []
        forward(first_stream(config), all_weights(config), config,
                lambda layer, kind, stream, branch: rows.append((kind, stream.copy(), branch.copy())))
        recorded.append(rows)
    return recorded


def numbers(text):
    return [float(number.replace("−", "-")) for number in re.findall(r"−?\d+\.\d+", text)]


def of(drawing, tag, kind):
    found = [dict(mark.attributes) for mark in drawing.marks if mark.tag == tag]
    return [attributes for attributes in found if attributes["class"] == kind]


def mean_variance(arrays):
    return fmean(np.var(array, axis=-1).mean() for array in arrays)


def test_the_account_is_the_one_of_the_arrays_themselves(depth, additions):
    """Variances and covariances by numpy.cov, from the streams and branches that the stack added."""
    for layer in range(1, LAYERS + 1):
        upto = [rows[:2 * layer] for rows in additions]
        cov = fmean(sum(np.mean([np.cov(x, f, bias=True)[0, 1] for x, f in zip(stream, branch)])
                        for _, stream, branch in rows) for rows in upto)
        kinds = [sum(mean_variance([branch]) for rows in upto for kind, _, branch in rows if kind == wanted) / len(upto)
                 for wanted in ("attention", "feed-forward")]
        start = mean_variance(rows[0][1] for rows in upto)
        end = mean_variance(rows[-1][1] + rows[-1][2] for rows in upto)
        assert depth.upto(layer) == pytest.approx((start, *kinds, 2 * cov))
        assert depth.variance[layer] == pytest.approx(end) == pytest.approx(sum(depth.upto(layer)))
        assert depth.uncorrelated()[layer] == pytest.approx(start + sum(kinds))


def test_similarity_is_the_mean_cosine_of_two_tokens(depth, additions):
    def cosine(x):
        unit = x / np.linalg.norm(x, axis=-1, keepdims=True)
        return (unit @ unit.T)[~np.eye(len(x), dtype=bool)].mean()

    last = fmean(cosine(rows[-1][1] + rows[-1][2]) for rows in additions)
    assert depth.similarity[-1] == pytest.approx(last)
    assert f"cosine of two tokens {last:.2f}" in depth.growth(LAYERS).alt


@pytest.mark.parametrize("layer", range(LAYERS + 1))
def test_the_bars_add_up_and_tell_their_numbers(depth, layer):
    drawing = depth.growth(layer)
    parts, total = depth.upto(layer), depth.variance[layer]
    assert numbers(drawing.alt)[:5] == pytest.approx([total, *parts], abs=5.1e-3)
    cells = [float(value.replace("−", "-")) for _, value in drawing.table.rows[:5]]
    assert cells == pytest.approx([*parts, total], abs=5.1e-3)
    rects = [mark for mark in drawing.marks if mark.tag == "rect"]
    assert [dict(mark.attributes)["class"] for mark in rects] == ["stream", "branch", "branch", "covariance", "stream"]
    left = [float(dict(mark.attributes)["x"]) for mark in rects]
    wide = [float(dict(mark.attributes)["width"]) for mark in rects]
    unit = wide[4] / total
    assert wide[:4] == pytest.approx([unit * abs(part) for part in parts], abs=0.5)
    assert left[0] == left[4] and left[1:3] == pytest.approx([left[0] + wide[0], left[1] + wide[1]], abs=0.21)
    joint = left[3] + (wide[3] if parts[3] < 0 else 0)
    assert joint == pytest.approx(left[2] + wide[2], abs=0.3), "the covariance starts where the branches end"
    beside = [numbers(drawing.marks[drawing.marks.index(mark) + 1].text) for mark in rects]
    assert np.ravel(beside) == pytest.approx([*parts, total], abs=5.1e-3)


def test_the_point_walks_along_the_measured_curve(depth):
    path = next(d["d"] for d in of(depth.growth(0), "path", "stream"))
    curve = [[float(number) for number in point.split()] for point in path[1:].split("L")]
    bottom, top = curve[0][1], curve[-1][1]
    unit = (bottom - top) / (depth.variance[-1] - depth.variance[0])
    for layer, (x, y) in enumerate(curve):
        point, = of(depth.growth(layer), "circle", "stream")
        assert (float(point["cx"]), float(point["cy"])) == pytest.approx((x, y))
        assert bottom - y == pytest.approx(unit * (depth.variance[layer] - depth.variance[0]), abs=0.25)


def test_the_slider_asks_first_and_marks_the_guess_at_the_point(depth):
    explorer = explore(depth.growth, layer=range(LAYERS + 1), say=depth.say, predict=depth.predict(LAYERS, "?"))
    assert explorer.predict.truth == pytest.approx(depth.variance[LAYERS])
    assert explorer.said[2] == f"after 2 layers: variance {depth.variance[2]:.2f}"
    point, = of(depth.growth(LAYERS), "circle", "stream")
    _, *cross = explorer.predict.marks(explorer.predict.truth)
    for stroke in (dict(mark.attributes) for mark in cross):
        assert float(stroke["x1"]) + float(stroke["x2"]) == pytest.approx(2 * float(point["cx"]), abs=0.21)
        assert float(stroke["y1"]) + float(stroke["y2"]) == pytest.approx(2 * float(point["cy"]), abs=0.21)


def test_a_slider_of_ninety_six_layers_fits_the_budget_and_the_drawing(keeps_inside):
    rng = np.random.default_rng(0)
    added, cov = rng.uniform(0.2, 1, (2, 96)), rng.normal(0, 0.2, 96)
    variance = 1 + np.concatenate([[0], np.cumsum(added.sum(axis=0) + 2 * cov)])
    deep = real_layers.Depth(variance, *added, cov, rng.uniform(0, 1, 96))
    explorer = explore(deep.growth, layer=range(97), say=deep.say)
    assert len(gzip.compress(explorer.html().encode())) < 15_000
    for layer in range(97):
        keeps_inside(deep.growth(layer))


def test_no_label_stands_in_the_way_of_the_point_s_line(depth):
    for layer in range(LAYERS + 1):
        drawing = depth.growth(layer)
        dotted, = of(drawing, "line", "stream dotted")
        for label in (mark for mark in drawing.marks if mark.tag == "text" and "halo" in dict(mark.attributes)["class"]):
            at = dict(label.attributes)
            below = float(at["y"]) > float(dotted["y2"])
            assert not (below and float(at["x"]) < float(dotted["x1"]) < float(at["x"]) + 8 * len(label.text)), label


def test_a_dot_for_each_stack_and_a_bar_at_their_mean(traces):
    drawing = real_layers.correlations(traces)
    rings = [float(ring["cx"]) for ring in of(drawing, "circle", "branch hollow")]
    bars = [float(bar["x1"]) for bar in of(drawing, "line", "ink thick")]
    zero, one = 14 + 312 * 0.1 / 1.1, 326
    told = numbers(drawing.alt)
    for index, kind in enumerate(("attention", "feed-forward")):
        means = [fmean(c for c, k in zip(t.correlation, t.kind) if k == kind) for t in traces]
        mean, error = fmean(means), stdev(means) / 5 ** 0.5
        assert rings[5 * index:5 * index + 5] == pytest.approx([zero + (one - zero) * m for m in means], abs=0.06)
        assert bars[index] == pytest.approx(zero + (one - zero) * mean, abs=0.06)
        assert told[1 + 2 * index:3 + 2 * index] == pytest.approx([mean, error], abs=5.1e-4)


@settings(deadline=None)
@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30))
def test_the_standard_error_is_the_one_of_the_statistics_module(values):
    mean, error = real_layers.mean_and_error(values)
    assert mean == pytest.approx(fmean(values), abs=1e-9)
    assert error == pytest.approx(stdev(values) / len(values) ** 0.5, abs=1e-9)


def test_one_seed_has_no_standard_error():
    with pytest.raises(ValueError, match="at least two seeds"):
        real_layers.mean_and_error([0.3])


def test_lines_that_multiply_are_straight_and_the_alt_tells_their_ends():
    doubled = 2.0 ** np.arange(60)
    curves = {"doubled": (doubled, "ink", "-", "upper left"), "held": (np.ones(60), "norm", ":", "lower right")}
    picture = real_layers.lines(curves, "Var(x)", "additions", "two", "Two lines.")
    assert picture.alt == "Var(x), over additions: doubled from 1.00 to 5.8 × 10^17; held from 1.00 to 1.00."
    root = ElementTree.fromstring(picture.svg())
    paths = [[[float(n) for n in point.split()] for point in path.get("d")[1:].split("L")]
             for path in root.iter("{http://www.w3.org/2000/svg}path") if path.get("d").count("L") == 59]
    steps = [np.diff([y for _, y in path]) for path in paths]
    assert np.ptp(steps[0]) <= 0.21 and steps[0][0] < -1 and np.ptp(steps[1]) == 0


def test_a_label_stands_clear_of_its_line_over_its_whole_width():
    rising = 2.0 ** np.arange(25)
    sides = {"upper right": "above", "lower right": "below"}
    heights = {}
    for side, word in sides.items():
        svg = real_layers.lines({"a long label": (rising, "ink", "-", side)}, "t", "x", word, "").svg()
        root = ElementTree.fromstring(svg)
        points = next(path.get("d")[1:].split("L") for path in root.iter("{http://www.w3.org/2000/svg}path")
                      if path.get("d").count("L") == 24)
        label = next(text for text in root.iter("{http://www.w3.org/2000/svg}text") if text.text == "a long label")
        heights[word] = float(label.get("y")), *(float(points[n].split()[1]) for n in (12, 22))
    y, start, end = heights["above"]
    assert y < end < start
    y, start, end = heights["below"]
    assert y > start


def cell(name):
    return next(c for c in json.loads(CHAPTER.read_text("utf-8"))["cells"] if c["id"] == name)


def test_the_chapter_s_correlations_are_zero_within_two_standard_errors():
    printed = "".join(cell("single")["outputs"][0]["text"])
    found = re.findall(r"([-+][\d.]+) ± ([\d.]+)", printed)
    assert len(found) == 2 and all(abs(float(mean)) < 2 * float(error) for mean, error in found)


def test_the_chapter_writes_the_formulas_of_the_wrappings():
    source = re.sub(r"\\class\{\w+\}\{((?:[^{}]|\{[^{}]*\})*)\}", r"\1", "".join(cell("wrappings")["source"]))
    source = source.replace(" ", "")
    for name in ("pre-ln", "post-ln", "deepnorm", "none"):
        assert f"${rs.WRAPPINGS[name].formula.replace(' ', '')}$" in source


def test_the_chapter_s_words_about_sizes_hold():
    """What the prose says in words, recomputed on seeds of its own."""
    late = {name: np.mean([(t.var_branch / t.var_sum)[-8:] for t in
                           (rs.trace(rs.Config(wrapping=name, seed=seed)) for seed in (5, 6, 7))])
            for name in ("pre-ln", "post-ln", "deepnorm")}
    assert 0.25 < late["post-ln"] < 0.42, "about a third"
    assert late["deepnorm"] < 0.001, "hardly anything"
    assert late["pre-ln"] < 0.1
    one, turned = (list(all_weights(rs.Config(layers=1, seed=9))) for _ in range(2))
    turned[0]["attention"]["out"] *= -1
    a, b = (rs.trace(rs.Config(layers=1, seed=9), layers=weights) for weights in (one, turned))
    assert a.covariance[0] == pytest.approx(-b.covariance[0]) != 0
