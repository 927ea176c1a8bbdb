"""What the numbers in the prose of the variance trace may be, cell by cell."""

import numpy as np

import residual_stream as rs


def explained():
    x0 = np.array([1.0, -1.0, 2.0, -2.0])
    std0, a = x0.std(), 0.5
    normed = rs.layer_norm(x0, eps=0)
    branch = a * normed + 1
    x1 = x0 + branch
    deviations = x1 - x1.mean()
    account = rs.account(x0, branch)
    half, whole = rs.variance_after(std0, [0.5, 1.0])
    sizes = [account.var_stream, account.var_branch, account.covariance, 2 * account.covariance, account.var_sum]
    by_hand = [a, x0.var(), std0, normed, a * normed, branch, x1, deviations, deviations**2, x1.var()]
    naive = account.var_stream + account.var_branch
    return {
        "cast": [a],
        # 0.31625 and 0.3163 are the trap that the cell warns of: half of the rounded norm, rounded again.
        "by-hand": [*by_hand, np.round(normed[0], 4) / 2, np.round(np.round(normed[0], 4) / 2 + 1e-9, 4)],
        "naive": [*sizes, a, naive],
        "three-bars-note": sizes,
        "derivation-note": [std0, a, std0 + a, x1.var()],
        "break-constant-note": [a**2],
        "break-reflect-note": [-a],
        "slider": [-2.5, 2.5, 0.05],
        "slider-note": [x0.var(), -std0, -2 * std0, a],
        "without-norm": [a, 1 + a, (1 + a) ** 2],
        "corrections": [branch, np.round(np.round(normed[0], 4) / 2 + 1e-9, 4) + 1, a, whole / half,
                        np.sqrt(2 * half) - std0],
    }
