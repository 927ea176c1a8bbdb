"""The drawings of the warm-up experiment, from its committed runs: the four arms' losses, and the map."""

from math import log

import numpy as np

from ..model.training import REVERSAL
from ..model.warm_up import ARMS, MAP, MAP_ARMS
from ..palette import LIGHT
from .drawing import Drawing
from .figure import Table
from .marks import rect, text
from .numbers import decimal
from .plots import plot

WIDTH = 340
LEARNED = 0.9       # the accuracy from which a run counts as having learned
GUESSING = log(REVERSAL.vocabulary - 1)

# By arm: colour and line style.
LINES = {
    "post-LN, no warm-up": ("norm", "-"),
    "post-LN, 100 steps of warm-up": ("norm", "--"),
    "pre-LN, no warm-up": ("stream", "-"),
    "DeepNorm, no warm-up": ("norm", ":"),
}


def curves(points, title):
    """The steps and the losses of an arm's runs among committed ``points``: (steps,) and (seeds, steps)."""
    wrapping, warm_up = ARMS[title]
    rows = [point for point in points if (point.wrapping, point.warm_up) == (wrapping, warm_up)]
    seeds = sorted({point.seed for point in rows})
    losses = [[point.loss for point in rows if point.seed == seed] for seed in seeds]
    return np.array([point.step for point in rows if point.seed == seeds[0]]), np.array(losses)


def arms(points):
    """The loss of the four arms over the steps: the median of the seeds, and each seed of the arm that fails."""
    runs = {title: curves(points, title) for title in ARMS}
    failing, *_ = ARMS

    def draw(figure):
        axes = figure.subplots()
        axes.axhline(GUESSING, color=LIGHT["ink"], linestyle=(0, (1, 2)), linewidth=1)
        axes.annotate("ln 9: a guess", (250, GUESSING), (0, 5), textcoords="offset points", ha="right")
        steps, losses = runs[failing]
        for values in losses:
            axes.plot(steps, values, color=LIGHT["norm"], linewidth=0.7, alpha=0.7)
        for title, (colour, style) in LINES.items():
            steps, losses = runs[title]
            axes.plot(steps, np.median(losses, axis=0), style, color=LIGHT[colour], linewidth=2.2, label=title)
        axes.set_ylim(0, 2.9)
        axes.set_xlim(0, 250)
        axes.set_title("Loss (nats) while learning to reverse")
        axes.set_xlabel("steps")
        figure.legend(loc="outside lower left", frameon=False, handlelength=2.4)

    ends = {title: losses[:, -1] for title, (_, losses) in runs.items()}
    rows = tuple((title, *(decimal(number, 2) for number in (np.median(last), last.min(), last.max())))
                 for title, last in ends.items())
    alt = "Loss over the last ten of 250 steps, median and range of the seeds: " + "; ".join(
        f"{title}: {median}, from {least} to {greatest}" for title, median, least, greatest in rows
    ) + f". A guess costs {decimal(GUESSING, 2)}."
    return plot(draw, 390, alt, Table(("arm", "median", "least", "greatest"), rows), "four-arms",
                f"Four arms, {len(ends[failing])} seeds each: thick the median of the seeds, thin each seed of the first arm.")


def learned(outcomes, title, init, layers, learning_rate):
    """``(learned, seeds, mean accuracy reached)`` of one place of the map."""
    wrapping, warm_up = ARMS[title]
    place = (wrapping, warm_up, init, layers, learning_rate)
    reached = np.array([outcome.reached for outcome in outcomes if place == (
        outcome.wrapping, outcome.warm_up, outcome.init, outcome.layers, outcome.learning_rate)])
    return int((reached >= LEARNED).sum()), reached.size, reached.mean()


INIT_WORDS = {"xavier": "Xavier", "gpt2": "std 0.02"}
COLUMN, ROW, BAR = 45, 22, 38
LEFT = {"xavier": 56, "gpt2": 204}


def warm_up_map(outcomes):
    """The map: for each arm, initialisation, depth and learning rate how many seeds learned, and how far they came."""
    marks, rows, top = [], [], 40
    for init, left in LEFT.items():
        marks.append(text(left + 1.5 * COLUMN - 3, 16, INIT_WORDS[init], "strong", "middle"))
    for title in MAP_ARMS:
        colour = LINES[title][0]
        marks.append(text(4, top, title, f"{colour} strong"))
        for line_number, layers in enumerate(MAP["layers"]):
            y = top + 10 + ROW * line_number
            marks.append(text(46, y + 15, f"L = {layers}", "grey", "end"))
            for init, left in LEFT.items():
                for column, rate in enumerate(MAP["learning_rate"]):
                    count, seeds, accuracy = learned(outcomes, title, init, layers, rate)
                    marks += _cell(left + COLUMN * column, y, colour, count, seeds, accuracy)
                    rows.append((f"{title}, {INIT_WORDS[init]}, {layers} layers, rate {rate:g}",
                                 f"{count} of {seeds}", decimal(accuracy, 2)))
        top += 10 + ROW * len(MAP["layers"]) + 26
    for left in LEFT.values():
        marks += [text(left + COLUMN * column + BAR / 2, top - 12, f"{rate:g}", "grey", "middle")
                  for column, rate in enumerate(MAP["learning_rate"])]
    marks.append(text(WIDTH / 2, top + 6, "learning rate", "grey", "middle"))
    table = Table(("runs", "learned", "mean accuracy reached"), tuple(rows))
    return Drawing(WIDTH, top + 14, marks, _map_in_words(outcomes), table, "warm-up-map",
                   "Seeds that reached an accuracy of 0.9 within 250 steps; the bar is the mean accuracy reached.")


def _cell(x, y, colour, count, seeds, accuracy):
    return (rect(x, y + 17, BAR, 3, "faint"), rect(x, y + 17, BAR * accuracy, 3, colour),
            text(x + BAR / 2, y + 13, f"{count}/{seeds}", "strong" if count == seeds else "", "middle"))


def _map_in_words(outcomes):
    told = []
    for title in MAP_ARMS:
        for init, words in INIT_WORDS.items():
            cells = []
            for layers in MAP["layers"]:
                counts = [learned(outcomes, title, init, layers, rate)[0] for rate in MAP["learning_rate"]]
                cells.append(f"{layers} layers {', '.join(map(str, counts))}")
            told.append(f"{title}, {words}: {'; '.join(cells)}")
    seeds = learned(outcomes, MAP_ARMS[0], "xavier", *(values[0] for name, values in MAP.items() if name != "init"))[1]
    rates = ", ".join(f"{rate:g}" for rate in MAP["learning_rate"])
    return f"How many of {seeds} seeds learned at the learning rates {rates}. {'. '.join(told)}."
