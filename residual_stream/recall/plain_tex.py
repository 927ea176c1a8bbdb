r"""TeX spelled out for plain text: ``\sqrt{\sigma_0^2}`` becomes √(σ0²). A small part of the language, by design."""

import re

_SYMBOLS = {
    "partial": "∂",
    "cdot": "·", "times": "×", "approx": "≈", "to": "→", "dots": "...", "pm": "±", "ne": "≠", "ge": "≥", "le": "≤",
    "sigma": "σ", "gamma": "γ", "beta": "β", "mu": "μ", "alpha": "α", "varepsilon": "ε",
    ",": " ", ";": " ", "quad": " ", "left": "", "right": "", "{": "{", "}": "}", "|": "‖",
}
_SHOWN_AS_THEY_ARE = ("operatorname", "mathrm", "mathbf", "text")
_TOKEN = re.compile(r"\\[A-Za-z]+(?=\s*)|\\.|\s+|.", re.DOTALL)
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain_tex(tex):
    """The plain form of a formula; raises ValueError, naming what was met, for TeX that has none."""
    tokens = _TOKEN.findall(tex)
    tokens.reverse()
    text = _group(tokens, tex, closed_by=None)
    return re.sub(r"\s+", " ", text).strip()


def _group(tokens, tex, closed_by):
    """Everything up to the closing brace; ``tokens`` is a stack, and what is read is taken from it."""
    done = []
    while tokens and tokens[-1] != "}":
        done.append(_item(tokens, tex))
    if bool(tokens) != bool(closed_by):
        raise ValueError(f"the braces do not match in the TeX {tex!r}")
    if closed_by:
        tokens.pop()
    return "".join(done)


def _item(tokens, tex):
    token = tokens.pop()
    if token == "{":
        return _group(tokens, tex, closed_by="}")
    if token == "_":
        index = _argument(tokens, tex)
        return index if index.isdigit() else f"_{index if index.isalpha() else _bracketed(index)}"
    if token == "^":
        power = _argument(tokens, tex)
        return power.translate(_SUPERSCRIPT) if power.isdigit() else f"^{_bracketed(power)}"
    return _command(token[1:], tokens, tex) if token[0] == "\\" else token


def _argument(tokens, tex):
    while tokens and tokens[-1].isspace():
        tokens.pop()
    if not tokens or tokens[-1] == "}":
        raise ValueError(f"an argument is missing in the TeX {tex!r}")
    return _item(tokens, tex)


def _command(name, tokens, tex):
    if name in _SYMBOLS:
        return _SYMBOLS[name]
    if name in _SHOWN_AS_THEY_ARE:
        return _argument(tokens, tex)
    if name == "class":
        _argument(tokens, tex)
        return _argument(tokens, tex)
    if name == "sqrt":
        return f"√{_bracketed(_argument(tokens, tex))}"
    if name == "frac":
        return f"{_bracketed(_argument(tokens, tex))}/{_bracketed(_argument(tokens, tex))}"
    raise ValueError(f"\\{name} has no plain form, in the TeX {tex!r}")


def _bracketed(text):
    return text if re.fullmatch(r"[0-9.]+|\w[0-9]?", text) else f"({text})"
