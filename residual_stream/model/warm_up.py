"""The warm-up experiment: which stacks learn to reverse a sequence without a warm-up, over seeds, depths and rates."""

from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from .config import Config
from .sweeps import sweep
from .training import REVERSAL, train

# The four arms: title -> (wrapping, steps of warm-up).
ARMS = {
    "post-LN, no warm-up": ("post-ln", 0),
    "post-LN, 100 steps of warm-up": ("post-ln", 100),
    "pre-LN, no warm-up": ("pre-ln", 0),
    "DeepNorm, no warm-up": ("deepnorm", 0),
}

# The map: where post-LN trains without a warm-up, where with one, and what pre-LN does without.
MAP = {"init": ("xavier", "gpt2"), "layers": (6, 12, 24), "learning_rate": (1e-3, 3e-3, 1e-2)}
MAP_ARMS = tuple(ARMS)[:3]


class Run(NamedTuple):
    """One training run, for a sweep: the arguments of ``train``."""

    config: Config = REVERSAL
    steps: int = 250
    learning_rate: float = 3e-3
    warm_up: int = 0


def curves(run):
    """The losses and accuracies of a ``Run``: an array (2, steps). A sweep may send it to another process."""
    trained = train(**run._asdict(), progress=_silent)
    return np.array([trained.losses, trained.accuracies])


def _silent(done, total):
    """A run in a sweep shows no bar of its own: the sweep counts the runs."""


def four_arms(seeds=5, steps=250, executor=None, progress=None):
    """``ARMS`` over the seeds 0 to ``seeds`` - 1: a dict from title to an array (seeds, 2, steps).

    The second axis is losses, then accuracies. 12 layers of width 32, Adam at 3e-3, batches of 32: a setting in which
    post-LN without warm-up stays on a plateau, most seeds for all 250 steps, though a few get off it late. It takes
    depth and learning rate together: at 6 layers, or at 1e-3, post-LN trains without warm-up. ``executor`` as in ``sweep``.
    """
    runs = [
        Run(replace(REVERSAL, wrapping=wrapping, seed=seed), steps, warm_up=warm_up)
        for wrapping, warm_up in ARMS.values() for seed in range(seeds)
    ]
    results = np.array(sweep(curves, runs, executor, progress))
    return dict(zip(ARMS, results.reshape(len(ARMS), seeds, 2, steps), strict=True))


def map_runs(seeds):
    """The runs of ``MAP_ARMS`` at every place of ``MAP``, each over the seeds 0 to ``seeds`` - 1: a list of ``Run``s."""
    return [
        Run(replace(REVERSAL, wrapping=wrapping, layers=layers, init=init, seed=seed), 250, rate, warm_up)
        for wrapping, warm_up in map(ARMS.get, MAP_ARMS)
        for init, layers, rate in product(*MAP.values()) for seed in range(seeds)
    ]
