"""A layer's weights as a function of (seed, layer), so that the order in which they are made does not matter."""

from functools import cache
from statistics import NormalDist

import numpy as np

from .wrappings import WRAPPINGS

ATTENTION, FEED_FORWARD = KINDS = ("attention", "feed-forward")

# The standard deviation of a matrix's entries from its fan-in and fan-out.
INITS = {
    "xavier": lambda fan_in, fan_out: (2 / (fan_in + fan_out)) ** 0.5,  # Glorot and Bengio 2010, equation 16
    "xavier-uniform": lambda fan_in, fan_out: (2 / (fan_in + fan_out)) ** 0.5,
    "gpt2": lambda fan_in, fan_out: 0.02,  # Radford et al. 2019, section 2.3
    "lecun": lambda fan_in, fan_out: fan_in**-0.5,  # LeCun et al. 1998
    "kaiming": lambda fan_in, fan_out: (2 / fan_in) ** 0.5,  # He et al. 2015, equation 10
}

_STREAM, _LAYER, _UNEMBEDDING, _LABELS = range(4)  # first word of a random key, one for each purpose


def layer_weights(config, layer):
    """The weights of one layer at initialisation: ``{"attention": {name: array}, "feed-forward": {name: array}}``.

    Attention has "qkv" (width, 3 width; less where heads share keys) and "out" (width, width), the feed-forward
    network "up" (width, ff; twice as many columns where it is gated) and "down" (ff, width); with ``config.bias`` each also a "..._bias" of zeros. The
    parameters that the wrapping adds (gains of norms, gates) lie beside them. The wrapping's ``weight_gain``
    (DeepNorm's beta) multiplies the feed-forward, value and output matrices; ``config.residual_scale`` those that
    write to the stream, "out" and "down". The numbers are drawn in float32: a float64 stack is the same model. A
    normal number is one of 65,536 equally likely quantiles (excess kurtosis -0.0008, at most 4.33 deviations from 0):
    a quarter of the time of a sampler of the continuous distribution, and the same on every machine.
    """
    wrapping, d, ff = WRAPPINGS[config.wrapping], config.width, config.ff
    gain = wrapping.weight_gain(config.layers)
    written = gain * ((2 * config.layers) ** -0.5 if config.residual_scale else 1.0)
    block = iter(range(9))

    def matrix(rows, *blocks):
        """Blocks side by side, each given by its columns and the factor on its deviation."""
        ends = np.cumsum([columns for columns, _ in blocks])
        whole = np.empty((rows, ends[-1]), config.dtype)
        for part, (columns, factor) in zip(np.split(whole, ends[:-1], axis=1), blocks, strict=True):
            source = random_source(config.seed, _LAYER, layer, next(block))
            _fill(part, source, factor * INITS[config.init](rows, columns), config.init == "xavier-uniform")
        return whole

    keys = config.key_columns()
    weights = {
        ATTENTION: {"qkv": matrix(d, (d, 1.0), (keys, 1.0), (keys, gain)), "out": matrix(d, (d, written))},
        FEED_FORWARD: {
            "up": matrix(d, *[(ff, gain)] * (config.ff_inputs() // ff)), "down": matrix(ff, (d, written)),
        },
    }
    for kind, matrices in weights.items():
        if config.bias:
            matrices.update({f"{name}_bias": np.zeros(w.shape[1], config.dtype) for name, w in matrices.items()})
        matrices.update(wrapping.parameters(kind, layer, config))
    return weights


def all_weights(config):
    """``layer_weights`` of every layer in order, made one by one as they are asked for."""
    return (layer_weights(config, layer) for layer in range(config.layers))


def first_stream(config):
    """x_0 of shape (tokens, width), standard normal from the seed."""
    return random_source(config.seed, _STREAM).standard_normal((config.tokens, config.width)).astype(config.dtype)


def unembedding(config):
    """The (width, vocabulary) matrix before the loss, normal of variance 1 / width (Xiong et al. 2020, section 3.3)."""
    numbers = random_source(config.seed, _UNEMBEDDING).standard_normal((config.width, config.vocabulary))
    return (numbers * config.width**-0.5).astype(config.dtype)


def random_labels(config):
    """One label a token, uniform over the vocabulary: integers of shape (tokens,)."""
    return random_source(config.seed, _LABELS).integers(config.vocabulary, size=config.tokens)


def random_source(seed, *key):
    """The random generator of (seed, key): each key, one or more whole numbers, has its own independent stream."""
    return np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=key)))


def _fill(matrix, source, deviation, uniform):
    """Fill a matrix with independent numbers of mean 0 and that standard deviation, a cacheful of rows at a time."""
    rows, columns = matrix.shape
    step = max(1, 2**15 // columns)
    for start in range(0, rows, step):
        part = matrix[start : start + step]
        if uniform:
            numbers = source.random(part.size, dtype=np.float32)
            numbers -= np.float32(0.5)
            numbers *= np.float32(12**0.5)
        else:
            words = source.bit_generator.random_raw(-(-part.size // 4)).view(np.uint16)[: part.size]
            numbers = np.take(_normal_quantiles(), words, mode="wrap")
        np.multiply(numbers.reshape(part.shape), np.float32(deviation), out=part)


@cache
def _normal_quantiles():
    """The 65,536 quantiles of the standard normal distribution at (i + 1/2) / 65,536, scaled to variance 1."""
    quantile = NormalDist().inv_cdf
    upper = np.array([-quantile((i + 0.5) / 2**16) for i in range(2**15)])
    both = np.concatenate([-upper, upper[::-1]])
    return (both / np.sqrt(np.mean(both**2))).astype(np.float32)
