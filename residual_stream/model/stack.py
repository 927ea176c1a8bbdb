"""A stack of layers, forward and backward. It reads the table of wrappings and knows none by name."""

from functools import partial
from itertools import count

import numpy as np

from .attention import attention_vjp, rotary
from .sublayers import feed_forward, feed_forward_vjp
from .weights import ATTENTION, FEED_FORWARD
from .wrappings import NORMS, WRAPPINGS, layer_vjp


def forward(x, layers, config, record=None):
    """The stream after the last layer, before any final norm.

    ``x`` has shape (..., tokens, width); ``layers`` is an iterable of layers' weights, each used once and dropped, so
    that a generator keeps the memory flat in depth (``weights.all_weights(config)``). ``record(layer, kind, stream,
    branch)`` is called at each of the 2 L additions with what is added to what.
    """
    numbers = count()  # not enumerate, which would hold a layer's weights while the next one's are made
    for weights in layers:
        x = _layer_vjp(x, weights, next(numbers), config, record, sublayer_vjps(config, x, _feed_forward_only))[0]
        del weights
    return x


def forward_vjp(x, layers, config, record=None):
    """``(forward(...), back)`` with ``back(dy, keep=dict) -> (dx, kept)``, to be called once.

    ``back`` goes from the last layer to the first and frees what each one held. ``kept[layer]`` is what
    ``keep(gradients)`` makes of the layer's gradients, which have the structure of its weights; the default keeps them.
    """
    backs = []
    for layer, weights in enumerate(layers):
        x, back_layer = _layer_vjp(x, weights, layer, config, record, sublayer_vjps(config, x, feed_forward_vjp))
        backs.append(back_layer)

    def back(dy, keep=dict):
        kept = []
        while backs:
            dy, gradients = backs.pop()(dy)
            kept.append(keep(gradients))
        return dy, kept[::-1]

    return x, back


def final_norm_vjp(x, config, gamma=None, beta=None):
    """``(norm(x), back)`` with the wrapping's final norm, or the identity where it has none."""
    name = WRAPPINGS[config.wrapping].final_norm
    return NORMS[name](x, gamma, beta, config.eps) if name else (x, lambda dy: (dy, {}))


def cross_entropy_vjp(logits, labels):
    """``(loss, back)``: the cross-entropy in nats averaged over all tokens; ``back()`` is d loss / d logits.

    ``logits`` has shape (..., tokens, vocabulary), ``labels`` integers of shape (..., tokens).
    """
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log_sum = np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    at_label = labels[..., None]
    loss = (log_sum - np.take_along_axis(shifted, at_label, axis=-1)).mean()

    def back():
        gradient = np.exp(shifted - log_sum)
        np.put_along_axis(gradient, at_label, np.take_along_axis(gradient, at_label, axis=-1) - 1, axis=-1)
        gradient /= labels.size
        return gradient

    return loss, back


def _feed_forward_only(*arguments, **options):
    """The feed-forward network's value without its derivative, which would cost memory and time."""
    return feed_forward(*arguments, **options), None


def sublayer_vjps(config, x, feed_forward_vjp):
    """By kind, the sublayer as a function (read, **weights) -> (branch, back) of what is read from a stream like x."""
    rotation = rotary(x.shape[-2], config.head(), config.rotary_base, x.dtype) if config.rotary_base else None
    shared = {"heads": config.heads, "kv_heads": config.kv_heads, "causal": config.causal, "rotation": rotation}
    return {
        ATTENTION: lambda x, **w: attention_vjp(x, **w, **shared),
        FEED_FORWARD: lambda x, **w: feed_forward_vjp(x, **w, activation=config.activation),
    }


def _layer_vjp(x, weights, layer, config, record, sublayers):
    """One layer of the stack: ``(x', back)``."""
    wrapping = WRAPPINGS[config.wrapping]
    record_here = None if record is None else partial(record, layer)
    place = wrapping.place(layer, config.layers)
    return layer_vjp(x, weights, sublayers, place, wrapping.one_read, record_here, config.eps)
