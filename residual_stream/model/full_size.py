"""A stack at full size on a small machine: weights drawn as they are multiplied, never stored, and resumable."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict

import numpy as np
from threadpoolctl import threadpool_limits

from .addition import account
from .checkpoint import State, default_path, digest, load, remove, save
from .progress import reporting
from .stack import forward
from .trace import Trace, token_similarity
from .uniform_matrix import COLUMNS, ROWS, UniformMatrix
from .weights import ATTENTION, FEED_FORWARD, INITS, KINDS, first_stream
from .wrappings import WRAPPINGS

MEASURES = Trace._fields[2:]


def drawable(name, layers):
    """Whether the wrapping called ``name`` treats all layers alike and leaves the initial weights alone."""
    wrapping = WRAPPINGS[name]
    alike = all(wrapping.place(layer, layers) == wrapping.place(0, layers) for layer in range(layers))
    return alike and wrapping.weight_gain(layers) == 1.0


def drawn_layer(config, layer, executor=None):
    """``weights.layer_weights(config, layer)`` with each matrix a ``UniformMatrix``: same shapes, same deviations."""
    d, ff, deviation = config.width, config.ff, INITS[config.init]
    written = (2 * config.layers) ** -0.5 if config.residual_scale else 1.0
    places = iter(range(4))

    def matrix(rows, columns, std):
        return UniformMatrix((rows, columns), std, config.seed, (layer, next(places)), executor)

    weights = {
        ATTENTION: {"qkv": matrix(d, 3 * d, deviation(d, d)), "out": matrix(d, d, written * deviation(d, d))},
        FEED_FORWARD: {
            "up": matrix(d, config.ff_inputs(), deviation(d, ff)), "down": matrix(ff, d, written * deviation(ff, d)),
        },
    }
    for kind, matrices in weights.items():
        if config.bias:
            matrices.update({f"{name}_bias": np.zeros(w.shape[1], config.dtype) for name, w in matrices.items()})
        matrices.update(WRAPPINGS[config.wrapping].parameters(kind, layer, config))
    return weights


def layer_by_layer(config, state, executor=None):
    """The ``State`` after each further layer, from ``state`` on; its rows are the ``MEASURES`` of each addition."""
    rows = [*state.rows]

    def record(layer, kind, stream, branch):
        rows.append([*(values.mean() for values in account(stream, branch)), token_similarity(stream + branch)])

    stream = state.stream
    for layer in range(state.layer, config.layers):
        stream = forward(stream, [drawn_layer(config, layer, executor)], config, record)
        yield State(layer + 1, stream, np.array(rows, dtype=float))


def fingerprint(config):
    """What a checkpoint of this trace is recognised by."""
    return digest(**asdict(config), weights=f"uniform, 16 bits, blocks of {ROWS} x {COLUMNS}")


def checkpoint_path(config):
    """Where ``full_size_trace`` keeps its checkpoint unless told otherwise: a file in the user's cache directory."""
    return default_path(fingerprint(config))


def starting_state(config, checkpoint=None):
    """The ``State`` that ``full_size_trace`` goes on from: the one at ``checkpoint``, or the first one, kept there.

    Raises ValueError for a checkpoint that cannot be written, read, or that belongs to another configuration.
    """
    mark = fingerprint(config)
    state = load(checkpoint, mark) if checkpoint else None
    if state is None:
        state = State(0, first_stream(config), np.empty((0, len(MEASURES))))
        if checkpoint:
            save(checkpoint, mark, state)       # a place that cannot be written is better known now
    return state


def full_size_trace(config, checkpoint=None, threads=None, progress=None):
    """``trace(config)`` with uniform weights that are drawn in blocks while they are multiplied: a ``Trace``.

    A wide sum feels only the variance of its weights, so uniform ones stand in for normal ones; memory does not
    grow with the number of weights. ``config.dtype`` must be "float32". ``threads`` (default: the usable cores)
    does not change the result. With ``checkpoint``, a path, the stream is kept there after each layer: after an
    interruption the same call goes on from the last whole layer, to the same result bit for bit; the file is removed
    at the end. ``progress(done, total)`` counts layers; without it a bar appears on a terminal.

    Raises ValueError for another dtype, for a wrapping that changes from layer to layer or rescales the initial
    weights, and for a checkpoint that cannot be written, read, or that belongs to another configuration.
    """
    require_drawable(config)
    mark, state = fingerprint(config), starting_state(config, checkpoint)
    cores = threads or _usable_cores()
    with (
        threadpool_limits(limits=1, user_api="blas"),
        ThreadPoolExecutor(cores) as executor,
        reporting(config.layers, progress, unit="layer", initial=state.layer) as report,
    ):
        for state in layer_by_layer(config, state, executor):
            if checkpoint:
                save(checkpoint, mark, state)
            report(state.layer)
    if checkpoint:
        remove(checkpoint)
    layers = np.repeat(np.arange(config.layers), len(KINDS))
    return Trace(layers, np.array(KINDS * config.layers), *state.rows.T)


def _usable_cores():
    """The cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def require_drawable(config):
    """Refuse, with a ValueError, what ``full_size_trace`` cannot run: the dtype or the wrapping."""
    if config.dtype != "float32":
        raise ValueError(f"dtype must be 'float32' where weights are drawn in blocks, not {config.dtype!r}")
    if config.key_columns() != config.width:
        raise ValueError(f"kv_heads must equal heads where weights are drawn in blocks, not {config.kv_heads}")
    if not drawable(config.wrapping, config.layers):
        able = ", ".join(name for name in WRAPPINGS if drawable(name, config.layers))
        raise ValueError(f"wrapping {config.wrapping!r} cannot be drawn in blocks: choose one of {able}")
