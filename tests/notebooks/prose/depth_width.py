"""The decimal numbers in the prose of the chapter on depth and width, cell by cell and in order."""

import numpy as np

from residual_stream.model.gpt3_table import gpt3_trace
from residual_stream.model.presets import PRESETS
from residual_stream.model.weights import INITS


def explained():
    llama, rule = PRESETS["llama-7b"], INITS["gpt2"](12288, 12288)
    gated = llama.ff / llama.width
    unit = np.sqrt([1 + 96, 1 + 2 * 96])
    scaled, plain = (np.sqrt(gpt3_trace(residual_scale=factor).var_sum[-1]) for factor in (True, False))
    positions = 0.01  # of the code of GPT-2, src/model.py: the standard deviation of its table wpe
    return {
        "four": [gated],
        "unit": [unit],
        "neither": [rule, rule, rule],
        "width-note": [rule],
        "gpt3-note": [plain, scaled, rule],
        "start": [rule, positions, np.hypot(rule, positions)],
        "final": [np.log(64)],
        "training-note": [3e-3],
        "corrections": [gated, unit, scaled, plain],
    }
