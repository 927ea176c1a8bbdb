"""The slider over the five readings: bars against numbers worked out by hand, and the reader's guess on its bar."""

import re

import pytest

from residual_stream.pictures import add_and_norm
from residual_stream.pictures.explorer import explore

ROOT3 = 3**0.5


def by_hand(s):
    """x = [s, 0, 0, 0] and f(z) = z / 2 + 1: the sum is [1.5 s + 1, 1, 1, 1], its norm that of [1, 0, 0, 0]."""
    total = 1.5 * s + 1
    return [ROOT3, 1.5, total / ((total**2 + 3) / 4) ** 0.5, s + ROOT3 / 2 + 1, s + ROOT3]


@pytest.mark.parametrize("s", [0.25, 1.0, 4.0])
def test_the_first_places_are_those_worked_out_by_hand(s):
    assert list(add_and_norm.first_places(s).values()) == pytest.approx(by_hand(s))
    drawing = add_and_norm.readings(s)
    told = [float(number) for number in re.findall(r"\d+\.\d{3}", drawing.alt)]
    assert told == pytest.approx(by_hand(s), abs=5.1e-4)
    bars = [float(dict(mark.attributes)["width"]) for mark in drawing.marks if mark.tag == "rect"]
    scale = add_and_norm.FIRST
    assert bars == pytest.approx([(scale.end - scale.start) * value / 8 for value in by_hand(s)], abs=0.06)


def test_every_size_fits_the_scale_and_the_drawing():
    for s in add_and_norm.SIZES:
        for mark in add_and_norm.readings(s).marks:
            for name, value in mark.attributes:
                if name in ("x", "x1", "x2"):
                    assert 0 <= float(value) <= add_and_norm.WIDTH, mark
        assert max(add_and_norm.first_places(s).values()) <= add_and_norm.FIRST.high


def test_the_slider_asks_about_the_box_as_drawn():
    explorer = explore(add_and_norm.readings, s=add_and_norm.SIZES, say=add_and_norm.say,
                       predict=add_and_norm.predict_as_drawn(4.0, "?"))
    assert explorer.predict.truth == pytest.approx(ROOT3)
    assert explorer.said[3] == "s = 1.00: as drawn\u00a01.732, LN\u00a0before\u00a0F\u00a02.866"
    bar = next(dict(m.attributes) for m in explorer.drawing(4.0).marks if m.tag == "rect")
    _, *cross = explorer.predict.marks(ROOT3)
    for stroke in (dict(mark.attributes) for mark in cross):
        middle = (float(stroke["x1"]) + float(stroke["x2"])) / 2, (float(stroke["y1"]) + float(stroke["y2"])) / 2
        end = float(bar["x"]) + float(bar["width"]), float(bar["y"]) + float(bar["height"]) / 2
        assert middle == pytest.approx(end, abs=0.21)
