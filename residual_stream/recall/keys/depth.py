"""Depth at initialisation: how many additions a stack makes, and what so many independent ones do to the stream."""

import numpy as np

from .registry import key, mistake


@key
def independent_variance(layers, added):
    return 1 + layers * added


@key
def independent_ratio(layers, added):
    return np.sqrt(independent_variance(layers, added))


@mistake
def independent_ratio_without_start(layers, added):
    return np.sqrt(layers * added)


@mistake
def independent_ratio_of_both_additions(layers, added):
    return np.sqrt(1 + 2 * layers * added)


@mistake
def aligned_ratio(layers, added):
    return 1 + layers * np.sqrt(added)


@mistake
def independent_ratio_squared_addition(layers, added):
    return np.sqrt(1 + layers * added**2)


# Two additions a layer, each of this variance.

@key
def number_of_additions(layers):
    return 2 * layers


@key
def variance_of_both_additions(layers, added):
    return 1 + 2 * layers * added


@key
def ratio_of_both_additions(layers, added):
    return independent_ratio_of_both_additions(layers, added)


@mistake
def ratio_of_both_without_start(layers, added):
    return np.sqrt(2 * layers * added)


@mistake
def ratio_of_both_aligned(layers, added):
    return 1 + 2 * layers * np.sqrt(added)


# GPT-2's initialisation: one over the root of the number of additions on each matrix that writes to the stream.

@key
def residual_scale(layers):
    return (2 * layers) ** -0.5


@key
def scaled_ratio(layers, added):
    return np.sqrt(1 + 2 * layers * added * residual_scale(layers) ** 2)


@mistake
def residual_scale_of_layers(layers):
    return layers**-0.5


@mistake
def residual_scale_not_rooted(layers):
    return 1 / (2 * layers)


@mistake
def scaled_ratio_of_variances(layers, added):
    return np.sqrt(1 + 2 * layers * added * residual_scale(layers))


@mistake
def scaled_ratio_squared(added):
    return 1 + added


@mistake
def scaled_ratio_of_layers(added):
    return np.sqrt(1 + added / 2)


@mistake
def scaled_ratio_without_start(added):
    return np.sqrt(added)


# Xiong et al. 2020, lemma 2: (1 + L/2) d <= E|x_L|^2 <= (1 + 3L/2) d for pre-LN at initialisation.

@key
def least_ratio(layers):
    return np.sqrt(1 + layers / 2)


@key
def greatest_ratio(layers):
    return np.sqrt(1 + 3 * layers / 2)


@mistake
def least_ratio_squared(layers):
    return 1 + layers / 2


@mistake
def greatest_ratio_squared(layers):
    return 1 + 3 * layers / 2


@mistake
def least_ratio_without_start(layers):
    return np.sqrt(layers / 2)


@mistake
def greatest_ratio_without_start(layers):
    return np.sqrt(3 * layers / 2)


# Xiong et al. 2020, theorem 1: the last layer's gradient, bounded by 1/sqrt(L) for pre-LN, by a constant for post-LN.

@key
def gradient_ratio(shallow, deep):
    return np.sqrt(shallow / deep)


@key
def times_as_deep(shallow, deep):
    return deep / shallow


@mistake
def gradient_ratio_of_post_ln():
    return 1.0


@mistake
def gradient_ratio_not_rooted(shallow, deep):
    return shallow / deep


@mistake
def gradient_ratio_upside_down(shallow, deep):
    return np.sqrt(deep / shallow)


@mistake
def gradient_ratio_exponential(shallow, deep):
    return (2 / 3) ** ((deep - shallow) / 2)


@mistake
def stack_layers(layers):
    return layers
