"""The drawings of the relays and of silenced branches, against counts and means made here."""

import gzip
import re

import numpy as np
import pytest

from residual_stream.model.silence import Silenced
from residual_stream.pictures.explorer import explore
from residual_stream.pictures.relay import Relays
from residual_stream.pictures.silence import silence

VALUES = np.linspace(0, 0.5, 51).round(2)


@pytest.fixture(scope="module")
def relays():
    return Relays(handlers=12, runs=401, seed=5)


def of(drawing, tag, kind):
    found = [dict(mark.attributes) for mark in drawing.marks if mark.tag == tag]
    return [attributes for attributes in found if attributes["class"] == kind]


def desks(drawing):
    """The classes of the desks from left to right: in the relay that rewrites, in the one that adds."""
    squares = [dict(mark.attributes) for mark in drawing.marks if mark.tag == "rect"]
    return [[d["class"] for d in squares if d["y"] == y] for y in ("37", "104")]


def test_the_typical_run_is_the_median_of_the_first_failures(relays):
    first = relays.numbers.min(axis=1)
    assert relays.typical.min() == np.median(first)


@pytest.mark.parametrize("p", [0, 0.05, 0.1, 0.3, 0.5])
def test_the_run_drawn_is_the_run_told(relays, p):
    failed = [number < p for number in relays.typical]
    rewriting, adding = desks(relays.drawing(p))
    stop = failed.index(True) if any(failed) else 12
    assert rewriting == ["branch" if n < stop else "ink hollow" if failed[n] else "branch hollow" for n in range(12)]
    assert adding == ["ink hollow" if fails else "branch" for fails in failed]
    alt = relays.drawing(p).alt
    assert f"a file with {12 - sum(failed)} notes of 12" in alt
    assert (f"stops at desk {stop + 1}" if any(failed) else "relay that rewrites delivers") in alt
    assert [float(n) for n in re.findall(r"\d\.\d{3}", alt)] == pytest.approx([0.0 + (1 - p) ** 12, 1 - p], abs=5e-4)
    crosses = [d for d in of(relays.drawing(p), "line", "ink") if d["x1"] != d["x2"]]
    assert len(crosses) == 4 * sum(failed)


def test_the_points_lie_on_their_curves_and_the_guess_on_the_truth(relays):
    explorer = explore(relays.drawing, name="relay", p=VALUES, start=0.1, say=relays.say,
                       predict=relays.predict(0.1, "?"))
    assert explorer.predict.truth == pytest.approx(0.9 ** 12)
    assert explorer.said[10] == "p = 0.10: rewriting 0.282, adding 0.900"
    drawing = relays.drawing(0.1)
    for kind in ("stream", "branch"):
        point, = of(drawing, "circle", kind)
        curve = [d["d"] for d in of(drawing, "path", kind)][0][1:].split("L")[10].split()
        assert (float(point["cx"]), float(point["cy"])) == pytest.approx([float(n) for n in curve], abs=0.11)
    _, *cross = explorer.predict.marks(explorer.predict.truth)
    low, = of(drawing, "circle", "branch")
    assert float(dict(cross[0].attributes)["y1"]) + 5 == pytest.approx(float(low["cy"]), abs=0.11)
    assert len(gzip.compress(explorer.html().encode())) < 8000


def test_the_simulated_dots_keep_to_the_curves(relays):
    rings = [(float(d["cx"]), float(d["cy"])) for d in of(relays.drawing(0), "circle", "branch hollow")]
    unit = 372 - 208
    for (_, y), p in zip(rings, np.linspace(0, 0.5, 11), strict=True):
        share = (1 - p) ** 12
        error = np.sqrt(share * (1 - share) / 401)
        assert abs((372 - y) / unit - share) < 4 * error + 0.001


def test_bars_rings_and_words_of_silence_are_the_means():
    rng = np.random.default_rng(1)
    runs = [Silenced(rng.uniform(0.2, 0.7, 8), rng.uniform(0.1, 0.2, 8)) for _ in range(4)]
    drawing = silence(runs)
    change, term = np.mean([run.change for run in runs], axis=0), np.mean([run.term for run in runs], axis=0)
    bars = of(drawing, "rect", "branch")[1:]
    rings = of(drawing, "circle", "stream hollow")[1:]
    heights = np.array([float(bar["height"]) for bar in bars])
    lifted = np.array([232 - float(ring["cy"]) for ring in rings])
    assert heights / heights[0] == pytest.approx(term / term[0], abs=0.01)
    assert lifted / heights[0] == pytest.approx(change / term[0], abs=0.01)
    told = [float(n) for n in re.findall(r"\d\.\d\d", drawing.alt)]
    error = np.std([run.change[0] for run in runs], ddof=1) / 2
    assert told == pytest.approx([term[0], change[0], error, term[-1], change[-1]], abs=5.1e-3)
    assert [row[0] for row in drawing.table.rows] == [str(n) for n in range(1, 9)]


def test_one_run_has_no_standard_error():
    with pytest.raises(ValueError, match="at least two seeds"):
        silence([Silenced(np.ones(2), np.ones(2))])
