"""Statements of the claims page that no other test holds."""

import numpy as np

import residual_stream as rs

LAYERS = 24


def test_post_ln_gradients_do_not_fall_like_the_factor_in_the_bound():
    """First layer over last, four seeds: nowhere near (2/3)^((L - l)/2), which would leave less than a hundredth."""
    configs = [rs.Config(layers=LAYERS, wrapping="post-ln", seed=seed) for seed in range(4)]
    ratio = [gradients[0, 1] / gradients[-1, 1] for gradients in map(rs.gradient_norms, configs)]
    factor = (2 / 3) ** ((LAYERS - 1) / 2)
    assert factor < 0.01 and np.min(ratio) > 30 * factor
