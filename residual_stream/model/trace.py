"""What is measured at each addition of a stack, and what reaches the weights and the input on the way back."""

from contextlib import nullcontext
from functools import cache
from typing import NamedTuple

import numpy as np
from threadpoolctl import ThreadpoolController

from .addition import account
from .config import require_config
from .stack import cross_entropy_vjp, final_norm_vjp, forward, forward_vjp
from .sublayers import real_array
from .weights import ATTENTION, FEED_FORWARD, all_weights, first_stream, random_labels, unembedding


class Trace(NamedTuple):
    """One number for each of the 2 L additions, means over the tokens; ``layer`` counts from 0.

    var_sum = var_stream + var_branch + 2 covariance to rounding, in every wrapping. What "stream" is where a factor
    or a norm acts on it, ``WRAPPINGS[name].reported()`` says. ``correlation`` is the mean of the per-token ones, nan
    where a branch is constant; ``token_similarity`` the mean cosine of two different tokens of the sum, nan for one.
    """

    layer: np.ndarray
    kind: np.ndarray
    var_stream: np.ndarray
    var_branch: np.ndarray
    covariance: np.ndarray
    correlation: np.ndarray
    var_sum: np.ndarray
    token_similarity: np.ndarray


def trace(config, x=None, layers=None):
    """Send x_0 through the stack of ``config`` and account for every addition: a ``Trace``.

    ``x``, of shape (..., tokens, width), defaults to standard normal numbers from the seed; ``layers``, an iterable of
    layers' weights, to the ones at initialisation, which are made, used and dropped one layer at a time. Raises
    ValueError for what is no ``Config``, and for an ``x`` that is no array of real numbers of that shape.
    """
    require_config(config)
    rows = []
    with fitting_threads(config):
        forward(
            first_stream(config) if x is None else _given(x, config),
            all_weights(config) if layers is None else layers,
            config,
            lambda layer, kind, stream, branch: rows.append((layer, kind, *_measured(stream, branch))),
        )
    return Trace(*map(np.array, zip(*rows, strict=True)))


def _given(x, config):
    """``x`` as floating-point numbers, once its shape is known to be that of a stream."""
    x = real_array(x, "x")
    if x.ndim < 2 or x.shape[-1] != config.width:
        raise ValueError(f"x must be of shape (..., tokens, {config.width}), not {x.shape}")
    return x


def token_similarity(x):
    """The mean cosine between two different tokens of (..., tokens, width), the mean not removed; nan for one token."""
    tokens = x.shape[-2]
    if tokens == 1:
        return np.nan
    norms = np.sqrt(np.vecdot(x, x))
    total = np.vecmat(1 / norms, x)  # the sum of the unit vectors, (..., width)
    return float(((np.vecdot(total, total) - tokens) / (tokens * (tokens - 1))).mean())


def _measured(stream, branch):
    """The means over the tokens of one addition's account, then the similarity of the tokens of its sum."""
    return *(float(values.mean()) for values in account(stream, branch)), token_similarity(stream + branch)


def gradient_norms(config, layers=None):
    """||d loss / d W|| (Frobenius) of the attention's output projection and of the feed-forward's second matrix.

    The setting of Xiong et al. 2020, section 3.3: x_0 standard normal, the final norm where the wrapping has one, an
    unembedding of variance 1 / width, random labels, cross-entropy averaged over the tokens. Shape (layers, 2).
    ``layers``, an iterable of layers' weights, defaults to the ones at initialisation.
    """
    require_config(config)
    with fitting_threads(config):
        stream, back = forward_vjp(first_stream(config), all_weights(config) if layers is None else layers, config)
        y, back_norm = final_norm_vjp(stream, config)
        matrix = unembedding(config)
        _, back_loss = cross_entropy_vjp(y @ matrix, random_labels(config))
        dstream, _ = back_norm(back_loss() @ matrix.T)
        _, norms = back(
            dstream, lambda g: (np.linalg.norm(g[ATTENTION]["out"]), np.linalg.norm(g[FEED_FORWARD]["down"]))
        )
    return np.array(norms, dtype=float)


def jacobian(config, final_norm=False):
    """d x_L / d x_0 as a (tokens * width, tokens * width) matrix: row i is the gradient of coordinate i of x_L.

    Of the stack itself, or with its final norm. Each coordinate costs one backward pass: for small widths. Raises
    ValueError above 4096 coordinates.
    """
    require_config(config)
    size = config.tokens * config.width
    if size > 4096:
        raise ValueError(f"tokens * width must be at most 4096 for a Jacobian, not {size}: choose a smaller width")
    layers, rows = list(all_weights(config)), np.eye(size, dtype=config.dtype)
    some_rows = max(1, 2**16 // size)  # rows are carried back together, in a batch that fits the cache
    batches = [rows[start : start + some_rows] for start in range(0, size, some_rows)]
    with fitting_threads(config):
        return np.concatenate([_pull_back(config, layers, batch, final_norm) for batch in batches])


def _pull_back(config, layers, rows, final_norm):
    """Rows (n, tokens * width) times the Jacobian."""
    x = first_stream(config)
    y, back = forward_vjp(np.broadcast_to(x, (len(rows), *x.shape)), layers, config)
    dy = rows.reshape(y.shape)
    if final_norm:
        dy, _ = final_norm_vjp(y, config)[1](dy)
    dx, _ = back(dy, keep=lambda gradients: None)
    return dx.reshape(rows.shape)


def fitting_threads(config):
    """A context with one BLAS thread for a small stack: there the threads' meeting costs more than they save."""
    small = config.tokens * config.width**2 < 2**23
    return _thread_pools().limit(limits=1, user_api="blas") if small else nullcontext()


@cache
def _thread_pools():
    return ThreadpoolController()
