"""What each trained model is asked to do while branches are left out: a loss in nats, and one probability."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..stack import cross_entropy_vjp
from . import minilm, smollm2
from .readout import log_probabilities, stream_loss
from .texts import fitting, texts

READ = 128      # tokens of the long English text
SCALE = 20.0    # on the cosines; the model's card names its loss, cross-entropy over cosines, and not the scale


class Task(NamedTuple):
    """``ids``, the token ids of each text; ``score(streams)`` makes ``(loss, probability)`` of their last streams."""

    ids: list
    score: Callable


def next_token(model):
    """Read English prose (the loss is that of its tokens), and continue the capitals (the probability of Tokyo)."""
    reading = model.encode(fitting(model, texts()["texts"]["english-long"], READ))
    prompt = model.encode(texts()["prompts"]["tokyo"])
    answer = int(model.logits(model.stream(prompt)[-1]).argmax())

    def score(streams):
        read, asked = streams
        return stream_loss(model, read, reading), float(np.exp(log_probabilities(model, asked[-1])[answer]))

    return Task([reading, prompt], score)


def partner(model):
    """Find each sentence's partner: cross-entropy of the scaled cosines, and the partner's mean probability."""
    pairs = list(texts()["pairs"].values())

    def score(streams):
        vectors = np.array([minilm.pooled(stream) for stream in streams])
        scores = SCALE * vectors[: len(pairs)] @ vectors[len(pairs) :].T
        right = np.arange(len(pairs))
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return float(cross_entropy_vjp(scores, right)[0]), float(chances[right, right].mean())

    return Task([model.encode(sentence) for column in zip(*pairs) for sentence in column], score)


TASKS = {smollm2.NAME: next_token, minilm.NAME: partner}
