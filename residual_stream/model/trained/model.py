"""A trained model in the engine's own terms: a configuration, layers of weights, and what stands around them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..config import Config
from ..stack import final_norm_vjp, forward
from ..sublayers import layer_norm
from ..trace import fitting_threads


@dataclass(frozen=True)
class Model:
    """Trained weights, arranged for ``model.stack``.

    ``layers`` is a list of the weights of each layer, ``embedding`` (vocabulary, width); ``positions`` (longest text,
    width) and ``segment`` (width,) are added to it, and ``embedding_norm`` (gamma, beta) follows, where the model has
    them. ``final_gamma`` (width,) belongs to the norm after the last layer. The output matrix, where the model
    predicts a next token, is the embedding itself (``predicts``). ``config.tokens`` is the longest text it takes.
    """

    name: str
    title: str
    config: Config
    layers: list
    embedding: np.ndarray
    tokenizer: Any
    positions: np.ndarray | None = None
    segment: np.ndarray | None = None
    embedding_norm: tuple | None = None
    final_gamma: np.ndarray | None = None
    predicts: bool = False

    def encode(self, text):
        """The token ids of ``text``, shape (tokens,), with the tokens that the model itself puts around a text.

        Raises ValueError for what is no text or no Unicode, for an empty one and for one of more tokens than
        ``config.tokens``.
        """
        if not isinstance(text, str):
            raise ValueError(f"text must be a string, not {type(text).__name__}")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ValueError(f"text holds no Unicode text at place {error.start}: write it in UTF-8") from error
        if not text.strip():
            raise ValueError("text is empty: write at least one word")
        ids = np.array(self.tokenizer.encode(text).ids)
        if len(ids) > self.config.tokens:
            raise ValueError(
                f"text is too long: {len(ids):,} tokens, and {self.name} takes {self.config.tokens:,} at most: "
                "shorten it"
            )
        return ids

    def words(self, ids):
        """Each token id as the text that it stands for."""
        return [self.tokenizer.decode([int(token)], skip_special_tokens=False) for token in ids]

    def embed(self, ids):
        """x_0 of shape (tokens, width): what the first layer reads."""
        x = self.embedding[ids]
        if self.positions is not None:
            x = x + self.positions[: len(ids)] + self.segment
        if self.embedding_norm is not None:
            x = layer_norm(x, *self.embedding_norm, eps=self.config.eps)
        return x

    def stream(self, ids, record=None, dtype=np.float32):
        """The stream after the last layer, (tokens, width), in ``dtype``; ``record`` as in ``stack.forward``."""
        with fitting_threads(self.config):
            return forward(self.embed(ids).astype(dtype), self.layers, self.config, record)

    def depths(self, ids, dtype=np.float32):
        """The stream before each of the 2 L additions and the last one: 2 L + 1 arrays (tokens, width)."""
        streams = []
        last = self.stream(ids, lambda layer, kind, stream, branch: streams.append(stream), dtype)
        return [*streams, last]

    def logits(self, stream):
        """Scores of all next tokens, (..., vocabulary), from a stream at any depth: final norm, output matrix.

        Raises ValueError for a model that predicts no next token.
        """
        if not self.predicts:
            raise ValueError(f"{self.name} predicts no next token: choose a model that does")
        return final_norm_vjp(stream, self.config, self.final_gamma)[0] @ self.embedding.T
