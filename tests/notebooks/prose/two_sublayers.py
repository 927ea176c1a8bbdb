"""The numbers in the prose of the chapter on the two sublayers, cell by cell and in order."""

from dataclasses import replace

import residual_stream as rs
from residual_stream.model.presets import PRESETS


def explained():
    bert, deepnet = PRESETS["bert-base"], PRESETS["deepnet-1000"]
    bare = replace(bert, layers=1, attention_biases=False, feed_forward_biases=False)
    parts = rs.parameter_counts(bare)
    layers = deepnet.layers + deepnet.decoder_layers
    additions = 2 * deepnet.layers + 3 * deepnet.decoder_layers
    return {
        "counting": [bert.width, bert.ff],
        "counting-note": [parts["feed_forward"], parts["attention"]],
        "decoder-note": [layers, additions, additions - 2 * layers],
    }
