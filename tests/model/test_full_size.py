"""Weights drawn in blocks: the same products as the whole matrix, the same trace as normal weights, and resumable."""

import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from residual_stream.model import checkpoint
from residual_stream.model.config import Config
from residual_stream.model.full_size import (
    MEASURES,
    State,
    checkpoint_path,
    drawable,
    drawn_layer,
    full_size_trace,
    layer_by_layer,
)
from residual_stream.model.gpt3_table import gpt3_trace, parse_table, table_text
from residual_stream.model.presets import preset_config
from residual_stream.model.trace import trace
from residual_stream.model.uniform_matrix import COLUMNS, ROWS, UniformMatrix
from residual_stream.model.weights import KINDS, first_stream, layer_weights
from residual_stream.model.wrappings import WRAPPINGS

SMALL = Config(layers=5, width=48, heads=4, tokens=6, init="gpt2", dtype="float32")


def silent(done, total):
    """No bar."""


def same(first, second):
    return all(map(np.array_equal, first, second))


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 700), st.integers(1, 600), st.sampled_from([(), (1,), (3,), (2, 4)]), st.integers(0, 2**70))
def test_the_product_is_that_of_the_whole_matrix(inputs, outputs, leading, seed):
    matrix = UniformMatrix((inputs, outputs), 0.02, seed, (3, 1))
    x = np.random.default_rng(seed).standard_normal((*leading, inputs)).astype(np.float32)
    product, whole = x @ matrix, matrix.dense().astype(float)
    assert product.shape == (*leading, outputs) and product.dtype == np.float32
    np.testing.assert_allclose(product, x @ whole, rtol=0, atol=1e-6 * (1 + np.abs(x) @ np.abs(whole)).max())


def test_threads_change_no_bit():
    x = np.random.default_rng(0).standard_normal((7, 1000)).astype(np.float32)
    with ThreadPoolExecutor(5) as pool:
        drawn = [x @ UniformMatrix((1000, 1500), 0.02, 8, (0, 2), executor) for executor in (None, pool, pool)]
    assert np.array_equal(drawn[0], drawn[1]) and np.array_equal(drawn[0], drawn[2])


def test_mean_and_deviation_are_as_asked_within_4_standard_errors():
    weights = UniformMatrix((2 * ROWS, 4 * COLUMNS), 0.02, 0, (0, 0)).dense().astype(float)
    assert abs(weights.mean()) < 4 * 0.02 / weights.size**0.5
    assert abs(weights.var() / 0.02**2 - 1) < 4 * (0.8 / weights.size) ** 0.5      # kurtosis 9/5
    assert np.abs(weights).max() <= 0.02 * 3**0.5 * (1 + 1e-6)
    assert (weights**4).mean() / weights.var() ** 2 == pytest.approx(1.8, abs=0.01)


def test_every_seed_layer_matrix_and_block_has_its_own_numbers():
    blocks = []
    for seed, layer, place in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (2**32, 0, 0), (2**64, 0, 0)):
        whole = UniformMatrix((ROWS, 2 * COLUMNS), 1.0, seed, (layer, place)).dense()
        blocks += [whole[:, :COLUMNS].ravel(), whole[:, COLUMNS:].ravel()]
    correlation = np.corrcoef(blocks)[np.triu_indices(len(blocks), 1)]
    assert np.abs(correlation).max() < 5 / blocks[0].size**0.5


@pytest.mark.parametrize("change", [
    {}, {"init": "xavier"}, {"init": "kaiming", "residual_scale": True}, {"init": "lecun", "bias": True},
    {"activation": "swiglu", "wrapping": "pre-rms"}, {"wrapping": "sandwich", "residual_scale": True},
    {"wrapping": "rezero"}, {"ff": 31},
])
def test_a_drawn_layer_has_the_shapes_and_deviations_of_a_stored_one(change):
    config = replace(SMALL, width=96, ff=change.pop("ff", 400), **change)
    drawn, stored = drawn_layer(config, 2), layer_weights(config, 2)
    for kind in KINDS:
        assert drawn[kind].keys() == stored[kind].keys()
        for name, weight in stored[kind].items():
            if weight.ndim == 2:
                assert drawn[kind][name].shape == weight.shape
                error = (0.5 / weight.size) ** 0.5          # of a deviation estimated from normal numbers, relative
                assert drawn[kind][name].std == pytest.approx(weight.std(), rel=4.5 * error)
            else:
                assert np.array_equal(drawn[kind][name], weight)


