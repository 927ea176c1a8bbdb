"""Parameter counts against the published totals, and against the shapes of all tensors listed one by one."""

from dataclasses import replace
from math import prod

import numpy as np
import pytest

from residual_stream.model.config import Config
from residual_stream.model.presets import PRESETS, find_preset, parameter_counts, preset_config
from residual_stream.model.trace import trace
from residual_stream.model.weights import layer_weights

PUBLISHED = {"gpt2": 124_439_808, "bert-base": 109_482_240, "llama-7b": 6_738_415_616, "gpt3": 174_604_259_328}


def tensors(p):
    """The shape of every tensor of a model, as a checkpoint would list them."""
    projections = [(p.width, p.width)] * 4 + [(p.width,)] * (4 if p.attention_biases else 0)
    wide = [(p.width, p.ff)] * (2 if p.activation == "swiglu" else 1)
    network = wide + [(p.ff, p.width)] + ([(p.ff,), (p.width,)] if p.feed_forward_biases else [])
    norm = [(p.width,)] if p.norm == "rms" else [(p.width,), (p.width,)]
    shapes = []
    for _ in range(p.layers):
        shapes += projections + norm + network + norm
    for _ in range(p.decoder_layers):
        shapes += projections + norm + projections + norm + network + norm
    shapes += norm * (p.final_norm + p.embedding_norm)
    shapes += [(rows, p.width) for rows in (p.vocabulary, p.positions, p.segments) if rows]
    shapes += [] if p.tied else [(p.width, p.vocabulary)]
    return shapes + ([(p.width, p.width), (p.width,)] if p.pooler else [])


@pytest.mark.parametrize("name", PRESETS)
def test_the_total_is_the_sum_of_all_tensors(name):
    assert parameter_counts(name)["total"] == sum(map(prod, tensors(find_preset(name))))


@pytest.mark.parametrize("name, total", PUBLISHED.items())
def test_totals_are_the_published_ones(name, total):
    assert parameter_counts(name)["total"] == total


def test_vaswani_base_is_about_the_65_million_reported():
    assert parameter_counts("vaswani-base")["total"] == pytest.approx(65e6, rel=0.04)


@pytest.mark.parametrize("name", PRESETS)
def test_the_parts_add_up_both_ways(name):
    counts, p = parameter_counts(name), find_preset(name)
    parts = ("attention", "feed_forward", "norms", "embeddings", "head")
    assert counts["total"] == sum(counts[part] for part in parts)
    assert counts["blocks"] == counts["encoder"] + counts["decoder"]
    outside = sum(p.width * (1 if p.norm == "rms" else 2) for norm in (p.final_norm, p.embedding_norm) if norm)
    assert counts["total"] == counts["blocks"] + outside + counts["embeddings"] + counts["head"]


def test_bert_feed_forward_is_twice_its_attention():
    counts = parameter_counts("bert-base")
    assert counts["attention"] == 12 * 2_362_368 and counts["feed_forward"] == 12 * 4_722_432


def test_gpt3_is_96_times_12_width_squared_and_change():
    d = 12_288
    assert parameter_counts("gpt3")["blocks"] == 96 * (12 * d**2 + 13 * d)
    assert parameter_counts("gpt3")["embeddings"] == (50_257 + 2048) * d


def test_layers_are_those_of_pytorch(torch):
    def count(layer, p):
        layer = layer(p.width, p.heads, p.ff, device="meta")
        return sum(w.numel() for w in layer.parameters())

    bert, base = find_preset("bert-base"), find_preset("deepnet-1000")
    assert parameter_counts("bert-base")["encoder"] == 12 * count(torch.nn.TransformerEncoderLayer, bert)
    assert parameter_counts("deepnet-1000")["encoder"] == 500 * count(torch.nn.TransformerEncoderLayer, base)
    assert parameter_counts("deepnet-1000")["decoder"] == 500 * count(torch.nn.TransformerDecoderLayer, base)


def test_deepnet_has_2500_sublayers():
    p = find_preset("deepnet-1000")
    assert 2 * p.layers + 3 * p.decoder_layers == 2500


@pytest.mark.parametrize("name, near", [
    ("gpt-3", "gpt3"), ("gpt 2", "gpt2"), ("llama", "llama-7b"), ("bert", "bert-base"),
])
def test_an_unknown_preset_is_refused_with_a_near_match(name, near):
    with pytest.raises(ValueError, match=f"preset.*{name}.*did you mean .*{near}"):
        parameter_counts(name)


@pytest.mark.parametrize("name", [[], {}, None, 3])
def test_a_preset_is_a_name(name):
    with pytest.raises(ValueError, match="preset must be a known model"):
        parameter_counts(name)


def test_a_preset_like_nothing_else_gets_the_whole_list():
    with pytest.raises(ValueError, match="choose one of vaswani-base, bert-base"):
        parameter_counts("zzzzzz")


def test_the_stack_of_a_preset():
    assert preset_config("gpt3") == Config(
        layers=96, width=12_288, heads=96, ff=49_152, tokens=16, wrapping="pre-ln", init="gpt2", residual_scale=True,
        causal=True, dtype="float32",
    )
    assert preset_config("deepnet-1000").layers == 1000
    assert preset_config("vaswani-base").layers == 6
    assert all(preset_config(name).width == find_preset(name).width for name in PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_runs_when_made_small(name):
    config = preset_config(name, layers=2, width=24, heads=3, tokens=5)
    assert config.ff == round(24 * find_preset(name).ff / find_preset(name).width)
    assert np.isfinite(trace(config).var_sum).all()


@pytest.mark.parametrize("name", PRESETS)
def test_the_matrices_of_a_stack_are_those_counted(name):
    """Two sublayers of the engine hold as many weights as the count says, biases and norms aside."""
    p = find_preset(name)
    plain = replace(p, attention_biases=False, feed_forward_biases=False)
    weights = layer_weights(preset_config(name, layers=1, width=24, heads=3), 0)
    small = replace(plain, layers=1, decoder_layers=0, width=24, ff=round(24 * p.ff / p.width))
    counts = parameter_counts(small)
    assert sum(w.size for w in weights["attention"].values() if w.ndim == 2) == counts["attention"]
    assert sum(w.size for w in weights["feed-forward"].values() if w.ndim == 2) == counts["feed_forward"]


def test_bad_overrides_are_refused_like_any_configuration():
    with pytest.raises(ValueError, match="heads must divide width"):
        preset_config("gpt2", width=100)
    with pytest.raises(ValueError, match="width must be a whole number"):
        preset_config("gpt2", width="wide")
