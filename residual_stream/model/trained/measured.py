"""The rows of the committed tables, measured on the models themselves.

In float64 where rounding could tell machines apart (covariances near zero, close ranks), else in float32.
"""

import numpy as np

from ..stack import cross_entropy_vjp
from ..weights import KINDS
from . import MODELS, load, smollm2
from .ablation import without, without_at
from .readout import logit_lens, stream_loss
from .tasks import TASKS
from .texts import fitting, texts
from .tracing import MEASURES, token_accounts

PLACES = 3          # so many of the first tokens are reported each for itself
SHUFFLES = 3
TRACED = (*texts()["texts"], "tokyo")
SHORT = ("english-short", "hindi-short", "marathi-short")
LEFT_OUT = {"attention": KINDS[:1], "feed-forward": KINDS[1:], "layer": KINDS}
MASSIVE = 11        # the layer of SmolLM2, counted from 0, whose feed-forward network writes the first token's channel
AT = {"first token only": slice(1), "all but the first": slice(1, None)}


def text_ids(model, name):
    """The token ids of one of the texts or prompts, cut to the longest that both models take."""
    return model.encode(fitting(model, (texts()["texts"] | texts()["prompts"])[name]))


def trace_rows(models=MODELS, names=TRACED):
    """Every addition of both models on every text: medians over the tokens after the first, and the first tokens."""
    for model in map(load, models):
        for text in names:
            ids = text_ids(model, text)
            accounts = token_accounts(model, ids, np.float64)
            traces = {"rest": accounts.medians()} | {str(place): accounts.token(place) for place in range(PLACES)}
            for place, trace in traces.items():
                for values in zip(trace.layer, trace.kind, *(getattr(trace, name) for name in MEASURES), strict=True):
                    yield model.name, text, len(ids), place, *values


def channel_rows():
    """SmolLM2's two largest channels of the first token at each depth, and the typical sizes there and elsewhere."""
    model = load(smollm2.NAME)
    for text in SHORT:
        for depth, stream in enumerate(model.depths(text_ids(model, text), np.float64)):
            size = np.abs(stream)
            first, second = np.argsort(-size[0])[:2]
            yield (text, depth, first, second, stream[0, first], stream[0, second], np.median(size[0]),
                   np.median(size[1:].max(axis=1)), np.median(size[1:]))


def lens_rows(prompts=None):
    """What the logit lens reads at each depth, five tokens a depth, for each prompt."""
    model = load(smollm2.NAME)
    for prompt in prompts or texts()["prompts"]:
        lens = logit_lens(model, model.encode(texts()["prompts"][prompt]), dtype=np.float64)
        answer, = model.words(lens.top[-1, :1])
        for depth, (top, probabilities) in enumerate(zip(lens.top, lens.probability, strict=True)):
            for place, (word, one) in enumerate(zip(model.words(top), probabilities, strict=True), start=1):
                yield prompt, depth, visible(answer), lens.rank[depth], place, visible(word), lens.answer[depth], one


def visible(word):
    """A token's text with white space that would not be seen as a sign for it."""
    word = word.replace("\n", "\u23ce").replace("\t", "\u21e5").replace("\xa0", "\u237d")
    return word.replace(" ", "\u2423") if not word.strip() else word


def reading_rows(names=None):
    """SmolLM2's loss on each text, in order and shuffled, with the final norm and without its division."""
    model = load(smollm2.NAME)
    for text in names or texts()["texts"]:
        ids = text_ids(model, text)
        source = np.random.default_rng(0)
        shuffled = [stream_loss(model, model.stream(mixed), mixed)
                    for mixed in (source.permutation(ids) for _ in range(SHUFFLES))]
        stream = model.stream(ids)
        size = np.sqrt(np.mean(stream**2, axis=-1))
        undivided = cross_entropy_vjp((stream[:-1] * model.final_gamma) @ model.embedding.T, ids[1:])[0]
        deviation = np.median(model.logits(stream[1:]).std(axis=-1))
        yield (text, len(ids), stream_loss(model, stream, ids), np.mean(shuffled),
               np.std(shuffled, ddof=1) / SHUFFLES**0.5, size[0], np.median(size[1:]), deviation, undivided)


def ablation_rows(models=MODELS, layers=None):
    """What becomes of the loss and of the right answer's probability when one branch, or one layer, adds nothing."""
    for model in map(load, models):
        task = TASKS[model.name](model)
        intact = [model.depths(ids) for ids in task.ids]
        yield model.name, -1, "none", *task.score([depths[-1] for depths in intact])
        for layer in range(model.config.layers) if layers is None else layers:
            for name, kinds in LEFT_OUT.items():
                yield model.name, layer, name, *task.score([without(model, depths, layer, kinds) for depths in intact])
            if (model.name, layer) == (smollm2.NAME, MASSIVE):
                for name, tokens in AT.items():
                    streams = [without_at(model, depths, layer, tokens) for depths in intact]
                    yield model.name, layer, f"feed-forward, {name}", *task.score(streams)


ROWS = {"trace": trace_rows, "channels": channel_rows, "lens": lens_rows, "reading": reading_rows,
               "ablation": ablation_rows}
