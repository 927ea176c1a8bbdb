"""What the pictures' tests share: the page's script without a page, in V8, and whether marks keep to their drawing."""

import json
from pathlib import Path

import pytest
from py_mini_racer import MiniRacer

SCRIPT = Path(__file__).parents[2] / "_assets" / "js" / "slider.js"


@pytest.fixture(scope="session")
def script():
    """``script(name, *arguments)`` calls a function of the slider's script with JSON arguments, returns its JSON."""
    engine = MiniRacer()
    engine.eval(SCRIPT.read_text("utf-8"))

    def call(name, *arguments):
        listed = ",".join(json.dumps(argument) for argument in arguments)
        return json.loads(engine.eval(f"JSON.stringify(residualStream.slider.{name}({listed}) ?? null)"))

    call.engine = engine
    return call


def _keeps_inside(drawing):
    for mark in drawing.marks:
        for name, value in mark.attributes:
            if name in ("x", "x1", "x2", "cx"):
                assert 0 <= float(value) <= drawing.width, mark
            if name in ("y", "y1", "y2", "cy"):
                assert 0 <= float(value) <= drawing.height, mark


@pytest.fixture(scope="session")
def keeps_inside():
    """``keeps_inside(drawing)`` asserts that every mark of a drawing lies inside it."""
    return _keeps_inside
