"""The decimal numbers in the prose of the chapter on real layers, cell by cell and in order."""

import numpy as np

from residual_stream.model.gpt3_table import gpt3_trace
from residual_stream.model.weights import INITS


def explained():
    unit = np.sqrt([1 + 96, 1 + 2 * 96])
    ends = [np.sqrt(gpt3_trace(residual_scale=scaled).var_sum[-1]) for scaled in (True, False)]
    return {
        "unit": [unit],
        "gpt3": [INITS["gpt2"](12288, 12288)],
        "gpt3-note": [INITS["gpt2"](12288, 12288), ends[::-1]],
        "corrections": [unit, ends],
    }
