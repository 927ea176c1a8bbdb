"""The numbers in the prose of the chapter on trained models, cell by cell and in order."""

import numpy as np

from residual_stream.model.trained.tables import committed
from residual_stream.model.trained.tasks import READ
from residual_stream.model.wrappings import deepnorm_constants


def explained():
    # No measurements: shapes in names and in the files (which the tests of the models hold against the files), the
    # longest sentence that MiniLM was tuned on (its card), the parameters of MiniMax-Text-01 in billions (its paper).
    named, width, post_width, tuned, billions = 135, 576, 384, 128, 456
    vocabulary, opt = 49_152, 350
    ablation, lens, trace = committed("ablation"), committed("lens"), committed("trace")
    layers = trace.column("var_sum", model="smollm2-135m", text="english-long", place="rest", kind="feed-forward")
    intact = {model: {name: ablation.column(name, model=model, layer=-1)[0] for name in ("loss", "probability")}
              for model in ("smollm2-135m", "minilm")}
    partner = [ablation.column("probability", model="minilm", left_out=left_out)
               for left_out in ("attention", "feed-forward", "layer")]
    medians = [np.median(ablation.column("loss", model="smollm2-135m", left_out=kind) - intact["smollm2-135m"]["loss"])
               for kind in ("attention", "feed-forward")]
    tokyo = lens.column("answer_probability", prompt="tokyo", place=1)
    return {
        "models": [width, post_width, named, 256],      # and the bits of a SHA
        "real": [vocabulary, vocabulary, np.log(vocabulary)],
        "factors-note": [1.045, (layers[-1] / layers[0]) ** (1 / 58)],     # the first is a published measurement
        "last-note": [trace.column("correlation", model="smollm2-135m", text="tokyo", place="rest")[-1]],
        "first": [width],
        "post-note": [tuned],
        "lens-note": [vocabulary, tokyo[59:]],
        "silence": [READ, intact["smollm2-135m"]["loss"]],
        "silence-note": [medians],
        "tokyo-intro": [intact["smollm2-135m"]["probability"]],
        "analogy": [intact["minilm"]["probability"], min(map(min, partner[:2])), partner[2].min()],
        "today": [opt, opt, opt, billions, deepnorm_constants(decoder=80)["decoder"][0]],
    }
