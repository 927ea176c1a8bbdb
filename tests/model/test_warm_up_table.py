"""The committed runs of the warm-up experiment: read and written faithfully, complete, and a slice made anew."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from residual_stream.model.training import REVERSAL
from residual_stream.model.warm_up import ARMS, MAP, MAP_ARMS, Run, curves, map_runs
from residual_stream.model.warm_up_table import (
    Outcome, Point, committed, outcome, parse_table, points, table_file, table_text,
)


def test_a_curve_becomes_means_of_ten_steps():
    curve = np.arange(40.0).reshape(2, 20)
    assert points("post-ln", 100, 3, curve) == [
        ("post-ln", 100, 3, 0, 4.5, 24.5), ("post-ln", 100, 3, 10, 14.5, 34.5)]
    with pytest.raises(ValueError, match="steps must be a multiple of 10, not 25"):
        points("post-ln", 0, 0, np.zeros((2, 25)))


def test_what_a_run_reached_survives_a_spike_at_the_end():
    accuracies = np.concatenate([np.full(10, 0.1), np.full(20, 0.95), np.zeros(10), np.ones(10)])
    losses = np.arange(50.0)
    run = Run(replace(REVERSAL, layers=6, wrapping="pre-ln", init="gpt2", seed=2), 50, 1e-2, 100)
    row = outcome(run, np.array([losses, accuracies]))
    assert row[:6] == ("pre-ln", 100, 6, 1e-2, "gpt2", 2)
    assert row[6:] == pytest.approx((0.95, np.mean(range(30, 50))))


def test_a_table_is_read_as_it_was_written():
    rows = [Outcome("post-ln", 0, 6, 1e-3, "xavier", 0, 0.3125, 2.197), Outcome("pre-ln", 9, 24, 0.01, "gpt2", 3, 1.0, 5e-4)]
    text = table_text(rows, ["a comment", "another, with a comma"])
    assert text.startswith("# a comment\n# another, with a comma\nwrapping,warm_up,layers,")
    assert parse_table(text, Outcome) == rows
    with pytest.raises(ValueError, match="invalid literal for int"):
        parse_table(text.replace(",24,", ",deep,"), Outcome)
    with pytest.raises(KeyError, match="reached"):
        parse_table(text.replace("reached", "got"), Outcome)


@pytest.mark.parametrize("kind", [Point, Outcome])
def test_a_committed_file_says_how_it_was_made(kind):
    head = [line for line in table_file(kind).read_text("utf-8").splitlines() if line.startswith("#")]
    assert "# command: python -m bench.warm_up --write" in head
    assert any("NumPy" in line and "Python" in line for line in head) and any("processor time" in line for line in head)


def test_the_committed_runs_are_complete():
    arms = [(p.wrapping, p.warm_up, p.seed, p.step) for p in committed(Point)]
    assert arms == [(*arm, seed, step) for arm in ARMS.values() for seed in range(8) for step in range(0, 250, 10)]
    places = [(o.wrapping, o.warm_up, o.init, o.layers, o.learning_rate, o.seed) for o in committed(Outcome)]
    expected = product([ARMS[title] for title in MAP_ARMS], *MAP.values(), range(4))
    assert places == [(*arm, *rest) for arm, *rest in expected]
    runs = [(r.config.wrapping, r.warm_up, r.config.init, r.config.layers, r.learning_rate, r.config.seed) for r in map_runs(4)]
    assert places == runs


@pytest.mark.parametrize("title", ARMS)
def test_the_first_ten_steps_of_each_arm_come_out_as_committed(title):
    """Ten steps only: after that the failing arm's rounding errors have grown into another run."""
    wrapping, warm_up = ARMS[title]
    curve = curves(Run(replace(REVERSAL, wrapping=wrapping), steps=10, warm_up=warm_up))
    made, = points(wrapping, warm_up, 0, curve)
    kept = next(p for p in committed(Point) if (p.wrapping, p.warm_up, p.seed, p.step) == (wrapping, warm_up, 0, 0))
    assert made.loss == pytest.approx(kept.loss, rel=5e-4) and made.accuracy == pytest.approx(kept.accuracy, rel=5e-4)


def test_a_place_of_the_map_comes_out_as_committed():
    """Six layers at 3e-3: post-LN trains without a warm-up."""
    run = next(r for r in map_runs(1) if r.learning_rate == 3e-3)
    assert (run.config.wrapping, run.config.layers, run.config.init, run.warm_up) == ("post-ln", 6, "xavier", 0)
    kept = next(o for o in committed(Outcome) if o.learning_rate == 3e-3)
    assert outcome(run, curves(run)).reached == pytest.approx(kept.reached, abs=0.05)
    assert kept.reached > 0.9
