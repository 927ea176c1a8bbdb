"""One residual addition, accounted for: what the sum's variance is made of."""

from typing import NamedTuple

import numpy as np

from .sublayers import centred, real_array


class Account(NamedTuple):
    """The five numbers of one addition ``stream + branch``, each of the arrays' leading shape.

    ``var_sum = var_stream + var_branch + 2 * covariance`` to rounding.
    """

    var_stream: np.ndarray
    var_branch: np.ndarray
    covariance: np.ndarray
    correlation: np.ndarray
    var_sum: np.ndarray


def account(stream, branch):
    """Account for ``stream + branch``, both of shape (..., width), over the last axis.

    Variances and covariance are the population's (divided by the width), as in layer norm
    (Ba, Kiros and Hinton 2016, equation 3). The correlation is nan where one of the two is constant.
    float32 stays float32, integers become float64. Raises ValueError for what is no array of real numbers,
    for single numbers, and for two shapes.
    """
    stream, branch = real_array(stream, "stream"), real_array(branch, "branch")
    if stream.shape != branch.shape:
        raise ValueError(f"stream and branch must have one shape, not {stream.shape} and {branch.shape}")
    if stream.ndim == 0:
        raise ValueError("stream and branch must be vectors, but they are single numbers: wrap each in a list")
    x, f = centred(stream), centred(branch)
    var_x, var_f, cov = (x * x).mean(-1), (f * f).mean(-1), (x * f).mean(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = cov / np.sqrt(var_x * var_f)
    return Account(var_x, var_f, cov, correlation, (stream + branch).var(axis=-1))
