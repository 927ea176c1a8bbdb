"""A weight matrix too wide to keep: its numbers are drawn column block by column block while they are multiplied.

A sum over many inputs feels its weights only through their variance, so uniform weights of the right variance
stand in for normal ones. They are ``scale * (k + 1/2)`` with ``k`` a 16-bit integer, all values equally likely:
four come from one 64-bit random number, and ``x @ W = scale * (x @ K + sum(x) / 2)`` never rescales the matrix.
"""

from dataclasses import dataclass, field
from math import sqrt

import numpy as np

COLUMNS, ROWS = 256, 512        # what is drawn at once: half a megabyte, which stays in a core's cache
LEVELS = 2**16                  # the variance of k is (LEVELS ** 2 - 1) / 12


@dataclass(frozen=True)
class UniformMatrix:
    """A matrix of ``shape`` (inputs, outputs), mean 0 and standard deviation ``std``, float32.

    ``seed`` and ``key`` (layer, place of the matrix in the layer) decide the numbers together with the column block,
    so they depend neither on the order of use nor on the number of threads. ``x @ matrix`` is defined for
    float32 ``x`` of shape (..., inputs); column blocks are spread over ``executor``'s threads where one is given.
    """

    shape: tuple
    std: float
    seed: int
    key: tuple
    executor: object = field(default=None, compare=False, repr=False)

    __array_ufunc__ = None      # NumPy leaves x @ matrix to __rmatmul__

    @property
    def scale(self):
        """The step between neighbouring weights."""
        return np.float32(self.std / sqrt((LEVELS**2 - 1) / 12))

    def integers(self, first):
        """The integers ``k`` of the columns from ``first`` on, yielded as (row slice, array (rows, columns))."""
        inputs, outputs = self.shape
        columns = min(COLUMNS, outputs - first)
        bits = np.random.SFC64(np.random.SeedSequence(self.seed, spawn_key=(*self.key, first // COLUMNS)))
        for row in range(0, inputs, ROWS):
            rows = min(ROWS, inputs - row)
            drawn = bits.random_raw(-(-rows * columns // 4)).astype("<u8", copy=False).view("<i2")
            yield slice(row, row + rows), drawn[:rows * columns].reshape(rows, columns)

    def __rmatmul__(self, x):
        flat = np.ascontiguousarray(x, dtype=np.float32).reshape(-1, self.shape[0])
        result = np.empty((len(flat), self.shape[1]), np.float32)
        shift = flat.sum(axis=-1, keepdims=True) / 2

        def multiply(first):
            block = result[:, first:first + COLUMNS]
            product = np.tile(shift, block.shape[1])
            weights = np.empty((ROWS, block.shape[1]), np.float32)
            for rows, drawn in self.integers(first):
                weights[:len(drawn)] = drawn
                product += flat[:, rows] @ weights[:len(drawn)]
            np.multiply(product, self.scale, out=block)

        run = map if self.executor is None else self.executor.map
        for _ in run(multiply, range(0, self.shape[1], COLUMNS)):
            pass
        return result.reshape(*x.shape[:-1], self.shape[1])

    def dense(self):
        """The whole matrix as an array; for tests and small widths."""
        matrix = np.empty(self.shape, np.float32)
        for first in range(0, self.shape[1], COLUMNS):
            for rows, drawn in self.integers(first):
                matrix[rows, first:first + COLUMNS] = drawn
        return (matrix + np.float32(0.5)) * self.scale
