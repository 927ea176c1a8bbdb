"""The comparison of wrappings against the traces, and against norms and sums taken here."""

import numpy as np
import pytest

import residual_stream as rs
from residual_stream.model.comparison import along, compare, table
from residual_stream.model.training import update_size
from residual_stream.model.weights import all_weights, first_stream

SMALL = {"layers": 4, "width": 16, "tokens": 6}


@pytest.mark.parametrize("wrapping", rs.WRAPPINGS)
def test_the_stream_along_the_layers(wrapping):
    """Before a layer it is what the trace calls the stream, over alpha; where no norm acts on it, the trace's sum."""
    config = rs.Config(wrapping=wrapping, seed=3, **SMALL)
    measured, trace = along(config), rs.trace(config)
    alpha = np.array([rs.WRAPPINGS[wrapping].place(layer, 4).alpha for layer in range(4)])
    assert measured.variance[:4] == pytest.approx(trace.var_stream[::2] / alpha**2)
    if rs.WRAPPINGS[wrapping].additive(4):
        assert measured.variance[1:] == pytest.approx(trace.var_sum[1::2])
        assert measured.similarity[1:] == pytest.approx(trace.token_similarity[1::2])
    x = first_stream(config)
    unit = x / np.linalg.norm(x, axis=-1, keepdims=True)
    assert measured.similarity[0] == pytest.approx((np.sum(unit @ unit.T) - 6) / 30)


@pytest.mark.parametrize("wrapping", ["post-ln", "deepnorm"])
def test_a_norm_on_the_sum_holds_the_variance(wrapping):
    assert along(rs.Config(wrapping=wrapping, **SMALL)).variance[1:] == pytest.approx(1, abs=1e-4)


def test_one_row_a_wrapping():
    first, second = compare(["pre-ln", "sandwich"], layers=4, seeds=3, width=16, tokens=6)
    assert (first.name, second.title) == ("pre-ln", rs.WRAPPINGS["sandwich"].title)
    for seed in range(3):
        config = rs.Config(wrapping="sandwich", seed=seed, **SMALL)
        assert second.growth[seed] == pytest.approx(second.variance[seed, -1] / second.variance[seed, 0])
        assert (second.first[seed], second.last[seed]) == pytest.approx(tuple(rs.gradient_norms(config)[[0, -1], 1]))
        assert second.update[seed] == pytest.approx(update_size(config))
        assert second.variance[seed] == pytest.approx(along(config).variance)
    with pytest.raises(ValueError, match="seeds must be at least 2"):
        compare(["pre-ln"], layers=2, seeds=1)
    with pytest.raises(ValueError, match="did you mean 'post-ln'"):
        compare(["post-l"], layers=2)


def test_the_table_says_means_and_the_largest_error():
    one, none = compare(["pre-ln", "none"], layers=12, seeds=2, width=16, tokens=6)
    head, row, wild, errors = table([one, none]).splitlines()
    assert head.split() == ["growth", "cosine", "first", "last", "update"]
    assert [float(word) for word in row.split()[1:]] == pytest.approx(
        [values.mean() for values in (one.growth, one.similarity[:, -1], one.first, one.last, one.update)], rel=0.06)
    assert none.growth.mean() > 1e4 and wild.startswith("No norm")
    expected = abs(one.growth[0] - one.growth[1]) / 2 / one.growth.mean()
    assert errors.split()[2] == f"{expected:.0%}", "the stack that left every scale does not count"
    rezero = compare(["rezero"], layers=2, seeds=2, width=8, tokens=3)
    assert "nan" not in table(rezero)


def test_gradients_of_weights_that_are_given():
    config = rs.Config(**SMALL)
    assert np.array_equal(rs.gradient_norms(config, layers=all_weights(config)), rs.gradient_norms(config))
    halved = list(all_weights(config))
    halved[0]["attention"]["out"] *= 0.5
    assert not np.allclose(rs.gradient_norms(config, layers=halved), rs.gradient_norms(config))
