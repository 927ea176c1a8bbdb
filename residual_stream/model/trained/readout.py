"""What a trained model that predicts makes of its stream: probabilities, losses, and the logit lens."""

from typing import NamedTuple

import numpy as np

from ..stack import cross_entropy_vjp


def log_probabilities(model, stream):
    """The logarithm of the probability of every next token, (..., vocabulary), from a stream (..., width)."""
    logits = model.logits(stream)
    logits -= logits.max(axis=-1, keepdims=True)
    logits -= np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    return logits


def loss(model, ids):
    """The mean negative log-likelihood in nats of each token of ``ids`` after the first, given those before it."""
    return stream_loss(model, model.stream(ids), ids)


def stream_loss(model, stream, ids):
    """The same from the last ``stream``, (tokens, width)."""
    return float(cross_entropy_vjp(model.logits(stream[:-1]), np.asarray(ids)[1:])[0])


class Lens(NamedTuple):
    """What the final norm and the output matrix read at each depth, the last token's prediction.

    ``top`` (2 L + 1, n) holds token ids by falling probability, ``probability`` theirs; ``answer`` and ``rank``
    (2 L + 1,) the probability and the rank, from 1, of the token that the whole model predicts.
    """

    top: np.ndarray
    probability: np.ndarray
    answer: np.ndarray
    rank: np.ndarray


def logit_lens(model, ids, n=5, dtype=np.float32):
    """The ``Lens`` of the start and of the stream after each of the 2 L additions (nostalgebraist 2020)."""
    found = log_probabilities(model, np.array([stream[-1] for stream in model.depths(ids, dtype)]))
    top = np.argsort(-found, axis=-1)[:, :n]
    answer = found[:, top[-1, 0]]
    rank = 1 + (found > answer[:, None]).sum(axis=-1)
    return Lens(top, np.exp(np.take_along_axis(found, top, axis=-1)), np.exp(answer), rank)
