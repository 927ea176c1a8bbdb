"""The first update against who learned, with moves and outcomes made up for the purpose."""

import re
from math import log10

import pytest

from residual_stream.model.warm_up import ARMS, MAP, MAP_ARMS, map_runs
from residual_stream.model.warm_up_table import Outcome
from residual_stream.pictures import first_moves

MOVED = {(wrapping, init, layers): layers / 1000 * (2 if wrapping == "post-ln" else 1) * (1 if init == "xavier" else 0.1)
         for wrapping in ("post-ln", "pre-ln") for init in MAP["init"] for layers in MAP["layers"]}


def at_rate(wrapping, init, layers, rate):
    return MOVED[wrapping, init, layers] * rate / 1e-3


@pytest.fixture(scope="module")
def outcomes():
    """Post-LN learns where its move stays below 0.1, pre-LN everywhere; elsewhere the odd seeds do."""
    return [
        Outcome(c.wrapping, run.warm_up, c.layers, run.learning_rate, c.init, c.seed,
                1.0 if c.wrapping == "pre-ln" or at_rate(c.wrapping, c.init, c.layers, run.learning_rate) < 0.1
                else 0.2 + 0.75 * (c.seed % 2), 1.0)
        for run in map_runs(4) for c in [run.config]
    ]


def test_every_place_has_its_move_and_what_was_reached(outcomes):
    found = first_moves.places(MOVED, outcomes, 1e-3)
    for (wrapping, init), (title, words, _) in first_moves.GROUPS.items():
        assert title in MAP_ARMS and ARMS[title] == (wrapping, 0)
        expected = sorted(at_rate(wrapping, init, layers, rate)
                          for layers in MAP["layers"] for rate in MAP["learning_rate"])
        assert [move for move, *_ in found[words]] == pytest.approx(expected)
        for move, accuracy, all_learned in found[words]:
            learns = wrapping == "pre-ln" or move < 0.1
            assert (accuracy, all_learned) == (pytest.approx(1.0 if learns else 0.575), learns)


def test_the_points_stand_where_their_numbers_are(outcomes):
    drawing = first_moves.first_moves(MOVED, outcomes, 1e-3)
    found = first_moves.places(MOVED, outcomes, 1e-3)
    decade = first_moves.ACROSS(1) - first_moves.ACROSS(0)
    for (wrapping, _), (_, words, kind) in first_moves.GROUPS.items():
        discs = [dict(m.attributes) for m in drawing.marks if m.tag == "circle" and dict(m.attributes)["class"] == kind]
        *points, _ = discs  # the last one is the key's
        assert len(points) == 9
        steps = [decade * (log10(b[0]) - log10(a[0])) for a, b in zip(found[words], found[words][1:])]
        assert [float(b["cx"]) - float(a["cx"]) for a, b in zip(points, points[1:])] == pytest.approx(steps, abs=0.11)
        heights = [first_moves.UP[wrapping](accuracy) for _, accuracy, _ in found[words]]
        assert [float(point["cy"]) for point in points] == pytest.approx(heights, abs=0.06)


def test_the_words_name_the_cliff(outcomes):
    alt = first_moves.first_moves(MOVED, outcomes, 1e-3).alt
    best, worst = re.search(r"post-LN, Xavier: the largest .* is (\d\.\d\d), the smallest .*? (\d\.\d\d)\.", alt).groups()
    moves = [move for move, *_ in first_moves.places(MOVED, outcomes, 1e-3)["post-LN, Xavier"]]
    assert float(best) == pytest.approx(max(m for m in moves if m < 0.1), abs=5.1e-3)
    assert float(worst) == pytest.approx(min(m for m in moves if m >= 0.1), abs=5.1e-3)
    assert "pre-LN, Xavier: the largest move at which all seeds learned is 0.24, nowhere did one fail" in alt


def test_where_nobody_learns_the_words_say_so():
    nobody = [Outcome(c.wrapping, run.warm_up, c.layers, run.learning_rate, c.init, c.seed, 0.1, 2.2)
              for run in map_runs(2) for c in [run.config]]
    assert "never all learned, the smallest" in first_moves.first_moves(MOVED, nobody, 1e-3).alt
