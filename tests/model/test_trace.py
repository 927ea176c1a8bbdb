"""What is measured: identities, gradients against JAX, the Jacobian, and the memory of a forward trace."""

import tracemalloc

import numpy as np
import pytest

import residual_stream as rs
from residual_stream.model.stack import cross_entropy_vjp, final_norm_vjp, forward
from residual_stream.model.trace import token_similarity
from residual_stream.model.weights import all_weights, first_stream, random_labels, unembedding


@pytest.mark.parametrize("wrapping", rs.WRAPPINGS)
@pytest.mark.parametrize("dtype, tolerance", [("float64", 1e-13), ("float32", 1e-5)])
def test_the_variance_of_every_sum_is_accounted_for(wrapping, dtype, tolerance):
    found = rs.trace(rs.Config(layers=6, width=32, tokens=7, wrapping=wrapping, dtype=dtype))
    assert found.layer.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert found.kind.tolist() == ["attention", "feed-forward"] * 6
    assert all(array.shape == (12,) for array in found)
    total = found.var_stream + found.var_branch + 2 * found.covariance
    np.testing.assert_allclose(found.var_sum, total, rtol=tolerance)
    if rs.WRAPPINGS[wrapping].additive(6):
        np.testing.assert_allclose(found.var_stream[1:], found.var_sum[:-1], rtol=tolerance)


def test_the_numbers_are_those_of_the_streams_themselves():
    config = rs.Config(layers=3, width=16, tokens=5, wrapping="deepnorm")
    pairs = []
    forward(first_stream(config), all_weights(config), config, lambda l, k, s, b: pairs.append((s.copy(), b.copy())))
    found = rs.trace(config)
    for i, (stream, branch) in enumerate(pairs):
        tables = [np.cov(s, b, bias=True) for s, b in zip(stream, branch, strict=True)]
        assert np.isclose(found.var_stream[i], np.mean([t[0, 0] for t in tables]))
        assert np.isclose(found.var_branch[i], np.mean([t[1, 1] for t in tables]))
        assert np.isclose(found.covariance[i], np.mean([t[0, 1] for t in tables]))
        correlations = [np.corrcoef(s, b)[0, 1] for s, b in zip(stream, branch, strict=True)]
        assert np.isclose(found.correlation[i], np.mean(correlations))
        unit = (stream + branch) / np.linalg.norm(stream + branch, axis=1, keepdims=True)
        cosines = [unit[i] @ unit[j] for i in range(5) for j in range(5) if i != j]
        assert np.isclose(found.token_similarity[i], np.mean(cosines))


def test_token_similarity_at_its_ends():
    one = np.array([3.0, 4.0])
    assert np.isclose(token_similarity(np.outer([1, 2, 5], one)), 1)
    assert np.isclose(token_similarity(np.array([one, -one])), -1)
    assert np.isclose(token_similarity(np.eye(4)), 0)
    assert np.isnan(token_similarity(one[None]))


def test_a_trace_of_given_streams_and_layers():
    config = rs.Config(layers=2, width=8, tokens=3)
    layers = list(all_weights(config))
    x = first_stream(config)
    np.testing.assert_array_equal(rs.trace(config, x, layers).var_sum, rs.trace(config).var_sum)
    batch = rs.trace(config, np.stack([x, 2 * x]), layers)
    single = rs.trace(config, x, layers).var_stream + rs.trace(config, 2 * x, layers).var_stream
    np.testing.assert_allclose(batch.var_stream, single / 2)


@pytest.mark.parametrize("wrapping", ["pre-ln", "post-ln", "deepnorm", "pre-rms", "parallel"])
def test_gradient_norms_agree_with_jax(oracle, wrapping):
    config = rs.Config(layers=3, width=8, heads=2, tokens=5, wrapping=wrapping, vocabulary=11, seed=7)
    layers, labels, matrix = list(all_weights(config)), random_labels(config), unembedding(config)
    norm = {"layer": oracle.layer_norm, "rms": oracle.rms_norm, None: lambda y: y}[rs.WRAPPINGS[wrapping].final_norm]

    def loss(layers):
        y = oracle.stack(first_stream(config)[None], layers, wrapping=wrapping, heads=2, causal=True, activation="gelu")
        return oracle.cross_entropy(norm(y[0]) @ matrix, labels)

    value, (gradients,) = oracle.value_and_gradients(loss, layers, dy=1.0)
    expected = [[np.linalg.norm(g["attention"]["out"]), np.linalg.norm(g["feed-forward"]["down"])] for g in gradients]
    np.testing.assert_allclose(rs.gradient_norms(config), expected, rtol=1e-10)
    stream = final_norm_vjp(forward(first_stream(config), layers, config), config)[0]
    np.testing.assert_allclose(cross_entropy_vjp(stream @ matrix, labels)[0], value, rtol=1e-12)


