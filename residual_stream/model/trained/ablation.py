"""Leave one branch out at a time: the handler who adds nothing."""

import numpy as np

from ..silence import WRITES
from ..stack import forward
from ..trace import fitting_threads
from ..weights import KINDS


def silent(weights, kinds):
    """A layer's weights with the branches of ``kinds`` made zero: what writes to the stream is zero, all else stays.

    A norm on the sum still acts, as it would on a sum with nothing added.
    """
    def zeros(kind, own):
        written = (WRITES[kind], f"{WRITES[kind]}_bias") if kind in kinds else ()
        return {name: np.zeros_like(own[name]) for name in written if name in own}

    return {kind: own | zeros(kind, own) for kind, own in weights.items()}


def without(model, depths, layer, kinds):
    """The last stream of ``model`` where ``layer`` leaves out the branches of ``kinds``, e.g. ("attention",).

    ``depths`` are the ``Model.depths`` of the same text: what comes before the layer is as it was.
    """
    first, *rest = model.layers[layer:]
    with fitting_threads(model.config):
        return forward(depths[len(KINDS) * layer], [silent(first, kinds), *rest], model.config)


def without_at(model, depths, layer, tokens):
    """The last stream where the feed-forward network of ``layer`` leaves out its branch at ``tokens`` alone.

    ``tokens``, an index or slice, picks rows. For a stream that is no more than added to: there a token without the
    branch has after the layer what it had before the network.
    """
    stream = depths[len(KINDS) * (layer + 1)].copy()
    stream[tokens] = depths[len(KINDS) * layer + 1][tokens]
    with fitting_threads(model.config):
        return forward(stream, model.layers[layer + 1 :], model.config)
