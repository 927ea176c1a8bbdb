"""One branch silenced at a time: how far the last stream moves, and how much of that is the missing term itself."""

from typing import NamedTuple

import numpy as np

from .stack import forward
from .trace import fitting_threads
from .weights import ATTENTION, FEED_FORWARD, KINDS, all_weights, first_stream
from .wrappings import WRAPPINGS

WRITES = {ATTENTION: "out", FEED_FORWARD: "down"}  # the matrix through which a branch writes


class Silenced(NamedTuple):
    """For each of the 2 L additions, in the norm of all tokens and channels, as shares of the last stream's norm.

    ``change`` is what the last stream moves by when that branch alone writes zeros; ``term`` the size of what the
    branch wrote when it was not silenced. Where they differ, later branches have read another stream.
    """

    change: np.ndarray
    term: np.ndarray


def silenced(config):
    """Silence each branch of an additive stack in turn: a ``Silenced``.

    Raises ValueError for a wrapping that norms or scales the stream itself, where no branch's term stays as written.
    """
    if not WRAPPINGS[config.wrapping].additive(config.layers):
        raise ValueError(f"wrapping {config.wrapping!r} norms or scales the stream: its last stream is no plain sum")
    x, terms = first_stream(config), []
    with fitting_threads(config):
        last = forward(x, all_weights(config), config, lambda layer, kind, stream, branch: terms.append(branch))
        changes = [forward(x, silent_weights(config, n), config) - last for n in range(2 * config.layers)]
    size = np.linalg.norm(last)
    return Silenced(*(np.array([np.linalg.norm(one) for one in parts]) / size for parts in (changes, terms)))


def silent_weights(config, addition):
    """The layers' weights, with zeros for the matrix through which the branch of ``addition``, from 0, writes."""
    silent_layer, sublayer = divmod(addition, len(KINDS))
    for layer, weights in enumerate(all_weights(config)):
        if layer == silent_layer:
            kind = KINDS[sublayer]
            weights[kind][WRITES[kind]][...] = 0
        yield weights
