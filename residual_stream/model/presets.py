"""Named models: their shapes as published, their parameters counted part by part, and the stack that can be run."""

from dataclasses import dataclass
from difflib import get_close_matches

from .config import Config


@dataclass(frozen=True)
class Preset:
    """The shape of one published model.

    ``layers`` counts the encoder's layers, or the decoder's where there is no encoder; ``decoder_layers`` counts
    decoder layers that also attend to an encoder. ``positions`` and ``segments`` are learned tables (0: none).
    ``activation``, ``init`` and ``wrapping`` are the engine's names.
    """

    title: str
    source: str
    layers: int
    width: int
    heads: int
    ff: int
    wrapping: str
    init: str
    causal: bool
    decoder_layers: int = 0
    activation: str = "gelu"
    residual_scale: bool = False
    norm: str = "layer"                 # "layer": gain and shift; "rms": gain only
    final_norm: bool = False
    embedding_norm: bool = False
    attention_biases: bool = True
    feed_forward_biases: bool = True
    vocabulary: int = 0
    positions: int = 0
    segments: int = 0
    tied: bool = True                   # the output matrix is the embedding itself
    pooler: bool = False
    drawn: bool = False                 # too wide to store a layer: a trace draws its weights in blocks
    traced_layers: int | None = None    # of the one stack that a trace runs; None: ``layers``
    tokens: int = 32                    # of a trace
    published: float | None = None      # parameters as the source states them, rounded as there
    note: str = ""


PRESETS = {
    "vaswani-base": Preset(
        title="Transformer, base", source="Vaswani et al. 2017, table 3", layers=6, decoder_layers=6, width=512,
        heads=8, ff=2048, wrapping="post-ln", init="xavier-uniform", causal=False, activation="relu",
        attention_biases=False, vocabulary=37_000, published=65e6,
        note="Reported as 65 million; the exact vocabulary was not published, about 37,000 gives 63.0 million. "
             "A trace runs the encoder: 6 layers of self-attention and feed-forward."),
    "bert-base": Preset(
        title="BERT, base, uncased", source="Devlin et al. 2019, section 3", layers=12, width=768, heads=12, ff=3072,
        wrapping="post-ln", init="gpt2", causal=False, embedding_norm=True, vocabulary=30_522, positions=512,
        segments=2, pooler=True, published=110e6,
        note="Counted with the pooler, without the masked-language-model head."),
    "gpt2": Preset(
        title="GPT-2, small", source="Radford et al. 2019, table 2", layers=12, width=768, heads=12, ff=3072,
        wrapping="pre-ln", init="gpt2", causal=True, residual_scale=True, final_norm=True, vocabulary=50_257,
        positions=1024, published=124e6,
        note="The paper's table says 117 million; the README of its code corrects that to 124."),
    "gpt3": Preset(
        title="GPT-3, 175B", source="Brown et al. 2020, table 2.1", layers=96, width=12_288, heads=96, ff=49_152,
        wrapping="pre-ln", init="gpt2", causal=True, residual_scale=True, final_norm=True, vocabulary=50_257,
        positions=2048, drawn=True, tokens=16, published=175e9,
        note="The paper says that GPT-2's modified initialisation was used. Vocabulary, biases, tying and learned "
             "positions are taken to be GPT-2's."),
    "llama-7b": Preset(
        title="LLaMA, 7B", source="Touvron et al. 2023, table 2", layers=32, width=4096, heads=32, ff=11_008,
        wrapping="pre-rms", init="gpt2", causal=True, activation="swiglu", norm="rms", final_norm=True,
        attention_biases=False, feed_forward_biases=False, vocabulary=32_000, tied=False,
        drawn=True, tokens=16, published=6.7e9,
        note="d_ff is two thirds of 4 x 4096, rounded up to a multiple of 256. The paper names no initialisation: "
             "a trace uses GPT-2's standard deviation of 0.02, and no rotary positions."),
    "deepnet-1000": Preset(
        title="DeepNet, 1,000 layers", source="Wang et al. 2022, section 6", layers=500, decoder_layers=500, width=512,
        heads=8, ff=2048, wrapping="deepnorm", init="xavier", causal=False, activation="relu", traced_layers=1000,
        note="Embeddings are not counted: the paper's vocabulary is not part of its shape. A trace runs 1,000 layers "
             "as one encoder-only stack, with the alpha and beta of that depth."),
}