def test_cross_entropy_of_large_logits_and_batches():
    logits = np.tile([[1000.0, 0.0], [0.0, 1000.0]], (3, 1, 1))
    loss, back = cross_entropy_vjp(logits, np.zeros((3, 2), dtype=int))
    assert loss == 500
    np.testing.assert_allclose(back(), np.tile([[0, 0], [-1 / 6, 1 / 6]], (3, 1, 1)), rtol=1e-15)


@pytest.mark.parametrize("wrapping", ["pre-ln", "post-ln", "parallel"])
@pytest.mark.parametrize("final_norm", [False, True])
def test_the_jacobian_agrees_with_central_differences(wrapping, final_norm, drawn):
    config = rs.Config(layers=3, width=6, heads=2, tokens=4, wrapping=wrapping)
    matrix = rs.jacobian(config, final_norm)
    x = first_stream(config)
    columns = []
    for i in range(x.size):
        step = np.zeros(x.size)
        step[i] = 1e-6
        step = step.reshape(x.shape)
        ends = [forward(x + s * step, all_weights(config), config) for s in (1, -1)]
        if final_norm:
            ends = [final_norm_vjp(end, config)[0] for end in ends]
        columns.append((ends[0] - ends[1]).ravel() / 2e-6)
    np.testing.assert_allclose(matrix, np.transpose(columns), atol=1e-7 * np.abs(matrix).max())


def test_the_identity_path_through_a_pre_ln_stack():
    config = rs.Config(layers=12, width=16, heads=2, tokens=4, init="gpt2", residual_scale=True)
    matrix = rs.jacobian(config)
    size = len(matrix)
    assert np.linalg.norm(matrix - np.eye(size)) < 0.05 * np.sqrt(size)
    np.testing.assert_array_equal(rs.jacobian(rs.Config(layers=2, width=8, tokens=3, wrapping="rezero")), np.eye(24))
    causal = matrix.reshape(4, 16, 4, 16)
    assert all(not causal[i, :, j].any() for i in range(4) for j in range(i + 1, 4))


def test_a_jacobian_in_several_batches_is_the_same():
    config = rs.Config(layers=2, width=16, tokens=20)
    matrix = rs.jacobian(config)
    assert matrix.shape == (320, 320)
    some = np.random.default_rng(0).standard_normal((20, 16)) * 1e-6
    ends = [forward(first_stream(config) + s * some, all_weights(config), config) for s in (1, -1)]
    np.testing.assert_allclose(matrix @ some.ravel(), (ends[0] - ends[1]).ravel() / 2, rtol=1e-5, atol=1e-10)
    with pytest.raises(ValueError, match="tokens \\* width must be at most 4096.*not 8192"):
        rs.jacobian(rs.Config(width=64, tokens=128))


def test_the_memory_of_a_forward_trace_is_flat_in_depth():
    def peak(layers):
        config = rs.Config(layers=layers, width=256, tokens=16, dtype="float32")
        tracemalloc.start()
        rs.trace(config)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(1)
    one_layer = 12 * 256**2 * 4
    assert peak(20) < peak(3) + one_layer / 10
    assert peak(20) < 1.6 * one_layer  # never two layers' weights at a time


@pytest.mark.parametrize("function", [rs.trace, rs.gradient_norms, rs.jacobian])
@pytest.mark.parametrize("config", [None, "pre-ln", {}, rs.Config])
def test_a_configuration_is_a_config(function, config):
    with pytest.raises(ValueError, match="config must be a Config"):
        function(config)


@pytest.mark.parametrize("x, said", [
    ("x", "x must hold real numbers"), (1.0, "x must be of shape"), (np.zeros(4), "x must be of shape"),
    (np.zeros((2, 5)), r"x must be of shape \(..., tokens, 4\), not \(2, 5\)"), (np.zeros((0, 4)), "at least one number"),
    (np.ones((2, 4), bool), "x must hold real numbers"), ([[1], [1, 2]], "x must be a rectangular array"),
])
def test_a_stream_of_another_kind_is_refused(x, said):
    with pytest.raises(ValueError, match=said):
        rs.trace(rs.Config(layers=1, width=4, heads=1), x)


def test_a_stream_may_be_lists_of_whole_numbers():
    config, x = rs.Config(layers=1, width=4, heads=1), [[0, 1, 2, 3], [5, 1, 0, 2]]
    np.testing.assert_array_equal(rs.trace(config, x).var_sum, rs.trace(config, np.array(x, float)).var_sum)
