"""The lab of DeepNorm: the step, the constants, the weights that are scaled, and 200 layers that train."""

from dataclasses import replace

import numpy as np

from ...model.config import Config
from ...model.sublayers import layer_norm
from ...model.training import REVERSAL, train, update_size
from ...model.wrappings import WRAPPINGS, Wrapping, deepnorm_constants
from .behaviour import Case, Mistake, call, compared
from .pre_post import branch
from .task import Task, Wrong

_RNG = np.random.default_rng(2)


# One step.

def step(x, f, alpha):
    """LN(alpha x + f(x)): Wang et al. 2022 (DeepNet), figure 2."""
    return layer_norm(alpha * x + f(x))


STEP_MISTAKES = [
    Mistake(lambda x, f, alpha: layer_norm(x + f(x)), "alpha plays no part, this is post-LN"),
    Mistake(lambda x, f, alpha: x + alpha * f(x),
            "it multiplies the branch and norms nothing: alpha belongs to the stream"),
    Mistake(lambda x, f, alpha: layer_norm(x + alpha * f(x)), "alpha is on the branch, and it belongs on the stream"),
    Mistake(lambda x, f, alpha: alpha * x + f(x), "the norm of the sum is missing"),
    Mistake(lambda x, f, alpha: alpha * layer_norm(x + f(x)),
            "alpha is outside the norm: it enlarges x before the addition"),
    Mistake(lambda x, f, alpha: layer_norm(alpha * (x + f(x))),
            "alpha multiplies the branch as well, and a norm takes out what multiplies everything"),
    Mistake(lambda x, f, alpha: layer_norm(alpha * x + f(alpha * x)), "the branch reads x, and not alpha x"),
    Mistake(lambda x, f, alpha: alpha * x + f(layer_norm(x)), "this is pre-LN with alpha: DeepNorm norms the sum"),
    Mistake(lambda x, f, alpha: layer_norm(alpha * x + f(layer_norm(x))),
            "the branch reads x as it is, without a norm"),
]
_STREAM = _RNG.normal(1, 2, (5, 6))
STEP_CASES = [
    Case("with alpha = 3.5", (_STREAM, branch(10), 3.5)),
    Case("with alpha = 1", (_STREAM, branch(11, size=2.0), 1.0)),
    Case("with a branch that gives nothing", (_STREAM, np.zeros_like, 2.0)),
    Case("on a batch of shape (2, 3, 6)", (_RNG.normal(size=(2, 3, 6)), branch(12), 6.7)),
]


# The constants.

def constants(layers):
    """``(alpha, beta)`` of a decoder-only stack."""
    return deepnorm_constants(decoder=layers)["decoder"]


def powers(two=2, eight=8, root=0.25, up=-1):
    """A function of ``layers`` with these numbers in the place of DeepNorm's."""
    return lambda layers: ((two * layers) ** root, (eight * layers) ** (up * root))


CONSTANT_MISTAKES = [
    Mistake(lambda layers: constants(layers)[::-1], "the two have changed places: alpha first, it is above 1"),
    Mistake(powers(root=0.5), "these are square roots, and DeepNorm takes the fourth root"),
    Mistake(powers(2, 2, 0.5), "these are GLM-130B's square roots; DeepNorm takes fourth roots, with 2 and with 8"),
    Mistake(powers(up=1), "beta has to shrink the weights: its exponent is -1/4"),
    Mistake(powers(2, 2), "beta has 8 where alpha has 2"),
    Mistake(powers(1, 4), "each layer has two sublayers, and the formulas count layers: 2 L and 8 L"),
    Mistake(powers(1, 8), "alpha's 2 is missing: (2 L)^(1/4)"),
    Mistake(powers(4, 16), "the formulas count layers, and here it is sublayers that were counted"),
    Mistake(powers(3, 12), "3 and 12 are of a decoder that has an encoder, whose layers have three sublayers"),
    Mistake(powers(8, 2), "the 2 and the 8 have changed places"),
]
CONSTANT_CASES = [Case(f"for {layers} layers", (layers,)) for layers in (12, 2, 96, 200, 1000)]


# Which weights.

SCALED = ("value", "out", "up", "down")
KEPT = ("query", "key")


def scale(weights, beta, names=SCALED, times=1):
    """A new dict in which the matrices of these names are multiplied by beta."""
    return {name: matrix * beta**times if name in names else matrix for name, matrix in weights.items()}


def _matrices(result):
    """One row of numbers for a dict of the six matrices, in one order."""
    if not isinstance(result, dict):
        raise Wrong(f"it gives back {type(result).__name__}, and a dict like the one that it was given is expected")
    for name in (*KEPT, *SCALED):
        if name not in result:
            raise Wrong(f"the matrix {name} is missing from what it gives back")
    if more := set(result) - {*KEPT, *SCALED}:
        raise Wrong(f"there is a matrix {sorted(map(str, more))[0]} in what it gives back that was not in the weights")
    try:
        return np.concatenate([np.ravel(np.asarray(result[name], float)) for name in (*KEPT, *SCALED)])
    except (TypeError, ValueError):
        raise Wrong("what it gives back holds something else than matrices of numbers") from None


