"""The relays' closed forms against the binomial distribution and against the simulation; silenced branches."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import residual_stream as rs
from residual_stream import relay
from residual_stream.model.silence import silenced
from residual_stream.model.sublayers import layer_norm
from residual_stream.model.weights import all_weights, first_stream


@given(st.floats(0, 1), st.integers(1, 30))
def test_the_shares_are_those_of_the_binomial_distribution(p, handlers):
    chance = [comb(handlers, k) * (1 - p) ** k * p ** (handlers - k) for k in range(handlers + 1)]
    assert relay.share_rewriting(p, handlers) == pytest.approx(chance[-1])
    assert relay.share_adding(p, handlers) == pytest.approx(sum(k / handlers * c for k, c in enumerate(chance)))


@pytest.mark.parametrize("p", [0, 0.02, 0.1, 0.3, 1])
def test_the_simulation_agrees_within_four_standard_errors(p):
    shares = relay.simulate(p, relay.works(7, 4000, seed=3))
    for name, expected in (("rewriting", (1 - p) ** 7), ("adding", 1 - p)):
        assert abs(shares[name].mean - expected) <= 4 * shares[name].error
    spread = np.sqrt(p * (1 - p) / 7 / 4000)
    assert shares["adding"].error == pytest.approx(spread, rel=0.1, abs=1e-12)


def test_two_runs_by_hand():
    shares = relay.simulate(0.5, np.array([[0.5, 0.4], [0.6, 0.9]]))      # a handler works at exactly p
    assert shares["rewriting"] == pytest.approx((0.5, 0.5)) and shares["adding"] == pytest.approx((0.75, 0.25))


def test_a_handler_who_fails_fails_at_every_larger_probability():
    numbers = relay.works(12, 50)
    means = [relay.simulate(p, numbers) for p in np.linspace(0, 1, 21)]
    for name in ("rewriting", "adding"):
        values = [shares[name].mean for shares in means]
        assert values[0] == 1 and values[-1] == 0 and np.all(np.diff(values) <= 0)


@pytest.mark.parametrize("call, told", [
    (lambda: relay.share_rewriting(1.2, 5), "p must be a probability"),
    (lambda: relay.share_adding(float("nan"), 5), "p must be a probability"),
    (lambda: relay.share_rewriting(0.1, 0), "handlers must be a whole number of at least 1, not 0"),
    (lambda: relay.works(3, 2.5), "runs must be a whole number"),
    (lambda: relay.simulate(0.1, relay.works(3, 1)), "at least two runs"),
])
def test_impossible_relays_are_refused(call, told):
    with pytest.raises(ValueError, match=told):
        call()


def test_a_silenced_branch_is_left_out_of_everything_after_it():
    """Against a stack of single-token layers written out here, where attention reads its own value alone."""
    config = rs.Config(layers=2, width=6, heads=1, tokens=1, ff=5, activation="relu")
    layers, x0 = list(all_weights(config)), first_stream(config)

    def last(silent):
        x, n = x0, 0
        for weights in layers:
            attention, network = weights["attention"], weights["feed-forward"]
            for branch in (lambda z: z @ attention["qkv"][:, 12:] @ attention["out"],
                           lambda z: np.maximum(z @ network["up"], 0) @ network["down"]):
                x, n = x + (0 if n == silent else 1) * branch(layer_norm(x)), n + 1
        return x

    whole = last(None)
    expected = [np.linalg.norm(last(n) - whole) / np.linalg.norm(whole) for n in range(4)]
    found = silenced(config)
    assert found.change == pytest.approx(expected)
    assert found.term[-1] == pytest.approx(found.change[-1]), "nobody reads what the last branch wrote"
    assert abs(found.term[0] - found.change[0]) > 1e-3


def test_a_stream_that_is_normed_has_no_term_to_silence():
    with pytest.raises(ValueError, match="'post-ln' norms or scales the stream"):
        silenced(rs.Config(layers=1, wrapping="post-ln"))
