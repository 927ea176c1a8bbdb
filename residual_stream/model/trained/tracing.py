"""What each addition of a trained model does to each token of a text."""

from typing import NamedTuple

import numpy as np

from ..addition import Account, account
from ..trace import Trace, token_similarity

MEASURES = Account._fields


class TokenAccounts(NamedTuple):
    """The account of every addition at every token: ``layer`` and ``kind`` (2 L,), the five numbers (2 L, tokens).

    ``similarity`` (2 L,) is the mean cosine of two different tokens of the sum, the first token left out.
    """

    layer: np.ndarray
    kind: np.ndarray
    var_stream: np.ndarray
    var_branch: np.ndarray
    covariance: np.ndarray
    correlation: np.ndarray
    var_sum: np.ndarray
    similarity: np.ndarray

    def token(self, place):
        """The ``Trace`` of the one token at ``place``; it has no other token to be similar to."""
        return Trace(self.layer, self.kind, *(getattr(self, name)[:, place] for name in MEASURES),
                     np.full(len(self.layer), np.nan))

    def medians(self):
        """The ``Trace`` whose numbers are medians over the tokens after the first.

        The first token is left out since it may be unlike all others, and medians are taken since others may join it.
        Each token's numbers add up; a median of sums is not the sum of medians.
        """
        return Trace(self.layer, self.kind, *(np.median(getattr(self, name)[:, 1:], axis=1) for name in MEASURES),
                     self.similarity)


class TextTrace(NamedTuple):
    """A ``Trace`` of a text, ``TokenAccounts.medians``, and beside it that of the text's first token."""

    layer: np.ndarray
    kind: np.ndarray
    var_stream: np.ndarray
    var_branch: np.ndarray
    covariance: np.ndarray
    correlation: np.ndarray
    var_sum: np.ndarray
    token_similarity: np.ndarray
    first_token: Trace


def token_accounts(model, ids, dtype=np.float32):
    """The ``TokenAccounts`` of the token ids ``ids``, of which there must be two: ValueError where there is one."""
    if len(ids) < 2:
        raise ValueError("text must have at least two tokens, since the first one is reported apart: write more words")
    rows = []

    def record(layer, kind, stream, branch):
        rows.append((layer, kind, *account(stream, branch), token_similarity((stream + branch)[1:])))

    model.stream(ids, record, dtype)
    return TokenAccounts(*map(np.array, zip(*rows, strict=True)))


def text_trace(model, text):
    """The ``TextTrace`` of ``text`` in ``model``; ValueError as ``Model.encode`` and ``token_accounts``."""
    accounts = token_accounts(model, model.encode(text))
    return TextTrace(*accounts.medians(), accounts.token(0))
