"""What a layer is made of: the norms and the feed-forward network, each with its derivative beside it.

Every function acts on the last axis and takes any leading shape. ``f(x, ...)`` is the value;
``f_vjp(x, ...)`` is ``(value, back)``, where ``back(dy)`` carries a gradient from the value to the inputs.
"""

import math
import sys
from numbers import Real

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
    if not isinstance(eps, Real) or not 0 <= eps <= sys.float_info.max and eps != math.inf:
        raise ValueError(f"eps must be a number of at least 0, not {eps!r:.40}")
    checked = []
    for name, gain in gains.items():
        gain = real_array(gain, name)
        if gain.shape not in ((), x.shape[-1:]):
            raise ValueError(f"{name} must be one number or of shape {x.shape[-1:]}, the width of x, not {gain.shape}")
        checked.append(gain.astype(x.dtype, copy=False))
    return x, *checked


def centred(x):
    """``x`` minus its mean over the last axis, exactly zero where a row is constant."""
    centred = x - x[..., :1]
    centred -= centred.mean(axis=-1, keepdims=True)
    return centred


def _in_range(x, eps):
    """``x`` and ``eps`` in a unit of its own for each row, in which no square is too large or too small.

    The unit is a power of two, so that the digits of ``x / sqrt(mean(x ** 2) + eps)`` stay what they are.
    """
    eps = x.dtype.type(eps)
    _, unit = np.frexp(np.maximum(np.abs(x).max(axis=-1, keepdims=True), np.sqrt(eps)))
    return np.ldexp(x, -unit), np.ldexp(eps, -2 * unit)


def _over_root(z, eps):
    """``z / sqrt(mean(z ** 2) + eps)`` in place, the mean over the last axis; nan where both are zero."""
    z /= np.sqrt(np.square(z).mean(axis=-1, keepdims=True) + eps)
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
    with np.errstate(all="ignore"):
        x, eps = _in_range(x, eps)
        z = _over_root(centred(x), eps)
    z *= gamma
    z += beta
    return z


def rms_norm(x, gamma=1.0, eps=1e-5):
    """RMS norm over the last axis: ``gamma * x / sqrt(mean(x ** 2) + eps)``. It does not centre.

    ``x`` has shape (..., width), and so has the result; ``gamma`` is a number or of shape (width,). Zhang and
    Sennrich 2019, equation 4. Dtypes and errors as in ``layer_norm``; a row of zeros with ``eps = 0`` becomes nan.
    """
    x, gamma = _norm_inputs(x, eps, gamma=gamma)
    with np.errstate(all="ignore"):
        z = _over_root(*_in_range(x, eps))
    z *= gamma
    return z


def _gain_vjp(z, gamma, beta, back_norm):
    """``(gamma * z + beta, back)`` for a norm with value ``z``, whose own derivative is ``back_norm(dz)``."""
    y = z if gamma is None else z * gamma
    if beta is not None:
        y = y + beta

    def back(dy):
        dweights = {}
        if gamma is not None:
            dweights["gamma"] = _over_rows(dy * z)
        if beta is not None:
            dweights["beta"] = _over_rows(dy)
        return back_norm(dy if gamma is None else dy * gamma), dweights

    return y, back


def _over_rows(x):
    """The sum of (..., width) over all but the last axis."""
    return x.sum(axis=tuple(range(x.ndim - 1)))


def layer_norm_vjp(x, gamma=None, beta=None, eps=1e-5):
    """``(layer_norm(x, gamma, beta, eps), back)`` with ``back(dy) -> (dx, {"gamma": ..., "beta": ...})``.

    ``x``, ``dy`` and ``dx`` have one shape (..., width); ``gamma`` and ``beta`` are of shape (width,), or None: then
    they count as 1 and 0 and have no gradient. With z the normalised row, dx = (dz - mean(dz) - z mean(z dz)) / std.
    The inputs are not checked: this is the inner loop of a stack.
    """
    width = x.shape[-1]
    z = centred(x)
    std = np.sqrt(np.vecdot(z, z)[..., None] / width + z.dtype.type(eps))
    z /= std

    def back_norm(dz):
        dx = z * (np.vecdot(dz, z)[..., None] / -width)
        dx += dz
        dx -= dz.mean(axis=-1, keepdims=True)
        dx /= std
        return dx

    return _gain_vjp(z, gamma, beta, back_norm)


def rms_norm_vjp(x, gamma=None, beta=None, eps=1e-5):
    """``(rms_norm(x, gamma, eps) + beta, back)``, as ``layer_norm_vjp`` but without centring.

    With z the normalised row, dx = (dz - z mean(z dz)) / rms.
    """
    width = x.shape[-1]
    rms = np.sqrt(np.vecdot(x, x)[..., None] / width + x.dtype.type(eps))
    z = x / rms

    def back_norm(dz):
        dx = z * (np.vecdot(dz, z)[..., None] / -width)
        dx += dz
        dx /= rms
        return dx

    return _gain_vjp(z, gamma, beta, back_norm)


