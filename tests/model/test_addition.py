"""One addition's account against NumPy's own covariance matrix, and against its identity."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import residual_stream as rs


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 40), st.floats(-6, 6), st.floats(-3, 3))
def test_account_agrees_with_the_covariance_matrix(seed, width, offset, size):
    rng = np.random.default_rng(seed)
    stream = rng.normal(offset, 10**size, width)
    branch = rng.normal(size=width) + rng.normal() * stream
    account = rs.account(stream, branch)
    matrix = np.cov(stream, branch, bias=True)
    expected = [matrix[0, 0], matrix[1, 1], matrix[0, 1], np.corrcoef(stream, branch)[0, 1], np.var(stream + branch)]
    np.testing.assert_allclose(account, expected, rtol=1e-9, atol=1e-12 * np.abs(matrix).max())
    total = account.var_stream + account.var_branch + 2 * account.covariance
    np.testing.assert_allclose(account.var_sum, total, rtol=1e-12, atol=1e-14 * np.abs(matrix).max())


def test_account_works_over_the_last_axis():
    rng = np.random.default_rng(0)
    stream, branch = rng.normal(size=(2, 3, 5, 8))
    whole = rs.account(stream, branch)
    one = rs.account(stream[1, 2], branch[1, 2])
    assert whole.var_sum.shape == (3, 5)
    np.testing.assert_allclose([field[1, 2] for field in whole], one, rtol=1e-13)


def test_correlation_with_a_constant_is_nan():
    assert np.isnan(rs.account(np.ones(4), np.arange(4.0)).correlation)


def test_different_shapes_are_refused():
    with pytest.raises(ValueError, match=r"one shape, not \(4,\) and \(5,\)"):
        rs.account(np.ones(4), np.ones(5))


def test_small_integers_do_not_overflow():
    small = np.array([127, 1], dtype=np.int8)
    assert rs.account(small, small) == (3969, 3969, 3969, 1, 15876)


def test_a_constant_that_no_float_holds_is_still_constant():
    account = rs.account([0.1] * 7, np.arange(1.0, 8))
    assert account.var_stream == 0 and np.isnan(account.correlation)


@pytest.mark.parametrize("stream, sentence", [
    (["a", "b"], "must hold real numbers"), ([], "at least one number"), (3.0, "single numbers"),
    (None, "must hold real numbers"), ([[1.0], [1.0, 2.0]], "rectangular array"), ([1j, 2j], "must hold real numbers"),
])
def test_what_is_no_vector_is_refused(stream, sentence):
    with pytest.raises(ValueError, match=sentence):
        rs.account(stream, stream)
