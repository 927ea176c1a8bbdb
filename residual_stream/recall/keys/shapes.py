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


# Whole layers, and published shapes.

@key
def layer_weights_and_biases(width, expansion):
    return parameter_counts(replace(PRESETS["bert-base"], layers=1, width=width, ff=expansion * width))["blocks"]


@key
def sublayer_ratio(width, expansion):
    return feed_forward_weights(width, expansion) / attention_weights(width, expansion)


@mistake
def sublayer_ratio_upside_down(width, expansion):
    return 1 / sublayer_ratio(width, expansion)


@mistake
def sublayer_ratio_as_expansion(expansion):
    return expansion


@mistake
def attention_with_biases(width, expansion):
    return _one_layer(width, expansion)["attention"]


@mistake
def attention_of_one_matrix(width):
    return width**2


@mistake
def attention_without_output(width):
    return 3 * width**2


@mistake
def layer_without_norms(width, expansion):
    parts = _one_layer(width, expansion)
    return parts["attention"] + parts["feed_forward"]


@mistake
def layer_with_one_norm(width, expansion):
    return layer_without_norms(width, expansion) + 2 * width


def _decoder(layers, width):
    return replace(PRESETS["gpt3"], layers=layers, width=width, ff=4 * width, attention_biases=False,
                   feed_forward_biases=False)


@key
def decoder_weights(layers, width):
    parts = parameter_counts(_decoder(layers, width))
    return (parts["attention"] + parts["feed_forward"]) / 1e9


@key
def head_width(width, heads):
    return width / heads


@mistake
def decoder_weights_of_feed_forward(layers, width):
    return parameter_counts(_decoder(layers, width))["feed_forward"] / 1e9


@mistake
def decoder_weights_of_one_layer(layers, width):
    return decoder_weights(layers, width) / layers


@mistake
def decoder_weights_in_units(layers, width):
    return decoder_weights(layers, width) * 1e9


@mistake
def inner_head_width(width, heads):
    return 4 * width / heads


MULTIPLE = 256
"""LLaMA rounds its inner width up to a multiple of this (meta-llama/llama, model.py)."""


@key
def gated_inner_width(width):
    return -(-int(2 * 4 * width / 3) // MULTIPLE) * MULTIPLE


@key
def gated_inner_width_exact(width):
    return 8 * width / 3


@mistake
def gated_inner_width_rounded_down(width):
    return gated_inner_width(width) - MULTIPLE


@mistake
def inner_width_of_two_matrices(width):
    return 4 * width
