"""The drawings of the warm-up experiment against runs made up for the purpose, and the committed ones."""

import gzip
import re
from statistics import median
from xml.etree import ElementTree

import numpy as np
import pytest

from residual_stream.model.warm_up import ARMS, MAP, MAP_ARMS, map_runs
from residual_stream.model.warm_up_table import Outcome, Point, committed
from residual_stream.pictures import warm_up

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def made_up():
    """Points of 3 seeds and 4 blocks of steps: the loss of arm a, seed s is a + s / 10 in the last block."""
    return [Point(*arm, seed, 10 * block, 2.0 - 0.5 * (3 - block) / 3 + number * 0.1 + seed / 10, 0.5)
            for number, arm in enumerate(ARMS.values()) for seed in range(3) for block in range(4)]


@pytest.fixture(scope="module")
def outcomes():
    """Every run reaches its own accuracy, from 0 to 1 in the order of the map's runs."""
    runs = map_runs(5)
    return [Outcome(r.config.wrapping, r.warm_up, r.config.layers, r.learning_rate, r.config.init, r.config.seed,
                    number / (len(runs) - 1), 1.0) for number, r in enumerate(runs)]


def test_curves_are_one_row_a_seed(made_up):
    steps, losses = warm_up.curves(made_up, "pre-LN, no warm-up")
    assert steps.tolist() == [0, 10, 20, 30] and losses.shape == (3, 4)
    assert losses[:, -1] == pytest.approx([2.2, 2.3, 2.4])


def test_the_arms_tell_median_and_range(made_up):
    picture = warm_up.arms(made_up)
    assert picture.table.rows[0] == ("post-LN, no warm-up", "2.10", "2.00", "2.20")
    assert "DeepNorm, no warm-up: 2.40, from 2.30 to 2.50" in picture.alt and "A guess costs 2.20." in picture.alt
    words = [element.text for element in ElementTree.fromstring(picture.svg()).iter(f"{SVG}text")]
    assert set(ARMS) <= set(words)
    assert len(gzip.compress(picture.html().encode())) < 8_000


def test_each_seed_of_the_failing_arm_has_its_own_thin_line(made_up):
    paths = [path for path in ElementTree.fromstring(warm_up.arms(made_up).svg()).iter(f"{SVG}path")
             if path.get("d", "").count("L") == 3]
    thin = [path for path in paths if "stroke-width:0.7" in path.get("style")]
    assert len(thin) == 3 and len(paths) == 3 + 4


def test_every_place_of_the_map_counts_its_seeds(outcomes):
    for title in MAP_ARMS:
        for init in MAP["init"]:
            for layers in MAP["layers"]:
                for rate in MAP["learning_rate"]:
                    own = [o.reached for o in outcomes if (o.wrapping, o.warm_up) == ARMS[title]
                           and (o.init, o.layers, o.learning_rate) == (init, layers, rate)]
                    count, seeds, mean = warm_up.learned(outcomes, title, init, layers, rate)
                    assert (count, seeds) == (sum(reached >= 0.9 for reached in own), 5)
                    assert mean == pytest.approx(sum(own) / 5)


def test_the_map_draws_what_it_counts(outcomes):
    drawing = warm_up.warm_up_map(outcomes)
    counted = [cell for _, cell, _ in drawing.table.rows]
    drawn = [mark.text for mark in drawing.marks if mark.tag == "text" and re.fullmatch(r"\d/5", mark.text)]
    assert [f"{text.replace('/', ' of ')}" for text in drawn] == counted and len(counted) == 54
    rects = [dict(mark.attributes) for mark in drawing.marks if mark.tag == "rect"]
    bars = [float(bar["width"]) for bar in rects if bar["class"] != "faint"]
    means = [float(mean) for *_, mean in drawing.table.rows]
    assert bars == pytest.approx([warm_up.BAR * mean for mean in means], abs=0.25)
    for mark in drawing.marks:
        x = float(dict(mark.attributes)["x"])
        assert 0 <= x <= drawing.width and 0 <= float(dict(mark.attributes)["y"]) <= drawing.height


def test_the_map_in_words_has_every_count(outcomes):
    alt = warm_up.warm_up_map(outcomes).alt
    counts = [int(n) for n in re.findall(r"(?:layers |, )(\d)(?=[,;]|\. |\.$)", alt)]
    told = [int(cell.split()[0]) for _, cell, _ in warm_up.warm_up_map(outcomes).table.rows]
    assert sorted(counts) == sorted(told) and alt.startswith("How many of 5 seeds")


def test_what_the_committed_runs_show():
    """The chapter's words about them: most seeds stay near a guess, warm-up and the other wrappings mend it."""
    last = {title: warm_up.curves(committed(Point), title)[1][:, -1] for title in ARMS}
    failing, *others = last.values()
    assert (failing > 1.0).sum() >= 6 and median(failing) > 1.7 and failing.max() < 2.5, "a plateau, no divergence"
    assert all(values.max() < 0.1 for values in others)
    count = {(init, layers, rate): warm_up.learned(committed(Outcome), MAP_ARMS[0], init, layers, rate)[0]
             for init in MAP["init"] for layers in MAP["layers"] for rate in MAP["learning_rate"]}
    assert count["xavier", 6, 3e-3] == count["xavier", 12, 1e-3] == 4, "it trains without warm-up there"
    assert count["xavier", 6, 1e-2] == count["xavier", 24, 1e-3] == 0, "and not there"
    assert all(count["gpt2", layers, rate] == 4 for layers in (6, 12, 24) for rate in (1e-3, 3e-3))
    warmed = {place: warm_up.learned(committed(Outcome), MAP_ARMS[1], *place)[0] for place in count}
    assert [warmed["xavier", 24, rate] for rate in MAP["learning_rate"]] == [0, 0, 0], "they do not rescue 24 layers"
    failed = [place for place, learned in count.items() if learned < 4]
    assert 0 < sum(warmed[place] == 4 for place in failed) < len(failed), "a warm-up mends some failures, not all"
    assert sum(init == "gpt2" for init, *_ in failed) == 1, "small weights avoid it nearly everywhere"
    assert all(np.isclose(o.reached, 1.0, atol=0.05) for o in committed(Outcome) if o.wrapping == "pre-ln")
