"""The page's script without a page: its pure functions in V8."""

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
