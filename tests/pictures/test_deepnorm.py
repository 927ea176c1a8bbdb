"""The drawings of very deep stacks, against a hand-made table and the committed ones; and what the chapter says."""

import gzip
import re

import numpy as np
import pytest

from residual_stream.model.model_update import COLUMNS, DEPTHS
from residual_stream.model.tables import parse_table, read_table, table_text
from residual_stream.pictures import deepnorm
from residual_stream.pictures.explorer import explore

POWERS = {"post-ln": 0.5, "pre-ln": 0.25, "deepnorm": 0.0}


@pytest.fixture(scope="module")
def by_hand():
    """Updates that are powers of the depth, two seeds that differ by a factor of three."""
    rows = [(name, layers, seed, 1e-3 * (1 + 2 * seed) * layers**power, 1e-4 * (1 + 2 * seed) * layers**power, 1, 1, 1)
            for name, power in POWERS.items() for layers in (10, 100, 1000) for seed in (0, 1)]
    return deepnorm.updates(parse_table(table_text(COLUMNS, rows, [])))


@pytest.fixture(scope="module")
def committed():
    return deepnorm.updates(read_table("model_update"))


def of(drawing, tag, kind):
    found = [dict(mark.attributes) for mark in drawing.marks if mark.tag == tag]
    return [attributes for attributes in found if attributes["class"] == kind]


@pytest.mark.parametrize("fraction, told", [
    (0.93, "93 %"), (0.0281, "2.8 %"), (0.00281, "0.28 %"), (7.82e-5, "0.0078 %"), (1.0, "100 %"), (0.01, "1 %"),
    (1e-5, "0.001 %"), (1.21, "121 %"),
])
def test_percentages_have_two_digits_that_count(fraction, told):
    assert deepnorm.percent(fraction) == told


def test_means_and_errors_are_those_of_the_seeds(by_hand):
    assert by_hand.means["post-ln", "adam"] == pytest.approx([2e-3 * n**0.5 for n in (10, 100, 1000)])
    assert by_hand.errors["deepnorm", "sgd"] == pytest.approx([1e-4] * 3)
    assert "0.20 % in DeepNorm" in by_hand.draw(1000).alt and "α = 6.687, β = 0.106" in by_hand.draw(1000).alt


def test_powers_of_the_depth_are_straight_and_the_points_lie_on_them(by_hand):
    for layers, column in ((10, 0), (100, 1), (1000, 2)):
        drawing = by_hand.draw(layers)
        paths = [dict(mark.attributes) for mark in drawing.marks if mark.tag == "path"]
        points = [dict(mark.attributes) for mark in drawing.marks if mark.tag == "circle"]
        assert len(paths) == len(points) == 6
        for path, point in zip(paths, points):
            corners = [tuple(map(float, corner.split())) for corner in path["d"][1:].split("L")]
            assert corners[1][1] == pytest.approx((corners[0][1] + corners[2][1]) / 2, abs=0.11)
            assert (float(point["cx"]), float(point["cy"])) == pytest.approx(corners[column])
        tick = {mark.text: float(dict(mark.attributes)["y"]) - 4.5 for mark in reversed(drawing.marks)
                if mark.text in ("0.1 %", "1 %")}  # those of the upper panel
        place = (float(points[2]["cy"]) - tick["0.1 %"]) / (tick["1 %"] - tick["0.1 %"])
        assert place == pytest.approx(np.log10(2), abs=0.01), "0.2 % lies between its ticks"
        assert paths[2]["d"].split("L")[0].split()[1] == paths[2]["d"].split("L")[2].split()[1], "DeepNorm's is flat"


def test_the_slider_is_light_and_keeps_to_its_drawing(committed, keeps_inside):
    explorer = explore(committed.draw, layers=committed.depths, say=committed.say, predict=committed.predict(1000, "?"))
    assert len(gzip.compress(explorer.html().encode())) < 15_000
    assert explorer.predict.truth == pytest.approx(100 * committed.means["deepnorm", "adam"][-1])
    for layers in committed.depths:
        drawing = committed.draw(layers)
        assert (drawing.width, drawing.height) == (340, 500)
        keeps_inside(drawing)


def test_curves_over_the_layers_tell_their_ends():
    picture = deepnorm.over_layers({"one": {"pre-ln": [0.5, 0.25], "deepnorm": [0.995, 0.999]}}, "two", "Two.")
    assert picture.alt == ("From the first layer to the last. "
                           "one: Pre-LN from 0.50 to 0.25; DeepNorm from 0.9950 to 0.9990.")
    assert picture.svg().count("stroke-dasharray") >= 1


def slope(table, name, column):
    own = table[table["wrapping"] == name]
    return np.polyfit(np.log(own["layers"]), np.log(own[column]), 1)[0]


def test_what_the_chapter_says_of_the_updates_holds(committed):
    means = committed.means
    for other in ("pre-ln", "post-ln"):
        for step in ("adam", "sgd"):
            assert (means["deepnorm", step] < 0.1 * means[other, step]).all(), "less than a tenth"
    assert means["deepnorm", "adam"][-1] < means["post-ln", "adam"][0], "1,000 layers move less than six of post-LN"
    assert (means["post-ln", "adam"][DEPTHS.index(48):] > 0.5).all(), "half of the output or more"
    table = read_table("model_update")
    assert abs(slope(table, "deepnorm", "adam") - 0.5) < 0.03
    assert abs(slope(table, "deepnorm", "sgd")) < 0.03
    ratio = table["first_gradient"] / table["last_gradient"]
    assert np.abs(ratio[table["wrapping"] == "deepnorm"] - 1).max() < 0.12, "flat over the layers"
    deepest = table["layers"] == 1000
    assert np.exp(np.log(ratio[(table["wrapping"] == "pre-ln") & deepest]).mean()) == pytest.approx(19, abs=0.5)
    assert ratio[(table["wrapping"] == "post-ln") & deepest].max() < 1e-3
    assert ratio[(table["wrapping"] == "post-ln") & (table["layers"] <= 48)].min() > 0.1


def test_what_the_chapter_says_of_alike_layers_holds():
    table = read_table("similarity")

    def after(name, measure, trained=1):
        own = table[(table["wrapping"] == name) & (table["trained"] == trained)]
        return np.array([own[measure][own["layer"] == layer].mean() for layer in range(12)])

    assert after("deepnorm", "neighbours", 0)[1:].min() > after("pre-ln", "neighbours", 0).max()
    assert after("post-ln", "neighbours").max() < 0.85
    pre, deep = (np.degrees(np.arccos(after(name, "neighbours"))) for name in ("pre-ln", "deepnorm"))
    assert pre[0] > 45 and (np.diff(pre) < 0).all(), "a half of a right angle and more, and ever less"
    assert deep.max() < 2 * deep.min() and pre[-1] > deep[-1], "even steps; pre-LN's last is no smaller"
    pre, deep = (np.degrees(np.arccos(after(name, "from_start"))) for name in ("pre-ln", "deepnorm"))
    assert pre[11] - pre[5] < 5 < 20 < deep[11] - deep[5]


def test_the_alt_text_has_no_number_without_its_stack(committed):
    assert len(re.findall(r"\d %", committed.draw(6).alt)) == 6