def _which_matrix(case, value, expected):
    if value.size == expected.size:
        for name, got, right in zip((*KEPT, *SCALED), np.split(value, _ENDS), np.split(expected, _ENDS)):
            if not np.allclose(got, right, rtol=1e-7):
                return f"the matrix {name} is not {'beta times what' if name in SCALED else 'what'} it was"
    return "a matrix has another shape than it had"


def _weights():
    shapes = {"query": (4, 4), "key": (4, 4), "value": (4, 4), "out": (4, 4), "up": (4, 16), "down": (16, 4)}
    return {name: _RNG.normal(size=shape) for name, shape in shapes.items()}


_ENDS = np.cumsum([matrix.size for matrix in _weights().values()])[:-1]
SCALE_MISTAKES = [
    Mistake(lambda weights, beta: weights, "nothing is scaled"),
    Mistake(lambda w, beta: scale(w, beta, (*KEPT, *SCALED)),
            "query and key are left alone: they pass through a softmax"),
    Mistake(lambda w, beta: scale(w, beta, ("out", "up", "down")), "the value projection is scaled as well"),
    Mistake(lambda w, beta: scale(w, beta, ("out", "down")),
            "this is GPT-2's choice, the matrices that write to the stream; DeepNorm scales value and up as well"),
    Mistake(lambda w, beta: scale(w, beta, ("up", "down")),
            "attention's value and output projections are scaled as well"),
    Mistake(lambda w, beta: scale(w, beta, ("value", "out")),
            "the feed-forward network is scaled as well, up and down"),
    Mistake(lambda w, beta: scale(w, beta, ("value", "up", "down")), "attention's output projection is scaled as well"),
    Mistake(lambda w, beta: scale(w, beta, KEPT), "it is the other way round: query and key are the ones left alone"),
    Mistake(lambda w, beta: scale(w, beta, times=-1), "it divides by beta"),
    Mistake(lambda w, beta: scale(w, beta, times=2), "it multiplies by beta twice"),
]
SCALE_CASES = [Case("with beta = 0.2", (_weights(), 0.2)), Case("with beta = 1.5", (_weights(), 1.5))]


# Two hundred layers.

DEPTH, MOST = 200, 0.03
TINY = replace(REVERSAL, layers=DEPTH, width=16, tokens=2, vocabulary=5)
"""Copy one symbol out of four: a task so small that the depth is all that is hard about it."""


def one_step(wrapping, layers=DEPTH):
    """How far one step of Adam at 1e-4 moves the output of ``layers`` layers of width 16, relative to its length."""
    return _registered(wrapping, lambda name: update_size(Config(layers=layers, width=16, tokens=8, wrapping=name)))


def twenty_five_steps(wrapping):
    """The ``Training`` of 25 steps of Adam at 1e-3 on ``TINY``, 200 layers deep."""
    return _registered(wrapping, lambda name: train(
        replace(TINY, wrapping=name), steps=25, batch=16, learning_rate=1e-3, progress=lambda done, total: None))


def _registered(wrapping, measure):
    """``measure(name)`` while the wrapping stands in the table under that name."""
    name = "under trial"
    WRAPPINGS[name] = wrapping
    try:
        return measure(name)
    finally:
        del WRAPPINGS[name]


def _two_hundred_layers(wrapping):
    """The judge: a small update first, since it costs little; then training."""
    if not isinstance(wrapping, Wrapping):
        raise Wrong(f"a Wrapping is expected, and not a value of type {type(wrapping).__name__}")
    moved = call(one_step, Case(f"in a stack of {DEPTH} layers", (wrapping,)))
    if not moved <= MOST:
        far = f"by {moved:.1%}" if np.isfinite(moved) else "out of all bounds"
        raise Wrong(f"one step moves the output {far}, and at most {MOST:.0%} is wanted{_what_is_missing(wrapping)}")
    accuracy = twenty_five_steps(wrapping).accuracies[-5:].mean()
    if not accuracy > 0.7:
        raise Wrong(f"one step moves the output by {moved:.2%}, small enough, but after 25 steps it is right "
                    f"{accuracy:.0%} of the time, and a guess is right 25% of the time: it holds the stack too still")


def _what_is_missing(wrapping):
    place, gain = wrapping.place(0, DEPTH), wrapping.weight_gain(DEPTH)
    if place.sum is None:
        return ": nothing norms the sum"
    if place.alpha <= 1:
        return f": alpha is {place.alpha:g}, and has to be above 1"
    if gain >= 1:
        return f": weight_gain is {gain:g}, and has to be below 1"
    return ""


TASKS = (
    Task("deepnorm-step", "One step of DeepNorm", "deepnorm", "step", compared(step, STEP_CASES, STEP_MISTAKES)),
    Task("alpha-and-beta", "Alpha and beta", "deepnorm", "constants",
         compared(constants, CONSTANT_CASES, CONSTANT_MISTAKES, tolerance=1e-6)),
    Task("scale-the-weights", "Scale the weights", "deepnorm", "scale",
         compared(scale, SCALE_CASES, SCALE_MISTAKES, _matrices, _which_matrix)),
    Task("two-hundred-layers", "Two hundred layers", "deepnorm", "wrapping", _two_hundred_layers),
)
