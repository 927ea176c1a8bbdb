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
