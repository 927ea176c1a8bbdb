"""The lab of the variance trace: write layer norm, account for an addition, double the variance, repeat it."""

from functools import partial
from itertools import combinations

import numpy as np

from ...model.sublayers import layer_norm
from .behaviour import Case, Mistake, compared
from .task import Task

WORKED = np.array([1.0, -1.0, 2.0, -2.0])
RNG = np.random.default_rng(0)
SQUARE, BATCH = RNG.normal(2, 3, (4, 4)), RNG.normal(-1, 2, (2, 3, 5))


# Write layer_norm.

def norm(x, eps=1e-5, centre=True, spread="std", ddof=0, axis=-1, place="under"):
    """Layer norm with a choice of slips; with none of them it is right."""
    mean = x.mean(axis=axis, keepdims=True)
    variance = x.var(axis=axis, ddof=ddof, keepdims=True)
    square = np.square(x).mean(axis=axis, keepdims=True) if spread == "rms" else variance
    if spread == "variance":
        scale = square + eps
    else:
        under, outside = (eps, 0) if place == "under" else (0, eps if place == "outside" else 0)
        scale = np.sqrt(square + under) + outside
    return (x - mean if centre else x) / scale


def _one_axis_lost(x, eps=1e-5):
    """Mean and variance without keepdims."""
    return (x - x.mean(axis=-1)) / np.sqrt(x.var(axis=-1) + eps)


SLIPS = {
    "it divides by the variance, the root is missing": {"spread": "variance"},
    "the variance is taken with n - 1, and layer norm divides by n": {"ddof": 1},
    "eps is added to the standard deviation, and it belongs under the root, beside the variance": {"place": "outside"},
    "eps is left out, so a constant row divides by zero": {"place": "nowhere"},
    "the mean is never taken away, this is the RMS norm": {"centre": False, "spread": "rms"},
    "the mean is not taken away from x": {"centre": False},
    "it norms the whole array at once, and each row is normed by itself (axis=-1)": {"axis": None},
    "it norms over the first axis, and the last one is meant (axis=-1)": {"axis": 0},
}
NORM_MISTAKES = [
    *(Mistake(partial(norm, **slip), says) for says, slip in SLIPS.items()),
    Mistake(_one_axis_lost, "the mean of each row loses its axis and lands on the wrong numbers: add keepdims=True"),
    Mistake(lambda x, eps: norm(x), "it takes eps = 1e-5 whatever eps is asked for"),
    *(Mistake(partial(norm, **one | other), f"{says}; and {also}")
      for (says, one), (also, other) in combinations(SLIPS.items(), 2) if not set(one) & set(other)),
]
NORM_CASES = [
    Case("on [1, -1, 2, -2]", (WORKED,), {"eps": 1e-5}),
    Case("on [11, 9, 12, 8], whose mean is not 0,", (WORKED + 10,), {"eps": 1e-5}),
    Case("on [1, -1, 2, -2] with eps = 0.5", (WORKED,), {"eps": 0.5}),
    Case("on the constant row [7, 7, 7]", (np.full(3, 7.0),), {"eps": 1e-5}),
    Case("on the whole numbers [1, 0, 0, 0]", (np.array([1, 0, 0, 0]),), {"eps": 1e-5}),
    Case("on four rows of four", (SQUARE,), {"eps": 1e-5}),
    Case("on a batch of shape (2, 3, 5)", (BATCH,), {"eps": 1e-5}),
]


# Account for an addition.

def three_terms(x, f, twice=2, ddof=0, ddof_variance=0, centre=True, correlation=False):
    """Var(x), Var(f) and 2 Cov(x, f) with a choice of slips."""
    n = x.size
    product = np.sum((x - x.mean()) * (f - f.mean()) if centre else x * f) / (n - ddof)
    covariance = product / (x.std() * f.std()) if correlation else product
    return x.var(ddof=ddof_variance), f.var(ddof=ddof_variance), twice * covariance


ACCOUNT_MISTAKES = [
    Mistake(partial(three_terms, twice=1), "the covariance counts twice: the third number is 2 Cov(x, f)"),
    Mistake(partial(three_terms, ddof=1),
            "the covariance divides by n - 1 and the variances by n: np.cov needs ddof=0"),
    Mistake(partial(three_terms, ddof=1, ddof_variance=1), "all three divide by n - 1, and here it is n"),
    Mistake(partial(three_terms, ddof_variance=1), "the variances divide by n - 1, and here it is n"),
    Mistake(partial(three_terms, ddof=1, twice=1),
            "the covariance counts twice, and it divides by n - 1 where the variances divide by n"),
    Mistake(partial(three_terms, centre=False), "the covariance is of deviations: take each mean away first"),
    Mistake(partial(three_terms, correlation=True), "this is the correlation, and the sum needs the covariance"),
    Mistake(lambda x, f: (x.var(), f.var(), (x + f).var()),
            "the third number is the whole sum, and not its third term"),
    Mistake(lambda x, f: (x.std(), f.std(), three_terms(x, f)[2]),
            "these are standard deviations, and what adds up are variances"),
]
ACCOUNT_CASES = [
    Case("on the worked example", (WORKED, np.array([1.5, 0.5, 1.75, 0.25]))),
    Case("where both means are far from 0", (WORKED + 10, np.array([3.0, 4.0, 5.0, 9.0]))),
    Case("where the branch points against the stream", (WORKED, -WORKED)),
    Case("where the branch is constant", (BATCH[0, 0], np.ones(5))),
]


