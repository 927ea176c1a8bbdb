"""The five readings of "Add & Norm" against the statistics module, PyTorch and the stack's own wrappings."""

from math import sqrt
from statistics import fmean, pstdev, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from residual_stream.model.add_and_norm import READINGS, sample_norm
from residual_stream.model.wrappings import WRAPPINGS, layer_vjp

VECTORS = st.lists(st.floats(-100, 100), min_size=2, max_size=12).filter(lambda x: max(x) - min(x) > 1e-3)
EPS = st.floats(1e-9, 1.0)


def standardised(x, deviation):
    mean = fmean(x)
    return [(value - mean) / deviation for value in x]


def halved(z):
    return 0.5 * z + 1


# By the statistics module, one number at a time.
def by_hand(name, x, eps):
    branch = [0.5 * value + 1 for value in x]
    total = [a + b for a, b in zip(x, branch)]
    if name == "as-drawn":
        return standardised(total, sqrt(pstdev(total) ** 2 + eps))
    if name == "sample":
        return standardised(total, stdev(total) + eps)
    if name == "rms":
        return [value / sqrt(fmean(v * v for v in total) + eps) for value in total]
    if name == "read":
        return [a + 0.5 * z + 1 for a, z in zip(x, standardised(x, sqrt(pstdev(x) ** 2 + eps)))]
    return [a + z for a, z in zip(x, standardised(branch, sqrt(pstdev(branch) ** 2 + eps)))]


@pytest.mark.parametrize("name", READINGS)
@given(x=VECTORS, eps=EPS)
def test_each_reading_is_its_formula(name, x, eps):
    assert READINGS[name].after(np.array(x), halved, eps) == pytest.approx(by_hand(name, x, eps), rel=1e-7, abs=1e-7)


def test_the_first_place_tells_them_apart():
    """1.732 with n, 1.5 with n - 1, and no two of the five alike."""
    x = np.array([1.0, 0.0, 0.0, 0.0])
    first = {name: reading.after(x, halved)[0] for name, reading in READINGS.items()}
    assert first["as-drawn"] == pytest.approx(3**0.5) and first["sample"] == pytest.approx(1.5)
    values = sorted(first.values())
    assert min(np.diff(values)) > 0.05


@pytest.mark.parametrize("name, wrapping", [("as-drawn", "post-ln"), ("read", "pre-ln"), ("branch", "res-post-norm")])
def test_three_of_them_are_wrappings_of_the_stack(name, wrapping):
    x = np.random.default_rng(0).normal(size=(3, 8))
    sublayers = {"attention": lambda read: (halved(read), None)}
    after, _ = layer_vjp(x, {"attention": {}}, sublayers, WRAPPINGS[wrapping].place(0, 12))
    np.testing.assert_allclose(READINGS[name].after(x, halved, 1e-5), after, rtol=1e-12)


def test_pytorch_has_the_same_norms(torch):
    x = np.random.default_rng(1).normal(size=(5, 16))
    summed = torch.tensor(x + halved(x))
    norms = {
        "as-drawn": torch.nn.functional.layer_norm(summed, (16,), eps=1e-5),
        "sample": (summed - summed.mean(-1, keepdim=True)) / (summed.std(-1, keepdim=True) + 1e-5),
        "rms": torch.nn.functional.rms_norm(summed, (16,), eps=1e-5),
    }
    for name, expected in norms.items():
        np.testing.assert_allclose(READINGS[name].after(x, halved, 1e-5), expected, rtol=1e-12)


@pytest.mark.parametrize("x", [3.0, [1.0], np.zeros((4, 1)), []])
def test_n_minus_one_needs_two(x):
    with pytest.raises(ValueError, match="last axis of at least 2"):
        sample_norm(x)


def test_a_constant_row_becomes_zero_where_eps_holds():
    assert sample_norm([2.0, 2.0, 2.0]).tolist() == [0.0, 0.0, 0.0]
