"""The right values and the usual wrong ones, each computed from a question's parameters.

The bank names these functions; it holds no value. A key uses the model and the closed forms that the chapters use.
A mistake follows the same way with one step gone wrong, so that its value may be recognised and answered.
"""

from . import deepnorm, depth, norms, relay, shapes, trained, variance
from .registry import KEYS, MISTAKES

__all__ = ["KEYS", "MISTAKES", "deepnorm", "depth", "norms", "relay", "shapes", "trained", "variance"]
