"""Norms told apart: what becomes of the first component, and of a stream, under one or the other."""

import numpy as np

from ...model.sublayers import layer_norm, rms_norm
from .registry import key, mistake


def _vector(first, second):
    return np.array([first, second, 0.0, 0.0])


@key
def first_after_layer_norm(first, second):
    return layer_norm(_vector(first, second), eps=0.0)[0]


@key
def first_after_sample_norm(first, second):
    vector = _vector(first, second)
    return (first - vector.mean()) / vector.std(ddof=1)


@key
def first_after_rms_norm(first, second):
    return rms_norm(_vector(first, second), eps=0.0)[0]


@mistake
def first_over_std(first, second):
    return first / _vector(first, second).std()


@mistake
def first_centred(first, second):
    return first - _vector(first, second).mean()


@mistake
def first_over_variance(first, second):
    vector = _vector(first, second)
    return (first - vector.mean()) / vector.var()


@mistake
def first_over_length(first, second):
    return first / np.linalg.norm(_vector(first, second))


# LayerNorm scaling: layer l reads LN(x) / sqrt(l); each branch returns what it reads, at its own size.

@key
def scale_of_the_last(layers):
    return layers**-0.5


@key
def variance_scaled(layers):
    return 1 + np.sum(1 / np.arange(1, layers + 1))


@key
def variance_unscaled(layers):
    return 1.0 + layers


@mistake
def scale_not_rooted(layers):
    return 1 / layers


@mistake
def scale_of_both_additions(layers):
    return (2 * layers) ** -0.5


@mistake
def variance_scaled_by_roots(layers):
    return 1 + np.sum(np.arange(1, layers + 1) ** -0.5)


@mistake
def variance_scaled_by_the_last(layers):
    return 2.0


@mistake
def variance_scaled_without_start(layers):
    return np.sum(1 / np.arange(1, layers + 1))


@mistake
def std_scaled(layers):
    return np.sqrt(variance_scaled(layers))
