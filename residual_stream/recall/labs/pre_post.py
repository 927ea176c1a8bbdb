"""The lab of pre-LN and post-LN: move the norm, tell four boxes apart, follow a nudge, warm up."""

import numpy as np

from ...model.sublayers import layer_norm
from .behaviour import Case, Mistake, compared
from .task import Blank, Task, Wrong

_RNG = np.random.default_rng(1)


def branch(seed, width=6, size=1.0):
    """A branch to try a wrapping on: tanh(x W) with a random W, a function from (..., width) to (..., width)."""
    weight = np.random.default_rng(seed).normal(0, size * width**-0.5, (width, width))
    return lambda x: np.tanh(x @ weight)


# Move the norm.

def pre_ln(x, branches):
    """The stream after one addition for each branch, the norm inside the branch."""
    for f in branches:
        x = x + f(layer_norm(x))
    return x


def post_ln(x, branches):
    """The stream after one addition for each branch, the norm after the addition."""
    for f in branches:
        x = layer_norm(x + f(x))
    return x


def _each(step):
    """A stack that takes this step for every branch."""
    def stack(x, branches):
        for f in branches:
            x = step(x, f)
        return x
    return stack


MOVE_MISTAKES = [
    Mistake(pre_ln, "this is still pre-LN, the branch reads the norm and nothing norms the sum"),
    Mistake(lambda x, fs: layer_norm(pre_ln(x, fs)),
            "this is pre-LN with a final norm: the norm comes after *each* addition"),
    Mistake(lambda x, fs: layer_norm(_each(lambda x, f: x + f(x))(x, fs)),
            "it norms once at the end: the norm comes after *each* addition"),
    Mistake(_each(lambda x, f: x + layer_norm(f(x))),
            "it norms what the branch gives before the addition, this is res-post-norm: norm the sum"),
    Mistake(_each(lambda x, f: layer_norm(x) + f(x)), "it norms the stream alone: norm the sum of stream and branch"),
    Mistake(_each(lambda x, f: layer_norm(x) + f(layer_norm(x))), "it norms before the addition: norm the sum instead"),
    Mistake(_each(lambda x, f: layer_norm(x + f(layer_norm(x)))),
            "the norm inside the branch is still there: in post-LN the branch reads the stream as it is"),
    Mistake(_each(lambda x, f: layer_norm(f(x))), "the addition is gone: norm x + f(x), not f(x) alone"),
    Mistake(_each(lambda x, f: layer_norm(x + f(x), eps=0)), "eps is gone: keep layer_norm as it is"),
    Mistake(_each(lambda x, f: x + f(x)), "there is no norm left: norm the sum"),
]
_STREAM = _RNG.normal(3, 2, (5, 6))
MOVE_CASES = [
    Case("with one branch", (_STREAM, [branch(0)])),
    Case("with three branches", (_STREAM, [branch(seed) for seed in (1, 2, 3)])),
    Case("with no branch at all", (_STREAM, [])),
    Case("with two branches that give nothing", (_STREAM, [np.zeros_like, np.zeros_like])),
    Case("on a batch of shape (2, 3, 6)", (_RNG.normal(size=(2, 3, 6)), [branch(4, size=3.0)])),
    Case("on a constant row", (np.full(6, 4.0), [branch(5)])),
]


# Tell four boxes apart.

def box_a(x, f):
    """A box: give it a stream and a branch, and see what comes out."""
    return x + layer_norm(f(x))


def box_b(x, f):
    """A box: give it a stream and a branch, and see what comes out."""
    return x + f(layer_norm(x))


def box_c(x, f):
    """A box: give it a stream and a branch, and see what comes out."""
    return x + layer_norm(f(layer_norm(x)))


def box_d(x, f):
    """A box: give it a stream and a branch, and see what comes out."""
    return layer_norm(x + f(x))


BOXES = {"A": ("res-post-norm", box_a), "B": ("pre-LN", box_b), "C": ("sandwich", box_c), "D": ("post-LN", box_d)}

TRAITS = {
    "gives rows of variance 1, whatever goes in": ("post-LN",),
    "adds the same to a stream ten times as large": ("pre-LN", "sandwich"),
    "adds the same when its branch is ten times as large": ("res-post-norm", "sandwich"),
}
"""What can be seen from outside -> the wrappings of which it is true."""


def _boxes(answer):
    """The judge: a name that is not the box's own is answered with something that the learner can see in it."""
    if not isinstance(answer, dict):
        raise Wrong(f'a dict is expected, as in {{"A": "pre-LN", ...}}, and not {type(answer).__name__}')
    if all(said is None or said is ... for said in answer.values()):
        raise Blank
    names = [name for name, _ in BOXES.values()]
    for box, (right, _) in BOXES.items():
        said = answer.get(box, ...)
        if said is ... or said is None:
            raise Wrong(f"box {box} has no name yet")
        if said not in names:
            raise Wrong(f"box {box} is called {str(said)[:40]!r}, and the names are {', '.join(sorted(names))}")
        for trait, theirs in TRAITS.items():
            if (said in theirs) != (right in theirs):
                does = "does" if right in theirs else "does not"
                raise Wrong(f"box {box} is not {said}: see whether it {trait}; this one {does}")


