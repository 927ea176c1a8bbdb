"""What the final norm does: the logits with and without it at every depth, and small training runs with and without."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .stack import cross_entropy_vjp
from .streams import streams
from .sublayers import layer_norm
from .sweeps import sweep
from .training import REVERSAL, train
from .weights import random_labels, unembedding

# The arms of the training experiment: title -> (init, residual_scale).
INITIALISATIONS = {"Xavier": ("xavier", False), "GPT-2's": ("gpt2", True)}
WRAPPED = {"with": "pre-ln", "without": "pre-ln-no-final"}
COLUMNS = ("init", "final_norm", "layers", "seed", "first_loss", "steps", "last_accuracy")
LEARNED = 0.9


class Readout(NamedTuple):
    """Logits after each of 0 to L layers, pooled over stacks and tokens, (L + 1, n), read from the stream as it is
    and through a norm; and the cross-entropy of each in nats, averaged, (L + 1,). A guess costs ``guess`` nats."""

    plain: np.ndarray
    normed: np.ndarray
    plain_loss: np.ndarray
    normed_loss: np.ndarray
    guess: float


def readout(configs):
    """The ``Readout`` of the stacks of ``configs``, which differ in their seeds, at initialisation.

    Setting: x_0 standard normal, an unembedding of variance 1 / width, random labels, layer norm. After l layers of a
    stack that only adds, without ``residual_scale``, it is the readout of a stack of l layers.
    """
    plain, normed, losses = [], [], []
    for config in configs:
        states, matrix, labels = streams(config), unembedding(config), random_labels(config)
        both = states @ matrix, layer_norm(states) @ matrix
        plain.append(both[0].reshape(len(states), -1))
        normed.append(both[1].reshape(len(states), -1))
        losses.append([[cross_entropy_vjp(logits, labels)[0] for logits in kind] for kind in both])
    return Readout(np.concatenate(plain, axis=1), np.concatenate(normed, axis=1), *np.mean(losses, axis=0),
                   float(np.log(configs[0].vocabulary)))


def learning(config, steps=150):
    """``(first loss, steps until 90 % accuracy, accuracy over the last 20 steps)`` of one training run at 3e-3.

    The second is the number of updates before the first batch of which 90 % are right; nan if there is none.
    """
    run = train(config, steps=steps, progress=lambda done, total: None)
    right = run.accuracies >= LEARNED
    return run.losses[0], float(right.argmax()) if right.any() else np.nan, run.accuracies[-20:].mean()


def training_rows(depths=(12, 24), seeds=5, executor=None):
    """The rows of the committed table ``final_norm``, in the order of ``COLUMNS``."""
    keys = [(init, final, layers, seed) for init in INITIALISATIONS for final in WRAPPED
            for layers in depths for seed in range(seeds)]
    results = sweep(learning, [training_config(*key) for key in keys], executor)
    return [(*key, *result) for key, result in zip(keys, results, strict=True)]


def training_config(init, final, layers, seed):
    """The stack of one run, by the words in the table."""
    rule, residual_scale = INITIALISATIONS[init]
    return replace(REVERSAL, layers=layers, seed=seed, wrapping=WRAPPED[final], init=rule,
                   residual_scale=residual_scale)
