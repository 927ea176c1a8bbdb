"""The drawings of trained models against the committed tables, and the chapter's words about them."""

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest

from residual_stream.model.trained.measured import MASSIVE
from residual_stream.model.trained.tables import committed
from residual_stream.pictures import logit_lens, trained_growth, trained_layers
from residual_stream.pictures.explorer import explore
from residual_stream.pictures.trained_growth import short

CHAPTER = Path(__file__).parents[2] / "chapters" / "trained.ipynb"


@pytest.fixture(scope="module")
def growth():
    return trained_growth.growth()


@pytest.fixture(scope="module")
def lens():
    return logit_lens.Lens("tokyo")


def trace(name, place="rest", text="english-long", model="smollm2-135m", **wanted):
    return committed("trace").column(name, model=model, text=text, place=place, **wanted)


def of(drawing, tag, kind):
    found = [dict(mark.attributes) for mark in drawing.marks if mark.tag == tag]
    return [attributes for attributes in found if attributes["class"] == kind]


def points(path):
    return [[float(number) for number in point.split()] for point in path["d"][1:].split("L")]


def read(text):
    return float(text.replace(",", "").replace("−", "-"))


@pytest.mark.parametrize("addition", [1, 2, 24, 58, 60])
def test_the_slider_tells_the_account_of_its_addition(growth, addition):
    drawing = growth.at(addition)
    cells = dict(drawing.table.rows)
    for who, place in (("typical", "rest"), ("first", 0)):
        for name, column, factor in (("Var(x)", "var_stream", 1), ("Var(f)", "var_branch", 1),
                                     ("2 Cov", "covariance", 2), ("Var(x) after", "var_sum", 1),
                                     ("correlation", "correlation", 1)):
            value = factor * trace(column, place)[addition - 1]
            assert read(cells[f"{who}: {name}"]) == pytest.approx(value, rel=6e-3, abs=5.1e-3)
            assert f"{name} {cells[f'{who}: {name}']}" in drawing.alt
    kind = trace("kind")[addition - 1]
    assert drawing.alt.startswith(f"Addition {addition} of 60, {kind} of layer {(addition + 1) // 2}.")


def test_the_curves_are_the_logarithms_of_the_variances(growth):
    drawing = growth.at(60)
    for kind, place in (("stream", "rest"), ("ink dashed", 0)):
        curve = points(of(drawing, "path", kind)[0])
        values = np.log10([trace("var_stream", place)[0], *trace("var_sum", place)])
        slope, offset = np.polyfit(values, [y for _, y in curve], 1)
        assert slope < -20 and np.abs(slope * values + offset - [y for _, y in curve]).max() < 0.08
    post = np.log10(trace("var_stream", model="minilm"))
    assert np.allclose([y for _, y in points(of(drawing, "path", "norm")[0])], slope * post + offset, atol=0.1)
    for n in (1, 24, 60):
        dot, = of(growth.at(n), "circle", "stream")
        assert (float(dot["cx"]), float(dot["cy"])) == tuple(points(of(drawing, "path", "stream")[0])[n])


def test_the_ratio_is_from_the_embedding_to_the_end(growth):
    assert growth.ratio() == pytest.approx(trace("var_sum")[-1] / trace("var_stream")[0])


@pytest.mark.parametrize("value, expected", [
    (0.0135317, "0.0135"), (2.59432, "2.59"), (43.01, "43.0"), (410.7, "411"), (696420, "696,420"),
    (-80711, "−80,711"), (-0.5, "−0.5000"), (0, "0.0000"),
])
def test_numbers_of_any_size_are_short(value, expected):
    assert short(value) == expected


