"""The stream layer by layer, against stacks cut short; the cosines, against sums written out."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import residual_stream as rs
from residual_stream.model.stack import forward
from residual_stream.model.streams import cosine, neighbour_similarity, stream_variance, streams
from residual_stream.model.weights import all_weights, first_stream


@pytest.mark.parametrize("wrapping", rs.WRAPPINGS)
def test_each_state_is_what_the_stack_cut_short_gives(wrapping):
    config = rs.Config(layers=4, width=16, tokens=5, wrapping=wrapping)
    x, layers, states = first_stream(config), list(all_weights(config)), streams(config)
    assert states.shape == (5, 5, 16)
    for depth, state in enumerate(states):
        np.testing.assert_allclose(state, forward(x, layers[:depth], config), rtol=1e-12, atol=1e-12)


def test_a_deep_stack_holds_the_states_of_a_shallow_one():
    deep, shallow = (streams(rs.Config(layers=layers, width=16, tokens=5)) for layers in (6, 3))
    assert np.array_equal(deep[:4], shallow)


@pytest.mark.parametrize("wrapping", ["pre-ln", "post-ln", "deepnorm"])
def test_the_variance_of_the_stream_is_that_of_the_states(wrapping):
    config = rs.Config(layers=5, width=16, tokens=5, wrapping=wrapping)
    found = stream_variance(rs.trace(config), config)
    np.testing.assert_allclose(found[::2], streams(config)[:-1].var(axis=-1).mean(axis=-1))


@given(st.integers(0, 2**32), st.floats(0.1, 10), st.floats(0.1, 10))
def test_the_cosine_is_the_one_of_the_definition(seed, one, other):
    x, y = np.random.default_rng(seed).standard_normal((2, 3, 4))
    by_hand = [sum(a * b for a, b in zip(u, v)) / math.sqrt(sum(a * a for a in u) * sum(b * b for b in v))
               for u, v in zip(x, y)]
    assert cosine(one * x, other * y) == pytest.approx(sum(by_hand) / 3, abs=1e-12)


def test_neighbours_that_turn_back_have_cosine_minus_one():
    x = np.random.default_rng(0).standard_normal((3, 4))
    assert neighbour_similarity(np.array([x, 2 * x, -x])) == pytest.approx([1, -1])
