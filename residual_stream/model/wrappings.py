"""Where the norm and the addition go: one table of wrappings, each one line of one general formula.

Every wrapping here makes of a sublayer F and the stream x

    x'  =  N_sum( alpha x  +  lambda * N_branch( F( scale * N_read(x) ) ) )

with norms that may be absent, a number ``alpha``, a trainable gate ``lambda`` and a number ``scale``. A ``Placement``
says which; a ``Wrapping`` gives the placement for every layer, what it does to the initial weights, and its sources.
To add one, add an entry to ``WRAPPINGS``: the stack, the trace, the gradients and the command line read this table.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .sublayers import layer_norm_vjp, rms_norm_vjp

NORMS = {"layer": layer_norm_vjp, "rms": rms_norm_vjp}
SITES = ("read", "branch", "sum")
PARAMETERS = {f"{site}_{parameter}" for site in SITES for parameter in ("gamma", "beta")} | {"gate"}


@dataclass(frozen=True)
class Placement:
    """The general formula's choices for one sublayer. A norm is "layer", "rms" or None.

    ``gate`` is the first value of the trainable gate on the branch (None: no gate), ``gate_per_channel`` whether it
    has one number for each channel or one in all.
    """

    read: str | None = None
    scale: float = 1.0
    branch: str | None = None
    gate: float | None = None
    gate_per_channel: bool = False
    alpha: float = 1.0
    sum: str | None = None


@dataclass(frozen=True)
class Wrapping:
    """One way of wrapping a sublayer.

    ``formula`` is TeX for the page; ``source`` names the paper (or code) and place; ``place(layer, layers)`` is the
    ``Placement`` of both sublayers of layer ``layer`` (counted from 0) of ``layers``; ``weight_gain(layers)``
    multiplies the feed-forward, value and output matrices at initialisation; ``final_norm`` names the norm after the
    last layer, if one follows; ``one_read`` has the feed-forward network read what the attention read (a parallel
    block). At every addition alpha x is reported as the stream and what is added to it as the branch.
    """

    title: str
    formula: str
    source: str
    place: Callable[[int, int], Placement]
    final_norm: str | None = None
    weight_gain: Callable[[int], float] = lambda layers: 1.0
    one_read: bool = False

    def additive(self, layers):
        """Whether x_L - x_0 is the plain sum of the branches: no norm and no factor acts on the stream itself."""
        placements = [self.place(layer, layers) for layer in range(layers)]
        return all(placement.sum is None and placement.alpha == 1.0 for placement in placements)

    def reported(self, layers=12):
        """What "stream", "branch" and "sum" mean in the trace of a stack of ``layers`` layers, in a sentence."""
        placements = [self.place(layer, layers) for layer in range(layers)]
        scaled = any(placement.alpha != 1.0 for placement in placements)
        normed = any(placement.sum for placement in placements)
        stream = "alpha times the stream, as it is added" if scaled else "the stream"
        total = "their sum, before the norm that makes the next stream" if normed else "their sum, the next stream"
        return f"stream: {stream}; branch: what is added to it; sum: {total}"

    def parameters(self, kind, layer, config):
        """The trainable parameters that the wrapping adds to a sublayer, at their first values, by name."""
        placement, width, dtype = self.place(layer, config.layers), config.width, config.dtype
        added = {}
        for site in SITES:
            norm = getattr(placement, site)
            if norm is None or site == "read" and self.one_read and kind != "attention":
                continue
            added[f"{site}_gamma"] = np.ones(width, dtype)
            if norm == "layer" and config.bias:
                added[f"{site}_beta"] = np.zeros(width, dtype)
        if placement.gate is not None:
            added["gate"] = np.full(width if placement.gate_per_channel else 1, placement.gate, dtype)
        return added


def layer_vjp(x, weights, sublayers, place, one_read=False, record=None, eps=1e-5):
    """One layer by the general formula: ``(x', back)`` with ``back(dx') -> (dx, gradients)``.

    ``x`` and x' have shape (..., tokens, width). ``sublayers`` maps each kind, in order, to a function
    ``(read, **weights) -> (branch, back)``; ``weights[kind]`` holds its weights and, beside them, the parameters of
    the wrapping; ``gradients`` has the structure of ``weights``. ``record(kind, stream, branch)`` is called at each
    addition with what is added to what. Both sublayers have the placement ``place``, all norms the same ``eps``.
    """
    steps, read = [], None
    for kind, sublayer in sublayers.items():
        back_read = None
        if read is None or not one_read:
            read, back_read = _read_vjp(x, weights[kind], place, eps)
        x, back_addition = _addition_vjp(x, read, kind, weights[kind], sublayer, place, record, eps)
        steps.append((kind, back_read, back_addition))

    def back(dx):
        gradients, dread = {}, 0
        while steps:
            kind, back_read, back_addition = steps.pop()
            dx, dread_here, gradients[kind] = back_addition(dx)
            dread = dread + dread_here
            if back_read is not None:
                dx_read, dnorm = back_read(dread)
                dx, dread = dx + dx_read, 0
                gradients[kind].update(dnorm)
        return dx, gradients

    return x, back


def _read_vjp(x, weights, place, eps):
    """``(scale * N_read(x), back)``."""
    read, back_norm = _norm_vjp("read", place.read, x, weights, eps)
    if place.scale == 1.0:
        return read, back_norm
    return read * place.scale, lambda dread: back_norm(dread * place.scale)


def _addition_vjp(x, read, kind, weights, sublayer, place, record, eps):
    """``(N_sum(alpha x + gate * N_branch(F(read))), back)`` with ``back(dx') -> (dx, dread, gradients)``."""
    f, back_f = sublayer(read, **{name: w for name, w in weights.items() if name not in PARAMETERS})
    normed, back_branch = _norm_vjp("branch", place.branch, f, weights, eps)
    gate = weights.get("gate")
    branch = normed if gate is None else normed * gate
    stream = x if place.alpha == 1.0 else x * place.alpha
    if record is not None:
        record(kind, stream, branch)
    y, back_sum = _norm_vjp("sum", place.sum, stream + branch, weights, eps)

    def back(dy):
        dsum, gradients = back_sum(dy)
        dbranch = dsum
        if gate is not None:
            per_channel = (dsum * normed).sum(axis=tuple(range(dsum.ndim - 1)))
            gradients["gate"] = per_channel if place.gate_per_channel else per_channel.sum(keepdims=True)
            dbranch = dsum * gate
        df, dbranch_norm = back_branch(dbranch)
        dread, dweights = back_f(df)
        dx = dsum if place.alpha == 1.0 else dsum * place.alpha
        return dx, dread, {**gradients, **dbranch_norm, **dweights}

    return y, back


def _norm_vjp(site, name, x, weights, eps):
    """The norm called ``name`` with the parameters of its site, or the identity where there is none."""
    if name is None:
        return x, lambda dy: (dy, {})
    y, back_norm = NORMS[name](x, weights.get(f"{site}_gamma"), weights.get(f"{site}_beta"), eps)

    def back(dy):
        dx, gradients = back_norm(dy)
        return dx, {f"{site}_{parameter}": gradient for parameter, gradient in gradients.items()}

    return y, back


def everywhere(**choices):
    """The same placement for all layers."""
    placement = Placement(**choices)
    return lambda layer, layers: placement


def deepnorm_constants(encoder=None, decoder=None):
    """DeepNorm's ``{"encoder": (alpha, beta), "decoder": (alpha, beta)}`` for stacks of so many layers.

    One of the two alone is an encoder-only or decoder-only stack, both together an encoder-decoder (Wang et al. 2022,
    DeepNet, figure 2b). A decoder layer of the latter has three sublayers, hence its other constants.
    Raises ValueError if neither is given or one is below 1.
    """
    for name, layers in {"encoder": encoder, "decoder": decoder}.items():
        if layers is not None and layers < 1:
            raise ValueError(f"{name} must have at least 1 layer, not {layers}")
    if encoder and decoder:
        mixed = (encoder**4 * decoder) ** (1 / 16)
        return {
            "encoder": (0.81 * mixed, 0.87 / mixed),
            "decoder": ((3 * decoder) ** 0.25, (12 * decoder) ** -0.25),
        }
    if not encoder and not decoder:
        raise ValueError("encoder or decoder must be given: a number of layers")
    layers = encoder or decoder
    return {"encoder" if encoder else "decoder": ((2 * layers) ** 0.25, (8 * layers) ** -0.25)}


def _deepnorm(layer, layers):
    alpha, _ = deepnorm_constants(decoder=layers)["decoder"]
    return Placement(alpha=alpha, sum="layer")


def _layerscale(layer, layers):
    return Placement(read="layer", gate=0.1 if layers <= 18 else 1e-5 if layers <= 24 else 1e-6, gate_per_channel=True)


def _mix(layer, layers):
    return Placement(sum="layer") if layer < layers // 4 else Placement(read="layer")


WRAPPINGS = {
    "pre-ln": Wrapping(
        "Pre-LN", r"x_{l+1} = x_l + F_l(\mathrm{LN}(x_l))", "Xiong et al. 2020, table 1; GPT-2",
        everywhere(read="layer"), final_norm="layer",
    ),
    "pre-ln-no-final": Wrapping(
        "Pre-LN without a final norm", r"x_{l+1} = x_l + F_l(\mathrm{LN}(x_l)),\; x_L \text{ is read as it is}",
        "fairseq, transformer_lm_baevski_wiki103 (no_decoder_final_norm)", everywhere(read="layer"),
    ),
    "post-ln": Wrapping(
        "Post-LN", r"x_{l+1} = \mathrm{LN}(x_l + F_l(x_l))", "Vaswani et al. 2017, section 3.1",
        everywhere(sum="layer"),
    ),
    "deepnorm": Wrapping(
        "DeepNorm", r"x_{l+1} = \mathrm{LN}(\alpha x_l + F_l(x_l))", "Wang et al. 2022 (DeepNet), figure 2",
        _deepnorm, weight_gain=lambda layers: deepnorm_constants(decoder=layers)["decoder"][1],
    ),
    "none": Wrapping("No norm", r"x_{l+1} = x_l + F_l(x_l)", "He et al. 2016, equation 1", everywhere()),
    "pre-rms": Wrapping(
        "RMS pre-norm", r"x_{l+1} = x_l + F_l(\mathrm{RMS}(x_l))", "Zhang and Sennrich 2019; LLaMA",
        everywhere(read="rms"), final_norm="rms",
    ),
    "sandwich": Wrapping(
        "Sandwich, Peri-LN", r"x_{l+1} = x_l + \mathrm{LN}(F_l(\mathrm{LN}(x_l)))",
        "Ding et al. 2021 (CogView); Kim et al. 2025", everywhere(read="layer", branch="layer"), final_norm="layer",
    ),
    "res-post-norm": Wrapping(
        "Res-post-norm", r"x_{l+1} = x_l + \mathrm{LN}(F_l(x_l))", "Liu et al. 2022 (Swin V2); OLMo 2 with RMS norm",
        everywhere(branch="layer"), final_norm="layer",
    ),
    "layernorm-scaling": Wrapping(
        "LayerNorm scaling", r"x_{l+1} = x_l + F_l(\mathrm{LN}(x_l) / \sqrt{l})", "Sun et al. 2025, equation 6",
        lambda layer, layers: Placement(read="layer", scale=(layer + 1) ** -0.5), final_norm="layer",
    ),
    "rezero": Wrapping(
        "ReZero", r"x_{l+1} = x_l + a_l F_l(x_l),\; a_l = 0 \text{ at first}", "Bachlechner et al. 2021, equation 2",
        everywhere(gate=0.0),
    ),
    "layerscale": Wrapping(
        "LayerScale", r"x_{l+1} = x_l + \lambda_l \odot F_l(\mathrm{LN}(x_l))",
        "Touvron et al. 2021 (CaiT), equation 4", _layerscale, final_norm="layer",
    ),
    "parallel": Wrapping(
        "Parallel block", r"x_{l+1} = x_l + A_l(\mathrm{LN}(x_l)) + M_l(\mathrm{LN}(x_l))",
        "GPT-J; Chowdhery et al. 2022 (PaLM), section 2", everywhere(read="layer"), final_norm="layer", one_read=True,
    ),
    "mix-ln": Wrapping(
        "Mix-LN", r"\mathrm{LN}(x_l + F_l(x_l)) \text{ for } l \le L/4,\; x_l + F_l(\mathrm{LN}(x_l)) \text{ after}",
        "Li et al. 2025", _mix, final_norm="layer",
    ),
}