@pytest.mark.parametrize("depth", [0, 1, 47, 59, 60])
def test_the_lens_shows_words_probabilities_and_the_rank(lens, depth):
    drawing, table = lens.at(depth), committed("lens")
    words = table.column("word", prompt="tokyo", depth=depth)
    chances = table.column("probability", prompt="tokyo", depth=depth)
    rank, = set(table.column("rank", prompt="tokyo", depth=depth))
    bars = [mark for mark in drawing.marks if mark.tag == "rect"]
    for word, chance, bar in zip(words, chances, bars, strict=True):
        assert f"“{word.removeprefix(' ')}” {chance:.3f}" in drawing.alt
        assert float(dict(bar.attributes)["width"]) == pytest.approx(172 * chance, abs=0.06)
        assert (dict(bar.attributes)["class"] == "branch") == (word == " Tokyo")
    assert f"rank {int(rank):,}." in drawing.alt
    dot, = of(drawing, "circle", "branch")
    best, worst = (points(of(drawing, "path", "branch")[0])[at][1] for at in (60, int(np.argmax(lens.rank))))
    height = np.log10(int(rank)) / np.log10(max(lens.rank))
    assert float(dot["cy"]) == pytest.approx(best + (worst - best) * height, abs=0.11)


def test_the_guess_is_drawn_at_its_depth(lens):
    prediction = lens.predict("?")
    assert prediction.truth == prediction.at == lens.first_on_top()
    for guess in (0, 13, 60):
        stroke = dict(prediction.marks(guess)[0].attributes)
        assert float(stroke["x1"]) == float(stroke["x2"]) == pytest.approx(62 + 266 * guess / 60, abs=0.06)


def test_the_lens_s_place_in_words():
    assert [logit_lens.place(n) for n in (0, 1, 2, 47, 60)] == [
        "The embedding", "Layer 1, after attention", "Layer 1, after feed-forward", "Layer 24, after attention",
        "Layer 30, after feed-forward"]


def test_both_sliders_are_light_and_stay_in_their_drawing(growth, lens, keeps_inside):
    for explorer in (explore(growth.at, addition=range(1, 61), say=growth.say),
                     explore(lens.at, depth=range(61), say=lens.say)):
        assert len(gzip.compress(explorer.html().encode())) < 15_000
        for value in explorer.values:
            keeps_inside(explorer.drawing(value))


def test_bars_and_rings_stand_at_the_correlations():
    drawing = trained_layers.signs()
    bars = of(drawing, "rect", "covariance")
    rings = of(drawing, "circle", "ink hollow")
    for index, kind in enumerate(("attention", "feed-forward")):
        unit, zero = 156 / 1.25, 182 + 216 * index - 0.5 * 156 / 1.25
        english, hindi = (trace("correlation", text=text, kind=kind) for text in ("english-long", "hindi-long"))
        heights = [float(bar["height"]) for bar in bars[30 * index:30 * index + 30]]
        assert heights == pytest.approx(unit * np.abs(english), abs=0.11)
        centres = [float(ring["cy"]) for ring in rings[30 * index:30 * index + 30]]
        assert centres == pytest.approx(zero - unit * hindi, abs=0.06)


@pytest.mark.parametrize("model, between", [("smollm2-135m", (3.45, 14.5)), ("minilm", (0.0115, 0.09))])
def test_every_silenced_branch_has_its_mark_at_its_loss(model, between):
    drawing = trained_layers.skipping(model, between, (), 2, "x")
    low, high = np.log10(between)
    for kind, mark in (("attention", "branch hollow"), ("feed-forward", "branch")):
        losses = committed("ablation").column("loss", model=model, left_out=kind)
        found = [float(circle["cx"]) for circle in of(drawing, "circle", mark)][1:]     # the first is the legend's
        assert found == pytest.approx(34 + 292 * (np.log10(losses) - low) / (high - low), abs=0.06)
        assert f"Without {kind} it is highest in layer {losses.argmax() + 1}, {losses.max():.4f}." in drawing.alt


