"""The logits with and without a final norm, against a second implementation's numbers and stacks cut short."""

from dataclasses import replace

import numpy as np
import pytest

import residual_stream as rs
from residual_stream.model.final_norm import learning, readout
from residual_stream.model.stack import final_norm_vjp, forward
from residual_stream.model.training import REVERSAL
from residual_stream.model.weights import all_weights, first_stream, random_labels, unembedding


@pytest.fixture(scope="module")
def deep():
    return readout([rs.Config(layers=96, seed=seed) for seed in range(4)])


@pytest.mark.parametrize("layers, expected", [(1, 1.2), (12, 3.2), (48, 7.1), (96, 10.3)])
def test_the_spread_of_the_logits_grows_like_the_stream(deep, layers, expected):
    """Measured with PyTorch at the same configuration; four seeds spread by some percent."""
    assert deep.plain[layers].std() == pytest.approx(expected, rel=0.15)
    assert deep.normed[layers].std() == pytest.approx(1.0, rel=0.1)


def test_the_cross_entropy_with_and_without(deep):
    assert deep.plain_loss[96] == pytest.approx(22.3, rel=0.15)
    assert deep.normed_loss[96] == pytest.approx(4.66, rel=0.03)
    assert deep.guess == pytest.approx(np.log(64))


def test_a_depth_is_the_stack_of_that_many_layers():
    found = readout([rs.Config(layers=5, width=16, tokens=6)])
    config = rs.Config(layers=3, width=16, tokens=6)
    x = forward(first_stream(config), all_weights(config), config)
    plain, normed = x @ unembedding(config), final_norm_vjp(x, config)[0] @ unembedding(config)
    np.testing.assert_allclose(found.plain[3], plain.ravel())
    np.testing.assert_allclose(found.normed[3], normed.ravel())
    chance = np.exp(plain)[np.arange(6), random_labels(config)] / np.exp(plain).sum(axis=-1)
    assert found.plain_loss[3] == pytest.approx(-np.log(chance).mean())


def test_without_a_final_norm_the_last_gradient_does_not_fall_with_depth():
    last = {(wrapping, layers): np.mean([rs.gradient_norms(rs.Config(layers=layers, wrapping=wrapping, seed=s))[-1, 1]
                                         for s in range(4)])
            for wrapping in ("pre-ln", "pre-ln-no-final") for layers in (6, 48)}
    assert last["pre-ln", 48] < 0.6 * last["pre-ln", 6]
    assert last["pre-ln-no-final", 48] > last["pre-ln-no-final", 6] > last["pre-ln", 6]


def test_a_run_that_has_not_learned_says_so():
    first, steps, accuracy = learning(replace(REVERSAL, layers=2), steps=3)
    assert first > 1 and np.isnan(steps) and accuracy < 0.9
