"""Every wrapping on the same stacks: what each does to the stream, to the gradients and to the first update."""

from typing import NamedTuple

import numpy as np

from .config import Config
from .stack import forward
from .trace import gradient_norms, token_similarity
from .training import update_size
from .weights import ATTENTION, all_weights, first_stream
from .wrappings import WRAPPINGS


class Along(NamedTuple):
    """The stream itself, before any layer and after each: arrays (layers + 1,).

    ``variance`` is the variance of a token over its width, a mean over the tokens; ``similarity`` the mean cosine of
    two different tokens. A factor alpha that multiplies the stream at an addition is not part of it.
    """

    variance: np.ndarray
    similarity: np.ndarray


def along(config):
    """The ``Along`` of the stack of ``config`` at initialisation, from its own x_0."""
    place, measured = WRAPPINGS[config.wrapping].place, []

    def record(layer, kind, stream, branch):
        if kind == ATTENTION:
            measured.append(_measures(stream / place(layer, config.layers).alpha))

    measured.append(_measures(forward(first_stream(config), all_weights(config), config, record)))
    return Along(*map(np.array, zip(*measured)))


def _measures(x):
    return float(x.var(axis=-1).mean()), token_similarity(x)


class Compared(NamedTuple):
    """One wrapping over several seeds.

    ``variance`` and ``similarity`` are those of ``Along``, (seeds, layers + 1); ``first`` and ``last`` the gradients'
    norms at W2 of the first and the last layer, ``update`` how far one step of Adam at 1e-4 moves the output, relative
    to its length: all (seeds,).
    """

    name: str
    title: str
    variance: np.ndarray
    similarity: np.ndarray
    first: np.ndarray
    last: np.ndarray
    update: np.ndarray

    @property
    def growth(self):
        """How many times as large the stream's variance is at the end, (seeds,)."""
        return self.variance[:, -1] / self.variance[:, 0]


def compare(names, layers, seeds=4, width=32, tokens=16):
    """A ``Compared`` for each wrapping in ``names``, over the seeds 0 to ``seeds`` - 1, Xavier weights.

    Raises ValueError for an unknown wrapping and for fewer than two seeds, which have no standard error.
    """
    if seeds < 2:
        raise ValueError(f"seeds must be at least 2, so that there is a standard error, not {seeds}")
    return [_compared(name, [Config(layers=layers, width=width, tokens=tokens, wrapping=name, seed=seed)
                             for seed in range(seeds)]) for name in names]


def _compared(name, configs):
    streams = [along(config) for config in configs]
    gradients = np.array([gradient_norms(config)[:, 1] for config in configs])
    return Compared(
        name, WRAPPINGS[name].title, np.array([stream.variance for stream in streams]),
        np.array([stream.similarity for stream in streams]), gradients[:, 0], gradients[:, -1],
        np.array([update_size(config) for config in configs]),
    )


def table(compared):
    """What was measured as the lines of a text: a row for each ``Compared``, means over the seeds.

    The last line has each column's largest standard error, relative to its mean (columns: the growth of the variance,
    the tokens' cosine at the end, the gradients of the first and the last layer, the update).
    """
    lines = [f"{'':17} {'growth':>8} {'cosine':>7} {'first':>8} {'last':>8} {'update':>8}"]
    errors = []
    for c in compared:
        columns = np.array([c.growth, c.similarity[:, -1], c.first, c.last, c.update])
        means = columns.mean(axis=1)
        growth, cosine, *others = means
        lines.append(f"{c.title:17} {_short(growth):>8} {cosine:7.2f} " + " ".join(f"{_short(n):>8}" for n in others))
        if growth < LARGEST:
            error = columns.std(axis=1, ddof=1) / len(c.first) ** 0.5
            errors.append(np.divide(error, np.abs(means), out=np.zeros(5), where=np.abs(means) > TELLING))
    worst = np.max(errors, axis=0)
    return "\n".join([*lines, f"{'largest error':17} {worst[0]:8.0%} {worst[1]:7.0%} "
                      + " ".join(f"{error:8.0%}" for error in worst[2:])])


def _short(value):
    """A number of any size, 0 or above, in at most eight characters."""
    if value == 0:
        return "0"
    if value < 1e-3 or value >= LARGEST:
        return f"{value:.1e}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


LARGEST, TELLING = 1e4, 0.01
"""A stream that grows more than the one has left every scale, a mean below the other is nothing: their standard
errors say nothing."""