def find_preset(name):
    """The preset called ``name``; ValueError with near matches where there is none."""
    if not isinstance(name, str) or name not in PRESETS:
        near = get_close_matches(str(name), PRESETS, n=2, cutoff=0.4)
        hint = f"did you mean {' or '.join(near)}?" if near else f"choose one of {', '.join(PRESETS)}"
        raise ValueError(f"preset must be a known model, not {name!r}: {hint}")
    return PRESETS[name]


def _attention(p):
    """One attention sublayer: query, key, value and output projections."""
    return 4 * p.width * p.width + (4 * p.width if p.attention_biases else 0)


def _feed_forward(p):
    """One feed-forward sublayer: two matrices, three where a gate multiplies (SwiGLU)."""
    inward = 2 if p.activation == "swiglu" else 1
    biases = inward * p.ff + p.width if p.feed_forward_biases else 0
    return (inward + 1) * p.width * p.ff + biases


def _norm(p):
    return p.width if p.norm == "rms" else 2 * p.width


def parameter_counts(preset):
    """The parameters of ``preset`` (a name in ``PRESETS`` or a ``Preset``), part by part.

    Returns a dict of integers: ``attention`` (cross-attention included), ``feed_forward``, ``norms``,
    ``embeddings`` (token, position and segment tables), ``head`` (an untied output matrix, a pooler); their sum
    ``total``; and, counted the other way, ``encoder`` and ``decoder`` (the blocks of each; a stack without
    cross-attention is an encoder unless it is causal) and ``blocks`` (both). Sources: each preset's ``source``.
    Raises ValueError for an unknown name, with near matches.
    """
    p = preset if isinstance(preset, Preset) else find_preset(preset)
    first = _attention(p) + _feed_forward(p) + 2 * _norm(p)
    crossed = 2 * _attention(p) + _feed_forward(p) + 3 * _norm(p)
    encoder, decoder = (0, p.layers * first) if p.causal else (p.layers * first, p.decoder_layers * crossed)
    norms = (2 * p.layers + 3 * p.decoder_layers + p.final_norm + p.embedding_norm) * _norm(p)
    parts = {
        "attention": (p.layers + 2 * p.decoder_layers) * _attention(p),
        "feed_forward": (p.layers + p.decoder_layers) * _feed_forward(p),
        "norms": norms,
        "embeddings": (p.vocabulary + p.positions + p.segments) * p.width,
        "head": (0 if p.tied else p.vocabulary * p.width) + (p.width * (p.width + 1) if p.pooler else 0),
    }
    return parts | {"total": sum(parts.values()), "encoder": encoder, "decoder": decoder, "blocks": encoder + decoder}


def preset_config(name, **overrides):
    """The ``Config`` of the stack that a trace of preset ``name`` runs, in float32; ``overrides`` replace its fields.

    An encoder-decoder is run as one encoder-only stack: Vaswani base as its 6 encoder layers, DeepNet as 1,000 layers
    (500 and 500) with the constants of that depth. A changed ``width`` keeps the ratio of ff to width. Linear maps
    have no biases, which are 0 at initialisation. Raises ValueError as ``find_preset`` and ``Config`` do.
    """
    p = find_preset(name)
    fields = {
        "layers": p.traced_layers or p.layers, "width": p.width, "heads": p.heads,
        "ff": p.ff, "tokens": p.tokens, "wrapping": p.wrapping, "init": p.init, "residual_scale": p.residual_scale,
        "causal": p.causal, "activation": p.activation, "dtype": "float32",
    } | overrides
    if "width" in overrides and "ff" not in overrides and isinstance(fields["width"], int):
        fields["ff"] = max(1, round(fields["width"] * p.ff / p.width))
    return Config(**fields)
