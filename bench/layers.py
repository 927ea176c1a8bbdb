"""The jobs that are timed, the package's and PyTorch's: same shapes, same numbers of threads, same results kept."""

from contextlib import contextmanager

import numpy as np
from threadpoolctl import threadpool_limits

from residual_stream.model.config import Config
from residual_stream.model.stack import forward_vjp
from residual_stream.model.trace import trace
from residual_stream.model.weights import all_weights, first_stream


def stack_config(layers):
    """The benchmark's stack: width 512, 8 heads, 128 tokens, float32."""
    return Config(layers=layers, width=512, heads=8, tokens=128, dtype="float32")


@contextmanager
def threads(count):
    """Both libraries on ``count`` threads."""
    with threadpool_limits(count):
        try:
            import torch
        except ImportError:
            yield
            return
        torch.set_num_threads(count)
        yield


def ours(layers):
    """The package's jobs by name."""
    config = stack_config(layers)
    weights, x = list(all_weights(config)), first_stream(config)
    kept = {}

    def gradients():
        kept.clear()  # the last gradients live until the next pass, as PyTorch's do on its parameters
        y, back = forward_vjp(x, weights, config)
        kept["gradients"] = back(np.ones_like(y))

    return {
        "forward with trace, weights given": lambda: trace(config, x, weights),
        "forward with trace, weights drawn": lambda: trace(config),
        "forward and backward": gradients,
    }


def theirs(layers):
    """PyTorch's jobs by name."""
    import torch

    from . import peer

    config = stack_config(layers)
    stack = [peer.Layer(config.width, config.heads) for _ in range(layers)]
    for layer in stack:
        layer.draw()
    x = torch.tensor(first_stream(config))
    return {
        "forward with trace, weights given": lambda: peer.trace(stack, x),
        "forward with trace, weights drawn": lambda: peer.trace_drawing(stack[0], layers, x),
        "forward and backward": lambda: peer.gradients(stack, x),
    }


def operations(job, layers):
    """Multiplications and additions of a job's matrix products, and of nothing else."""
    config = stack_config(layers)
    d, t = config.width, config.tokens
    forward = layers * (2 * t * 12 * d * d + 2 * 2 * t * t * d)
    return 3 * forward if job == "forward and backward" else forward
