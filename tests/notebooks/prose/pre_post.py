"""The numbers in the prose of the chapter on pre-LN and post-LN, cell by cell and in order."""

import numpy as np

from residual_stream.model.presets import PRESETS
from residual_stream.model.training import REVERSAL
from residual_stream.model.warm_up import ARMS, MAP, Run
from residual_stream.model.weights import INITS
from residual_stream.pictures.add_and_norm import first_places

# What Xiong et al. 2020 report in section 3.2, as they report it: no warm-up (BLEU), 4,000 steps of it, 500 steps of
# it (BLEU) and at twice the rate (BLEU). Then the warm-ups of GPT-3 (millions of tokens) and LLaMA (steps).
PUBLISHED = [8.45, 4000, 500, 31.16, 2.77, 375, 2000]
# How far behind post-LN Wang et al. 2022 found pre-LN, in BLEU, from and to.
BEHIND = [0.5, 1.0]


def explained():
    places = first_places(1.0)
    small, middle, large = MAP["learning_rate"]
    gpt2, steps = INITS["gpt2"](32, 32), Run().steps
    (warm_up,) = {steps for _, steps in ARMS.values()} - {0}
    return {
        "same-input-note": [places["as-drawn"], places["sample"], PRESETS["bert-base"].width],
        "conditions": [gpt2],
        "conditions-note": [gpt2],
        "warm-up": [np.log(REVERSAL.vocabulary - 1), steps, Run().learning_rate, warm_up],
        "arms-note": [steps],
        "map": [gpt2],
        "map-note": [middle, small, large, warm_up, gpt2, steps],
        "published": PUBLISHED,
        "costs-note": BEHIND,
    }
