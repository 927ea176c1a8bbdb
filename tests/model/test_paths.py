"""The way back, against the stack's own Jacobian, central differences and sums written out."""

from itertools import combinations

import numpy as np
import pytest

import residual_stream as rs
from residual_stream.model import paths
from residual_stream.model.composition import composition, final_terms
from residual_stream.model.stack import forward
from residual_stream.model.weights import all_weights, first_stream
from residual_stream.model.wrappings import Wrapping, everywhere

SMALL = {"layers": 2, "width": 6, "heads": 2, "tokens": 3}
PARTED = sorted(name for name, wrapping in rs.WRAPPINGS.items() if not wrapping.one_read)
ADDITIVE = [name for name in PARTED if rs.WRAPPINGS[name].additive(SMALL["layers"])]


@pytest.fixture
def plain(monkeypatch):
    """A stack that hands on the branch alone."""
    monkeypatch.setitem(rs.WRAPPINGS, "plain", Wrapping("Plain", "", "", everywhere(alpha=0.0, read="layer")))


@pytest.mark.parametrize("wrapping", PARTED)
def test_the_product_is_the_jacobian_of_the_stack(wrapping):
    config = rs.Config(**SMALL, wrapping=wrapping)
    matrices = paths.sublayer_jacobians(config)
    assert len(matrices) == 4
    whole = rs.jacobian(config)
    assert np.abs(paths.product_of(matrices) - whole).max() < 1e-13 * max(1, np.abs(whole).max())


def test_the_jacobian_of_a_stack_without_addition_is_the_one_of_differences(plain):
    config = rs.Config(**SMALL, wrapping="plain")
    x, layers = first_stream(config), list(all_weights(config))
    found = paths.product_of(paths.sublayer_jacobians(config))
    for n in range(x.size):
        step = np.zeros(x.size)
        step[n] = 1e-6
        up, down = (forward(x + s * step.reshape(x.shape), layers, config).ravel() for s in (1, -1))
        assert found[:, n] == pytest.approx((up - down) / 2e-6, abs=1e-7)


@pytest.mark.parametrize("wrapping", ADDITIVE)
def test_all_paths_and_all_orders_add_up_to_the_jacobian(wrapping):
    config = rs.Config(**SMALL, wrapping=wrapping)
    branches, whole = paths.branch_jacobians(config), rs.jacobian(config)
    every, orders = paths.each_path(branches), paths.by_order(branches)
    assert len(every) == 16 and np.array_equal(every[False, False, False, False], np.eye(18))
    limit = 1e-13 * max(1, np.abs(whole).max())
    assert np.abs(sum(every.values()) - whole).max() < limit
    for k, matrix in enumerate(orders):
        assert np.abs(matrix - sum(term for taken, term in every.items() if sum(taken) == k)).max() < limit
    two = sum(branches[late] @ branches[early] for early, late in combinations(range(4), 2))
    assert np.abs(orders[2] - two).max() < limit, "the later branch stands on the left"


def test_the_spectra_are_the_stretch_factors_of_shorter_stacks():
    rows = paths.spectra(rs.Config(**SMALL | {"layers": 3}))
    assert rows.shape == (4, 18) and np.all(rows[0] == 1)
    for layers in (1, 2, 3):
        matrix = rs.jacobian(rs.Config(**SMALL | {"layers": layers}))
        assert rows[layers] ** 2 == pytest.approx(np.linalg.eigvalsh(matrix @ matrix.T)[::-1], rel=1e-6)
        assert paths.size(matrix) == pytest.approx(np.sqrt(np.mean(rows[layers] ** 2)))


@pytest.mark.parametrize("call, told", [
    (lambda: paths.sublayer_jacobians(rs.Config(wrapping="parallel", layers=1, width=8)), "reads once for two"),
    (lambda: paths.sublayer_jacobians(rs.Config(width=64, tokens=32)), "at most 1024 for all Jacobians, not 2048"),
    (lambda: paths.branch_jacobians(rs.Config(**SMALL, wrapping="post-ln")), "'post-ln' norms or scales the stream"),
    (lambda: paths.each_path([np.eye(2)] * 13), "13 branches have 8192 paths"),
])
def test_what_has_no_paths_is_refused(call, told):
    with pytest.raises(ValueError, match=told):
        call()


@pytest.mark.parametrize("wrapping", rs.WRAPPINGS)
def test_the_terms_add_up_to_the_last_stream(wrapping):
    config = rs.Config(layers=3, width=8, tokens=4, wrapping=wrapping)
    last = forward(first_stream(config), all_weights(config), config)
    terms = final_terms(config)
    assert terms.shape == (7, 4, 8)
    assert np.abs(terms.sum(axis=0) - last).max() < 1e-13 * np.abs(last).max()
    if rs.WRAPPINGS[wrapping].additive(3):
        assert np.array_equal(terms[0], first_stream(config))


@pytest.mark.parametrize("wrapping", ["pre-ln", "post-ln", "deepnorm"])
def test_the_sizes_are_those_of_the_terms_and_of_the_trace(wrapping):
    config = rs.Config(layers=3, width=8, tokens=4, wrapping=wrapping)
    found, trace, terms = composition(config), rs.trace(config), final_terms(config)
    alpha = rs.WRAPPINGS[wrapping].place(0, 3).alpha
    assert found.stream[:-1] == pytest.approx(np.sqrt(trace.var_stream) / alpha)
    assert found.terms[-1] == pytest.approx([np.sqrt(np.mean(np.var(term, axis=-1))) for term in terms])
    assert found.terms[0, 0] == found.stream[0] and not np.triu(found.terms, 1).any()


def test_post_ln_divides_the_start_by_each_deviation_in_turn():
    """x_0's share, from the deviations of the sums alone: what the norm divides by, token by token."""
    config, deviations = rs.Config(layers=3, width=8, tokens=4, wrapping="post-ln"), []
    forward(first_stream(config), all_weights(config), config,
            lambda layer, kind, stream, branch: deviations.append(np.sqrt((stream + branch).var(axis=-1) + 1e-5)))
    start = first_stream(config)
    left = (start - start.mean(axis=-1, keepdims=True)) / np.prod(deviations, axis=0)[:, None]
    assert np.abs(final_terms(config)[0] - left).max() < 1e-14


def test_the_chapter_s_words_about_directions_hold(plain):
    """What the prose says in words, on seeds of its own."""
    kept = {name: [int((paths.spectra(rs.Config(layers=12, width=16, tokens=8, wrapping=name, seed=seed)) >= 0.01)
                       .sum(axis=1)[layers]) for seed in (11, 12) for layers in (1, 12)]
            for name in ("pre-ln", "post-ln", "plain")}
    assert min(kept["pre-ln"]) >= 125
    assert kept["post-ln"][::2] == [112, 112], "each of 8 tokens loses its mean and its own direction"
    assert all(30 < count < 100 for count in kept["post-ln"][1::2]) and max(kept["plain"][1::2]) < 10
