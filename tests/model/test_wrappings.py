"""Every wrapping, in a stack of four layers, against JAX and PyTorch: the value and ALL gradients."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import residual_stream as rs
from residual_stream.model.stack import final_norm_vjp, forward, forward_vjp
from residual_stream.model.weights import all_weights
from residual_stream.model.wrappings import deepnorm_constants

seeds = st.integers(0, 2**32 - 1)


def shaken(config, seed):
    """The layers' weights with everything that starts at 0 or 1 moved away from it, so that its gradient shows."""
    source = np.random.default_rng(seed)
    layers = list(all_weights(config))
    for weights in layers:
        for parameters in weights.values():
            for name, array in parameters.items():
                if array.ndim == 1:
                    array += source.standard_normal(array.shape).astype(array.dtype) * 0.3
    return layers


@pytest.mark.parametrize("wrapping", rs.WRAPPINGS)
@settings(deadline=None, max_examples=2)
@given(seeds, st.sampled_from(["float64", "float32"]))
@pytest.mark.parametrize("activation, bias, causal", [("gelu", True, True), ("swiglu", False, False)])
def test_a_stack_agrees_with_jax(oracle, distance, drawn, wrapping, activation, bias, causal, seed, dtype):
    config = rs.Config(
        layers=4, width=6, heads=2, tokens=3, ff=7, wrapping=wrapping, seed=seed, dtype=dtype,
        activation=activation, bias=bias, causal=causal,
    )  # fmt: skip
    layers = shaken(config, seed)
    x, dy = drawn(seed, (2, 3, 6), (2, 3, 6), dtype=dtype)
    expected, (ex, elayers) = oracle.value_and_gradients(
        oracle.stack, x, layers, dy=dy, wrapping=wrapping, heads=2, causal=causal, activation=activation
    )
    y, back = forward_vjp(x, layers, config)
    dx, gradients = back(dy)
    tolerance = 1e-10 if dtype == "float64" else 3e-3
    assert y.dtype == dx.dtype == dtype
    assert distance([y, dx, gradients], [expected, ex, elayers]) < tolerance
    assert distance(forward(x, layers, config), y) < (1e-12 if dtype == "float64" else 3e-5)


@pytest.mark.parametrize("wrapping, activation, bias", [("pre-rms", "swiglu", False), ("post-ln", "gelu-erf", True)])
def test_shared_keys_rotary_positions_and_eps_agree_with_jax(oracle, distance, drawn, wrapping, activation, bias):
    choices = {"wrapping": wrapping, "activation": activation, "heads": 6, "kv_heads": 2, "rotary_base": 30.0,
               "eps": 0.4}
    config = rs.Config(layers=2, width=24, ff=7, bias=bias, **choices)
    layers = shaken(config, 6)
    assert layers[0]["attention"]["qkv"].shape == (24, 24 + 2 * 8)
    x, dy = drawn(7, (2, 5, 24), (2, 5, 24))
    expected, gradients = oracle.value_and_gradients(oracle.stack, x, layers, dy=dy, causal=True, **choices)
    y, back = forward_vjp(x, layers, config)
    assert distance([y, *back(dy)], [expected, *gradients]) < 1e-10


def test_the_final_norm_has_the_eps_of_the_configuration(oracle, distance, drawn):
    (x,) = drawn(8, (5, 24))
    y, _ = final_norm_vjp(x, rs.Config(width=24, wrapping="pre-rms", eps=0.4))
    assert distance(y, oracle.rms_norm(x, eps=0.4)) < 1e-12 and distance(y, oracle.rms_norm(x)) > 0.1


@pytest.mark.parametrize("wrapping", rs.WRAPPINGS)
def test_the_gradients_agree_with_central_differences(wrapping, drawn):
    config = rs.Config(layers=2, width=6, heads=2, tokens=3, wrapping=wrapping, bias=True)
    layers = shaken(config, 1)
    x, dy = drawn(2, (3, 6), (3, 6))
    _, back = forward_vjp(x, layers, config)
    dx, gradients = back(dy)
    pairs = [(x, dx)] + [
        (array, gradients[layer][kind][name])
        for layer, weights in enumerate(layers)
        for kind, parameters in weights.items()
        for name, array in parameters.items()
    ]
    for array, gradient in pairs:
        (direction,) = drawn(3, array.shape)
        direction /= np.linalg.norm(direction)
        start, values = array.copy(), []
        for step in (1e-5, -1e-5):
            array[...] = start + step * direction
            values.append(np.sum(forward(x, layers, config) * dy))
        array[...] = start
        slope = (values[0] - values[1]) / 2e-5
        assert abs(slope - np.sum(gradient * direction)) < 1e-6 * max(1.0, np.linalg.norm(gradient))


