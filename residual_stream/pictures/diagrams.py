"""Wiring diagrams, drawn from the table of wrappings: the stream as a line downwards, each branch beside it.

Wires are drawn first and boxes on top of them, so that a box interrupts the wire that it stands on.
"""

from typing import NamedTuple

from ..model.config import Config
from ..model.weights import KINDS
from ..model.wrappings import WRAPPINGS
from .drawing import Drawing
from .figure import Table
from .marks import circle, line, polyline, rect, text
from .numbers import decimal

WIDTH = 340
STREAM, BRANCH = 62, 222       # where the stream runs, and the middle of the branches
BOX, GAP, RING = 26, 14, 11    # a box's height, the space between two, the radius of an addition
NORM_WORDS = {"layer": "LayerNorm", "rms": "RMSNorm"}


def wiring(name, sublayers=KINDS, layer=None, layers=12):
    """The wiring of one layer of the wrapping called ``name``, as its entry in the table of wrappings says.

    ``sublayers`` names what the branches compute, from first to last: a decoder layer of Vaswani et al. 2017 has
    three. ``layer``, counted from 0, is one of ``layers``, the last by default: Mix-LN's first ones are wired
    otherwise. Raises ValueError for an unknown wrapping, with near matches, a layer that the stack does not have, and
    sublayers that cannot be drawn (none, or more than two side by side).
    """
    Config(wrapping=name, layers=layers)
    layer = layers - 1 if layer is None else layer
    if not 0 <= layer < layers:
        raise ValueError(f"layer must be from 0 to {layers - 1} in a stack of {layers} layers, not {layer}")
    wrapping = WRAPPINGS[name]
    place = wrapping.place(layer, layers)
    groups = [tuple(sublayers)] if wrapping.one_read else [(kind,) for kind in sublayers]
    if not groups or len(groups[0]) > 2:
        most = "two sublayers" if wrapping.one_read else "at least one sublayer"
        raise ValueError(f"sublayers must name {most} for {name!r}, not {tuple(sublayers)}")

    wires, boxes, bottom = [], [], 22
    for kinds in groups:
        block = _Block(kinds, place, bottom)
        wires += block.wires()
        boxes += block.boxes()
        bottom = block.bottom
    end, height = _end(wrapping, bottom)
    stream = [text(STREAM, 16, "stream", "stream strong", "middle"), *end]
    return Drawing(
        WIDTH, height, (*wires, *stream, *boxes), _in_words(wrapping, place, groups), _table(wrapping, place, groups),
        f"wiring-{name}" + ("" if tuple(sublayers) == KINDS else f"-{len(sublayers)}"),
        f"{wrapping.title}, one layer, read downwards: \\({wrapping.formula}\\)",
    )


