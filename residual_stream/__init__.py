"""The residual stream: transformer layer design and stacking, measured.

The names below are the public interface. Each is imported when it is first used, so that
``import residual_stream`` costs milliseconds: a forward trace needs neither sympy nor matplotlib.
"""

from importlib import import_module

__version__ = "0.1.0"

_HOME = {
    "layer_norm": "model.sublayers",
    "rms_norm": "model.sublayers",
    "Config": "model.config",
    "WRAPPINGS": "model.wrappings",
    "trace": "model.trace",
    "Trace": "model.trace",
    "gradient_norms": "model.trace",
    "jacobian": "model.trace",
    "account": "model.addition",
    "Account": "model.addition",
    "train": "model.training",
    "parameter_counts": "model.presets",
    "variance_after": "closed_form",
    "derivation": "closed_form",
    "explore": "pictures.explorer",
    "Prediction": "pictures.explorer",
    "question": "recall.page",
    "check": "recall.grader",
    "progress": "recall.progress",
}

__all__ = sorted(_HOME)


def __getattr__(name):
    if name == "model":     # for rs.model.trained, which goes by its full name
        import_module(f"{__name__}.model.trained")
        return globals()[name]
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__():
    return sorted([*globals(), *_HOME])
