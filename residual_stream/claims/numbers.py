"""What the statements on the claims page compute: functions without arguments, by name."""

from dataclasses import replace

import numpy as np

from ..closed_form import X0, toy_branch, variance_after
from ..model.addition import account
from ..model.gpt3_table import gpt3_trace
from ..model.presets import PRESETS, parameter_counts
from ..model.sublayers import layer_norm, rms_norm
from ..model.wrappings import deepnorm_constants
from ..recall.keys import KEYS, MISTAKES

NUMBERS = {}
"""name -> function: everything that a hole of ``claims.toml`` may name."""

STREAM = np.array(X0)
STD = STREAM.std()


def number(function):
    """Register a function of no arguments under its name."""
    NUMBERS[function.__name__] = function
    return function


def constants(**functions):
    """Register short functions under their keywords."""
    NUMBERS.update(functions)


# The relay.
constants(
    six_sigma=KEYS["six_sigma"],
    forbes_per_million=lambda: KEYS["defects_per_million"](8),
    forbes_times_better=lambda: KEYS["times_better"](8),
    forbes_times_better_both_ways=lambda: KEYS["times_better"](16),
)

# The worked example: x0 + f(LN(x0)), f(z) = a z + 1.
constants(
    std=lambda: STD,
    branch=lambda: list(toy_branch(STREAM, 0.5)),
    stream_after=lambda: list(STREAM + toy_branch(STREAM, 0.5)),
    deviation=lambda: np.sort(STREAM + 0.5 * layer_norm(STREAM, eps=0) - STREAM.mean())[2:].tolist(),
    covariance=lambda: account(STREAM, toy_branch(STREAM, 0.5)).covariance,
    correlation=lambda: account(STREAM, toy_branch(STREAM, 0.5)).correlation,
    variance_half=lambda: variance_after(STD, 0.5),
    variance_half_with_eps=lambda: variance_after(STD, 0.5, eps=1e-8),
    variance_one=lambda: variance_after(STD, 1.0),
    covariance_one=lambda: account(STREAM, toy_branch(STREAM, 1.0)).covariance,
    normed_variance=lambda: layer_norm(STREAM, eps=1e-8).var(),
    doubling=lambda: variance_after(STD, 1.0) / variance_after(STD, 0.5),
    doubling_std=lambda: np.sqrt(variance_after(STD, 1.0) / variance_after(STD, 0.5)),
    increase=lambda: (variance_after(STD, 1.0) - STD**2) / (variance_after(STD, 0.5) - STD**2),
    doubling_coefficient=lambda: np.sqrt(2 * variance_after(STD, 0.5)) - STD,
    small_std=lambda: STD / 1e4,
    small_after=lambda: variance_after(STD / 1e4, 0.5, eps=1e-5) ** 0.5,
    small_promised=lambda: STD / 1e4 + 0.5,
)


@number
def repeated():
    """The variances of the first additions with a = 0.5."""
    return [float((STD + 0.5 * n) ** 2) for n in range(5)]


@number
def repeated_without_norm():
    """The same with no norm: x becomes 1.5 x + 1."""
    return [float(STD**2 * 1.5 ** (2 * n)) for n in range(1, 4)]


@number
def second_addition_under_rms_norm():
    """Variance after two additions whose branch reads the stream under RMS norm: the shift is seen."""
    x = STREAM
    for _ in range(2):
        x = x + 0.5 * rms_norm(x, eps=0.0) + 1
    return x.var()


@number
def second_addition():
    """Variance after two additions under layer norm, which sees no shift."""
    return (STD + 1.0) ** 2


# Depth at initialisation.
constants(
    independent_layers=lambda: KEYS["independent_ratio"](96, 1),
    independent_additions=lambda: KEYS["ratio_of_both_additions"](96, 1),
    variance_of_additions=lambda: KEYS["variance_of_both_additions"](96, 1),
    aligned=lambda: MISTAKES["aligned_ratio"](96, 1),
    additions=lambda: KEYS["number_of_additions"](96),
    least=lambda: KEYS["least_ratio"](96),
    greatest=lambda: KEYS["greatest_ratio"](96),
    gpt3_std=lambda: np.sqrt(gpt3_trace().var_sum[-1]),
    gpt3_std_without=lambda: np.sqrt(gpt3_trace(residual_scale=False).var_sum[-1]),
    gpt2_xl_growth=lambda: 1.045**48,
)


# Shapes.
constants(
    ffn=lambda: KEYS["feed_forward_weights"](768, 4),
    attention=lambda: KEYS["attention_weights"](768, 4),
    layer=lambda: KEYS["layer_weights_and_biases"](768, 4),
    gpt3_billions=lambda: KEYS["decoder_weights"](96, 12_288),
    gpt3_head=lambda: KEYS["head_width"](12_288, 96),
    gpt3_inner=lambda: PRESETS["gpt3"].ff,
    llama_ratio=lambda: PRESETS["llama-7b"].ff / PRESETS["llama-7b"].width,
    bert_inner=lambda: KEYS["inner_width"](768, 4),
)


@number
def ffn_with_biases():
    return parameter_counts(replace(PRESETS["bert-base"], layers=1))["feed_forward"]


@number
def attention_with_biases():
    return parameter_counts(replace(PRESETS["bert-base"], layers=1))["attention"]


# DeepNorm.
constants(
    alpha=lambda: deepnorm_constants(decoder=96)["decoder"][0],
    beta=lambda: deepnorm_constants(decoder=96)["decoder"][1],
    alpha_thousand=lambda: deepnorm_constants(decoder=1000)["decoder"][0],
    beta_thousand=lambda: deepnorm_constants(decoder=1000)["decoder"][1],
    hundred_and_hundred=lambda: KEYS["all_additions"](100, 100),
    deepnet_additions=lambda: KEYS["all_additions"](500, 500),
)
