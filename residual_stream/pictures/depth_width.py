"""The drawings of real shapes: how deep and wide published models are, where their parameters sit, what 0.02 does."""

import numpy as np

from ..model.presets import PRESETS, parameter_counts
from ..palette import LIGHT
from .axes import Scale, horizontal_axis
from .drawing import Drawing
from .figure import Table
from .marks import line, rect, text
from .numbers import decimal
from .plots import plot, power_of_ten

WIDTH = 340
# Lines of equal size in the plot of shapes: weights in all blocks -> at how many layers the line is labelled.
BLOCKS = {1e8: 4, 1e10: 4, 1e12: 2000}
# Where a model's name stands clear of those lines: its distance from the point, and the end of it that is nearest.
BESIDE = (8, -4), "left"
NAMED = {"Transformer": ((0, -17), "center"), "BERT": ((4, 7), "left"), "LLaMA": ((4, -17), "right"),
         "DeepNet": ((-8, -4), "right")}


def layers_of(preset):
    """All layers of a model, encoder and decoder together."""
    return preset.layers + preset.decoder_layers


def shapes():
    """A plot of every preset's number of layers against its width, with lines of equal size."""
    points = {}
    for preset in PRESETS.values():
        points.setdefault((layers_of(preset), preset.width), []).append(preset.title.partition(",")[0])

    def draw(figure):
        axes = figure.subplots()
        depth = np.array([4, 3000])
        for size, at in BLOCKS.items():
            axes.plot(depth, np.sqrt(size / (12 * depth)), "--", color=LIGHT["grey"], linewidth=1)
            left = at == depth[0]
            axes.annotate(_count(size), (at, np.sqrt(size / (12 * at))), (4, 2) if left else (-4, -2),
                          ha="left" if left else "right", va="bottom" if left else "top",
                          textcoords="offset points", color=LIGHT["grey"])
        for (layers, width), names in points.items():
            axes.plot(layers, width, "o", color=LIGHT["stream"], markersize=6)
            distance, end = NAMED.get(names[0], BESIDE)
            axes.annotate(", ".join(names), (layers, width), distance, color=LIGHT["stream"],
                          textcoords="offset points", ha=end)
        axes.set(xscale="log", yscale="log", xlim=depth, ylim=(200, 40_000), xlabel="layers")
        axes.set_xticks([10, 100, 1000], ["10", "100", "1,000"])
        axes.set_yticks([1000, 10_000], ["1,000", "10,000"])
        axes.minorticks_off()
        axes.set_title("width of the stream")

    rows = tuple((preset.title, f"{layers_of(preset):,}", f"{preset.width:,}") for preset in PRESETS.values())
    told = "; ".join(f"{title} {layers} and {width}" for title, layers, width in rows)
    alt = f"Layers and width of {len(rows)} models on logarithmic axes: {told}."
    return plot(draw, 300, alt, Table(("model", "layers", "width"), rows), "shapes",
                "Six published shapes. Along a dashed line, which counts 12 squares of the width for each layer, "
                "the size stays the same.")


PARTS = (("attention", "attention", "branch hollow"), ("feed_forward", "feed-forward", "branch"),
         ("norms", "norms", "norm"), ("tables", "embeddings, head", "stream"))
ROW, BAR, LEFT = 46, 16, 16


def shares(name):
    """The fraction of a preset's parameters in each of ``PARTS``."""
    counts = parameter_counts(name)
    counts["tables"] = counts["embeddings"] + counts["head"]
    return {part: counts[part] / counts["total"] for part, *_ in PARTS}


