"""Weights: a function of (seed, layer), of the stated variance, the same model in both precisions."""

from statistics import NormalDist

import numpy as np
import pytest

import residual_stream as rs
from residual_stream.model.weights import (
    all_weights,
    first_stream,
    layer_weights,
    random_labels,
    random_source,
    unembedding,
)


def matrices(weights):
    return {name: array for parameters in weights.values() for name, array in parameters.items()}


def test_the_order_in_which_layers_are_made_does_not_matter():
    config = rs.Config(layers=5, width=8, heads=2, bias=True)
    forwards = [matrices(layer_weights(config, layer)) for layer in range(5)]
    backwards = [matrices(layer_weights(config, layer)) for layer in reversed(range(5))][::-1]
    in_turn = map(matrices, all_weights(config))
    for one, two, three in zip(forwards, backwards, in_turn, strict=True):
        for name in one:
            np.testing.assert_array_equal(one[name], two[name])
            np.testing.assert_array_equal(one[name], three[name])


def test_a_layer_does_not_depend_on_the_depth_around_it():
    shallow, deep = rs.Config(layers=2, width=8), rs.Config(layers=50, width=8)
    np.testing.assert_array_equal(*(layer_weights(c, 1)["attention"]["qkv"] for c in (shallow, deep)))


def test_seeds_layers_and_matrices_are_all_different():
    drawn = [
        array.ravel()[:64]
        for seed in (0, 1)
        for layer in (0, 1)
        for name, array in matrices(layer_weights(rs.Config(width=8, seed=seed), layer)).items()
        if array.ndim == 2
    ]
    correlation = np.corrcoef(drawn) - np.eye(len(drawn))
    assert np.abs(correlation).max() < 5 / np.sqrt(64)
    assert random_source(0, 1).random() != random_source(0, 1, 0).random() != random_source(0, 0, 1).random()


def test_float32_and_float64_are_the_same_model():
    single, double = (rs.Config(width=16, dtype=dtype) for dtype in ("float32", "float64"))
    for name, array in matrices(layer_weights(double, 3)).items():
        np.testing.assert_array_equal(array.astype(np.float32), matrices(layer_weights(single, 3))[name])
        assert array.dtype == np.float64 and matrices(layer_weights(single, 3))[name].dtype == np.float32
    assert first_stream(single).dtype == unembedding(single).dtype == np.float32
    np.testing.assert_allclose(rs.trace(single).var_sum, rs.trace(double).var_sum, rtol=1e-4)


# The standard deviation of each matrix, (width, ff) = (96, 192), written out by hand.
@pytest.mark.parametrize(
    "init, square, up, down",
    [
        ("xavier", (1 / 96) ** 0.5, (2 / 288) ** 0.5, (2 / 288) ** 0.5),
        ("xavier-uniform", (1 / 96) ** 0.5, (2 / 288) ** 0.5, (2 / 288) ** 0.5),
        ("gpt2", 0.02, 0.02, 0.02),
        ("lecun", (1 / 96) ** 0.5, (1 / 96) ** 0.5, (1 / 192) ** 0.5),
        ("kaiming", (2 / 96) ** 0.5, (2 / 96) ** 0.5, (2 / 192) ** 0.5),
    ],
)
@pytest.mark.parametrize("wrapping", ["pre-ln", "deepnorm"])
@pytest.mark.parametrize("residual_scale", [False, True])
def test_each_rule_gives_its_variance(init, square, up, down, wrapping, residual_scale):
    layers = 10
    config = rs.Config(
        layers=layers, width=96, ff=192, init=init, wrapping=wrapping, residual_scale=residual_scale, dtype="float32"
    )
    beta = (8 * layers) ** -0.25 if wrapping == "deepnorm" else 1.0
    scale = (2 * layers) ** -0.5 if residual_scale else 1.0
    found = matrices(layer_weights(config, 0))
    query, key, value = np.split(found["qkv"], 3, axis=1)
    for array, std in (
        (query, square), (key, square), (value, beta * square), (found["out"], beta * scale * square),
        (found["up"], beta * up), (found["down"], beta * scale * down),
    ):  # fmt: skip
        error = array.astype(float) / std
        root_n = np.sqrt(array.size)
        uniform = init == "xavier-uniform"
        fourth = 1.8 if uniform else 3.0  # the kurtosis, so the variance of the square is fourth - 1
        assert abs(error.mean()) < 4 / root_n
        assert abs((error**2).mean() - 1) < 4 * np.sqrt(fourth - 1) / root_n
        assert abs((error**4).mean() - fourth) < 4 * np.sqrt(96 if not uniform else 9) / root_n
        assert (np.abs(error).max() <= 3**0.5 + 1e-6) == uniform


