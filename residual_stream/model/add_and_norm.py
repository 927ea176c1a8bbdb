"""Five readings of the box "Add & Norm" that are in public use, each written from its formula.

Each takes a stream and a branch (a function) to the next stream. They are not the same function, and none of them can
stand for another.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .sublayers import layer_norm, rms_norm


def sample_norm(x, eps=1e-6):
    """The norm of The Annotated Transformer (Rush 2018): ``(x - mean) / (s + eps)`` over the last axis.

    s is the *sample* standard deviation, divided by n - 1, and ``eps`` stands outside its root. ``x`` has shape
    (..., width) with a width of at least 2, and so has the result. Raises ValueError for a smaller width.
    """
    x = np.asarray(x, dtype=float)
    if x.ndim == 0 or x.shape[-1] < 2:
        raise ValueError(f"x must have a last axis of at least 2, since n - 1 divides, but its shape is {x.shape}")
    return (x - x.mean(axis=-1, keepdims=True)) / (x.std(axis=-1, ddof=1, keepdims=True) + eps)


class Reading(NamedTuple):
    """One reading: ``after(x, branch, eps)`` is the next stream; ``formula`` is TeX, ``found`` says where it is used.

    ``x`` has shape (..., width), ``branch`` takes such an array to another. ``eps`` goes where that reading has it.
    """

    title: str
    formula: str
    found: str
    after: Callable


READINGS = {
    "as-drawn": Reading(
        "LN of the sum", r"\mathrm{LN}(x + F(x))", "Vaswani et al. 2017, section 3.1; BERT",
        lambda x, branch, eps=0.0: layer_norm(x + branch(x), eps=eps),
    ),
    "sample": Reading(
        "LN with n − 1", r"\mathrm{LN}_{n-1}(x + F(x))",
        "the layer norm of The Annotated Transformer (Rush 2018) and of much that was copied from it",
        lambda x, branch, eps=0.0: sample_norm(x + branch(x), eps=eps),
    ),
    "rms": Reading(
        "RMS of the sum", r"\mathrm{RMS}(x + F(x))", "MiniMax-01 2025, there with DeepNorm's factor on x",
        lambda x, branch, eps=0.0: rms_norm(x + branch(x), eps=eps),
    ),
    "read": Reading(
        "LN before F", r"x + F(\mathrm{LN}(x))", "GPT-2; with RMS norm LLaMA",
        lambda x, branch, eps=0.0: x + branch(layer_norm(x, eps=eps)),
    ),
    "branch": Reading(
        "LN of the branch", r"x + \mathrm{LN}(F(x))", "Swin V2 (Liu et al. 2022); with RMS norm OLMo 2",
        lambda x, branch, eps=0.0: x + layer_norm(branch(x), eps=eps),
    ),
}
