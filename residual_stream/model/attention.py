"""Multi-head self-attention (Vaswani et al. 2017, section 3.2), its value and its derivative side by side."""

import numpy as np

from .sublayers import given, linear_vjp


def attention(
    x, qkv, out, qkv_bias=None, out_bias=None, *, heads, kv_heads=None, causal=True, mask=None, rotation=None
):
    """Multi-head self-attention over the tokens of ``x``; see ``attention_vjp`` for the arguments."""
    return attention_vjp(
        x, qkv, out, qkv_bias, out_bias, heads=heads, kv_heads=kv_heads, causal=causal, mask=mask, rotation=rotation
    )[0]


def attention_vjp(
    x, qkv, out, qkv_bias=None, out_bias=None, *, heads, kv_heads=None, causal=True, mask=None, rotation=None
):
    """``(attention(x, ...), back)`` with ``back(dy) -> (dx, gradients)``, gradients by the names of the weights given.

    ``x`` and the value have shape (..., tokens, width). ``qkv``, (width, (heads + 2 kv_heads) * head), makes the
    queries, keys and values in that order with one product; ``out`` is (heads * head, width). ``kv_heads`` (default
    ``heads``) below ``heads`` is grouped-query attention: each key-value head serves heads / kv_heads neighbouring
    query heads (Ainslie et al. 2023). ``causal`` lets token i read tokens 0 to i only; ``mask``, boolean of shape
    (tokens, tokens) or (..., tokens, tokens), lets i read j where it is True. ``rotation``, from ``rotary``, turns
    queries and keys by their position.

    Raises ValueError if the mask leaves a token nothing to read.
    """
    kv_heads = kv_heads or heads
    *batch, tokens, _ = x.shape
    head = out.shape[0] // heads
    allowed = _allowed(tokens, causal, mask)

    packed, back_qkv = linear_vjp(x, qkv, qkv_bias)
    packed = packed.reshape(*batch, tokens, -1, head)
    query_part, key_part, value_part = _parts(packed, heads, kv_heads)
    if rotation is not None:
        _rotate(query_part, rotation)
        _rotate(key_part, rotation)
    query_part *= head**-0.5
    q, k, v = _by_head(query_part, kv_heads), _by_head(key_part, kv_heads), _by_head(value_part, kv_heads)
    weights = _softmax(q @ k.swapaxes(-1, -2), allowed, heads // kv_heads)  # (..., kv_heads, group * tokens, tokens)
    read = np.empty((*batch, tokens, heads, head), x.dtype)
    _fill(read, weights @ v, kv_heads)
    y, back_out = linear_vjp(read.reshape(*batch, tokens, -1), out, out_bias)

    def back(dy):
        dread, dout, dout_bias = back_out(dy)
        dread = dread.reshape(read.shape)
        inner = np.vecdot(dread, read)[..., None]  # the sum over j of weights_ij dweights_ij, per token and head
        dr = _by_head(dread, kv_heads)
        dscores = dr @ v.swapaxes(-1, -2)
        dscores -= _by_head(inner, kv_heads)
        dscores *= weights
        dpacked = np.empty_like(packed)
        dquery, dkey, dvalue = _parts(dpacked, heads, kv_heads)
        _fill(dquery, dscores @ k, kv_heads)
        dquery *= head**-0.5
        _fill(dkey, dscores.swapaxes(-1, -2) @ q, kv_heads)
        _fill(dvalue, weights.swapaxes(-1, -2) @ dr, kv_heads)
        if rotation is not None:
            cosine, sine = rotation
            _rotate(dquery, (cosine, -sine))
            _rotate(dkey, (cosine, -sine))
        dx, dqkv, dqkv_bias = back_qkv(dpacked.reshape(*batch, tokens, -1))
        return dx, given(qkv=dqkv, out=dout, qkv_bias=dqkv_bias, out_bias=dout_bias)

    return y, back


def rotary(tokens, head, base=10000.0, dtype=np.float64):
    """Cosines and sines, each (tokens, head / 2), of rotary positions: angle t * base ** (-2 i / head).

    Su et al. 2021, equation 15, in the halves layout of LLaMA's public ports: coordinate i turns with i + head / 2.
    """
    angle = np.arange(tokens)[:, None] * float(base) ** (-np.arange(0, head, 2) / head)
    return np.cos(angle).astype(dtype), np.sin(angle).astype(dtype)


def _rotate(x, rotation):
    """Turn (..., tokens, heads, head) in place."""
    cosine, sine = (part[:, None, :] for part in rotation)
    half = x.shape[-1] // 2
    first, second = x[..., :half], x[..., half:]
    turned = first * cosine - second * sine
    second *= cosine
    second += first * sine
    first[...] = turned


def _allowed(tokens, causal, mask):
    """Which token may read which, boolean (..., tokens, tokens), or None where all may read all."""
    allowed = np.tri(tokens, dtype=bool) if causal else None
    if mask is not None:
        allowed = mask if allowed is None else allowed & mask
        if not allowed.any(axis=-1).all():
            raise ValueError("mask must leave every token at least one token to read: let each read itself")
    return allowed


def _softmax(scores, allowed, group):
    """Softmax of (..., kv_heads, group * tokens, tokens) over the last axis, in place, with 0 where not allowed."""
    if allowed is not None:
        grouped = scores.reshape(*scores.shape[:-2], group, -1, scores.shape[-1])
        np.copyto(grouped, -np.inf, where=~allowed[..., None, None, :, :])
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def _parts(packed, heads, kv_heads):
    """Views of queries, keys and values in (..., tokens, heads + 2 kv_heads, head)."""
    return np.split(packed, [heads, heads + kv_heads], axis=-2)


def _by_head(x, kv_heads):
    """(..., tokens, heads, n) as (..., kv_heads, group * tokens, n): a view where a group is one head."""
    *batch, tokens, heads, n = x.shape
    x = x.reshape(*batch, tokens, kv_heads, heads // kv_heads, n)
    x = np.moveaxis(x, -4, -2)
    return x.reshape(*batch, kv_heads, -1, n)


def _fill(x, by_head, kv_heads):
    """Write (..., kv_heads, group * tokens, n) into ``x`` of shape (..., tokens, heads, n)."""
    *batch, tokens, heads, n = x.shape
    by_head = by_head.reshape(*batch, kv_heads, heads // kv_heads, tokens, n)
    x[...] = np.moveaxis(by_head, -2, -4).reshape(x.shape)
