"""One step of training measured over depth: how far it moves a stack's output, and the gradients that it follows."""

from .config import Config
from .streams import streams
from .sweeps import sweep
from .trace import gradient_norms
from .training import update_size

WRAPPED = ("post-ln", "pre-ln", "deepnorm")
DEPTHS = (6, 12, 24, 48, 100, 200, 500, 1000)
COLUMNS = ("wrapping", "layers", "seed", "adam", "sgd", "first_gradient", "last_gradient", "variance")
ADAM_RATE, SGD_RATE = 1e-4, 1e-3


def update_config(wrapping, layers, seed):
    """The stack of one row of the committed table ``model_update``: width 32, 32 tokens, Xavier weights."""
    return Config(layers=layers, width=32, wrapping=wrapping, seed=seed)


def measured(config):
    """``(adam, sgd, first gradient, last gradient, variance)`` of one stack at initialisation.

    The relative change of its output after one step of Adam at 1e-4 and after one of plain gradient descent at 1e-3;
    the norm of the gradient of the feed-forward's second matrix in the first and the last layer; and the variance of
    the stream after the last layer, before any final norm.
    """
    gradients = gradient_norms(config)[:, 1]
    return (update_size(config, ADAM_RATE), update_size(config, SGD_RATE, optimiser="sgd"), gradients[0], gradients[-1],
            streams(config)[-1].var(axis=-1).mean())


def update_rows(depths=DEPTHS, seeds=8, executor=None):
    """The rows of the committed table ``model_update``, in the order of ``COLUMNS``."""
    keys = [(wrapping, layers, seed) for wrapping in WRAPPED for layers in depths for seed in range(seeds)]
    results = sweep(measured, [update_config(*key) for key in keys], executor)
    return [(*key, *result) for key, result in zip(keys, results, strict=True)]