@pytest.mark.parametrize("wrapping, norm_first", [("pre-ln", True), ("post-ln", False)])
@pytest.mark.parametrize("causal", [True, False])
def test_a_layer_is_pytorchs_encoder_layer(torch, distance, drawn, wrapping, norm_first, causal):
    config = rs.Config(
        layers=1, width=8, heads=2, tokens=5, ff=12, wrapping=wrapping, bias=True, causal=causal, activation="relu"
    )
    (weights,) = shaken(config, 4)
    attention, feed_forward = weights["attention"], weights["feed-forward"]
    site = "read" if norm_first else "sum"
    theirs = torch.nn.TransformerEncoderLayer(
        8, 2, 12, dropout=0.0, activation="relu", batch_first=True, norm_first=norm_first, dtype=torch.float64
    )
    ours_by_theirs = {
        "self_attn.in_proj_weight": (attention, "qkv"), "self_attn.in_proj_bias": (attention, "qkv_bias"),
        "self_attn.out_proj.weight": (attention, "out"), "self_attn.out_proj.bias": (attention, "out_bias"),
        "linear1.weight": (feed_forward, "up"), "linear1.bias": (feed_forward, "up_bias"),
        "linear2.weight": (feed_forward, "down"), "linear2.bias": (feed_forward, "down_bias"),
        "norm1.weight": (attention, f"{site}_gamma"), "norm1.bias": (attention, f"{site}_beta"),
        "norm2.weight": (feed_forward, f"{site}_gamma"), "norm2.bias": (feed_forward, f"{site}_beta"),
    }  # fmt: skip
    theirs.load_state_dict({name: torch.tensor(group[own].T) for name, (group, own) in ours_by_theirs.items()})
    x, dy = drawn(5, (2, 5, 8), (2, 5, 8))
    z = torch.tensor(x, requires_grad=True)
    mask = torch.nn.Transformer.generate_square_subsequent_mask(5, dtype=torch.float64) if causal else None
    value = theirs(z, src_mask=mask)
    value.backward(torch.tensor(dy))
    y, back = forward_vjp(x, [weights], config)
    dx, (gradients,) = back(dy)
    kinds = ["attention" if group is attention else "feed-forward" for group, _ in ours_by_theirs.values()]
    ours = [gradients[kind][own] for kind, (_, own) in zip(kinds, ours_by_theirs.values(), strict=True)]
    expected = [dict(theirs.named_parameters())[name].grad.numpy().T for name in ours_by_theirs]
    assert distance([y, dx, *ours], [value.detach().numpy(), z.grad.numpy(), *expected]) < 1e-10


@pytest.mark.parametrize("wrapping", rs.WRAPPINGS)
@pytest.mark.parametrize("residual_scale", [False, True])
def test_an_additive_stream_is_the_start_plus_all_branches(wrapping, residual_scale, drawn):
    config = rs.Config(layers=6, width=16, tokens=5, wrapping=wrapping, residual_scale=residual_scale)
    (x,) = drawn(0, (5, 16))
    branches, streams = [], []

    def record(layer, kind, stream, branch):
        assert layer == len(branches) // 2 and kind == ("attention", "feed-forward")[len(branches) % 2]
        streams.append(stream.copy())
        branches.append(branch.copy())

    end = forward(x, all_weights(config), config, record)
    assert len(branches) == 12
    literal = np.linalg.norm(end - x - np.sum(branches, axis=0)) / np.linalg.norm(end) < 1e-10
    assert literal == rs.WRAPPINGS[wrapping].additive(6)
    assert rs.WRAPPINGS[wrapping].additive(6) == (wrapping not in ("post-ln", "deepnorm", "mix-ln"))
    if literal:
        for stream, branch, after in zip(streams, branches, streams[1:] + [end], strict=True):
            np.testing.assert_allclose(stream + branch, after, rtol=1e-12, atol=1e-12)


def test_the_table_is_complete_and_speaks():
    assert len({w.formula for w in rs.WRAPPINGS.values()}) == len(rs.WRAPPINGS)
    for name, wrapping in rs.WRAPPINGS.items():
        assert name == name.lower() and wrapping.title and "x_{l+1}" in wrapping.formula or name == "mix-ln"
        assert wrapping.source and wrapping.reported().startswith("stream: ")
    assert "alpha" in rs.WRAPPINGS["deepnorm"].reported() and "before the norm" in rs.WRAPPINGS["post-ln"].reported()
    assert rs.WRAPPINGS["pre-ln"].reported().endswith("their sum, the next stream")


# Wang et al. 2022, figure 2b, with the values of its reference implementation rounded to three decimals.
@pytest.mark.parametrize(
    "encoder, decoder, expected",
    [
        (12, None, {"encoder": (2.213, 0.319)}),
        (None, 96, {"decoder": (3.722, 0.190)}),
        (None, 1000, {"decoder": (6.687, 0.106)}),
        (500, 500, {"encoder": (5.648, 0.125), "decoder": (6.223, 0.114)}),
    ],
)
def test_deepnorm_constants(encoder, decoder, expected):
    found = deepnorm_constants(encoder, decoder)
    assert {name: tuple(round(v, 3) for v in pair) for name, pair in found.items()} == expected


@settings(deadline=None)
@given(st.integers(1, 5000))
def test_deepnorm_makes_the_branches_of_a_stack_weigh_one_in_all(layers):
    alpha, beta = deepnorm_constants(decoder=layers)["decoder"]
    np.testing.assert_allclose(2 * layers * 2 * beta**2 / alpha**2, 1)


@pytest.mark.parametrize(
    "arguments, field", [({}, "encoder or decoder"), ({"encoder": -3}, "encoder"), ({"decoder": 0}, "decoder")]
)
def test_deepnorm_constants_refuse_no_layers(arguments, field):
    with pytest.raises(ValueError, match=field):
        deepnorm_constants(**arguments)
