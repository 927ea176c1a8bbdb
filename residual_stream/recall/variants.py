"""Numbers of one's own: each student's parameters are drawn by a hash, so that nothing has to be kept."""

from hashlib import sha256


def values(choices):
    """The values, in order, that ``{among = [...]}`` or ``{from, to, step}`` (both ends included) stands for."""
    if "among" in choices:
        return choices["among"]
    steps = round((choices["to"] - choices["from"]) / choices["step"])
    return [round(choices["from"] + step * choices["step"], 10) for step in range(steps + 1)]


def draw(choices, seed):
    """One value of each list in ``choices``, a dict from name to values, chosen by the SHA-256 of the text ``seed``."""
    number = int.from_bytes(sha256(seed.encode("utf-8")).digest(), "big")
    drawn = {}
    for name, among in choices.items():
        number, place = divmod(number, len(among))
        drawn[name] = among[place]
    return drawn
