"""What depth does at initialisation, as a second implementation (PyTorch, float64) measured it.

Each expected value below was found with that implementation at the same configuration; ours must lie within three
standard errors, taken over seeds that are fixed, so a pass is a pass for ever.
"""

import numpy as np
import pytest

import residual_stream as rs


def within(values, expected, errors=3.0, spread=0.0):
    """Whether the mean of the values lies within so many standard errors (and the expected value's own) of it."""
    error = np.hypot(np.std(values, ddof=1) / np.sqrt(len(values)), spread)
    return abs(np.mean(values) - expected) < errors * error


@pytest.fixture(scope="module")
def traces():
    return [rs.trace(rs.Config(layers=12, seed=seed)) for seed in range(40)]


@pytest.fixture(scope="module")
def deep_traces():
    return [rs.trace(rs.Config(layers=96, seed=seed)) for seed in range(5)]


def growth(trace):
    return trace.var_sum[-1] / trace.var_stream[0]


def test_the_variance_of_a_pre_ln_stream_at_twelve_layers(traces):
    assert within([growth(t) for t in traces], 10.1)


def test_the_variance_of_a_pre_ln_stream_at_ninety_six_layers(deep_traces):
    assert within([growth(t) for t in deep_traces], 104)


@pytest.mark.parametrize("layers, expected, seeds", [(48, 46, 6), (192, 217, 5)])
def test_the_variance_of_a_pre_ln_stream_at_other_depths(layers, expected, seeds):
    assert within([growth(rs.trace(rs.Config(layers=layers, seed=seed))) for seed in range(seeds)], expected)


def test_at_initialisation_no_branch_is_correlated_with_its_stream(traces):
    for kind in ("attention", "feed-forward"):
        correlations = [np.mean(t.correlation[t.kind == kind]) for t in traces]
        assert within(correlations, 0.0)
        single = np.concatenate([t.correlation[t.kind == kind] for t in traces])
        assert 0.03 < single.std() < 0.1


def test_a_deep_stream_grows_faster_than_linearly_since_tokens_become_alike(deep_traces):
    first, last = (np.mean([t.token_similarity[i] for t in deep_traces]) for i in (0, -1))
    assert first < 0.1 and 0.85 < last < 0.95
    attention = np.mean([t.var_branch[t.kind == "attention"] for t in deep_traces], axis=0)
    assert attention[0] < 0.3 < 0.7 < attention[-5:].mean()
    assert within([t.var_branch[t.kind == "feed-forward"].mean() for t in deep_traces], 0.23, spread=0.005)
    assert np.mean([growth(t) for t in deep_traces]) > 8 * 10.1


def test_gpt2s_factor_stops_the_growth():
    found = [growth(rs.trace(rs.Config(layers=96, seed=seed, residual_scale=True))) for seed in range(5)]
    assert within(found, 1.24, spread=0.01)


def test_without_norms_the_growth_is_geometric():
    grown = [np.log(growth(rs.trace(rs.Config(layers=12, seed=seed, wrapping="none")))) for seed in range(10)]
    assert within(grown, np.log(1.1e5))


# || d loss / d W2 || of the last layer: 64 tokens, width 64, L = 6, 12, 24, 48, then the exponent in L.
MEASURED = {
    "post-ln": ([0.97, 0.98, 0.91, 1.15], -0.01),
    "pre-ln": ([0.42, 0.30, 0.21, 0.15], -0.55),
    "deepnorm": ([0.139, 0.097, 0.069, 0.048], -0.51),
}
DEPTHS = (6, 12, 24, 48)


@pytest.fixture(scope="module")
def gradients():
    """By wrapping, (seeds, depths, 2): the norm at W2 of the first and of the last layer."""
    def ends(wrapping, layers, seed):
        return rs.gradient_norms(rs.Config(layers=layers, tokens=64, wrapping=wrapping, seed=seed))[[0, -1], 1]

    return {w: np.array([[ends(w, L, seed) for L in DEPTHS] for seed in range(4)]) for w in MEASURED}


@pytest.mark.parametrize("wrapping", MEASURED)
def test_the_gradient_at_the_last_layer_by_depth(gradients, wrapping):
    expected, exponent = MEASURED[wrapping]
    last = gradients[wrapping][..., 1]
    for column, value in zip(last.T, expected, strict=True):
        assert within(column, value, spread=0.06 * value)  # the second implementation's own standard error
    slopes = [np.polyfit(np.log(DEPTHS), np.log(row), 1)[0] for row in last]
    assert within(slopes, exponent, spread=0.05)


def test_the_first_layer_against_the_last(gradients):
    ratio = {w: g[:, -1, 1] / g[:, -1, 0] for w, g in gradients.items()}
    assert within(ratio["pre-ln"], 0.17)
    assert within(ratio["deepnorm"], 1.0, spread=0.01)


def test_post_ln_tokens_collapse():
    for layers, least, most in ((12, 0.95, 0.98), (24, 0.99, 0.9999)):
        configs = [rs.Config(layers=layers, tokens=64, wrapping="post-ln", seed=seed) for seed in range(3)]
        assert least < np.mean([rs.trace(config).token_similarity[-1] for config in configs]) < most
