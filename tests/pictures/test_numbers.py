import json
from math import inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from residual_stream.pictures.numbers import MINUS, coordinate, counted, decimal, digits_of

NUMBERS = st.floats(-1e9, 1e9)


@settings(deadline=None)
@given(value=NUMBERS, digits=st.integers(0, 8))
def test_decimal_rounds_as_the_page_does(script, value, digits):
    page = script.engine.eval(f"Math.abs({json.dumps(value)}).toFixed({digits})")
    sign = MINUS if value < 0 and float(page) != 0 else ""
    assert decimal(value, digits) == sign + page


@pytest.mark.parametrize(("value", "digits", "text"), [
    (0.03125, 4, "0.0313"), (-0.5, 0, "−1"), (-0.00001, 4, "0.0000"), (-7.905694, 4, "−7.9057"), (16.6583, 2, "16.66"),
    (1e23, 0, "99999999999999991611392"),
])
def test_decimal_of_known_values(value, digits, text):
    assert decimal(value, digits) == text


@settings(deadline=None)
@given(value=NUMBERS)
def test_a_coordinate_is_within_half_a_tenth_and_short(value):
    text = coordinate(value)
    assert abs(float(text) - value) <= 0.05 + 1e-6
    assert not text.endswith(".0") and text != "-0"


@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_what_is_not_finite_is_refused(value):
    for function in (coordinate, decimal):
        with pytest.raises(ValueError, match="finite"):
            function(value)


def test_digits_tell_the_values_apart():
    assert digits_of((0.05, 0.1)) == 2
    assert digits_of((-2.0, 3.0)) == 0
    assert digits_of((1e-7, 1.0)) == 7


def test_one_thing_is_singular():
    assert [counted(number, "layer") for number in (0, 1.0, 12)] == ["0 layers", "1 layer", "12 layers"]
