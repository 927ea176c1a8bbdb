"""The numbers in the prose of the chapter on real layers, cell by cell and in order."""

<<<<<<< HEAD
import numpy as np

from residual_stream.model.gpt3_table import gpt3_trace
from residual_stream.model.presets import preset_config
from residual_stream.model.weights import INITS


def explained():
    layers, width = 96, preset_config("gpt3").width
    additions = 2 * layers
    unit = np.sqrt([1 + layers, 1 + additions])
    ends = [np.sqrt(gpt3_trace(residual_scale=scaled).var_sum[-1]) for scaled in (True, False)]
    return {
        "title": [1 + additions],
        "explore-note": [additions],
        "unit": [unit[0], additions, 1 + additions, unit[1], additions, additions, 1 + additions],
        "gpt3": [INITS["gpt2"](width, width), additions, width],
        "gpt3-note": [1 + additions, INITS["gpt2"](width, width), width, ends[::-1]],
        "corrections": [unit[0], additions, 1 + additions, unit[1], 1 + additions, additions, ends],
    }
=======

def explained():
    return {}
>>>>>>> 8169ad9 (How deep, how wide: published shapes counted, what 0.02 means in a wide model, and what the final norm is for)