@pytest.mark.parametrize("wrapping", [name for name in WRAPPINGS if drawable(name, SMALL.layers)])
def test_the_trace_is_that_of_the_same_weights_stored(wrapping):
    config = replace(SMALL, wrapping=wrapping, residual_scale=True)
    stored = [{kind: {name: w.dense() if isinstance(w, UniformMatrix) else w for name, w in own.items()}
               for kind, own in drawn_layer(config, layer).items()} for layer in range(config.layers)]
    drawn, peer = full_size_trace(config, progress=silent), trace(config, layers=stored)
    assert np.array_equal(drawn.layer, peer.layer) and np.array_equal(drawn.kind, peer.kind)
    for measure in MEASURES:
        ours, theirs = getattr(drawn, measure), getattr(peer, measure)
        np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=2e-5, err_msg=measure)


def test_uniform_weights_make_the_trace_of_normal_ones():
    """At width 512, 12 seeds: the means of the 8 additions agree within 5 standard errors of the paired difference.

    The standard errors are below 3 % of the variances, so a wrong deviation of the weights would show.
    """
    configs = [Config(layers=4, width=512, heads=8, tokens=16, init="gpt2", dtype="float32", seed=seed)
               for seed in range(12)]
    normal, uniform = [trace(c) for c in configs], [full_size_trace(c, progress=silent) for c in configs]
    for measure in ("var_stream", "var_branch", "covariance", "var_sum"):
        values = np.array([getattr(t, measure) for t in uniform]) - [getattr(t, measure) for t in normal]
        mean, error = values.mean(axis=0), values.std(axis=0, ddof=1) / len(configs) ** 0.5
        assert (np.abs(mean) <= 5 * error).all(), (measure, mean / error)
        if measure != "covariance":
            assert (error < 0.03 * np.mean([getattr(t, measure) for t in normal], axis=0)).all(), measure


def test_a_wide_layer_is_never_stored():
    config = Config(layers=1, width=1536, heads=12, tokens=4, init="gpt2", dtype="float32")
    stored = 12 * 1536**2 * 4
    tracemalloc.start()
    full_size_trace(config, threads=1, progress=silent)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < stored / 20


class Interrupted(Exception):
    """Stands for Ctrl-C in the middle of a trace."""


def interrupt_after(layers):
    def progress(done, total):
        if done == layers:
            raise Interrupted
    return progress


@pytest.mark.parametrize("layers", [1, 3])
def test_an_interrupted_trace_goes_on_to_the_same_bits(tmp_path, layers):
    path, seen = tmp_path / "deep" / "trace.npz", []
    whole = full_size_trace(SMALL, progress=silent)
    with pytest.raises(Interrupted):
        full_size_trace(SMALL, path, progress=interrupt_after(layers))
    assert path.exists()
    resumed = full_size_trace(SMALL, path, threads=3, progress=lambda done, total: seen.append(done))
    assert seen == list(range(layers + 1, SMALL.layers + 1))
    assert same(resumed, whole)
    assert list(path.parent.iterdir()) == []


def test_a_save_that_fails_leaves_the_last_checkpoint_whole(tmp_path, monkeypatch):
    path = tmp_path / "trace.npz"
    before = State(1, np.ones((2, 3), np.float32), np.zeros((2, 6)))
    checkpoint.save(path, "mark", before)

    def disk_full(file, **arrays):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", disk_full)
    with pytest.raises(ValueError, match="cannot be written .No space left on device.: choose another place"):
        checkpoint.save(path, "mark", State(2, before.stream, before.rows))
    monkeypatch.undo()
    assert same(checkpoint.load(path, "mark"), before)
    assert list(tmp_path.iterdir()) == [path]


