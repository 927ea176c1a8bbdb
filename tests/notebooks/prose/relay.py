"""The numbers in the prose of the chapter on the relay, cell by cell and in order."""

from inspect import signature

from residual_stream.model.presets import PRESETS
from residual_stream.pictures.relay import Relays

# Published counts of boxes and carriers, each cited where it stands: none is computed.
BOXES, PRESS, CARRIERS, LEFT = 130_000, 200_000, 5_000, 1_000


def explained():
    return {
        "box": [BOXES, CARRIERS, LEFT, CARRIERS],
        "two": [signature(Relays).parameters["runs"].default],
        "depth": [2 * PRESETS["gpt3"].layers],
        "corrections": [PRESS, BOXES, PRESS],
    }
