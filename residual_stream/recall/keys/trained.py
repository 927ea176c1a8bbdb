"""Trained models: the growth of SmolLM2's stream on a page of English, from the committed table.

Layers are counted from 1; the variance is the median over the tokens after the first.
"""

from ...model.trained.tables import committed
from .registry import key, mistake


@key
def trained_variance_first(first):
    """After layer ``first``."""
    return _variances()[first - 1]


@key
def trained_variance_last(last):
    """After layer ``last``."""
    return _variances()[last - 1]


@key
def trained_rate(first, last):
    return (trained_variance_last(last) / trained_variance_first(first)) ** (1 / (last - first))


@key
def trained_size_rate(first, last):
    return trained_rate(first, last) ** 0.5


@mistake
def trained_rate_a_layer_too_many(first, last):
    return (trained_variance_last(last) / trained_variance_first(first)) ** (1 / (last - first + 1))


@mistake
def trained_rate_of_additions(first, last):
    return (trained_variance_last(last) / trained_variance_first(first)) ** (1 / (2 * (last - first)))


@mistake
def trained_rate_divided(first, last):
    return trained_variance_last(last) / trained_variance_first(first) / (last - first)


@mistake
def trained_rate_halved(first, last):
    return trained_rate(first, last) / 2


@mistake
def trained_rate_squared(first, last):
    return trained_rate(first, last) ** 2


def _variances():
    return committed("trace").column(
        "var_sum", model="smollm2-135m", text="english-long", place="rest", kind="feed-forward")
