"""What the engine's tests share: the oracle in JAX, drawn numbers, and a distance between structures of arrays."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture(scope="session")
def oracle():
    """The module ``oracle.py`` beside this file; importing JAX takes a second, so only where it is asked for."""
    spec = spec_from_file_location("oracle", Path(__file__).with_name("oracle.py"))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _leaves(tree):
    if isinstance(tree, dict):
        return [leaf for name in sorted(tree) for leaf in [name, *_leaves(tree[name])]]
    if isinstance(tree, list | tuple):
        return [leaf for item in tree for leaf in _leaves(item)]
    return [np.asarray(tree)]


def _distance(ours, theirs):
    ours, theirs = _leaves(ours), _leaves(theirs)
    assert len(ours) == len(theirs)
    errors = [0.0]
    for a, b in zip(ours, theirs, strict=True):
        if isinstance(a, str):
            assert a == b
            continue
        assert a.shape == b.shape
        size = np.linalg.norm(b.ravel())
        errors.append(np.linalg.norm((a - b).ravel()) / (size if size > 1e-12 else 1.0))
    return max(errors)


@pytest.fixture(scope="session")
def distance():
    """The largest relative error, || a - b || / || b ||, over the arrays of two equal structures."""
    return _distance


def _drawn(seed, *shapes, dtype="float64"):
    source = np.random.default_rng(seed)
    return [source.standard_normal(shape).astype(dtype) for shape in shapes]


@pytest.fixture(scope="session")
def drawn():
    """Standard normal arrays of the given shapes from a seed."""
    return _drawn
