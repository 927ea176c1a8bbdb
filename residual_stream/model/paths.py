"""The way back through a stack, sublayer by sublayer: each one's Jacobian, and the paths that their product holds.

In an additive stack x_{n+1} = x_n + f_n(x_n), so its Jacobian is I + J_n, and the whole stack's is their product.
Multiplied out it is a sum of 2^N terms, one for each choice of branches that a path goes through.
"""

from itertools import product

import numpy as np

from .stack import sublayer_vjps
from .sublayers import feed_forward_vjp
from .trace import fitting_threads
from .weights import KINDS, all_weights, first_stream
from .wrappings import WRAPPINGS, layer_vjp


def sublayer_jacobians(config):
    """d x_{n+1} / d x_n for each of the 2 L sublayers, first to last: square matrices of tokens * width.

    Row i is the gradient of coordinate i of x_{n+1}. ``product_of`` them is ``rs.jacobian(config)``. Raises ValueError
    for a parallel block, whose branches share one read, and above 1024 coordinates.
    """
    wrapping, size = WRAPPINGS[config.wrapping], config.tokens * config.width
    if wrapping.one_read:
        raise ValueError(f"wrapping {config.wrapping!r} reads once for two branches: its sublayers cannot be parted")
    if size > 1024:
        raise ValueError(f"tokens * width must be at most 1024 for all Jacobians, not {size}: choose a smaller width")
    x, functions, matrices = first_stream(config), sublayer_vjps(config, first_stream(config), feed_forward_vjp), []
    rows = np.eye(size, dtype=config.dtype).reshape(size, *x.shape)
    with fitting_threads(config):
        for layer, weights in enumerate(all_weights(config)):
            place = wrapping.place(layer, config.layers)
            for kind in KINDS:
                batch = np.broadcast_to(x, rows.shape)
                y, back = layer_vjp(batch, weights, {kind: functions[kind]}, place, eps=config.eps)
                matrices.append(back(rows)[0].reshape(size, size))
                x = y[0]
    return matrices


def branch_jacobians(config):
    """J_n of each branch of an additive stack, first to last: ``sublayer_jacobians`` without their identity.

    Raises ValueError, besides, for a wrapping that norms or scales the stream itself.
    """
    if not WRAPPINGS[config.wrapping].additive(config.layers):
        raise ValueError(f"wrapping {config.wrapping!r} norms or scales the stream: no identity stands in its factors")
    return [matrix - np.eye(len(matrix), dtype=matrix.dtype) for matrix in sublayer_jacobians(config)]


def product_of(matrices):
    """The product of Jacobians given first to last: the last one stands on the left."""
    whole = np.eye(len(matrices[0]), dtype=matrices[0].dtype)
    for matrix in matrices:
        whole = matrix @ whole
    return whole


def spectra(config):
    """By how much the first l layers stretch perpendicular directions, l = 0 to L: (L + 1, tokens * width).

    Row l has the singular values of d x / d x_0 after l layers, largest first; row 0 is all ones.
    """
    matrices = sublayer_jacobians(config)
    whole = np.eye(len(matrices[0]), dtype=matrices[0].dtype)
    rows = [np.ones(len(whole))]
    for layer in range(config.layers):
        whole = product_of([whole, *matrices[2 * layer:2 * layer + 2]])
        rows.append(np.linalg.svd(whole, compute_uv=False))
    return np.array(rows)


def each_path(branches):
    """Every term of the product of the (I + J_n), as ``{(False, True, ...): matrix}``: True where it takes J_n.

    Raises ValueError above 12 branches, which have 4096 paths.
    """
    if len(branches) > 12:
        raise ValueError(f"{len(branches)} branches have {2 ** len(branches)} paths: take at most 12, or by_order")
    identity = np.eye(len(branches[0]), dtype=branches[0].dtype)
    return {taken: product_of([identity, *(branch for branch, through in zip(branches, taken) if through)])
            for taken in product((False, True), repeat=len(branches))}


def by_order(branches):
    """The paths through exactly k branches, summed, for k = 0 to N: matrices that add up to the whole Jacobian.

    The coefficients of the polynomial in t that is the product of the (I + t J_n).
    """
    sums = [np.eye(len(branches[0]), dtype=branches[0].dtype)]
    for branch in branches:
        longer = [branch @ matrix for matrix in sums]
        sums = [sums[0], *(old + new for old, new in zip(sums[1:], longer)), longer[-1]]
    return sums


def size(matrix):
    """How much a matrix stretches a random gradient: the root mean square of its singular values; 1 for I."""
    return float(np.linalg.norm(matrix) / np.sqrt(len(matrix)))
