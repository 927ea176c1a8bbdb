"""The numbers in the prose of the chapter on depth and width, cell by cell and in order."""

import numpy as np

from residual_stream.model.gpt3_table import gpt3_trace
from residual_stream.model.presets import PRESETS, parameter_counts
from residual_stream.model.weights import INITS


def explained():
    llama, gpt3 = PRESETS["llama-7b"], PRESETS["gpt3"]
    rule, gated = INITS["gpt2"](gpt3.width, gpt3.width), llama.ff / llama.width
    additions = 2 * gpt3.layers
    of_layers, of_additions = np.sqrt([1 + gpt3.layers, 1 + additions])
    scaled, plain = (np.sqrt(gpt3_trace(residual_scale=factor).var_sum[-1]) for factor in (True, False))
    both = [of_layers, additions, 1 + additions, of_additions]
    paper = 117        # no measurement: what the paper's table says of the small GPT-2, in millions
    positions = 0.01   # no measurement: in the code of GPT-2, src/model.py, the standard deviation of its table wpe
    return {
        "title": [1 + additions],
        "ratios-note": [gpt3.width // gpt3.heads, llama.width / llama.layers],
        "published-note": [PRESETS["vaswani-base"].vocabulary, paper, parameter_counts("gpt2")["total"] / 1e6],
        "four": [gated],
        "unit": [both, additions, additions, 1 + additions],
        "neither": [rule, additions, additions, rule, rule],
        "width-note": [rule],
        "gpt3": [gpt3.width, additions],
        "gpt3-note": [1 + additions, plain, scaled, additions, rule],
        "start": [rule, positions, np.hypot(rule, positions)],
        "final": [np.log(64)],
        "training-note": [3e-3],
        "corrections": [gated, both, 1 + additions, additions, scaled, plain],
    }
