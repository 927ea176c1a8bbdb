"""The numbers in the prose of the recall chapter, cell by cell and in order."""

import numpy as np

from residual_stream.closed_form import variance_after


def explained():
    half, whole = variance_after(np.sqrt(2.5), np.array([0.5, 1.0]))
    return {"answers": [whole / half, np.sqrt(1 + 96)], "takeaways-trace": [1 + 2 * 96]}
