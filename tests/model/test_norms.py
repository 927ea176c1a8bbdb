"""The norms against PyTorch, against exact fractions, and their derivatives against JAX."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import residual_stream as rs
from residual_stream.model.sublayers import layer_norm_vjp, rms_norm_vjp

seeds = st.integers(0, 2**32 - 1)
shapes = st.lists(st.integers(1, 9), min_size=1, max_size=3).map(tuple)
scales = st.sampled_from([1e-300, 1e-150, 1e-8, 1e-3, 1.0, 1e5, 1e75, 1e150])


def rows(seed, shape, scale, constant):
    """Normal rows, or constant ones. Rows of nearly equal numbers are left out: there oracles lose digits too."""
    x = np.random.default_rng(seed).standard_normal(shape) * scale
    if constant:
        x[...] = x[..., :1]
    assume(constant or shape[-1] == 1 or (np.ptp(x, axis=-1) > 0.01 * np.abs(x).max(axis=-1)).all())
    return x


def exact_norm(x, eps, centre):
    """The norm of one row in rational arithmetic, rounded once before the root."""
    row = [Fraction(v) for v in map(float, x)]
    mean = sum(row) / len(row) if centre else 0
    spread = float(sum((v - mean) ** 2 for v in row) / len(row) + Fraction(eps))
    return np.array([float(v - mean) / spread**0.5 for v in row])


@settings(deadline=None)
@given(seeds, shapes, scales, st.booleans(), st.sampled_from([1e-12, 1e-5, 0.1]))
def test_layer_norm_agrees_with_pytorch(torch, seed, shape, scale, constant, eps):
    x = rows(seed, shape, scale, constant)
    gamma, beta = np.random.default_rng(seed + 1).standard_normal((2, shape[-1]))
    ours = rs.layer_norm(x, gamma, beta, eps)
    x, gamma, beta = map(torch.tensor, (x, gamma, beta))
    theirs = torch.nn.functional.layer_norm(x, shape[-1:], gamma, beta, eps)
    np.testing.assert_allclose(ours, theirs.numpy(), rtol=1e-12, atol=1e-12)


@settings(deadline=None)
@given(seeds, shapes, scales, st.booleans(), st.sampled_from([1e-12, 1e-5, 0.1]))
def test_both_norms_agree_with_rational_arithmetic(seed, shape, scale, constant, eps):
    x = rows(seed, shape, scale, constant)
    for norm, centre in ((rs.layer_norm, True), (rs.rms_norm, False)):
        exact = np.array([exact_norm(row, eps, centre) for row in x.reshape(-1, shape[-1])]).reshape(shape)
        np.testing.assert_allclose(norm(x, eps=eps), exact, rtol=1e-12, atol=1e-12)


@settings(deadline=None)
@given(seeds, st.integers(2, 9), st.sampled_from([1e3, 1e6, 1e12]))
def test_a_far_offset_costs_no_digits(seed, width, offset):
    x = np.random.default_rng(seed).standard_normal(width) + offset
    assume(np.ptp(x) > 0.1)
    np.testing.assert_allclose(rs.layer_norm(x), exact_norm(x, 1e-5, True), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("norm", [rs.layer_norm, rs.rms_norm])
def test_dtypes_and_kinds_of_input(norm):
    assert norm(np.float32([1, 2, 4])).dtype == np.float32
    assert norm(np.float32([1, 2, 4]), np.ones(3)).dtype == np.float32
    assert norm([1, 2, 4]).dtype == norm(np.float16([1, 2, 4])).dtype == np.float64
    np.testing.assert_array_equal(norm([[1, 2, 4]]), norm(np.array([[1.0, 2.0, 4.0]])))
    x = np.array([1.0, 2.0, 4.0])
    norm(x)
    assert x.tolist() == [1, 2, 4]
    zero = norm(np.zeros((2, 3)))
    assert zero.tolist() == [[0, 0, 0]] * 2
    assert np.isnan(norm(np.zeros(3), eps=0.0)).all()


@pytest.mark.parametrize("norm", [rs.layer_norm, rs.rms_norm])
@pytest.mark.parametrize(
    "arguments, complaint",
    [
        ({"x": []}, "x must hold at least one number"),
        ({"x": np.ones((3, 0))}, "x must hold at least one number"),
        ({"x": 3.0}, "x must have a last axis"),
        ({"x": ["a", "b"]}, "x must hold real numbers"),
        ({"x": [1j, 2]}, "x must hold real numbers, not values of type complex128"),
        ({"x": [True, False]}, "x must hold real numbers"),
        ({"x": [None, 1]}, "x must hold real numbers"),
        ({"x": [[1, 2], [3]]}, "x must be a rectangular array"),
        ({"x": [1, 2], "gamma": [1, 2, 3]}, r"gamma must be one number or of shape \(2,\)"),
        ({"x": [1, 2], "gamma": [1]}, "gamma must be one number"),
        ({"x": [1, 2], "gamma": "big"}, "gamma must hold real numbers"),
        ({"x": [1, 2], "gamma": []}, "gamma must hold at least one"),
        ({"x": [1, 2], "eps": -1e-5}, "eps must be"),
        ({"x": [1, 2], "eps": np.nan}, "eps must be"),
        ({"x": [1, 2], "eps": "small"}, "eps must be"),
        ({"x": [1, 2], "eps": 10**400}, "eps must be"),
    ],
)
def test_bad_input_is_refused_by_name(norm, arguments, complaint):
    with pytest.raises(ValueError, match=complaint):
        norm(**arguments)


@pytest.mark.parametrize("dtype, far", [("float64", (1e300, 1e200, 1e-200, 1e-300)), ("float32", (1e30, 1e-30))])
def test_squares_that_no_float_holds_cost_nothing(dtype, far):
    x = np.array([1.0, -2.0, 4.0, 0.5], dtype)
    for norm in (rs.layer_norm, rs.rms_norm):
        for scale in far:
            np.testing.assert_allclose(norm(x * x.dtype.type(scale), eps=0), norm(x, eps=0), rtol=1e-5)
        tiny = x.dtype.type(min(far))
        np.testing.assert_allclose(norm(x * tiny, eps=1e-6), norm(x * 1e-9, eps=1e-6) * (tiny / 1e-9), rtol=1e-4)


def test_a_beta_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match=r"beta must be one number or of shape \(2,\).*not \(2, 1\)"):
        rs.layer_norm([1, 2], beta=[[1], [2]])


@settings(deadline=None, max_examples=10)
@given(seeds, st.sampled_from([(4,), (3, 5), (2, 3, 8)]), st.sampled_from(["float64", "float32"]))
def test_the_derivatives_agree_with_jax(oracle, distance, drawn, seed, shape, dtype):
    x, dy, gamma, beta = drawn(seed, shape, shape, shape[-1:], shape[-1:], dtype=dtype)
    tolerance = 1e-10 if dtype == "float64" else 1e-4
    for ours, theirs in ((layer_norm_vjp, oracle.layer_norm), (rms_norm_vjp, oracle.rms_norm)):
        y, back = ours(x, gamma, beta)
        dx, gradients = back(dy)
        assert y.dtype == dx.dtype == gradients["gamma"].dtype == dtype
        expected, (ex, egamma, ebeta) = oracle.value_and_gradients(theirs, x, gamma, beta, dy=dy)
        assert distance([y, dx, gradients["gamma"], gradients["beta"]], [expected, ex, egamma, ebeta]) < tolerance
        y, back = ours(x)
        dx, gradients = back(dy)
        expected, (ex,) = oracle.value_and_gradients(theirs, x, dy=dy)
        assert gradients == {} and distance([y, dx], [expected, ex]) < tolerance
