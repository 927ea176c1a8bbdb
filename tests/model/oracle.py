"""The oracle of the engine's gradients: the layers once more, in JAX, written from the formulas.

Nothing is shared with the package: keys are repeated for each head, each wrapping is spelt out as an equation.
JAX differentiates; the package's hand-written derivatives are compared with what comes out.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_disable_most_optimizations", True)  # it compiles often and runs briefly


def layer_norm(x, g=1.0, b=0.0, eps=1e-5):
    return g * jax.nn.standardize(x, axis=-1, epsilon=eps) + b


def rms_norm(x, g=1.0, b=0.0, eps=1e-5):
    return g * x * jax.lax.rsqrt((x**2).mean(-1, keepdims=True) + eps) + b


# Compiled as a whole and once for each choice: operation by operation it takes longer.
@partial(jax.jit, static_argnames=("heads", "kv_heads", "may_read", "rotary_base"))
def attention(x, qkv, out, qkv_bias=0.0, out_bias=0.0, *, heads, kv_heads=None, may_read=None, rotary_base=None):
    """One sequence (tokens, width); ``may_read[i][j]`` says whether i reads j."""
    may_read = None if may_read is None else jnp.array(may_read)
    kv_heads, head = kv_heads or heads, out.shape[0] // heads
    packed = x @ qkv + qkv_bias
    column = packed.reshape(len(x), heads + 2 * kv_heads, head)
    own = heads + np.arange(heads) * kv_heads // heads  # the key column of each head
    q, k, v = column[:, np.arange(heads)], column[:, own], column[:, own + kv_heads]
    if rotary_base is not None:
        turn = partial(turned, base=rotary_base)
        q, k = jax.vmap(turn, 1, 1)(q), jax.vmap(turn, 1, 1)(k)
    scores = jnp.einsum("ihc,jhc->hij", q, k) / jnp.sqrt(head)
    weights = jax.nn.softmax(scores, where=may_read, axis=-1)
    return jnp.einsum("hij,jhc->ihc", weights, v).reshape(len(x), -1) @ out + out_bias


def batched_attention(x, qkv, out, qkv_bias=0.0, out_bias=0.0, **choices):
    return jax.vmap(lambda one: attention(one, qkv, out, qkv_bias, out_bias, **choices))(x)


def turned(x, base):
    """Rotary positions by complex numbers: coordinate i and i + head / 2 are one complex number."""
    tokens, head = x.shape
    z = x[:, : head // 2] + 1j * x[:, head // 2 :]
    z = z * jnp.exp(1j * jnp.outer(jnp.arange(tokens), base ** (-jnp.arange(head // 2) * 2 / head)))
    return jnp.concatenate([z.real, z.imag], -1)


@partial(jax.jit, static_argnames="activation")
def feed_forward(x, up, down, up_bias=0.0, down_bias=0.0, *, activation="gelu"):
    return ACTIVATIONS[activation](x @ up + up_bias) @ down + down_bias


def swiglu(h):
    gate, value = jnp.split(h, 2, -1)
    return jax.nn.silu(gate) * value


ACTIVATIONS = {
    "gelu": lambda h: jax.nn.gelu(h, approximate=True), "gelu-erf": lambda h: jax.nn.gelu(h, approximate=False),
    "relu": jax.nn.relu, "swiglu": swiglu,
}


def pre(norm):
    return lambda x, F, n, l, L: x + F(norm(x, *n("read")))


# x, F, n(site) -> the site's (gamma, beta), l counted from 1, L, and the gate where there is one.
WRAPPINGS = {
    "pre-ln": pre(layer_norm),
    "pre-ln-no-final": pre(layer_norm),
    "post-ln": lambda x, F, n, l, L: layer_norm(x + F(x), *n("sum")),
    "deepnorm": lambda x, F, n, l, L: layer_norm((2 * L) ** (1 / 4) * x + F(x), *n("sum")),
    "none": lambda x, F, n, l, L: x + F(x),
    "pre-rms": pre(rms_norm),
    "sandwich": lambda x, F, n, l, L: x + layer_norm(F(layer_norm(x, *n("read"))), *n("branch")),
    "res-post-norm": lambda x, F, n, l, L: x + layer_norm(F(x), *n("branch")),
    "layernorm-scaling": lambda x, F, n, l, L: x + F(layer_norm(x, *n("read")) / jnp.sqrt(l)),
    "rezero": lambda x, F, n, l, L: x + n.gate * F(x),
    "layerscale": lambda x, F, n, l, L: x + F(layer_norm(x, *n("read"))) @ jnp.diag(n.gate),
}


class Norms:
    """The parameters that a wrapping adds to one sublayer: n("read") is (gamma, beta, eps), n.gate the gate."""

    def __init__(self, weights, eps):
        self.weights, self.gate, self.eps = weights, weights.get("gate"), eps

    def __call__(self, site):
        return self.weights.get(f"{site}_gamma", 1.0), self.weights.get(f"{site}_beta", 0.0), self.eps

    def rest(self):
        added = ("read_", "branch_", "sum_", "gate")
        return {name: w for name, w in self.weights.items() if not name.startswith(added)}


def layer(x, weights, l, L, wrapping, heads, causal, activation, kv_heads=None, rotary_base=None, eps=1e-5):
    """One layer on a batch (batch, tokens, width), ``l`` counted from 1."""
    may_read = tuple(map(tuple, np.tri(x.shape[1], dtype=bool).tolist())) if causal else None
    norms = [Norms(weights["attention"], eps), Norms(weights["feed-forward"], eps)]
    choices = {"heads": heads, "kv_heads": kv_heads, "may_read": may_read, "rotary_base": rotary_base}
    A = partial(batched_attention, **norms[0].rest(), **choices)
    M = partial(feed_forward, **norms[1].rest(), activation=activation)
    if wrapping == "parallel":
        read = layer_norm(x, *norms[0]("read"))
        return x + A(read) + M(read)
    for F, n in zip((A, M), norms, strict=True):
        x = WRAPPINGS[wrapping](x, F, n, l, L)
    return x


def stack(x, layers, wrapping, **choices):
    for l, weights in enumerate(layers, start=1):
        own = wrapping
        if wrapping == "mix-ln":
            own = "post-ln" if 4 * l <= len(layers) else "pre-ln"
        x = layer(x, weights, float(l), len(layers), own, **choices)
    return x


def value_and_gradients(f, *arguments, dy, **choices):
    """``f(*arguments, **choices)`` and the gradients of its inner product with ``dy``, in float64."""
    dy, *arguments = jax.tree.map(np.float64, (dy, *arguments))
    y, back = jax.vjp(partial(f, **choices), *arguments)
    return y, back(dy)


def cross_entropy(logits, labels):
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(len(labels)), labels])
