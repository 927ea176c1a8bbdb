"""Training: the task, Adam and the gradients against independent ones; then what the chapters claim of warm-up."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from residual_stream.model.config import Config
from residual_stream.model.optimiser import Adam, gathered, leaves, packed, warmed_up
from residual_stream.model.sweeps import sweep
from residual_stream.model.training import REVERSAL, loss_and_gradients, new_model, reversal_batch, train, update_size
from residual_stream.model.warm_up import ARMS, Run, curves, four_arms
from residual_stream.model.weights import random_source
from residual_stream.model.wrappings import WRAPPINGS

SMALL = Config(layers=2, width=12, heads=3, tokens=6, vocabulary=7)
quiet = {"progress": lambda done, total: None}


@settings(deadline=None)
@given(st.integers(1, 20), st.integers(2, 17), st.integers(3, 12), st.integers(0, 99))
def test_the_task_is_to_write_the_first_half_backwards(batch, tokens, vocabulary, seed):
    config = replace(SMALL, tokens=tokens, vocabulary=vocabulary)
    inputs, targets = reversal_batch(random_source(seed), batch, config)
    half = tokens // 2
    for row, wanted in zip(inputs.tolist(), targets.tolist(), strict=True):
        assert row[:half] == list(reversed(wanted)) and set(row[half:]) == {0}
        assert all(1 <= symbol < vocabulary for symbol in wanted)


def test_adam_is_algorithm_1_written_out_for_one_number():
    gradients, rate, b1, b2, eps = [0.3, -2.0, 0.01, 5.0], 0.1, 0.9, 0.999, 1e-8
    theta, m, v = 1.5, 0.0, 0.0
    vector = np.array([1.5])
    adam = Adam(vector)
    for t, g in enumerate(gradients, start=1):
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        theta -= rate * (m / (1 - b1**t)) / ((v / (1 - b2**t)) ** 0.5 + eps)
        adam.step(np.array([g]), rate)
        assert vector[0] == pytest.approx(theta, rel=1e-13)


def test_adam_is_pytorchs(torch):
    source = np.random.default_rng(0)
    vector = source.standard_normal(50)
    peer = torch.tensor(vector.copy(), requires_grad=True)
    ours, theirs = Adam(vector), torch.optim.Adam([peer], lr=0.02)
    for _ in range(30):
        gradient = source.standard_normal(50)
        ours.step(gradient, 0.02)
        peer.grad = torch.tensor(gradient)
        theirs.step()
    np.testing.assert_allclose(vector, peer.detach().numpy(), rtol=1e-12)


def test_warm_up_is_linear_then_constant():
    assert [warmed_up(0.6, step, 3) for step in range(5)] == pytest.approx([0.2, 0.4, 0.6, 0.6, 0.6])
    assert warmed_up(0.6, 0, 0) == 0.6


def test_a_packed_model_is_made_of_views():
    model = {"a": [np.arange(3.0), {"b": np.ones((2, 2))}], "c": np.zeros(1)}
    vector, views = packed(model)
    assert vector.tolist() == [0, 1, 2, 1, 1, 1, 1, 0]
    vector += 1
    assert [leaf.tolist() for leaf in leaves(views)] == [[1, 2, 3], [[2, 2], [2, 2]], [1]]
    gradients = {"c": np.array([9.0]), "a": [np.zeros(3), {"b": np.full((2, 2), 5.0)}]}
    assert gathered(model, gradients).tolist() == [0, 0, 0, 5, 5, 5, 5, 9]


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_every_gradient_is_the_central_difference(wrapping):
    config = replace(SMALL, wrapping=wrapping)
    source = np.random.default_rng(1)
    inputs, targets = reversal_batch(source, 5, config)
    vector, model = packed(new_model(config))
    vector += 0.1 * source.standard_normal(vector.size)
    gradient = gathered(model, loss_and_gradients(model, config, inputs, targets)[2])
    origin, step = vector.copy(), 1e-5
    for block in np.split(np.arange(vector.size), np.cumsum([leaf.size for leaf in leaves(model)])[:-1]):
        direction = np.zeros(vector.size)
        direction[block] = source.standard_normal(block.size) / block.size**0.5
        losses = []
        for sign in (1, -1):
            vector[:] = origin + sign * step * direction
            losses.append(loss_and_gradients(model, config, inputs, targets)[0])
        assert gradient @ direction == pytest.approx((losses[0] - losses[1]) / (2 * step), rel=1e-5, abs=1e-9)


def test_the_loss_is_that_of_the_written_half_only():
    config = SMALL
    model = new_model(config)
    inputs, targets = reversal_batch(random_source(3), 4, config)
    model["unembedding"][:] = 0
    loss, accuracy, gradients = loss_and_gradients(model, config, inputs, targets)
    assert loss == pytest.approx(log(config.vocabulary))
    assert accuracy == 0.0      # all logits equal: the guess is 0, the blank, which is never a target
    assert not gradients["embedding"].any()


def test_the_same_arguments_give_the_same_numbers():
    config = replace(SMALL, dtype="float32")
    first, second = (train(config, steps=8, batch=4, **quiet) for _ in range(2))
    assert np.array_equal(first.losses, second.losses) and np.array_equal(first.accuracies, second.accuracies)
    assert all(map(np.array_equal, leaves(first.model), leaves(second.model)))
    other = train(replace(config, seed=1), steps=8, batch=4, **quiet)
    assert not np.array_equal(first.losses, other.losses)


def test_what_the_first_layer_reads_is_as_wide_as_the_stream_of_a_trace():
    model = new_model(replace(SMALL, width=512, heads=4, vocabulary=64, tokens=64))
    for part in ("embedding", "positions"):     # 32,768 numbers: a standard error of 0.004
        assert model[part].var() == pytest.approx(0.5, abs=0.016)


def test_progress_counts_the_steps():
    seen = []
    train(SMALL, steps=3, batch=2, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("options, message", [
    ({"steps": 0}, "steps must be a whole number of at least 1, not 0"),
    ({"steps": 2.5}, "steps must be a whole number"),
    ({"batch": -1}, "batch must be a whole number of at least 1, not -1"),
    ({"warm_up": -1}, "warm_up must be a whole number of at least 0, not -1"),
    ({"warm_up": True}, "warm_up must be a whole number"),
    ({"learning_rate": 0.0}, "learning_rate must be a positive number, not 0.0"),
    ({"learning_rate": float("nan")}, "learning_rate must be a positive number, not nan"),
    ({"learning_rate": "0.1"}, "learning_rate must be a positive number, not '0.1'"),
    ({"learning_rate": None}, "learning_rate must be a positive number, not None"),
    ({"learning_rate": 10**400}, "learning_rate must be a positive number"),
    ({"config": None}, "config must be a Config"),
    ({"config": replace(SMALL, tokens=1)}, "tokens must be a whole number of at least 2, not 1"),
    ({"config": replace(SMALL, vocabulary=2)}, "vocabulary must be a whole number of at least 3, not 2"),
])
def test_bad_arguments_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        train(**options)


def test_post_ln_needs_the_warm_up_that_pre_ln_and_deepnorm_do_without():
    """12 layers, width 32, learning rate 3e-3, 160 steps. A guess is right once in nine: 0.11.

    A seed in five or so gets off the plateau by itself, hence the median of three.
    """
    stuck = [Run(replace(REVERSAL, wrapping="post-ln", seed=seed), steps=160) for seed in range(3)]
    rescued = [Run(replace(REVERSAL, wrapping="post-ln"), steps=160, warm_up=100)]
    rescued += [Run(replace(REVERSAL, wrapping=wrapping), steps=160) for wrapping in ("pre-ln", "deepnorm")]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        accuracies = [run[1, -20:].mean() for run in sweep(curves, stuck + rescued, executor=pool)]
    assert 0.08 < np.median(accuracies[:3]) < 0.5, accuracies
    assert min(accuracies[3:]) > 0.9, accuracies


def test_the_arms_are_those_of_the_sweep():
    runs = four_arms(seeds=2, steps=2)
    assert {title: curve.shape for title, curve in runs.items()} == dict.fromkeys(ARMS, (2, 2, 2))
    config = replace(REVERSAL, wrapping="deepnorm", seed=1)
    alone = train(config, steps=2, **quiet)
    assert np.array_equal(runs["DeepNorm, no warm-up"][1], [alone.losses, alone.accuracies])
    assert np.array_equal(runs["DeepNorm, no warm-up"][1], curves(Run(config, steps=2)))


def mean_update(wrapping, layers, seeds=8):
    """Mean and standard error of the relative change of the output after one step of Adam at 1e-4."""
    sizes = [update_size(Config(layers=layers, width=32, heads=4, tokens=16, wrapping=wrapping, vocabulary=32,
                                causal=False, seed=seed)) for seed in range(seeds)]
    return np.mean(sizes), np.std(sizes, ddof=1) / seeds**0.5


def test_deepnorm_bounds_the_first_update():
    """DeepNet's claim: its output moves ten times less than the others', and by less than the square root of depth."""
    size = {(wrapping, layers): mean_update(wrapping, layers)
            for wrapping in ("post-ln", "pre-ln", "deepnorm") for layers in (6, 24)}
    for other in ("post-ln", "pre-ln"):
        for layers in (6, 24):
            ours, error = size["deepnorm", layers]
            theirs, their_error = size[other, layers]
            assert theirs - 3 * their_error > 5 * (ours + 3 * error)
    growth = size["deepnorm", 24][0] / size["deepnorm", 6][0]
    assert growth < 2.0 + 3 * 2 * size["deepnorm", 6][1] / size["deepnorm", 6][0]


def test_an_update_leaves_gates_and_gains_alone():
    """ReZero's branches are closed at first, and its matrices cannot change what passes through a gate of 0."""
    assert update_size(Config(layers=2, width=8, heads=2, tokens=4, wrapping="rezero")) == 0.0


def test_a_step_of_gradient_descent_moves_the_output_in_proportion_to_its_length():
    config = Config(layers=3, width=16, heads=2, tokens=6)
    small, large = (update_size(config, rate, optimiser="sgd") for rate in (1e-6, 1e-5))
    assert large == pytest.approx(10 * small, rel=1e-3) and small > 0
    assert update_size(config, 1e-5) != pytest.approx(large, rel=0.1)


def test_an_unknown_optimiser_is_refused():
    with pytest.raises(ValueError, match="optimiser must be 'adam' or 'sgd', not 'momentum'"):
        update_size(Config(layers=1, width=8, heads=2, tokens=4), optimiser="momentum")
