"""How alike the states of a stack are, before and after training: neighbouring layers, and tokens of one layer."""

from dataclasses import replace

import numpy as np

from .streams import cosine, neighbour_similarity, streams
from .trace import token_similarity
from .training import REVERSAL, new_model, reversal_batch, train
from .weights import random_source

# Wrapping -> steps of warm-up, without which post-LN does not train at this depth and rate.
WRAPPED = {"pre-ln": 0, "post-ln": 100, "deepnorm": 0}
COLUMNS = ("wrapping", "trained", "seed", "layer", "neighbours", "tokens", "from_start")
_UNSEEN = 104


def similarity_config(wrapping, seed):
    """The stack of one run of the committed table ``similarity``: 12 layers of width 32, to reverse 4 symbols."""
    return replace(REVERSAL, wrapping=wrapping, seed=seed)


def similarities(model, config):
    """``of_states`` for a trained model (``training.new_model``) and a batch of 32 unseen sequences."""
    inputs, _ = reversal_batch(random_source(config.seed, _UNSEEN), 32, config)
    return of_states(streams(config, model["embedding"][inputs] + model["positions"], model["layers"]))


def of_states(states):
    """``(neighbours, tokens, from start)`` of ``streams``, each (layers,): mean cosines after each layer.

    Of the same token before and after the layer, of two different tokens, and of the same token before the first
    layer and after this one.
    """
    return (neighbour_similarity(states), np.array([token_similarity(state) for state in states[1:]]),
            np.array([cosine(states[0], state) for state in states[1:]]))


def similarity_rows(seeds=5):
    """The rows of the committed table ``similarity``, in the order of ``COLUMNS``; and the runs' last accuracies."""
    rows, accuracies = [], {}
    for wrapping, warm_up in WRAPPED.items():
        for seed in range(seeds):
            config = similarity_config(wrapping, seed)
            run = train(config, warm_up=warm_up, progress=lambda done, total: None)
            accuracies[wrapping, seed] = float(run.accuracies[-20:].mean())
            for trained, model in ((0, new_model(config)), (1, run.model)):
                measures = zip(*similarities(model, config))
                rows += [(wrapping, trained, seed, layer, *measure) for layer, measure in enumerate(measures)]
    return rows, accuracies
