"""What the stream is made of: x_0 and every branch as they stand in it, whatever norms and factors act on the sum."""

from typing import NamedTuple

import numpy as np

from .stack import forward
from .sublayers import centred
from .trace import fitting_threads
from .weights import all_weights, first_stream
from .wrappings import WRAPPINGS


class Composition(NamedTuple):
    """Sizes after n = 0 to 2 L additions: root mean squares, over tokens, of the standard deviation over the width.

    ``stream`` (2 L + 1,) is the stream's; ``terms`` (2 L + 1, 2 L + 1) has in row n the sizes of x_0 and then of the
    branches 1 to n as they stand in that stream, zeros after. In an additive stack a term's size never changes.
    """

    stream: np.ndarray
    terms: np.ndarray


def composition(config):
    """The ``Composition`` of the stack of ``config`` at initialisation, where all gains are 1."""
    sizes = [_size(first_stream(config))]
    rows = [[sizes[0]]]

    def measure(terms):
        sizes.append(_size(sum(terms)))
        rows.append([_size(term) for term in terms])

    _walk(config, measure)
    terms = np.zeros((len(rows), len(rows)))
    for n, row in enumerate(rows):
        terms[n, :len(row)] = row
    return Composition(np.array(sizes), terms)


def final_terms(config):
    """x_0's part and each branch's part of the last stream, (2 L + 1, tokens, width): they add up to it."""
    last = []
    _walk(config, lambda terms: last.append(terms))
    return np.array(last[-1])


def _walk(config, visit):
    """Call ``visit`` after each addition with the terms of the stream at that place, (tokens, width) each.

    A norm on the sum divides every term by the same number for each token, once its mean is taken away.
    """
    wrapping, terms = WRAPPINGS[config.wrapping], [first_stream(config)]

    def record(layer, kind, stream, branch):
        nonlocal terms
        place = wrapping.place(layer, config.layers)
        terms = [place.alpha * term for term in terms] + [branch]
        if place.sum:
            centre = centred if place.sum == "layer" else np.asarray
            total = centre(stream + branch)
            divisor = np.sqrt(np.square(total).mean(axis=-1, keepdims=True) + config.eps)
            terms = [centre(term) / divisor for term in terms]
        visit(terms)

    with fitting_threads(config):
        forward(first_stream(config), all_weights(config), config, record)


def _size(x):
    return float(np.sqrt(x.var(axis=-1).mean()))
