"""The numbers in the prose of the chapter on DeepNorm, cell by cell and in order."""

from residual_stream.model.model_update import ADAM_RATE, DEPTHS
from residual_stream.model.tables import read_table
from residual_stream.model.wrappings import deepnorm_constants

# No measurements but what others report: DeepNet's abstract and section 5, the size of MiniMax-Text-01.
WORSE_BLEU, DEEP_LAYERS, BILLIONS, MINIMAX_BILLIONS, VANILLA_LAYERS, HALF = (0.5, 1.0), 200, 3.2, 456, 100, 500
THEOREM, GLM = 4.2, 130  # names: DeepNet's theorem 4.2, GLM-130B


def explained():
    table, deepest = read_table("model_update"), DEPTHS[-1]

    def percent(step, layers):
        own = table[(table["wrapping"] == "deepnorm") & (table["layers"] == layers)]
        return 100 * own[step].mean()

    one = deepnorm_constants(encoder=1, decoder=1)["encoder"]  # the factors before the roots
    adam, sgd = ([percent(step, layers) for layers in (DEPTHS[0], deepest)] for step in ("adam", "sgd"))
    return {
        "reach": [ADAM_RATE],
        "constants-note": [one],
        "others": [GLM],
        "update": [deepest, adam[0], deepest],
        "explore-note": [sgd, deepest, deepest, adam, deepest],
        "theorem": [THEOREM],
        "adam-note": [deepest],
        "ratios-note": [deepest],
        "deeper": [deepest, HALF, HALF],
        "deeper-note": [VANILLA_LAYERS, VANILLA_LAYERS, WORSE_BLEU, deepest, DEEP_LAYERS, BILLIONS],
        "minimax": [MINIMAX_BILLIONS, deepnorm_constants(decoder=80)["decoder"][0]],
        "corrections": [VANILLA_LAYERS, VANILLA_LAYERS, deepest, deepest, MINIMAX_BILLIONS],
    }