def parts():
    """For each preset a bar cut into attention, feed-forward, norms, and the tables around the stack."""
    scale, top = Scale(0, 1, LEFT, WIDTH - LEFT), 36
    bottom = top + ROW * len(PRESETS)
    marks = [*horizontal_axis(scale, top, bottom, (0, 0.25, 0.5, 0.75, 1), 2, "fraction of all parameters"), *_legend()]
    told, rows = [], []
    for index, (name, preset) in enumerate(PRESETS.items()):
        y, end = top + ROW * index + 22, 0.0
        counts, fractions = parameter_counts(name), shares(name)
        marks += [text(LEFT, y - 5, preset.title, "strong halo"),
                  text(WIDTH - LEFT, y - 5, _count(counts["total"]), "halo", "end")]
        for part, _, kind in PARTS:
            marks.append(rect(scale(end), y, scale(end + fractions[part]) - scale(end), BAR, kind))
            end += fractions[part]
        told.append(f"{preset.title} {decimal(100 * fractions['attention'], 0)}, "
                    f"{decimal(100 * fractions['feed_forward'], 0)} and {decimal(100 * fractions['tables'], 0)}")
        rows.append((preset.title, *(f"{counts[part]:,}" for part in ("attention", "feed_forward", "norms")),
                     f"{counts['embeddings'] + counts['head']:,}", f"{counts['total']:,}"))
    alt = ("Of all parameters, attention, feed-forward networks and embeddings with the head have, in percent: "
           f"{'; '.join(told)}. Norms never have more than {decimal(_most_in_norms(), 2)} percent.")
    columns = ("model", "attention", "feed-forward", "norms", "embeddings and head", "total")
    return Drawing(WIDTH, bottom + 36, marks, alt, Table(columns, tuple(rows)), "parts",
                   "Where the parameters sit. DeepNet’s embeddings are not counted.")


def _legend():
    places = (2, 90, None, 200)
    return [mark for (_, words, kind), x in zip(PARTS, places) if x is not None
            for mark in (rect(x, 8, 12, 12, kind), text(x + 17, 19, words, kind.split()[0]))]


def _most_in_norms():
    return 100 * max(shares(name)["norms"] for name in PRESETS)


def _count(number):
    """A large number in words: 124 million, 6.7 billion."""
    for size, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if number >= size:
            return f"{decimal(number / size, 0 if number >= 10 * size else 1).removesuffix('.0')} {word}"
    return f"{number:,}"


def width_rule(widths, added, marked):
    """A plot of the variance that one layer adds to a stream against its width, at weights of standard deviation 0.02.

    ``added`` has one measured variance for each of ``widths``; ``marked`` maps names to further (width, variance).
    The dashed line has slope 2 and goes through the last of the measured points.
    """
    widths, added = np.asarray(widths), np.asarray(added)

    def draw(figure):
        axes = figure.subplots()
        ends = np.array([widths[0], 20_000])
        axes.plot(ends, added[-1] * (ends / widths[-1]) ** 2, "--", color=LIGHT["ink"], linewidth=1)
        axes.plot(widths, added, "o", color=LIGHT["branch"], markersize=6)
        for name, (width, variance) in marked.items():
            axes.plot(width, variance, "s", color=LIGHT["branch"], markersize=7)
            axes.annotate(name, (width, variance), (-9, 0), textcoords="offset points", ha="right", va="center",
                          color=LIGHT["branch"])
        axes.set(xscale="log", yscale="log", xlabel="width")
        axes.yaxis.set_major_formatter(power_of_ten)
        axes.set_xticks([100, 1000, 10_000], ["100", "1,000", "10,000"])
        axes.minorticks_off()
        axes.set_title("Var(f) of a layer, weights of std 0.02")

    everything = [*((f"width {width:,}", width, value) for width, value in zip(widths, added)),
                  *((name, *point) for name, point in marked.items())]
    alt = ("The variance that one layer adds, at weights of standard deviation 0.02: "
           + "; ".join(f"{name} {_short(value)}" for name, _, value in everything)
           + ". On logarithmic axes the points follow a line of slope 2.")
    rows = tuple((name, f"{width:,}", _short(value)) for name, width, value in everything)
    return plot(draw, 260, alt, Table(("stack", "width", "variance added"), rows), "width-rule",
                "Twice the width, four times the variance: the dashed line has slope 2.")


def _short(value):
    return decimal(value, 5 if value < 0.01 else 3 if value < 1 else 2)
