"""The trained models, where their packages are installed; a model of the same kind with random weights everywhere."""

import os
from pathlib import Path

import numpy as np
import pytest

from residual_stream.model import trained
from residual_stream.model.config import Config
from residual_stream.model.trained.files import Missing
from residual_stream.model.trained.model import Model
from residual_stream.model.weights import all_weights


@pytest.fixture(scope="session")
def loaded(request):
    """``loaded(name)`` is a trained model; optional (``make trained``), but CI must have it unless it says not."""
    missing = request.config.pluginmanager.get_plugin(str(Path(__file__).parents[2] / "conftest.py")).missing

    def load(name):
        try:
            return trained.load(name)
        except Missing as absent:
            if os.environ.get("WITHOUT_TRAINED"):
                pytest.skip("the trained models are left out on purpose (WITHOUT_TRAINED is set)")
            missing(str(absent))
    return load


class Letters:
    """A tokenizer of small letters."""

    def encode(self, text):
        self.ids = [ord(letter) - ord("a") for letter in text if letter != " "]
        return self

    def decode(self, ids, skip_special_tokens):
        return chr(ord("a") + ids[0])


@pytest.fixture(scope="session")
def letters():
    return Letters()


@pytest.fixture(params=["pre-rms", "post-ln"])
def small(request, letters):
    """A model with random weights, one for each wrapping of the trained ones."""
    post = request.param == "post-ln"
    config = Config(layers=3, width=24, heads=6, ff=20, tokens=40, vocabulary=26, wrapping=request.param, seed=3,
                    kv_heads=None if post else 2, rotary_base=None if post else 100.0, bias=post,
                    activation="gelu-erf" if post else "swiglu", causal=not post, dtype="float32")
    source = np.random.default_rng(1)
    layers = list(all_weights(config))
    for weights in layers:
        for own in weights.values():
            for array in own.values():
                if array.ndim == 1:
                    array += source.standard_normal(array.shape).astype(array.dtype) * 0.3
    drawn = [source.standard_normal(shape).astype(np.float32) for shape in ((26, 24), (24,), (40, 24), (24,))]
    around = {"positions": drawn[2], "segment": drawn[3], "embedding_norm": (drawn[1], drawn[3])} if post else {}
    return Model("small", "Small", config, layers, drawn[0], letters, final_gamma=drawn[1], predicts=not post, **around)