def test_the_chapter_s_words_about_growth_hold():
    variance = np.array([trace("var_stream")[0], *trace("var_sum")])
    assert variance[2] / variance[1] > 100, "the first feed-forward network multiplies by more than a hundred"
    layers = variance[2::2]
    rates = [(layers[b] / layers[a]) ** (1 / (b - a)) for a, b in ((0, 9), (9, 19), (19, 29))]
    assert rates[1] < min(rates[0], rates[2]), "steeper at both ends"
    first = trace("var_sum", 0)
    jumps = first[1:] / first[:-1]
    assert jumps.argmax() + 1 == 2 * MASSIVE + 1 and jumps.max() > 10_000
    for layer, part in ((10, 0.2), (29, 0.2), (30, 0.65)):
        assert first[2 * layer - 1] < part * first[2 * layer - 2], "the humps end there"
    assert trace("var_branch").argmax() == 59, "the largest branch of all"


def test_the_chapter_s_words_about_signs_hold():
    falls = set()
    for text in dict.fromkeys(committed("trace").column("text")):
        r, variance = trace("correlation", text=text), [trace("var_stream", text=text)[0], *trace("var_sum", text=text)]
        assert 2 / 3 - 0.01 <= (r > 0).mean() <= 3 / 4
        falls.add(int((np.diff(variance) < 0).sum()))
    assert (min(falls), max(falls)) == (3, 9)
    first = [trace("correlation", text=text)[0] for text in ("english-long", "hindi-long")]
    assert first[1] < first[0] < 0


def test_the_chapter_s_words_about_post_ln_hold():
    """All tokens but the first are flat; the first one's sums are large in four layers and normed at once."""
    assert trace("var_stream", model="minilm").max() < 1
    stream, branch, r = (trace(name, 0, model="minilm", kind="feed-forward")
                         for name in ("var_stream", "var_branch", "correlation"))
    assert (r[:4] > 0.9).all() and (branch[:4] > 2.5 * stream[:4]).all() and (branch[4:] < stream[4:]).all()
    assert trace("var_stream", 0, model="minilm").max() < 3


def test_the_chapter_s_words_about_the_lens_hold(lens):
    assert all(rank > 9_000 for rank in lens.rank[:47]) and max(lens.rank) < 49_152
    assert 1_000 < lens.rank[47] < 2_000 and lens.rank[49] < 1_000
    assert lens.first_on_top() == 60 and lens.words[0][0] == " is"


def test_the_chapter_s_words_about_silence_hold():
    def changes(model, kind):
        table = committed("ablation")
        return table.column("loss", model=model, left_out=kind) - table.column("loss", model=model, layer=-1)[0]

    attention, feed_forward = (changes("smollm2-135m", kind) for kind in ("attention", "feed-forward"))
    assert np.argsort(-attention)[:1] + 1 == 2 and set(np.argsort(-feed_forward)[:3] + 1) == {1, 12, 30}
    assert committed("ablation").column("loss", model="smollm2-135m", left_out="feed-forward").max() > np.log(49152)
    whole = changes("minilm", "layer")
    assert whole.argmax() == 5 and whole.argsort()[0] in (2, 3)
    assert (changes("minilm", "attention")[3:5] < 0).all() and (changes("minilm", "attention")[[0, 1, 2, 5]] > 0).all()


def test_the_chapter_s_tables_say_what_was_counted():
    cells = {cell["id"]: "".join(cell["source"]) for cell in json.loads(CHAPTER.read_text("utf-8"))["cells"]}
    source = cells["corrections"]
    texts = ("english-long", "hindi-long")
    total = [(trace("correlation", text=text) > 0).sum() for text in texts]
    each = [(trace("correlation", text=text, kind=kind) > 0).sum()
            for kind in ("attention", "feed-forward") for text in texts]
    post = [(trace("correlation", text=text, model="minilm") > 0).sum() for text in texts]
    assert f"{total[0]} of 60 branches on a page of English, {total[1]} on Hindi" in source
    assert f"attention in {each[0]} and {each[1]} of 30 layers, feed-forward in {each[2]} and {each[3]}" in source
    assert f"{post[0]} of 12 on English, {post[1]} on Hindi" in source
    growth = [trace("var_sum", text=text)[-1] - trace("var_stream", text=text)[0] for text in texts]
    shares = [2 * trace("covariance", text=text).sum() / added for text, added in zip(texts, growth)]
    assert [f"{100 * share:.0f}" for share in shares] == re.findall(r"(\d+) % ", source)