def linear_vjp(x, weight, bias=None):
    """``(x @ weight + bias, back)`` with ``back(dy) -> (dx, dweight, dbias)``; dbias is None where bias is.

    ``x`` has shape (..., inputs), ``weight`` (inputs, outputs), ``bias`` (outputs,), the value (..., outputs).
    """
    y = x @ weight
    if bias is not None:
        y += bias

    def back(dy):
        rows, drows = x.reshape(-1, x.shape[-1]), dy.reshape(-1, dy.shape[-1])
        return dy @ weight.T, rows.T @ drows, None if bias is None else drows.sum(axis=0)

    return y, back


# Plain floats: a NumPy scalar would have float32 arrays computed in float64.
_LINEAR = -2 * (2 / math.pi) ** 0.5
_CUBIC = 0.044715 * _LINEAR


def _one_plus_exponential(h):
    """1 + exp(-2u) with u = sqrt(2 / pi) (h + 0.044715 h^3), the argument of GELU's tanh; its overflow is inf."""
    z = h * h
    z *= _CUBIC
    z += _LINEAR
    z *= h
    np.exp(z, out=z)
    z += 1
    return z


def _gelu(h):
    """GELU by tanh (Hendrycks and Gimpel 2016, section 2), h (1 + tanh(u)) / 2: one exponential, no tanh."""
    with np.errstate(over="ignore"):
        z = _one_plus_exponential(h)
    return np.divide(h, z, out=z)


def _gelu_vjp(h):
    """``(gelu(h), back)``; with gate = 1 / (1 + exp(-2u)) the slope is gate + 2 h gate (1 - gate) u'(h)."""
    with np.errstate(over="ignore"):
        gate = _one_plus_exponential(h)
    np.reciprocal(gate, out=gate)
    value = h * gate
    spread = 1 - gate
    spread *= value
    slope = spread * h
    slope *= -3 * _CUBIC
    slope *= h  # in this order nothing overflows: the spread is exactly 0 where h is large
    spread *= -_LINEAR
    slope += spread
    slope += gate
    return value, _times(slope)


_ERF = np.frompyfunc(math.erf, 1, 1)


def _normal_cdf(h):
    """The distribution function of the standard normal at ``h``: NumPy has no erf, the standard library has."""
    return (1 + _ERF(h * 0.5**0.5).astype(h.dtype)) / 2


def _gelu_erf(h):
    """GELU as defined (Hendrycks and Gimpel 2016, equation 1), h times the normal distribution function: slower."""
    return h * _normal_cdf(h)


def _gelu_erf_vjp(h):
    """``(gelu(h), back)``; with the distribution function P and its density p the slope is P + h p."""
    cdf = _normal_cdf(h)
    density = np.exp(h * h * -0.5)
    density *= (2 * math.pi) ** -0.5
    return h * cdf, _times(cdf + h * density)


def _times(slope):
    """The back of an elementwise function with that slope; it overwrites its argument."""

    def back(dy):
        dy *= slope
        return dy

    return back


def _relu(h):
    return np.maximum(h, 0)


def _relu_vjp(h):
    return np.maximum(h, 0), _times(h > 0)


def _swiglu(h):
    """SwiGLU (Shazeer 2020): silu(gate) * value, where ``h`` of shape (..., 2 ff) is gate, then value."""
    gate, value = np.split(h, 2, axis=-1)
    return gate * _sigmoid(gate) * value


def _sigmoid(x):
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x))


def _swiglu_vjp(h):
    gate, value = np.split(h, 2, axis=-1)
    sigmoid = _sigmoid(gate)
    silu = gate * sigmoid
    slope = value * (sigmoid + silu * (1 - sigmoid))
    return silu * value, lambda dy: np.concatenate([dy * slope, dy * silu], axis=-1)


ACTIVATIONS = {
    "gelu": (_gelu, _gelu_vjp), "gelu-erf": (_gelu_erf, _gelu_erf_vjp), "relu": (_relu, _relu_vjp),
    "swiglu": (_swiglu, _swiglu_vjp),
}


def feed_forward(x, up, down, up_bias=None, down_bias=None, activation="gelu"):
    """The feed-forward network ``activation(x @ up + up_bias) @ down + down_bias`` of each row of ``x``.

    ``x`` and the value have shape (..., width), ``up`` (width, ff), ``down`` (ff, width), the biases (ff,) and
    (width,) or None. With "swiglu" ``up`` is (width, 2 ff): the gate's columns, then the value's.
    """
    value, _ = ACTIVATIONS[activation]
    hidden, _ = linear_vjp(x, up, up_bias)
    return linear_vjp(value(hidden), down, down_bias)[0]


def feed_forward_vjp(x, up, down, up_bias=None, down_bias=None, activation="gelu"):
    """``(feed_forward(...), back)`` with ``back(dy) -> (dx, gradients)``, by the names of the weights given."""
    _, activate_vjp = ACTIVATIONS[activation]
    hidden, back_up = linear_vjp(x, up, up_bias)
    active, back_activation = activate_vjp(hidden)
    y, back_down = linear_vjp(active, down, down_bias)

    def back(dy):
        dactive, ddown, ddown_bias = back_down(dy)
        dx, dup, dup_bias = back_up(back_activation(dactive))
        return dx, given(up=dup, down=ddown, up_bias=dup_bias, down_bias=ddown_bias)

    return y, back


def given(**gradients):
    """The gradients that are not None."""
    return {name: gradient for name, gradient in gradients.items() if gradient is not None}
