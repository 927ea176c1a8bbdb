"""Small training runs: reverse a sequence, with Adam and a warm-up."""

import sys
from numbers import Real
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from .config import Config, require_config
from .optimiser import Adam, gathered, packed, warmed_up
from .progress import reporting
from .stack import cross_entropy_vjp, final_norm_vjp, forward_vjp
from .weights import all_weights, first_stream, random_labels, random_source, unembedding
from .wrappings import WRAPPINGS

REVERSAL = Config(layers=12, width=32, heads=4, tokens=8, vocabulary=10, dtype="float32")
_EMBEDDING, _POSITIONS, _BATCHES = 101, 102, 103


class Training(NamedTuple):
    """What one run did: ``losses`` (nats) and ``accuracies`` (of the reversed half) at each step, shape (steps,),
    each measured before that step's update; ``model``, the parameters after the last one."""

    losses: np.ndarray
    accuracies: np.ndarray
    model: dict


def reversal_batch(source, batch, config):
    """``(inputs, targets)``: integers of shape (batch, tokens) and (batch, tokens // 2).

    The first half of the inputs is drawn uniformly from the symbols 1 to vocabulary - 1, the second half is the
    blank 0; the targets, to be written where the blanks are, are the first half in reverse.
    """
    half = config.tokens // 2
    symbols = source.integers(1, config.vocabulary, size=(batch, half))
    return np.concatenate([symbols, np.zeros_like(symbols)], axis=1), symbols[:, ::-1]


def new_model(config):
    """The parameters before the first step: the stack's own (``layers``), and what stands around it.

    ``embedding`` (vocabulary, width) and ``positions`` (tokens, width) are normal with variance 1/2 each, so that
    their sum is as wide as the x_0 of a trace; ``unembedding`` (width, vocabulary) is that of ``gradient_norms``.
    """
    def normal(key, rows):
        numbers = random_source(config.seed, key).standard_normal((rows, config.width)) * 0.5**0.5
        return numbers.astype(config.dtype)

    model = {
        "embedding": normal(_EMBEDDING, config.vocabulary),
        "positions": normal(_POSITIONS, config.tokens),
        "layers": list(all_weights(config)),
        "unembedding": unembedding(config),
    }
    norm = WRAPPINGS[config.wrapping].final_norm
    return model | ({"final_gamma": np.ones(config.width, config.dtype)} if norm else {})


def loss_and_gradients(model, config, inputs, targets):
    """``(loss, accuracy, gradients)`` of a batch; the gradients have the structure of ``model``.

    The loss is the cross-entropy in nats averaged over the last ``targets.shape[1]`` tokens of each sequence.
    """
    written = targets.shape[1]
    x = model["embedding"][inputs] + model["positions"]
    y, back_stack = forward_vjp(x, model["layers"], config)
    read, back_norm = final_norm_vjp(y[:, -written:], config, model.get("final_gamma"))
    logits = read @ model["unembedding"]
    loss, back_loss = cross_entropy_vjp(logits, targets)
    dlogits = back_loss()

    dread, dnorm = back_norm(dlogits @ model["unembedding"].T)
    dy = np.zeros_like(y)
    dy[:, -written:] = dread
    dx, dlayers = back_stack(dy)
    dembedding = np.zeros_like(model["embedding"])
    np.add.at(dembedding, inputs, dx)
    gradients = {
        "embedding": dembedding, "positions": dx.sum(axis=0), "layers": dlayers,
        "unembedding": np.tensordot(read, dlogits, axes=([0, 1], [0, 1])),
    }
    gradients |= {f"final_{name}": gradient for name, gradient in dnorm.items()}
    return float(loss), float((logits.argmax(axis=-1) == targets).mean()), gradients


