"""Send random tokens through a stack of transformer layers and account for every residual addition.

A layer has two sublayers, attention and a feed-forward network, and each adds its branch to the stream.
The table has one line for each of these 2 x layers additions, at initialisation:

  Var stream   variance of the stream before the addition, over the width, averaged over the tokens
  Var branch   variance of what is added
  Cov          covariance of the two; Var sum = Var stream + Var branch + 2 Cov
  corr         their correlation, between -1 and 1, averaged over the tokens
  Var sum      variance after the addition (with a norm after it: before that norm)
  gradient     with --gradients: the norm of dLoss/dW of the matrix that writes the branch

Examples:
  python -m residual_stream trace --layers 6
  python -m residual_stream trace --wrapping post-ln --layers 12 --width 64 --gradients
  python -m residual_stream trace --layers 96 --width 512 --heads 8 --tokens 128 --json
  python -m residual_stream trace --preset gpt2
  python -m residual_stream trace --preset gpt3

The last one is GPT-3 at full size: 174 billion weights, drawn as they are multiplied and never stored.
It takes minutes; after an interruption the same command goes on where it stopped.
"""

import argparse
import json
import math
import os
import sys
from dataclasses import asdict

import numpy as np

from residual_stream.model.config import Config
from residual_stream.model.full_size import checkpoint_path, full_size_trace, require_drawable, starting_state
from residual_stream.model.memory import require_memory
from residual_stream.model.presets import PRESETS, find_preset, preset_config
from residual_stream.model.progress import reporting
from residual_stream.model.trace import gradient_norms, trace
from residual_stream.model.weights import INITS, all_weights
from residual_stream.model.wrappings import WRAPPINGS

ACCOUNT = ("var_stream", "var_branch", "covariance", "correlation", "var_sum")
HEADINGS = ("Var stream", "Var branch", "Cov", "corr", "Var sum")
INTERRUPTED = 130       # what a shell reports for a program that ended so


def whole(text):
    """A whole number, or a refusal that says how to write one."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number such as 12, not {text[:40]!r}") from None


def configure(parser):
    """Add the arguments of ``trace``; those left out take the preset's values, or the defaults shown."""
    default = Config()
    add = parser.add_argument
    add("--preset", metavar="NAME", help=f"a published model: {', '.join(PRESETS)}; other options change it")
    add("--wrapping", metavar="NAME", help=f"{', '.join(WRAPPINGS)} (default {default.wrapping})")
    for name, meaning in (
        ("layers", "number of layers, two additions each"),
        ("width", "numbers in a token's stream"),
        ("heads", "attention heads; must divide the width"),
        ("tokens", "length of the sequence"),
        ("seed", "of all random numbers"),
    ):
        add(f"--{name}", type=whole, metavar="N", help=f"{meaning} (default {getattr(default, name)})")
    add("--init", metavar="RULE", help=f"initialisation: {', '.join(INITS)} (default {default.init})")
    add("--residual-scale", action=argparse.BooleanOptionalAction, default=None,
        help="GPT-2's factor 1/sqrt(2 layers) on the matrices that write to the stream")
    add("--gradients", action="store_true", help="also the gradients' norms, for random labels")
    add("--json", action="store_true", help="print JSON instead of a table")
    add("--checkpoint", metavar="PATH", help="where a full-size preset keeps its state (default: the cache directory)")


def run(arguments):
    """Print the trace; the exit status is 130 after Ctrl-C."""
    if sys.stdout is None:
        raise ValueError("standard output is closed: there is nowhere to print to")
    config, drawn = chosen(arguments)
    try:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            traced = drawn_trace(config, arguments.checkpoint) if drawn else stored_trace(config)
            gradients = gradient_norms(config) if arguments.gradients else None
    except KeyboardInterrupt:
        print("stopped" + ("; the same command goes on from the checkpoint" if drawn else ""), file=sys.stderr)
        return INTERRUPTED
    print((as_json if arguments.json else as_table)(config, traced, gradients))
    return 0


def chosen(arguments):
    """``(config, drawn)``: the configuration, and whether its weights are drawn in blocks."""
    fields = ("wrapping", "layers", "width", "heads", "tokens", "seed", "init", "residual_scale")
    given = {field: getattr(arguments, field) for field in fields if getattr(arguments, field) is not None}
    preset = arguments.preset
    config = Config(**given) if preset is None else preset_config(preset, **given)
    drawn = preset is not None and find_preset(preset).drawn
    able = ", ".join(name for name, preset in PRESETS.items() if preset.drawn)
    if drawn and arguments.gradients:
        raise ValueError(f"gradients need all weights in memory, where preset {preset} has none: leave --gradients out")
    if arguments.checkpoint is not None and not drawn:
        raise ValueError(f"checkpoint is for full-size presets only: choose a --preset of {able}, or leave it out")
    if arguments.checkpoint is not None and (not arguments.checkpoint or "\0" in arguments.checkpoint):
        raise ValueError(f"checkpoint must name a file, not {arguments.checkpoint!r}")
    require_memory(config, arguments.gradients, stored=not drawn)
    if drawn:
        require_drawable(config)
    return config, drawn


def stored_trace(config):
    """The trace of a stack whose layers fit into memory, with a bar where it takes long."""
    def counted(report):
        for layer, weights in enumerate(all_weights(config)):
            yield weights
            report(layer + 1)

    with reporting(config.layers, unit="layer") as report:
        return trace(config, layers=counted(report))


def drawn_trace(config, checkpoint):
    """The trace of a full-size preset; says where its checkpoint lies."""
    path = checkpoint or checkpoint_path(config)
    state = "going on from" if starting_state(config, path).layer else "state kept in"
    print(f"{state} {path}; after an interruption the same command goes on from there", file=sys.stderr)
    return full_size_trace(config, checkpoint=path)


def as_json(config, traced, gradients):
    """The trace as one JSON object; a number that is not finite becomes null."""
    def number(value):
        return float(value) if math.isfinite(value) else None

    content = {
        "config": asdict(config),
        "sublayers": [
            {"layer": int(layer), "kind": str(kind)} | dict(zip(ACCOUNT, map(number, values), strict=True))
            for layer, kind, *values in zip(traced.layer, traced.kind, *columns(traced), strict=True)
        ],
    }
    if gradients is not None:
        content["gradients"] = [
            {"layer": layer, "attention": number(attention), "feed_forward": number(feed_forward)}
            for layer, (attention, feed_forward) in enumerate(gradients)
        ]
    return json.dumps(content, indent=1, allow_nan=False)


def columns(traced):
    """The five numbers of each addition's account."""
    return [getattr(traced, name) for name in ACCOUNT]


def as_table(config, traced, gradients):
    """The trace as lines of a table under a line that names the stack."""
    wrapping = WRAPPINGS[config.wrapping]
    scaled = ", scaled by 1/sqrt(2L)" if config.residual_scale else ""
    lines = [
        f"{wrapping.title}: {config.layers} layers, width {config.width}, {config.heads} heads, {config.tokens} "
        f"tokens, init {config.init}{scaled}, seed {config.seed}, {config.dtype}",
        wrapping.reported(), "",
    ]
    headings, values = list(HEADINGS), columns(traced)
    if gradients is not None:
        headings, values = headings + ["gradient"], values + [gradients.ravel()]
    lines.append(f"{'layer':>5}  {'kind':<12}" + "".join(f"{heading:>13}" for heading in headings))
    for layer, kind, *row in zip(traced.layer, traced.kind, *values, strict=True):
        lines.append(f"{layer:>5}  {kind:<12}" + "".join(f"  {value:>11.5g}" for value in row))
    return "\n".join(lines)
