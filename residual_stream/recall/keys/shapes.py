"""Shapes of published models: how many weights a sublayer has, counted by the package's own count."""

from dataclasses import replace

from ...model.presets import PRESETS, parameter_counts
from .registry import key, mistake


def _one_layer(width, expansion, **changes):
    """The parts of one encoder layer of this width, by name."""
    shape = replace(PRESETS["bert-base"], layers=1, width=width, ff=expansion * width, **changes)
    return parameter_counts(shape)


@key
def inner_width(width, expansion):
    return expansion * width


@key
def feed_forward_weights(width, expansion):
    return _one_layer(width, expansion, feed_forward_biases=False)["feed_forward"]


@key
def attention_weights(width, expansion):
    return _one_layer(width, expansion, attention_biases=False)["attention"]


@mistake
def inner_width_added(width, expansion):
    return expansion + width


@mistake
def inner_width_halved(width, expansion):
    return expansion * width / 2


@mistake
def inner_width_of_both_matrices(width, expansion):
    return 2 * expansion * width


@mistake
def one_matrix_forgotten(width, expansion):
    return feed_forward_weights(width, expansion) / 2


@mistake
def feed_forward_with_biases(width, expansion):
    return _one_layer(width, expansion)["feed_forward"]


@mistake
def square_matrices(width):
    return 2 * width**2


@mistake
def both_sublayers(width, expansion):
    return attention_weights(width, expansion) + feed_forward_weights(width, expansion)