# Double the variance.

def doubling(x):
    """The positive a with Var(x + a LN(x) + 1) = 2 Var(x): (std + a)^2 = 2 std^2."""
    return (2**0.5 - 1) * x.std()


def _what_it_does(case, value, expected):
    if value.shape != ():
        return f"{case.says} it gives an array of shape {value.shape}, and one number is expected"
    x, = case.args
    after = (x + value * layer_norm(x, eps=0) + 1).var()
    return (f"{case.says} a = {value:.4g} takes the variance from {x.var():.4g} to {after:.4g}, "
            f"and not to {2 * x.var():.4g}")


DOUBLING_MISTAKES = [
    Mistake(lambda x: x.std(), "this makes Var(f) as large as Var(x), but the covariance adds to it"),
    Mistake(lambda x: -(1 + 2**0.5) * x.std(),
            "this a doubles it as well, but it is negative: it turns the stream over"),
    Mistake(lambda x: 2**0.5 * (x.std() + 0.5) - x.std(), "this doubles what a = 0.5 gave, and not Var(x)"),
    Mistake(lambda x: doubling(WORKED), "it gives the a of the worked example for every stream"),
    Mistake(lambda x: (2**0.5 - 1) * x.std(ddof=1), "the standard deviation is taken with n - 1, and here it is n"),
    Mistake(lambda x: (2**0.5 - 1) * x.var(), "the root of the variance is missing: a counts in standard deviations"),
    Mistake(lambda x: 2**0.5 * x.std(),
            "this is the standard deviation that you want afterwards, and a is what to add"),
    Mistake(lambda x: (3**0.5 - 1) * x.std(), "this makes three times the variance out of it, not twice"),
]
DOUBLING_CASES = [
    Case("on [1, -1, 2, -2]", (WORKED,)),
    Case("on [11, 9, 12, 8]", (WORKED + 10,)),
    Case("on a stream a hundred times as small", (WORKED / 100,)),
    Case("on a stream of five random numbers", (BATCH[1, 2],)),
]


# Repeat the addition.

GROWTH_MISTAKES = [
    Mistake(lambda std0, a, n: (std0 + n * a) ** 2, "this is the variance, and the standard deviation is asked for"),
    Mistake(lambda std0, a, n: std0 * (1 + a / std0) ** n,
            "it multiplies each time, but the branch reads a *normed* stream"),
    Mistake(lambda std0, a, n: std0 * (1 + a) ** n, "this is growth without the norm: there each addition multiplies"),
    Mistake(lambda std0, a, n: (std0**2 + n * a**2) ** 0.5,
            "it adds variances, as if each branch knew nothing of its stream"),
    Mistake(lambda std0, a, n: std0 + a, "it makes one addition, and n are asked for"),
    Mistake(lambda std0, a, n: std0 + (n - 1) * a, "it is one addition short"),
    Mistake(lambda std0, a, n: std0 + (n + 1) * a, "it is one addition too many"),
]
GROWTH_CASES = [
    Case("after 12 additions of a = 0.5 from std 1.5811", (WORKED.std(), 0.5, 12)),
    Case("after no addition", (2.0, 0.5, 0)),
    Case("after 96 additions of a = 0.25 from std 1", (1.0, 0.25, 96)),
]

TASKS = (
    Task("write-layer-norm", "Write layer norm", "variance-trace", "layer_norm",
         compared(partial(norm), NORM_CASES, NORM_MISTAKES)),
    Task("account-for-a-sum", "Account for a sum", "variance-trace", "three_terms",
         compared(three_terms, ACCOUNT_CASES, ACCOUNT_MISTAKES)),
    Task("find-the-doubling-a", "Find the doubling a", "variance-trace", "doubling",
         compared(doubling, DOUBLING_CASES, DOUBLING_MISTAKES, describe=_what_it_does, tolerance=1e-3)),
    Task("repeat-the-addition", "Repeat the addition", "variance-trace", "std_after",
         compared(lambda std0, a, n: std0 + n * a, GROWTH_CASES, GROWTH_MISTAKES)),
)
