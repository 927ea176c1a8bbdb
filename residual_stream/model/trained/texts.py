"""The texts that the committed tables are about."""

import tomllib
from functools import cache
from importlib.resources import files

LONGEST = 512   # tokens; MiniLM takes no more


@cache
def texts():
    """What ``data/trained/texts.toml`` holds: "texts" and "prompts" by name, "pairs" of sentences of one meaning."""
    return tomllib.loads((files("residual_stream") / "data" / "trained" / "texts.toml").read_text("utf-8"))


def fitting(model, text, most=LONGEST):
    """As many whole words of ``text``, from its beginning, as have at most ``most`` tokens in ``model``."""
    words = text.split(" ")
    low, high = 1, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        fits = len(model.tokenizer.encode(" ".join(words[:middle])).ids) <= most
        low, high = (middle, high) if fits else (low, middle - 1)
    return " ".join(words[:low])
