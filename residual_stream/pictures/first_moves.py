"""Does the first update tell who learns? Every place of the warm-up map by how far one step would move the output."""

from math import log10

from ..model.warm_up import MAP
from .axes import TICK_LABEL_DROP, Scale, vertical_axis
from .drawing import Drawing
from .figure import Table
from .marks import circle, line, text
from .numbers import decimal
from .warm_up import learned

WIDTH = 340
ACROSS = Scale(log10(0.02), log10(60), 38, WIDTH - 14)
UP = {"post-ln": Scale(0, 1.05, 124, 46), "pre-ln": Scale(0, 1.05, 242, 164)}
TICKS = (0.1, 1, 10)

# By wrapping and initialisation: the arm on the map, what is said of it, the mark's colour and fill.
GROUPS = {
    ("post-ln", "xavier"): ("post-LN, no warm-up", "post-LN, Xavier", "norm"),
    ("post-ln", "gpt2"): ("post-LN, no warm-up", "post-LN, std 0.02", "norm hollow"),
    ("pre-ln", "xavier"): ("pre-LN, no warm-up", "pre-LN, Xavier", "stream"),
    ("pre-ln", "gpt2"): ("pre-LN, no warm-up", "pre-LN, std 0.02", "stream hollow"),
}


def places(moved, outcomes, at):
    """By group: (move, accuracy reached, whether all seeds learned) of each of its places on the map, moves growing.

    ``moved[wrapping, init, layers]`` is the relative change of the output after one step of Adam at the rate ``at``;
    it is scaled to the map's rates in proportion. ``outcomes`` are the map's committed runs.
    """
    found = {}
    for (wrapping, init), (title, words, _) in GROUPS.items():
        rows = []
        for layers in MAP["layers"]:
            for rate in MAP["learning_rate"]:
                count, seeds, accuracy = learned(outcomes, title, init, layers, rate)
                rows.append((moved[wrapping, init, layers] * rate / at, accuracy, count == seeds))
        found[words] = sorted(rows)
    return found


def first_moves(moved, outcomes, at=1e-4):
    """A point for each place of the map without warm-up: how far the first step would move, and what was reached."""
    found = places(moved, outcomes, at)
    marks = [text(4, 16, "Accuracy reached in 250 steps", "strong"), *_axes()]
    for number, ((wrapping, _), (_, words, kind)) in enumerate(GROUPS.items()):
        up = UP[wrapping]
        marks += [circle(ACROSS(log10(move)), up(accuracy), 4.5, kind) for move, accuracy, _ in found[words]]
        x, y = ACROSS.start + 10 + 148 * (number % 2), up.end - 8
        marks += [circle(x, y - 4.5, 4.5, kind), text(x + 10, y, words, f"{kind.split()[0]} strong")]
    rows = tuple((f"{words}, place {number}", decimal(move, 2), decimal(accuracy, 2))
                 for words, points in found.items() for number, (move, accuracy, _) in enumerate(points, start=1))
    return Drawing(WIDTH, 278, marks, _in_words(found), Table(("place", "move", "accuracy reached"), rows), "first-moves",
                   "Every place of the map without warm-up; the move is measured at a small rate and scaled up.")


def _axes():
    """Two panels, one above the other, on one axis of moves."""
    bottom = UP["pre-ln"].start
    marks = [mark for up in UP.values() for mark in vertical_axis(up, ACROSS.start, ACROSS.end, (0, 0.5, 1), 1)]
    for tick in TICKS:
        x = ACROSS(log10(tick))
        marks += [line(x, up.end, x, up.start, "faint thin") for up in UP.values()]
        marks.append(text(x, bottom + TICK_LABEL_DROP, f"{tick:g}", "grey", "middle"))
    return [*marks, text((ACROSS.start + ACROSS.end) / 2, bottom + 2 * TICK_LABEL_DROP,
                         "relative move of the output in the first step", "grey", "middle")]


def _in_words(found):
    told = []
    for words, points in found.items():
        good, bad = ([move for move, _, all_learned in points if all_learned is wanted] for wanted in (True, False))
        best = f"the largest move at which all seeds learned is {decimal(max(good), 2)}" if good else "never all learned"
        worst = f"the smallest at which some did not is {decimal(min(bad), 2)}" if bad else "nowhere did one fail"
        told.append(f"{words}: {best}, {worst}")
    return f"Accuracy reached against the move of the output in the first step. {'. '.join(told)}."