def train(config=REVERSAL, *, steps=250, learning_rate=3e-3, warm_up=0, batch=32, progress=None):
    """Train a stack to reverse a sequence; returns a ``Training``.

    ``config.tokens // 2`` symbols out of ``config.vocabulary - 1`` are to be written in reverse; a guess scores
    1 / (vocabulary - 1) and costs ln(vocabulary - 1) nats. Adam (Kingma and Ba 2015) with ``learning_rate``, reached
    linearly over the first ``warm_up`` steps. The same arguments give the same numbers on one machine.
    ``progress(done, total)`` is called after each step; without it a bar appears on a terminal after two seconds.

    Raises ValueError, naming the argument, for tokens below 2, vocabulary below 3, steps or batch below 1, a
    negative warm_up, and a learning rate that is not positive.
    """
    _check(config, steps, learning_rate, warm_up, batch)
    _keep_freed_memory()
    source = random_source(config.seed, _BATCHES)
    vector, model = packed(new_model(config))
    adam = Adam(vector)
    losses, accuracies = np.empty(steps), np.empty(steps)
    with threadpool_limits(limits=1, user_api="blas"), reporting(steps, progress) as report:
        for step in range(steps):
            inputs, targets = reversal_batch(source, batch, config)
            losses[step], accuracies[step], gradients = loss_and_gradients(model, config, inputs, targets)
            adam.step(gathered(model, gradients), warmed_up(learning_rate, step, warm_up))
            report(step + 1)
    return Training(losses, accuracies, model)


def _keep_freed_memory():
    """Spare a fifth of the time where the C library is glibc, which else returns memory to the system at every step.

    Having once freed a block of this size it keeps smaller ones; untouched, the block itself costs nothing.
    """
    np.empty(30 << 20, np.uint8)


def _check(config, steps, learning_rate, warm_up, batch):
    require_config(config)
    least = {"steps": (steps, 1), "warm_up": (warm_up, 0), "batch": (batch, 1), "tokens": (config.tokens, 2),
             "vocabulary": (config.vocabulary, 3)}
    for name, (value, bound) in least.items():
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < bound:
            raise ValueError(f"{name} must be a whole number of at least {bound}, not {value!r}")
    real = isinstance(learning_rate, Real) and not isinstance(learning_rate, bool)
    if not real or not 0 < learning_rate <= sys.float_info.max:
        raise ValueError(f"learning_rate must be a positive number, not {learning_rate!r:.40}")


def update_size(config, learning_rate=1e-4, optimiser="adam"):
    """How far one step of training moves the stack's output: ||y' - y|| / ||y||, a number.

    The setting of ``gradient_norms``: x_0 standard normal, random labels, cross-entropy averaged over tokens. The
    step, of Adam or of plain gradient descent ("sgd"), changes the layers' matrices, which are the theta of Wang et
    al. 2022 (DeepNet), section 4, who call this the model update; gains of norms stay at 1. Raises ValueError for
    another optimiser.
    """
    if optimiser not in ("adam", "sgd"):
        raise ValueError(f"optimiser must be 'adam' or 'sgd', not {optimiser!r}")
    x, labels, matrix = first_stream(config), random_labels(config), unembedding(config)
    vector, layers = packed(list(all_weights(config)))
    with threadpool_limits(limits=1, user_api="blas"):
        y, back_stack = forward_vjp(x, layers, config)
        before, back_norm = final_norm_vjp(y, config)
        _, back_loss = cross_entropy_vjp(before @ matrix, labels)
        _, gradients = back_stack(back_norm(back_loss() @ matrix.T)[0], keep=_of_matrices)
        gradient = gathered(layers, gradients)
        if optimiser == "adam":
            Adam(vector).step(gradient, learning_rate)
        else:
            vector -= learning_rate * gradient
        after = final_norm_vjp(forward_vjp(x, layers, config)[0], config)[0]
    return float(np.linalg.norm(after - before) / np.linalg.norm(before))


def _of_matrices(gradients):
    """A layer's gradients with those of biases, gains and gates set to zero."""
    return {kind: {name: g if g.ndim == 2 else np.zeros_like(g) for name, g in own.items()}
            for kind, own in gradients.items()}