# Follow a nudge.

def gain(stack, x, v, h=1e-4):
    """How much longer a nudge v comes out than it went in: the central difference of the stack along v."""
    return np.linalg.norm(stack(x + h * v) - stack(x - h * v)) / np.linalg.norm(2 * h * v)


def _other_gain(ahead=1, behind=1, step=2, length=np.linalg.norm, whole=True):
    def gain(stack, x, v, h=1e-4):
        change = length(stack(x + ahead * h * v) - stack(x - behind * h * v))
        return change / (length(step * h * v) if whole else step * h)
    return gain


GAIN_MISTAKES = [
    Mistake(_other_gain(behind=0, step=1), "it takes a step to one side only: x + h v and x - h v are twice as exact"),
    Mistake(_other_gain(step=1), "from x - h v to x + h v are two steps of h: divide by 2 h"),
    Mistake(_other_gain(whole=False),
            "it forgets how long v itself is: divide by the length of the whole nudge, 2 h v"),
    Mistake(_other_gain(step=1, whole=False), "it divides by h alone: the nudge that went in is 2 h v long"),
    Mistake(_other_gain(length=lambda x: np.abs(x).max()),
            "it takes the largest entry, and the length is np.linalg.norm"),
    Mistake(_other_gain(length=lambda x: np.abs(x).sum()),
            "it adds up absolute values, and the length is np.linalg.norm"),
    Mistake(lambda stack, x, v, h=1e-4: np.linalg.norm(stack(x + h * v) - stack(x - h * v)),
            "this is how far the output moves: divide it by how far the input moved"),
]
_NUDGE = _RNG.normal(size=(5, 6))
GAIN_CASES = [
    Case("through a stack that doubles everything", (lambda x: 2 * x, _STREAM, _NUDGE), {"h": 1e-3}),
    Case("through x cubed, with h = 0.5,", (lambda x: x**3, _STREAM, _NUDGE), {"h": 0.5}),
    Case("through a stack that changes nothing", (lambda x: x, _STREAM, 10 * _NUDGE), {"h": 1e-3}),
]


# Warm up.

def warmed_up(step, peak, steps):
    """The learning rate of a step, counted from 0: linear up to ``peak`` over so many steps, then constant."""
    return peak * min(1.0, (step + 1) / steps) if steps else peak


WARM_UP_MISTAKES = [
    Mistake(lambda step, peak, steps: peak * min(1.0, step / steps) if steps else peak,
            "the first step has the rate 0, and is wasted: steps count from 0, so the first takes 1/steps of the peak"),
    Mistake(lambda step, peak, steps: peak * min(1.0, step / steps),
            "without a warm-up it divides by 0; and the first step has the rate 0, and is wasted"),
    Mistake(lambda step, peak, steps: peak * min(1.0, (step + 1) / steps),
            "without a warm-up (steps = 0) it divides by 0"),
    Mistake(lambda step, peak, steps: peak * (step + 1) / steps if steps else peak,
            "it keeps growing after the warm-up"),
    Mistake(lambda step, peak, steps: peak * (step + 1) / steps,
            "it keeps growing after the warm-up, and without one it divides by 0"),
    Mistake(lambda step, peak, steps: 0.0 if step < steps else peak, "it waits instead of growing: the rise is linear"),
    Mistake(lambda step, peak, steps: peak, "it is the same at every step"),
    Mistake(lambda step, peak, steps: peak * max(0.0, 1 - step / steps) if steps else peak,
            "it falls where it should rise"),
]
WARM_UP_CASES = [
    Case("at the first step of 100", (0, 3e-3, 100)),
    Case("at the 50th step of 100", (49, 3e-3, 100)),
    Case("at the last step of the warm-up", (99, 3e-3, 100)),
    Case("long after the warm-up", (5000, 1e-3, 100)),
    Case("without a warm-up", (0, 1e-3, 0)),
]

TASKS = (
    Task("move-the-norm", "Move the norm", "pre-post", "post_ln", compared(post_ln, MOVE_CASES, MOVE_MISTAKES)),
    Task("name-the-boxes", "Name the boxes", "pre-post", "boxes", _boxes),
    Task("follow-a-nudge", "Follow a nudge", "pre-post", "gain",
         compared(gain, GAIN_CASES, GAIN_MISTAKES, tolerance=1e-6)),
    Task("warm-up-schedule", "Warm up", "pre-post", "rate", compared(warmed_up, WARM_UP_CASES, WARM_UP_MISTAKES)),
)