def test_another_configurations_checkpoint_is_refused(tmp_path):
    path = tmp_path / "trace.npz"
    with pytest.raises(Interrupted):
        full_size_trace(SMALL, path, progress=interrupt_after(2))
    for other in ({"seed": 1}, {"residual_scale": True}, {"tokens": 7}, {"layers": 6}):
        with pytest.raises(ValueError, match="belongs to a trace with other settings: delete it"):
            full_size_trace(replace(SMALL, **other), path, progress=silent)


@pytest.mark.parametrize("content", [b"", b"no checkpoint", b"PK\x03\x04 broken"])
def test_a_file_that_is_no_checkpoint_is_refused(tmp_path, content):
    path = tmp_path / "trace.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="trace.npz is no checkpoint: delete it"):
        full_size_trace(SMALL, path, progress=silent)
    assert path.read_bytes() == content


def test_an_array_file_is_no_checkpoint(tmp_path):
    np.save(tmp_path / "array.npy", np.ones(3))
    np.savez(tmp_path / "other.npz", a=1)
    for name in ("array.npy", "other.npz"):
        with pytest.raises(ValueError, match="is no checkpoint"):
            full_size_trace(SMALL, tmp_path / name, progress=silent)


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ValueError, match="checkpoint .*: choose another place with --checkpoint PATH"):
        full_size_trace(SMALL, tmp_path / "file" / "trace.npz", progress=pytest.fail)
    with pytest.raises(ValueError, match="checkpoint .* cannot be read .Is a directory.: choose another place"):
        full_size_trace(SMALL, tmp_path, progress=pytest.fail)


def test_each_configuration_has_its_own_default_place(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    places = {checkpoint_path(replace(SMALL, seed=seed)) for seed in range(3)}
    assert len(places) == 3 and all(place.parent == tmp_path / "residual-stream" for place in places)


@pytest.mark.parametrize("change, message", [
    ({"dtype": "float64"}, "dtype must be 'float32'"),
    ({"wrapping": "deepnorm"}, "wrapping 'deepnorm' cannot be drawn in blocks: choose one of pre-ln, pre-ln-no-final, post-ln"),
    ({"wrapping": "layernorm-scaling"}, "wrapping 'layernorm-scaling' cannot be drawn in blocks"),
    ({"kv_heads": 2}, "kv_heads must equal heads where weights are drawn in blocks, not 2"),
    ({"wrapping": "mix-ln"}, "wrapping 'mix-ln' cannot be drawn in blocks"),
])
def test_what_cannot_be_drawn_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        full_size_trace(replace(SMALL, **change))


def test_the_table_is_read_as_it_was_written():
    traces = {True: trace(SMALL), False: trace(replace(SMALL, seed=1))}
    text = table_text(traces, ["made by a test", "in no time"])
    assert text.startswith("# made by a test\n# in no time\nresidual_scale,layer,kind,")
    for scaled, read in parse_table(text).items():
        assert np.array_equal(read.layer, traces[scaled].layer) and np.array_equal(read.kind, traces[scaled].kind)
        for measure in MEASURES:
            np.testing.assert_allclose(getattr(read, measure), getattr(traces[scaled], measure), rtol=1e-6)


@pytest.mark.parametrize("scaled", [True, False])
def test_the_committed_table_adds_up(scaled):
    table = gpt3_trace(residual_scale=scaled)
    assert table.layer.tolist() == [layer for layer in range(96) for _ in KINDS]
    assert table.kind.tolist() == [*KINDS] * 96
    np.testing.assert_allclose(table.var_sum, table.var_stream + table.var_branch + 2 * table.covariance, rtol=1e-5)
    np.testing.assert_allclose(table.var_stream[1:], table.var_sum[:-1], rtol=1e-5)


def test_the_committed_table_begins_as_computed_here():
    """The first of 96 layers at full size, 1.8 billion weights; other machines round their float32 sums otherwise."""
    config = preset_config("gpt3")
    begin = State(0, first_stream(config), np.empty((0, len(MEASURES))))
    with threadpool_limits(limits=1, user_api="blas"), ThreadPoolExecutor(2) as pool:
        rows = next(layer_by_layer(config, begin, pool)).rows
    for column, measure in enumerate(MEASURES):
        committed = getattr(gpt3_trace(residual_scale=True), measure)[:2]
        np.testing.assert_allclose(rows[:, column], committed, rtol=1e-4, atol=1e-6, err_msg=measure)
