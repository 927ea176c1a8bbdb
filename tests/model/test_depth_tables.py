"""The committed tables on depth: what was written is read again, and some of their rows are computed anew."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from residual_stream.model import final_norm, model_update, similarity
from residual_stream.model.tables import parse_table, read_table, table_file, table_text
from residual_stream.model.training import new_model, train

words = st.text("abcXYZ-' ", min_size=1, max_size=8).map(lambda text: f"w{text.strip()}")


@given(st.lists(st.tuples(words, st.integers(0, 1000), st.floats(-1e6, 1e6)), min_size=2), st.lists(words))
def test_what_is_written_is_read_again(rows, comments):
    table = parse_table(table_text(("name", "count", "value"), rows, comments))
    assert list(table["name"]) == [name for name, *_ in rows]
    assert list(table["count"]) == [count for _, count, _ in rows]
    assert table["value"] == pytest.approx([value for *_, value in rows], rel=1e-6, abs=1e-300)


@pytest.mark.parametrize("name", ["final_norm", "model_update", "similarity"])
def test_each_table_says_how_it_was_made(name):
    text = table_file(name).read_text("utf-8")
    assert f"# command: python -m bench.depth {name} --write" in text and "# versions: residual-stream" in text


@pytest.mark.parametrize("init, final, layers, seed", [("Xavier", "without", 12, 1), ("GPT-2's", "with", 12, 4)])
def test_runs_with_and_without_a_final_norm_are_the_committed_ones(init, final, layers, seed):
    table = read_table("final_norm")
    row, = table[(table["init"] == init) & (table["final_norm"] == final) & (table["layers"] == layers)
                 & (table["seed"] == seed)]
    config = final_norm.training_config(init, final, layers, seed)
    first, steps, _ = final_norm.learning(config, steps=int(row["steps"]) + 3)
    assert first == pytest.approx(row["first_loss"], rel=1e-4)
    assert abs(steps - row["steps"]) <= 2  # float32: the last bits differ between machines, and training spreads them


@pytest.mark.parametrize("wrapping", model_update.WRAPPED)
@pytest.mark.parametrize("layers, seed", [(6, 0), (24, 3)])
def test_updates_are_the_committed_ones(wrapping, layers, seed):
    table = read_table("model_update")
    row, = table[(table["wrapping"] == wrapping) & (table["layers"] == layers) & (table["seed"] == seed)]
    measured = model_update.measured(model_update.update_config(wrapping, layers, seed))
    assert measured == pytest.approx(list(row)[3:], rel=1e-5)


@pytest.mark.parametrize("wrapping", similarity.WRAPPED)
def test_similarities_at_initialisation_are_the_committed_ones(wrapping):
    config = similarity.similarity_config(wrapping, 2)
    assert np.array(similarity.similarities(new_model(config), config)) == \
        pytest.approx(_similarities(wrapping, 0, 2), abs=1e-4)


def test_similarities_after_training_are_the_committed_ones():
    config = similarity.similarity_config("pre-ln", 0)
    model = train(config, progress=lambda done, total: None).model
    assert np.array(similarity.similarities(model, config)) == pytest.approx(_similarities("pre-ln", 1, 0), abs=0.05)


def _similarities(wrapping, trained, seed):
    table = read_table("similarity")
    rows = table[(table["wrapping"] == wrapping) & (table["trained"] == trained) & (table["seed"] == seed)]
    return np.array([rows["neighbours"], rows["tokens"], rows["from_start"]])
