"""The one addition that can be solved: what a scaled layer norm does to the variance of the stream.

For any stream x with population variance V, any number a and any uniform shift b,

    Var(x + a LN(x) + b) = V (1 + a / sqrt(V + eps))^2,

because LN(x) is x, centred and divided by one number: the branch is the stream again, at another size.
"""

import numpy as np

X0 = (1.0, -1.0, 2.0, -2.0)
"""The stream of the worked example: mean 0, population variance 2.5."""


def toy_branch(x, a, shift=1.0, eps=0.0):
    """The branch of the worked example, ``a * layer_norm(x) + shift``, of x's shape (..., width).

    An affine map stands where attention or the feed-forward network would, so that each step can be done by hand.
    """
    from .model.sublayers import layer_norm

    return a * layer_norm(x, eps=eps) + shift


def _real(name, value):
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must be a number or an array of numbers, not {value!r:.40}") from error


def variance_after(std, a, eps=0.0):
    """Variance of ``x + a * layer_norm(x, eps=eps) + b`` for a stream x with population standard deviation ``std``.

    ``std``, ``a`` and ``eps`` broadcast; the mean of x and the uniform shift b do not matter. The standard deviation
    afterwards is ``abs(std + a * std / sqrt(std**2 + eps))``, so an ``a`` below ``-std`` reflects it.

    A constant stream (``std`` 0) stays constant when ``eps`` > 0: the answer is 0, and not a**2. At ``eps`` = 0 its
    layer norm is 0/0 and nothing can be said: the answer is nan.

    Raises ValueError for a negative or nan ``std`` or ``eps``, and for what is no number.
    """
    std, a, eps = _real("std", std), _real("a", a), _real("eps", eps)
    for name, value in (("std", std), ("eps", eps)):
        if not np.all(value >= 0):
            raise ValueError(f"{name} must be 0 or more everywhere; the smallest value read was {value.min()}")
    with np.errstate(invalid="ignore", over="ignore"):
        # hypot, since std**2 underflows below 1e-162
        shrunk = std / np.hypot(std, np.sqrt(eps))
        return ((std + a * shrunk) ** 2)[()]


# sympy takes half a second to import, and the numbers above do not need it.

def derivation():
    """The derivation as a list of (sympy equation, sentence), from the definition of layer norm to the closed form.

    The last equation is Var(x_1) = (sigma_0 + a)^2, for eps = 0 and a stream that is not constant; any mean, any
    uniform shift. ``show_steps(derivation())`` shows it.
    """
    from .symbolic import closed_form_steps

    return closed_form_steps()


def general_derivation():
    """The same with eps and one gain gamma: Var(x_1) = V (1 + a gamma / sqrt(V + eps))^2, V the stream's variance."""
    from .symbolic import general_steps

    return general_steps()


def show_steps(steps):
    """Steps, a list of (equation, sentence), as an object that a notebook and a page show as a numbered list."""
    from .symbolic import Steps

    return Steps(steps)
