"""The numbers in the prose of the chapter on the residual stream, cell by cell and in order."""

from residual_stream.model.config import Config
from residual_stream.pictures.paths import KEPT

SMALL = Config(layers=2, width=16, tokens=8)


def explained():
    size = SMALL.width * SMALL.tokens
    return {
        "back": [size],
        "final-note": [size - 2 * SMALL.tokens, size],
        "plain-note": [size, 1e6, 1 / KEPT],  # a million is an example
    }