class _Block(NamedTuple):
    """One addition (or several with one read): its branches' ``kinds``, their placement, and where it begins."""

    kinds: tuple
    place: object
    top: float

    @property
    def before(self):
        """What a branch passes before its sublayers, a (word, colour) for each box."""
        place = self.place
        norm = [(NORM_WORDS[place.read], "norm")] if place.read else []
        return norm + ([(f"× {decimal(place.scale, 2)}", "ink")] if place.scale != 1.0 else [])

    @property
    def behind(self):
        """What it passes after them."""
        place = self.place
        norm = [(NORM_WORDS[place.branch], "norm")] if place.branch else []
        return norm + ([("× λ", "ink")] if place.gate is not None else [])

    @property
    def fork(self):
        return self.top + 10

    @property
    def inner(self):
        """Where the boxes of the sublayers begin."""
        return self.fork + GAP + (BOX + GAP) * len(self.before)

    @property
    def plus(self):
        return self.inner + (BOX + GAP) * (1 + len(self.behind)) + 6

    @property
    def bottom(self):
        return self.plus + RING + GAP + (BOX + GAP if self.place.sum else 0)

    def columns(self):
        """The middle of each branch and the width of its boxes."""
        return [(BRANCH, 140)] if len(self.kinds) == 1 else [(BRANCH - 58, 110), (BRANCH + 58, 110)]

    def wires(self):
        """The branches' wires, and the stream's, which is broken where nothing of it is added."""
        split = self.inner - GAP / 2 if self.before else self.fork
        ends = [self.top, self.fork, self.plus, self.bottom]
        # It begins a little before the block: a seam would show where two pieces only touch.
        start = ends[0] - 1
        carried = [(start, ends[3])] if self.place.alpha else [(start, ends[1]), (ends[2], ends[3])]
        return [
            *(polyline([(STREAM, self.fork), (BRANCH, self.fork), (BRANCH, split), (x, split), (x, self.plus),
                        (STREAM, self.plus)], "branch") for x, _ in self.columns()),
            *(line(STREAM, start, STREAM, end, "stream thick") for start, end in carried),
        ]

    def boxes(self):
        """What stands on the wires, and the heads of their arrows."""
        place, head = self.place, STREAM + RING + 2
        marks = [polyline([(head + 6, self.plus - 5), (head, self.plus), (head + 6, self.plus + 5)], "branch")]
        for row, (word, kind) in enumerate(self.before):
            marks += _box(BRANCH, self.fork + GAP + (BOX + GAP) * row, word, kind, 140)
        for kind, (x, width) in zip(self.kinds, self.columns(), strict=True):
            for row, (word, colour) in enumerate([(kind, "branch"), *self.behind]):
                marks += _box(x, self.inner + (BOX + GAP) * row, word, colour, width)
        if place.alpha not in (0.0, 1.0):
            marks += _box(STREAM, (self.fork + self.plus - BOX) / 2, "× α", "ink", 48)
        if place.alpha:
            marks += [circle(STREAM, self.plus, RING, "stream hollow"),
                      line(STREAM - 6, self.plus, STREAM + 6, self.plus, "stream"),
                      line(STREAM, self.plus - 6, STREAM, self.plus + 6, "stream")]
        return marks + (_box(STREAM, self.plus + RING + GAP, NORM_WORDS[place.sum], "norm", 96) if place.sum else [])


def _box(x, y, word, kind, width):
    """A box with a word in it, its top at ``y`` and its middle at ``x``."""
    return [rect(x - width / 2, y, width, BOX, f"{kind} hollow"), text(x, y + 17.5, word, f"{kind} strong", "middle")]


def _end(wrapping, top):
    """What follows the layer, and the drawing's height: the next layer, and after the last one the final norm."""
    y = top + 12
    tip = [polyline([(STREAM - 5, y - 6), (STREAM, y), (STREAM + 5, y - 6)], "stream thick"),
           line(STREAM, top - 1, STREAM, y, "stream thick")]
    if wrapping.final_norm is None:
        return [*tip, text(STREAM + 18, y, "to the next layer", "grey")], y + 8
    below = y + 22
    return [*tip, text(STREAM + 18, y, "to the next layer", "grey"), line(STREAM, y, STREAM, below, "stream dotted"),
            *_box(STREAM, below, NORM_WORDS[wrapping.final_norm], "norm", 96),
            text(STREAM + 58, below + 17.5, "after the last layer", "grey")], below + BOX + 4


def _sites(place):
    """Where the norms of one sublayer stand, in words."""
    sites = {"what the branch reads": place.read, "what the branch writes": place.branch,
             "the stream, after the addition": place.sum}
    return [f"{NORM_WORDS[norm]} on {words}" for words, norm in sites.items() if norm]


def _in_words(wrapping, place, groups):
    branches = " beside ".join(groups[0]) if len(groups[0]) > 1 else ", then ".join(kinds[0] for kinds in groups)
    additions = f"{len(groups)} addition{'s' if len(groups) > 1 else ''}" if place.alpha else "no addition"
    norms = " and ".join(_sites(place)) or "no norm"
    carried = {1.0: "as it is", 0.0: "not at all"}.get(place.alpha, f"times {decimal(place.alpha, 2)}")
    final = f"; after the last layer a {NORM_WORDS[wrapping.final_norm]}" if wrapping.final_norm else ""
    return (f"{wrapping.title}: {branches}; {additions}. The stream is carried past each branch {carried}; "
            f"{norms}{final}.")


def _table(wrapping, place, groups):
    rows = [(" and ".join(kinds), "; ".join(_sites(place)) or "none", decimal(place.alpha, 2)) for kinds in groups]
    return Table(("sublayer", "norm", "factor on the stream"), tuple(rows))