@pytest.mark.parametrize("init", ["xavier", "lecun"])
def test_heads_that_share_keys_have_fewer_columns_of_their_own_deviation(init):
    config = rs.Config(width=96, heads=6, kv_heads=2, init=init)
    query, key, value = np.split(layer_weights(config, 0)["attention"]["qkv"], [96, 128], axis=1)
    assert value.shape == (96, 32)
    for part in (query, key, value):
        variance = 2 / (96 + part.shape[1]) if init == "xavier" else 1 / 96
        assert abs(part.var() / variance - 1) < 4 * (2 / part.size) ** 0.5
    whole = layer_weights(rs.Config(width=96, heads=6, init=init), 0)["attention"]["qkv"]
    np.testing.assert_array_equal(query, whole[:, :96])


def test_normal_weights_have_the_normal_distribution():
    weights = matrices(layer_weights(rs.Config(width=200, dtype="float32"), 0))
    z = np.sort(np.concatenate([weights["qkv"].ravel() * 200**0.5, weights["up"].ravel() * 500**0.5])).astype(float)
    cumulative = np.array([NormalDist().cdf(v) for v in z[::50]])
    steps = (np.arange(len(z))[::50] + 0.5) / len(z)
    assert np.abs(cumulative - steps).max() < 1.95 / np.sqrt(len(z))  # Kolmogorov and Smirnov at one in a thousand
    assert 4.2 < z[-1] < 4.33 and -4.33 < z[0] < -4.2
    neighbours = np.corrcoef(weights["up"].ravel()[:-1], weights["up"].ravel()[1:])[0, 1]
    assert abs(neighbours) < 4 / np.sqrt(weights["up"].size)


def test_biases_start_at_zero_gains_at_one_and_gates_where_the_paper_puts_them():
    weights = layer_weights(rs.Config(width=8, heads=2, ff=12, bias=True, wrapping="sandwich"), 0)
    assert {name: array.shape for name, array in weights["feed-forward"].items()} == {
        "up": (8, 12), "down": (12, 8), "up_bias": (12,), "down_bias": (8,),
        "read_gamma": (8,), "read_beta": (8,), "branch_gamma": (8,), "branch_beta": (8,),
    }  # fmt: skip
    assert {name: float(a.sum()) for name, a in weights["attention"].items() if a.ndim == 1} == {
        "qkv_bias": 0, "out_bias": 0, "read_gamma": 8, "read_beta": 0, "branch_gamma": 8, "branch_beta": 0,
    }  # fmt: skip
    for layers, first in ((18, 0.1), (19, 1e-5), (24, 1e-5), (25, 1e-6)):
        gate = layer_weights(rs.Config(layers=layers, width=8, wrapping="layerscale"), 0)["attention"]["gate"]
        assert gate.tolist() == [first] * 8
    assert layer_weights(rs.Config(width=8, wrapping="rezero"), 0)["attention"]["gate"].tolist() == [0]
    assert "read_gamma" not in layer_weights(rs.Config(width=8, wrapping="parallel"), 0)["feed-forward"]
    assert layer_weights(rs.Config(width=8, activation="swiglu", ff=12), 0)["feed-forward"]["up"].shape == (8, 24)


def test_stream_labels_and_unembedding_come_from_the_seed():
    config = rs.Config(width=64, tokens=400, vocabulary=50)
    x, labels, matrix = first_stream(config), random_labels(config), unembedding(config)
    assert x.shape == (400, 64) and labels.shape == (400,) and matrix.shape == (64, 50)
    assert abs(x.mean()) < 4 / np.sqrt(x.size) and abs(x.var() - 1) < 4 * np.sqrt(2 / x.size)
    assert set(labels.tolist()) <= set(range(50)) and len(set(labels.tolist())) > 40
    assert abs(matrix.var() * 64 - 1) < 4 * np.sqrt(2 / matrix.size)
    np.testing.assert_array_equal(x, first_stream(rs.Config(width=64, tokens=400)))
    assert not np.array_equal(x, first_stream(rs.Config(width=64, tokens=400, seed=1)))
