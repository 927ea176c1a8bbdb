"""The drawings against the worked example, computed here a second time from the definitions."""

import gzip
import re
from statistics import fmean, pvariance
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from residual_stream.pictures.explorer import explore
from residual_stream.pictures.variance_growth import repeated_addition, variances
from residual_stream.pictures.variance_trace import addition, predict_variance, say_variance, three_bars

X0 = (1, -1, 2, -2)
STRENGTHS = st.integers(-50, 50).map(lambda n: n / 20)


def expected(a):
    std = pvariance(X0) ** 0.5
    branch = [a * x / std + 1 for x in X0]
    after = [x + f for x, f in zip(X0, branch)]
    covariance = fmean(x * (f - 1) for x, f in zip(X0, branch))
    return pvariance(X0), pvariance(branch), 2 * covariance, pvariance(after), after


def numbers(text):
    return [float(number.replace("−", "-")) for number in re.findall(r"−?\d+\.\d+", text)]


def bars(drawing):
    rects = [dict(mark.attributes) for mark in drawing.marks if mark.tag == "rect"]
    return [(float(rect["x"]), float(rect["x"]) + float(rect["width"])) for rect in rects]


@settings(deadline=None)
@given(a=STRENGTHS)
def test_alt_and_table_tell_the_computed_numbers(a):
    var_stream, var_branch, twice, var_sum, after = expected(a)
    told = [var_stream, var_branch, twice, var_sum, var_stream + var_branch]
    assert numbers(three_bars(a).alt) == pytest.approx(told, abs=5.1e-5)
    assert numbers(addition(a).alt) == pytest.approx([a, *told, *after], abs=5.1e-5)
    cells = [float(value.replace("−", "-")) for _, value in addition(a).table.rows]
    assert cells == pytest.approx([*told, *after], abs=5.1e-5)
    assert numbers(say_variance(a)) == pytest.approx([a, var_sum], abs=5.1e-5)


@settings(deadline=None)
@given(a=STRENGTHS, draw=st.sampled_from((three_bars, addition)))
def test_three_bars_add_up_to_the_fourth(a, draw):
    var_stream, var_branch, twice, var_sum, _ = expected(a)
    stream, branch, covariance, total = bars(draw(a))
    unit = (stream[1] - stream[0]) / var_stream
    assert branch[0] == pytest.approx(stream[1], abs=0.21)
    assert branch[1] - branch[0] == pytest.approx(unit * var_branch, abs=0.4)
    assert covariance[1] - covariance[0] == pytest.approx(unit * abs(twice), abs=0.6)
    joint = covariance[0] if twice >= 0 else covariance[1]
    assert joint == pytest.approx(branch[1], abs=0.21), "the covariance's bar starts where the naive guess ends"
    assert total[0] == stream[0] and total[1] == pytest.approx(covariance[1] if twice >= 0 else covariance[0], abs=0.21)
    assert total[1] - total[0] == pytest.approx(unit * var_sum, abs=0.6)


@settings(deadline=None)
@given(a=STRENGTHS, draw=st.sampled_from((three_bars, addition)))
def test_every_bar_has_its_number_beside_it(a, draw):
    var_stream, var_branch, twice, var_sum, _ = expected(a)
    marks = draw(a).marks
    starts = [index for index, mark in enumerate(marks) if mark.tag == "rect"]
    beside = [(marks[index - 1].text, numbers(marks[index + 1].text)) for index in starts]
    assert [name for name, _ in beside] == ["Var(x₀)", "+ Var(f)", "+ 2 Cov", "= Var(x₁)"]
    assert [value for _, (value,) in beside] == pytest.approx([var_stream, var_branch, twice, var_sum], abs=5.1e-5)
    naive, = (numbers(mark.text) for mark in marks if mark.text and mark.text.startswith("naive guess"))
    assert naive == pytest.approx([var_stream + var_branch], abs=5.1e-5)


def test_the_curves_are_the_variance_and_the_naive_guess():
    naive, closed = ([[float(number) for number in point.split()] for point in dict(mark.attributes)["d"][1:].split("L")]
                     for mark in addition(0.5).marks if mark.tag == "path")
    strengths = np.linspace(-2.5, 2.5, len(closed))
    top, bottom = max(y for _, y in closed), min(y for _, y in closed)
    unit = (top - bottom) / (expected(2.5)[3] - expected(-1.6)[3])
    for a, (x, y), (also_x, naive_y) in zip(strengths, closed, naive, strict=True):
        var_stream, var_branch, _, var_sum, _ = expected(a)
        assert top - y == pytest.approx(unit * var_sum, abs=0.2)
        assert top - naive_y == pytest.approx(unit * (var_stream + var_branch), abs=0.2)
        assert x == also_x == pytest.approx(closed[0][0] + (closed[-1][0] - closed[0][0]) * (a + 2.5) / 5, abs=0.1)


@settings(deadline=None)
@given(a=STRENGTHS)
def test_the_vector_s_branches_go_from_before_to_after(a):
    *_, after = expected(a)
    marks = [mark for mark in addition(a).marks if mark.tag in ("circle", "line")]
    rows = [index for index, mark in enumerate(marks) if dict(mark.attributes)["class"] == "branch thick"][1:]
    for index, x0, x1 in zip(rows, X0, after, strict=True):
        branch, ring, disc = (dict(mark.attributes) for mark in marks[index:index + 3])
        assert (branch["x1"], branch["x2"]) == (ring["cx"], disc["cx"])
        assert (float(disc["cx"]) - float(ring["cx"])) == pytest.approx((x1 - x0) * 200 / 11.2, abs=0.15)


