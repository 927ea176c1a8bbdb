"""The drawings of paths and of stretch factors, against products and counts made here."""

import gzip
import re

import numpy as np
import pytest

import residual_stream as rs
from residual_stream.model.paths import branch_jacobians
from residual_stream.pictures.explorer import explore
from residual_stream.pictures.paths import Spectra, paths

RNG = np.random.default_rng(0)


def of(drawing, tag, kind):
    found = [dict(mark.attributes) for mark in drawing.marks if mark.tag == tag]
    return [attributes for attributes in found if attributes["class"] == kind]


def test_a_row_for_each_path_with_a_dot_for_each_branch_taken():
    branches = branch_jacobians(rs.Config(layers=2, width=6, heads=2, tokens=3))
    drawing = paths(branches)
    names = [mark.text for mark in drawing.marks if mark.tag == "text"][:4]
    columns = {name: dict(mark.attributes)["x"] for name, mark in zip(names, drawing.marks)}
    assert names == ["A₁", "M₁", "A₂", "M₂"] and len(drawing.table.rows) == 16
    bars = [dict(mark.attributes) for mark in drawing.marks if mark.tag == "rect"]
    dots = of(drawing, "circle", "branch")
    for (through, told), bar in zip(drawing.table.rows, bars, strict=True):
        taken = [] if through.startswith("none") else through.split()
        matrix = np.eye(18)
        for name in taken:
            matrix = branches[names.index(name)] @ matrix
        value = np.linalg.norm(matrix) / np.sqrt(18)
        assert told == f"{value:.2f}" and float(bar["width"]) == pytest.approx(float(bars[0]["width"]) * value, abs=0.2)
        row = [dot["cx"] for dot in dots if float(dot["cy"]) == float(bar["y"]) + 7]
        assert row == [columns[name] for name in taken]
    whole = np.linalg.norm(rs.jacobian(rs.Config(layers=2, width=6, heads=2, tokens=3))) / np.sqrt(18)
    assert f"all 16 added as matrices: size {whole:.2f}" in [mark.text for mark in drawing.marks]
    assert drawing.alt.endswith(f"they have size {whole:.2f}.")


@pytest.mark.parametrize("count", [0, 5])
def test_more_paths_than_a_drawing_holds_are_refused(count):
    with pytest.raises(ValueError, match=f"must be 1 to 4 Jacobians, for one row a path, not {count}"):
        paths([np.eye(2)] * count)


@pytest.fixture(scope="module")
def spectra():
    falling = 10.0 ** -np.outer(np.arange(7), np.linspace(0, 2, 40))
    return Spectra({"kept": np.ones((7, 40)), "lost": falling})


def test_a_direction_is_kept_at_a_hundredth_of_its_size(spectra):
    assert [spectra.kept("kept", layers) for layers in (0, 6)] == [40, 40]
    for layers in range(7):
        expected = sum(layers * 2 * n / 39 <= 2 for n in range(40))
        assert spectra.kept("lost", layers) == expected
        drawing = spectra.drawing(layers)
        assert drawing.alt.endswith(f"or more: kept 40, lost {expected}.")
        assert f"keeps {expected} of 40" in [mark.text for mark in drawing.marks]
        assert [row[1] for row in drawing.table.rows] == ["40", str(expected)]


def test_the_curves_are_the_logarithms_and_stay_in_the_drawing(spectra):
    flat, steep = ([[float(n) for n in point.split()] for point in d["d"][1:].split("L")]
                   for kind in ("stream thick", "norm thick dashed")
                   for d in of(spectra.drawing(6), "path", kind))
    one, hundredth = (spectra.up(power) for power in (0, -2))
    assert {y for _, y in flat} == {round(one, 1)}
    floor = next(float(dict(mark.attributes)["y"]) for mark in spectra.drawing(6).marks if mark.text == "less")
    assert max(y for _, y in steep) == pytest.approx(floor - 4.5), "what lies lower rests on a line that says so"
    for x, y in steep:
        place = round((x - 50) / (330 - 50) * 39)
        power = max(-6 * 2 * place / 39, -9)
        assert y == pytest.approx(one + (hundredth - one) * power / -2, abs=0.3)
    named = [float(d["y1"]) for d in of(spectra.drawing(0), "line", "grey thin")]
    assert named == pytest.approx([one, hundredth], abs=0.1)


def test_rounding_error_gets_no_digits():
    tiny = Spectra({"one": np.array([[2.0, 1e-15, 1e-15], [2.0, 3e-6, 1e-15]])})
    assert tiny.drawing(0).table.rows[0][3] == "0 to rounding"
    assert tiny.drawing(1).table.rows[0][3] == "3.0 × 10^−6"


def test_the_slider_asks_for_the_directions_kept_and_stays_light():
    rows = np.sort(10.0 ** RNG.uniform(-12, 2, (25, 128)))[:, ::-1]
    many = Spectra({"a": rows, "b": rows / 2, "c": rows / 3})
    explorer = explore(many.drawing, name="spectra", layers=range(25), start=6, say=many.say,
                       predict=many.predict("b", 6, "?"))
    assert explorer.predict.truth == (rows[6] / 2 >= 0.01).sum()
    assert re.fullmatch(r"kept after 6 layers: a\xa0\d+, b\xa0\d+, c\xa0\d+", explorer.said[6])
    assert len(gzip.compress(explorer.html().encode())) < 15_000
    _, *cross = explorer.predict.marks(64)
    middle = sum(float(dict(cross[0].attributes)[x]) for x in ("x1", "x2")) / 2
    assert middle == pytest.approx(many.across(64), abs=0.11)


@pytest.mark.parametrize("by_title", [{}, {"a": np.ones((2, 3)), "b": np.ones((2, 4))},
                                      dict.fromkeys("abcd", np.ones((2, 3)))])
def test_spectra_that_cannot_be_drawn_together_are_refused(by_title):
    with pytest.raises(ValueError, match="up to 3 spectra of one shape"):
        Spectra(by_title)
