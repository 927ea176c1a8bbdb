"""What a layer is made of: the norms and the feed-forward network, each with its derivative beside it.

Every function acts on the last axis and takes any leading shape. ``f(x, ...)`` is the value;
``f_vjp(x, ...)`` is ``(value, back)``, where ``back(dy)`` carries a gradient from the value to the inputs.
"""

import numpy as np


def real_array(value, name):
    """``value`` as a non-empty array of real numbers: float32 stays float32, everything else becomes float64.

    Raises ValueError, naming ``name``, for anything that is no such array.
    """
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be a rectangular array of real numbers, but its rows differ in length") from None
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{name} must hold real numbers, not values of type {array.dtype}: convert it to float first")
    if array.size == 0:
        raise ValueError(f"{name} must hold at least one number, but its shape is {array.shape}")
    return array if array.dtype == np.float32 else array.astype(np.float64, copy=False)


def _norm_inputs(x, eps, **gains):
    """The checked ``x`` and gains of a norm, all in the dtype of ``x``."""
    x = real_array(x, "x")
    if x.ndim == 0:
        raise ValueError("x must have a last axis to normalise over, but it is a single number: wrap it in a list")
    if not eps >= 0:
        raise ValueError(f"eps must be at least 0, not {eps!r}")
    checked = []
    for name, gain in gains.items():
        gain = real_array(gain, name)
        if gain.shape not in ((), x.shape[-1:]):
            raise ValueError(f"{name} must be one number or of shape {x.shape[-1:]}, the width of x, not {gain.shape}")
        checked.append(gain.astype(x.dtype, copy=False))
    return x, *checked


def _centred(x):
    """``x`` minus its mean over the last axis, exactly zero where a row is constant."""
    centred = x - x[..., :1]
    centred -= centred.mean(axis=-1, keepdims=True)
    return centred


def _over_root(z, mean_square, eps):
    """``z / sqrt(mean_square + eps)`` in place; nan where both are zero."""
    with np.errstate(invalid="ignore", divide="ignore"):
        z /= np.sqrt(mean_square + z.dtype.type(eps))
    return z


def layer_norm(x, gamma=1.0, beta=0.0, eps=1e-5):
    """Layer norm over the last axis: ``gamma * (x - mean) / sqrt(variance + eps) + beta``.

    ``x`` has shape (..., width), and so has the result; ``gamma`` and ``beta`` are numbers or of shape (width,).
    The variance is the population's (divided by the width): Ba, Kiros and Hinton 2016, equation 3. A constant
    row becomes ``beta``; with ``eps = 0`` it has no norm and becomes nan. float32 stays float32, integers become
    float64. Raises ValueError for an empty, non-numeric or complex input, a negative ``eps``, and a ``gamma`` or
    ``beta`` that does not fit the width.
    """
    x, gamma, beta = _norm_inputs(x, eps, gamma=gamma, beta=beta)
    z = _centred(x)
    z = _over_root(z, np.square(z).mean(axis=-1, keepdims=True), eps)
    z *= gamma
    z += beta
    return z


def rms_norm(x, gamma=1.0, eps=1e-5):
    """RMS norm over the last axis: ``gamma * x / sqrt(mean(x ** 2) + eps)``. It does not centre.

    ``x`` has shape (..., width), and so has the result; ``gamma`` is a number or of shape (width,). Zhang and
    Sennrich 2019, equation 4. Dtypes and errors as in ``layer_norm``; a row of zeros with ``eps = 0`` becomes nan.
    """
    x, gamma = _norm_inputs(x, eps, gamma=gamma)
    z = _over_root(x.copy(), np.square(x).mean(axis=-1, keepdims=True), eps)
    z *= gamma
    return z
