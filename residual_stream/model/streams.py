"""The stream itself, layer by layer, and how alike two of its states are."""

import numpy as np

from .stack import forward
from .trace import fitting_threads
from .weights import ATTENTION, all_weights, first_stream
from .wrappings import WRAPPINGS


def streams(config, x=None, layers=None):
    """The stream before the first layer and after each one: shape (layers + 1, ..., tokens, width).

    ``x`` and ``layers`` as in ``trace``. No factor stands before it, and no final norm behind it: where a layer ends
    with a norm, that norm is applied. For a wrapping that only adds, without ``residual_scale``, the first l + 1 states
    are those of a stack of l layers with the same seed.
    """
    kept = []

    def keep(layer, kind, stream, branch):
        if kind == ATTENTION:
            kept.append(stream / WRAPPINGS[config.wrapping].place(layer, config.layers).alpha)

    with fitting_threads(config):
        last = forward(first_stream(config) if x is None else x, all_weights(config) if layers is None else layers,
                       config, keep)
    return np.array([*kept, last])


def stream_variance(trace, config):
    """The variance of the stream itself before each addition of ``trace(config)``, shape (2 layers,).

    ``var_stream`` is that of what is added, alpha x: here the factor is taken out again.
    """
    place = WRAPPINGS[config.wrapping].place
    alpha = np.array([place(layer, config.layers).alpha for layer in trace.layer])
    return trace.var_stream / alpha**2


def cosine(x, y):
    """The cosine of x and y, (..., width), token by token and then averaged over all of them: a number."""
    return float((np.vecdot(x, y) / np.sqrt(np.vecdot(x, x) * np.vecdot(y, y))).mean())


def neighbour_similarity(states):
    """The mean cosine of each token before and after a layer, for ``streams``: shape (layers,)."""
    return np.array([cosine(before, after) for before, after in zip(states, states[1:])])