def test_the_worked_example():
    assert numbers(three_bars(0.5).alt) == [2.5, 0.25, 1.5811, 4.3311, 2.75]
    assert "naive guess 2.7500" in three_bars(0.5).svg()
    assert "−1.5811" in three_bars(-0.5).svg()
    assert "[2.3162, −0.3162, 3.6325, −1.6325]" in addition(0.5).alt


def test_every_mark_of_every_step_lies_inside_the_drawing(keeps_inside):
    for a in np.linspace(-2.5, 2.5, 101):
        keeps_inside(addition(a))


def test_the_slider_fits_the_budget_and_only_moves_what_changes():
    explorer = explore(addition, name="variance", a=np.linspace(-2.5, 2.5, 101), start=0.5, say=say_variance,
                       predict=predict_variance(1, "What is Var(x1) at a = 1?"))
    assert len(gzip.compress(explorer.html().encode())) < 15_000
    axis_numbers = [index for index, mark in enumerate(explorer.drawing(0.5).marks) if mark.text in ("5", "10", "15")]
    assert len(axis_numbers) == 6
    assert not {index for index, _, _ in explorer.merged.varying} & set(axis_numbers)


@pytest.mark.parametrize("at", [-2, -1.2, -1, 0.5, 1, 2.25])
def test_a_right_guess_lies_on_the_point_and_its_words_inside(at):
    point = [dict(mark.attributes) for mark in addition(at).marks if mark.tag == "circle"][-1]
    prediction = predict_variance(at, "?")
    assert prediction.truth == pytest.approx(expected(at)[3])
    words, *cross = prediction.marks(prediction.truth)
    for stroke in map(dict, (mark.attributes for mark in cross)):
        assert float(stroke["x1"]) + float(stroke["x2"]) == pytest.approx(2 * float(point["cx"]), abs=0.21)
        assert float(stroke["y1"]) + float(stroke["y2"]) == pytest.approx(2 * float(point["cy"]), abs=0.21)
    placed = dict(words.attributes)
    assert float(placed["x"]) > 80 if "text-anchor" in placed else float(placed["x"]) < 340 - 80


def test_repeated_additions_grow_linearly_with_layer_norm_and_multiply_without():
    table = repeated_addition(0.5, 12).table
    cells = np.array([[float(cell) for cell in row] for row in table.rows])
    count = np.arange(13)
    assert cells[:, 1] == pytest.approx(2.5 ** 0.5 + 0.5 * count, abs=5.1e-5)
    assert cells[:, 2] == pytest.approx((2.5 ** 0.5 + 0.5 * count) ** 2, abs=5.1e-5)
    assert cells[:, 3] == pytest.approx(2.5 * 2.25 ** count, abs=5.1e-5)


def test_the_growth_s_lines_are_straight_where_they_are_said_to_be():
    root = ElementTree.fromstring(repeated_addition().svg())
    lines = [(path.get("style"), [[float(number) for number in point.split()] for point in path.get("d")[1:].split("L")])
             for path in root.iter("{http://www.w3.org/2000/svg}path") if path.get("d").count("L") == 12]
    std, plain, normed = (np.diff([y for _, y in points]) for _, points in lines)
    assert [re.search(r"stroke:var\(--(\w+)\)", style)[1] for style, _ in lines] == ["norm", "ink", "norm"]
    assert np.ptp(std) <= 0.21 and std[0] < -5, "the standard deviation"
    assert np.ptp(plain) <= 0.21 and plain[0] < -5, "the variance without layer norm, on a logarithmic axis"
    assert normed[0] < 2 * normed[-1] < 0, "the variance with layer norm bends there"


def test_the_alt_of_repeated_additions_tells_its_ends():
    assert numbers(repeated_addition().alt) == pytest.approx([0.5, 1.5811, 7.5811, 0.5, 57.4737, 2.25])
    assert repeated_addition().alt.endswith("is 42085.")
    assert variances(lambda stream: 0 * stream, 3) == pytest.approx([2.5] * 4)


@pytest.mark.parametrize("a", [-2.5, -1.5, 0, 0.5, 2.5])
def test_bars_keep_to_their_panel_between_names_and_numbers(a):
    names, figures = 66, 272  # where the words on the left end, and what keeps clear of the numbers, which begin at 280
    drawn = bars(addition(a))
    assert drawn[0][0] == drawn[3][0] == 78, "the stream before and after start at the axis"
    assert all(names <= start <= end <= figures for start, end in drawn)


@settings(deadline=None)
@given(a=STRENGTHS, draw=st.sampled_from((three_bars, addition)))
def test_the_ground_under_the_guess_s_line_takes_nothing_from_the_end_of_the_last_bar(a, draw):
    halo, = (dict(mark.attributes) for mark in draw(a).marks if dict(mark.attributes)["class"] == "halo")
    x, length = float(halo["x1"]), float(halo["y2"]) - float(halo["y1"])
    end = bars(draw(a))[3][1]
    assert not length or end - x > 2, "half the halo's width"
    assert length or end - x <= 4.5, "a line across the bar stands out from it"
