"""Adam on one long vector: every parameter of a model is a view of it."""

import numpy as np


def leaves(tree):
    """The arrays of nested dicts and lists, in order."""
    if isinstance(tree, np.ndarray):
        yield tree
    else:
        for branch in tree.values() if isinstance(tree, dict) else tree:
            yield from leaves(branch)


def packed(tree):
    """``(vector, views)``: all numbers of ``tree`` in one vector, and the same tree made of views of that vector."""
    vector = np.concatenate([leaf.ravel() for leaf in leaves(tree)])
    ends = np.cumsum([leaf.size for leaf in leaves(tree)])
    parts = iter(np.split(vector, ends[:-1]))

    def view(tree):
        if isinstance(tree, np.ndarray):
            return next(parts).reshape(tree.shape)
        if isinstance(tree, dict):
            return {name: view(branch) for name, branch in tree.items()}
        return [view(branch) for branch in tree]

    return vector, view(tree)


def gathered(tree, gradients):
    """The gradients as one vector, in the order in which ``packed`` laid out ``tree``, whatever order theirs is."""
    def matching(tree, gradients):
        if isinstance(tree, np.ndarray):
            yield gradients.ravel()
        else:
            for place in tree if isinstance(tree, dict) else range(len(tree)):
                yield from matching(tree[place], gradients[place])

    return np.concatenate(list(matching(tree, gradients)))


def warmed_up(learning_rate, step, warm_up):
    """The learning rate of ``step`` (counted from 0): linear over the first ``warm_up`` steps, then constant."""
    return learning_rate * min(1.0, (step + 1) / warm_up) if warm_up else learning_rate


class Adam:
    """Adam (Kingma and Ba 2015, algorithm 1) on ``vector``, which each ``step`` changes in place."""

    def __init__(self, vector, mean_decay=0.9, square_decay=0.999, eps=1e-8):
        self.vector, self.mean_decay, self.square_decay, self.eps = vector, mean_decay, square_decay, eps
        self.mean, self.square, self.steps = np.zeros_like(vector), np.zeros_like(vector), 0
        self.scratch = np.empty_like(vector)

    def step(self, gradient, learning_rate):
        """One update from ``gradient``, a vector like ``vector``, at this learning rate."""
        self.steps += 1
        change = np.subtract(gradient, self.mean, out=self.scratch)
        change *= 1 - self.mean_decay
        self.mean += change
        change = np.multiply(gradient, gradient, out=self.scratch)
        change -= self.square
        change *= 1 - self.square_decay
        self.square += change
        root = np.multiply(self.square, 1 / (1 - self.square_decay**self.steps), out=self.scratch)
        np.sqrt(root, out=root)
        root += self.eps
        update = np.divide(self.mean, root, out=root)
        update *= learning_rate / (1 - self.mean_decay**self.steps)
        self.vector -= update
