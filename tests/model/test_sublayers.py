"""The feed-forward network and the attention against JAX and PyTorch: values and all gradients."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from residual_stream.model.attention import attention, attention_vjp, rotary
from residual_stream.model.sublayers import feed_forward, feed_forward_vjp

few = settings(deadline=None, max_examples=6)
seeds = st.integers(0, 2**32 - 1)
dtypes = st.sampled_from(["float64", "float32"])
TOLERANCE = {"float64": 1e-10, "float32": 1e-4}


def compare(ours, arguments, dy, expected, distance, dtype):
    """The value and every gradient of ``ours(x, **weights)`` with what the oracle found."""
    x, *weights = arguments
    y, back = ours(x, *weights)
    dx, gradients = back(dy)
    assert all(array.dtype == dtype for array in (y, dx, *gradients.values()))
    value, (ex, *eweights) = expected
    assert distance([y, dx, *gradients.values()], [value, ex, *eweights]) < TOLERANCE[dtype]


@pytest.mark.parametrize("activation", ["gelu", "gelu-erf", "relu", "swiglu"])
@few
@given(seeds, st.sampled_from([(3, 4), (2, 3, 5)]), st.booleans(), dtypes)
def test_feed_forward_agrees_with_jax(oracle, distance, drawn, activation, seed, shape, bias, dtype):
    width, ff, up = shape[-1], 7, 14 if activation == "swiglu" else 7
    *arguments, dy = drawn(seed, shape, (width, up), (ff, width), (up,), (width,), shape, dtype=dtype)
    arguments = arguments if bias else arguments[:3]
    expected = oracle.value_and_gradients(oracle.feed_forward, *arguments, dy=dy, activation=activation)

    compare(partial(feed_forward_vjp, activation=activation), arguments, dy, expected, distance, dtype)
    value = feed_forward(*arguments, activation=activation)
    assert distance(value, expected[0]) < TOLERANCE[dtype]


@few
@given(
    seeds, st.sampled_from([(4, 12), (2, 4, 12)]), st.sampled_from([(1, 1), (3, 3), (6, 2)]), st.booleans(),
    st.booleans(), st.booleans(), dtypes,
)  # fmt: skip
def test_attention_agrees_with_jax(oracle, distance, drawn, seed, shape, heads, causal, masked, rotate, dtype):
    heads, kv_heads = heads
    (tokens, width), head = shape[-2:], 12 // heads
    packed = (heads + 2 * kv_heads) * head
    rotate = rotate and head % 2 == 0
    *arguments, dy = drawn(seed, shape, (width, packed), (width, width), (packed,), (width,), shape, dtype=dtype)
    mask = np.random.default_rng(seed).random((tokens, tokens)) < 0.6
    np.fill_diagonal(mask, True)
    allowed = (mask if masked else True) & np.tri(tokens, dtype=bool) if causal else mask if masked else None
    choices = {"heads": heads, "kv_heads": kv_heads, "rotary_base": 10000.0 if rotate else None}
    choices["may_read"] = None if allowed is None else tuple(map(tuple, allowed.tolist()))
    one_or_batch = oracle.batched_attention if len(shape) == 3 else oracle.attention
    expected = oracle.value_and_gradients(one_or_batch, *arguments, dy=dy, **choices)
    options = {"heads": heads, "kv_heads": kv_heads, "causal": causal, "mask": mask if masked else None}
    options["rotation"] = rotary(tokens, head, dtype=dtype) if rotate else None
    compare(partial(attention_vjp, **options), arguments, dy, expected, distance, dtype)
    assert distance(attention(*arguments, **options), expected[0]) < TOLERANCE[dtype]


def test_a_mask_that_leaves_a_token_nothing_to_read_is_refused(drawn):
    x, qkv, out = drawn(0, (3, 4), (4, 12), (4, 4))
    with pytest.raises(ValueError, match="mask must leave every token at least one"):
        attention(x, qkv, out, heads=2, causal=True, mask=~np.eye(3, dtype=bool))


def test_an_input_is_never_written_to(drawn):
    x, qkv, out, up, dy = drawn(0, (3, 4), (4, 12), (4, 4), (4, 4), (3, 4))
    before = [array.copy() for array in (x, qkv, out, up, dy)]
    for f in (partial(attention_vjp, heads=2, rotation=rotary(3, 2)), feed_forward_vjp):
        f(x, *((qkv, out) if f is not feed_forward_vjp else (up, out)))[1](dy)
    for array, old in zip((x, qkv, out, up, dy), before, strict=True):
        np.testing.assert_array_equal(array, old)


@few
@given(seeds, st.booleans(), st.sampled_from([1, 2, 4]))
def test_attention_is_pytorchs_multihead_attention(torch, distance, drawn, seed, causal, heads):
    x, qkv, out, qkv_bias, out_bias, dy = drawn(seed, (2, 5, 8), (8, 24), (8, 8), (24,), (8,), (2, 5, 8))
    theirs = torch.nn.MultiheadAttention(8, heads, batch_first=True, dtype=torch.float64)
    for parameter, array in zip(theirs.parameters(), (qkv.T, qkv_bias, out.T, out_bias), strict=True):
        parameter.data = torch.tensor(array)
    z = torch.tensor(x, requires_grad=True)
    mask = torch.nn.Transformer.generate_square_subsequent_mask(5, dtype=torch.float64) if causal else None
    value, _ = theirs(z, z, z, attn_mask=mask, need_weights=False)
    value.backward(torch.tensor(dy))
    dqkv, dqkv_bias, dout, dout_bias = (p.grad.numpy() for p in theirs.parameters())
    expected = value.detach().numpy(), (z.grad.numpy(), dqkv.T, dout.T, dqkv_bias, dout_bias)
    ours = partial(attention_vjp, heads=heads, causal=causal)
    compare(ours, (x, qkv, out, qkv_bias, out_bias), dy, expected, distance, "float64")


def test_gelu_at_the_far_ends_is_the_identity_and_zero():
    h = np.array([[-1e300, -700.0, -40.0, 0.0, 40.0, 700.0, 1e300]])
    one = np.eye(7)
    for dtype in ("float64", "float32"):
        x = np.clip(h, -1e30, 1e30).astype(dtype)
        y, back = feed_forward_vjp(x, one.astype(dtype), one.astype(dtype))
        np.testing.assert_array_equal(y, np.maximum(x, 0))
        np.testing.assert_array_equal(back(np.ones_like(x))[0], [[0, 0, 0, 0.5, 1, 1, 1]])
