"""The decimal numbers in the prose of the chapter on pre-LN and post-LN, cell by cell and in order."""

import numpy as np

from residual_stream.model.training import REVERSAL
from residual_stream.model.warm_up import MAP, Run
from residual_stream.model.weights import INITS
from residual_stream.pictures.add_and_norm import first_places

# BLEU scores that Xiong et al. 2020 report in section 3.2: no measurement of ours.
BLEU = {"no warm-up": 8.45, "500 steps": 31.16, "500 steps at twice the rate": 2.77}
# How far behind post-LN Wang et al. 2022 found pre-LN, in BLEU, from and to.
BEHIND = [0.5, 1.0]


def explained():
    places = first_places(1.0)
    small, middle, large = MAP["learning_rate"]
    gpt2 = INITS["gpt2"](32, 32)
    return {
        "same-input-note": [places["as-drawn"], places["sample"]],
        "conditions": [gpt2],
        "conditions-note": [gpt2],
        "warm-up": [np.log(REVERSAL.vocabulary - 1), Run().learning_rate],
        "map": [gpt2],
        "map-note": [middle, small, large, gpt2],
        "published": list(BLEU.values()),
        "order-note": [large],
        "costs-note": BEHIND,
    }
