"""The configuration of a stack: one frozen value, checked once, that everything downstream trusts."""

import sys
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from .sublayers import ACTIVATIONS
from .weights import INITS
from .wrappings import WRAPPINGS


@dataclass(frozen=True)
class Config:
    """A stack of ``layers`` layers, each self-attention and a feed-forward network, at initialisation.

    ``ff`` is the feed-forward network's hidden width (None: 4 * width), ``wrapping`` a name in ``WRAPPINGS``,
    ``init`` a rule of ``model.weights`` ("xavier", "xavier-uniform", "gpt2", "lecun", "kaiming"), ``residual_scale``
    GPT-2's factor 1 / sqrt(2 layers) on the output projections, ``activation`` "gelu" (by tanh), "gelu-erf", "relu" or
    "swiglu", ``bias`` whether linear maps and norms have biases (zero at first), ``vocabulary`` the number of classes
    of the loss, ``kv_heads`` the number of key-value heads where groups of query heads share one (None: ``heads``),
    ``rotary_base`` the base of rotary positions (None: the layers know no positions), ``eps`` that of every norm.

    Raises ValueError, naming the field, its value and the remedy.
    """

    layers: int = 12
    width: int = 64
    heads: int = 4
    ff: int | None = None
    tokens: int = 32
    wrapping: str = "pre-ln"
    init: str = "xavier"
    residual_scale: bool = False
    causal: bool = True
    seed: int = 0
    dtype: str = "float64"
    activation: str = "gelu"
    bias: bool = False
    vocabulary: int = 64
    kv_heads: int | None = None
    rotary_base: float | None = None
    eps: float = 1e-5

    def __post_init__(self):
        if self.ff is None:
            _whole("width", self.width, 1)
            object.__setattr__(self, "ff", 4 * self.width)
        for field, least in _WHOLE.items():
            _whole(field, getattr(self, field), least)
            object.__setattr__(self, field, int(getattr(self, field)))
        for field, choices in _CHOICES.items():
            _choice(field, getattr(self, field), choices)
        for field in ("residual_scale", "causal", "bias"):
            if not isinstance(getattr(self, field), bool):
                raise ValueError(f"{field} must be True or False, not {getattr(self, field)!r}")
        if self.width % self.heads:
            raise ValueError(
                f"heads must divide width, but {self.heads} does not divide {self.width}: "
                f"choose heads={_divisor_below(self.width, self.heads)} "
                f"or width={_multiple_above(self.width, self.heads)}"
            )
        if self.kv_heads is not None:
            _whole("kv_heads", self.kv_heads, 1)
            if self.heads % self.kv_heads:
                raise ValueError(
                    f"kv_heads must divide heads, but {self.kv_heads} does not divide {self.heads}: "
                    f"choose kv_heads={_divisor_below(self.heads, self.kv_heads)}"
                )
        if self.rotary_base is not None:
            _number("rotary_base", self.rotary_base, above=0)
            if self.head() % 2:
                raise ValueError(
                    f"rotary_base turns pairs of coordinates, but a head has {self.head()}: "
                    "choose an even width / heads"
                )
        _number("eps", self.eps)

    def head(self):
        """How many numbers a head's query, key and value have each."""
        return self.width // self.heads

    def key_columns(self):
        """How many columns the keys have, all heads together, and the values too: width, less where heads share."""
        return (self.kv_heads or self.heads) * self.head()

    def ff_inputs(self):
        """How many columns the feed-forward network's first matrix has: ff, or 2 ff where it is gated."""
        return 2 * self.ff if self.activation == "swiglu" else self.ff


_MOST = 10**40  # a seed may have 128 bits; products of a few such numbers are still floats
_WHOLE = {"layers": 1, "width": 1, "heads": 1, "ff": 1, "tokens": 1, "seed": 0, "vocabulary": 2}
_CHOICES = {
    "wrapping": WRAPPINGS, "init": INITS, "dtype": ("float64", "float32"), "activation": ACTIVATIONS,
}


def require_config(config):
    """Refuse, with a ValueError, what is no ``Config``."""
    if not isinstance(config, Config):
        raise ValueError(f"config must be a Config such as Config(layers=12), not {type(config).__name__}")


def _whole(field, value, least):
    """Refuse what is no whole number of at least ``least``: True and 3.0 are none."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{field} must be a whole number, not {value!r}: write for example {field}={max(least, 1)}")
    if value < least:
        raise ValueError(f"{field} must be at least {least}, not {value}")
    if value > _MOST:
        raise ValueError(f"{field} must be at most 10**40: choose a smaller {field}")


def _number(field, value, above=None):
    """Refuse what is no finite number of at least 0, or none above ``above``."""
    bound = "at least 0" if above is None else f"above {above}"
    real = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not real or not 0 <= value <= sys.float_info.max or value == above:
        raise ValueError(f"{field} must be a finite number {bound}, not {value!r:.40}")


def _choice(field, value, choices):
    """Refuse a value that is none of the choices, and offer the nearest."""
    if not isinstance(value, str) or value not in choices:
        near = get_close_matches(value.lower(), choices, n=3, cutoff=0.5) if isinstance(value, str) else []
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"choose one of {', '.join(choices)}"
        raise ValueError(f"{field} {value!r} is unknown: {hint}")


def _divisor_below(width, heads):
    return next(n for n in range(min(heads, width), 0, -1) if width % n == 0)


def _multiple_above(width, heads):
    return -(-width // heads) * heads
