"""The numbers in the prose of the variance trace, cell by cell and in order."""

import numpy as np

import residual_stream as rs


def explained():
    x0 = np.array([1.0, -1.0, 2.0, -2.0])
    var0, std0, a = x0.var(), x0.std(), 0.5
    normed = rs.layer_norm(x0, eps=0)
    branch = a * normed + 1
    x1 = x0 + branch
    account = rs.account(x0, branch)
    half, whole = rs.variance_after(std0, [0.5, 1.0])
    rounded = np.round(normed[0], 4)
    trap = round(rounded / 2 + 1e-9, 4)  # half of the rounded norm, rounded again: what the cell warns of
    one, two = (x1 - x1.mean())[[0, 2]]
    return {
        "cast": [a],
        "by-hand": [
            var0, var0, std0, std0, *zip(normed, a * normed, branch, x1),
            rounded, rounded / 2, trap, normed[0], a * normed[0],
            np.abs(x1), one, -one, two, -two, one**2, two**2, one**2, two**2, x1.var(), x1.var(),
        ],
        "naive": [var0, a, account.var_branch, var0 + account.var_branch, account.var_sum],
        "three-bars-note": [account.covariance, 2 * account.covariance],
        "derivation-note": [std0, a, std0 + a, half],
        "break-constant-note": [a**2],
        "break-small-note": [1e4],      # no measurement: what the cell above divides by
        "break-reflect-note": [-a],
        "slider": [-2.5, 2.5, 0.05],
        "slider-note": [-std0, var0, -2 * std0, a],
        "without-norm": [a, 1 + a, (1 + a) ** 2],
        "corrections": [trap + 1, branch[0], a, whole / half, np.sqrt(2 * half) - std0],
    }
