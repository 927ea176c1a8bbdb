"""The numbers in the prose of the chapter on what came after, cell by cell and in order."""

import numpy as np

import residual_stream as rs


def twice(norm):
    x = np.array([1.0, -1.0, 2.0, -2.0])
    for _ in range(2):
        x = x + norm(x, eps=0) / 2 + 1
    return x.var()


def explained():
    return {
        "numbers": [rs.WRAPPINGS["layerscale"].place(0, 8).gate],
        "rms-note": [twice(rs.rms_norm), twice(rs.layer_norm)],
        "updates": [1e-4],  # the learning rate of update_size
        "explore-note": [10**3],  # where the axis ends
        # Parts of models' names, and a published number of parameters (in billions).
        "today": [4.0, 350, 350, 456],
        "gated": [256],  # LLaMA's own rule
        "corrections": [456],
    }
