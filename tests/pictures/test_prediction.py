"""The guess in Python and in the page's script: one reading, one verdict, one place in the drawing."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from residual_stream.pictures import prediction
from residual_stream.pictures.marks import circle, line, path, text
from residual_stream.pictures.prediction import Prediction, read_guess

TYPED = st.one_of(
    st.text(st.sampled_from("0123456789+-\u2212.,eE \t\u00a0xn"), max_size=8),
    st.floats(-1e10, 1e10).map(str),
    st.text(max_size=6),
)


def mark(guess):
    return line(10, 100 - 10 * guess, 20, 100 - 10 * guess, "guess"), text(3 * guess, 5, "your guess")


def predict(**more):
    return Prediction("What is it?", **({"at": 1, "truth": 4.25} | more))


@settings(deadline=None, max_examples=400)
@given(typed=TYPED)
@example("1e999")
@example("\u22122.5")
@example("\u0663")
@example("0x10")
@example("Infinity")
@example("1_000")
@example("\ufeff1")
def test_the_page_reads_what_python_reads(script, typed):
    number, error = read_guess(typed)
    assert script("readGuess", typed) == ({"error": error} if error else {"number": number})


@pytest.mark.parametrize(("typed", "number", "error"), [
    ("2.75", 2.75, None), (" \u22120.5 ", -0.5, None), (".5", 0.5, None), ("3.", 3.0, None), ("1e2", 100.0, None),
    ("", None, prediction.NO_GUESS), ("2,75", None, prediction.COMMA), ("1,000.5", None, prediction.COMMA),
    ("about 3", None, prediction.NO_NUMBER), ("nan", None, prediction.NO_NUMBER), ("2e9", None, prediction.TOO_LARGE),
])
def test_guesses_that_people_type(typed, number, error):
    assert read_guess(typed) == (number, error)


@settings(deadline=None, max_examples=300)
@given(guess=st.floats(-1e9, 1e9), truth=st.floats(-1e6, 1e6), digits=st.integers(0, 6),
       unit=st.sampled_from(("", "V")), bounded=st.booleans())
def test_the_page_says_what_python_says(script, guess, truth, digits, unit, bounded):
    plot = {"mark": mark, "between": (0, 10)} if bounded else {}
    predicted = predict(truth=truth, digits=digits, unit=unit, **plot)
    assert script("verdict", predicted.data(), guess, f" {guess} ") == predicted.verdict(guess, f" {guess} ")


def test_verdicts():
    assert predict().verdict(2.75, "2.75") == (
        "You guessed 2.75; the computed value is 4.2500. Your guess is 1.5000 too low.")
    assert predict(unit="V", digits=1).verdict(5, "5") == (
        "You guessed 5 V; the computed value is 4.3 V. Your guess is 0.8 V too high.")
    assert predict().verdict(4.25, "4.25").endswith("Your guess is right.")
    assert predict(mark=mark, between=(0, 3)).verdict(4, "4").endswith("its mark stands at the edge.")


@settings(deadline=None)
@given(guess=st.floats(-20, 20))
def test_the_page_draws_the_guess_where_python_does(script, guess):
    predicted = predict(mark=mark, between=(0, 10))
    drawn = predicted.marks(guess)
    moved = script("guessAt", predicted.data(), guess)
    assert {(index, name) for index, name, _ in moved} == {(0, "y1"), (0, "y2"), (1, "x")}
    for index, name, value in moved:
        assert float(value) == pytest.approx(float(dict(drawn[index].attributes)[name]), abs=0.1001)


def test_a_guess_beyond_the_plot_is_drawn_at_its_edge():
    predicted = predict(mark=mark, between=(0, 10))
    assert predicted.marks(99) == predicted.marks(10)
    assert predicted.marks(-1) == predicted.marks(0)
    assert predict().marks(3) == ()


@pytest.mark.parametrize(("more", "message"), [
    ({"truth": float("nan")}, "truth"),
    ({"mark": mark}, "belong together"),
    ({"between": (0, 1)}, "belong together"),
    ({"mark": mark, "between": (1, 1)}, "growing"),
    ({"mark": lambda guess: circle(guess ** 2, 0, 1), "between": (0, 10)}, "cx of mark 0 of the guess is not linear"),
    ({"mark": lambda guess: path(f"M0 {guess}"), "between": (0, 10)}, "d of mark 0 of the guess is not linear"),
    ({"mark": lambda guess: text(0, 0, str(guess)), "between": (0, 10)}, "changes more than coordinates"),
])
def test_wrong_predictions_are_named(more, message):
    with pytest.raises(ValueError, match=message):
        predict(**more)


@pytest.mark.parametrize(("named", "step"), [
    ("1.35", 2), ("1.350", 2), ("-0.5", 0), ("+0", 1), ("1.36", -1), ("99", -1), ("", -1), ("NaN", -1),
    ("Infinity", -1), ("0x1", -1), ("1.35<script>", -1), ("1,35", -1), (" 1.35", -1), (None, -1), ("1" * 40, -1),
    ("1.35e0", 2),
])
def test_the_address_names_a_value_of_the_slider_or_nothing(script, named, step):
    assert script("stepNamed", named, [-0.5, 0, 1.35]) == step


@pytest.mark.parametrize(("key", "step", "target"), [
    ("PageUp", 5, 15), ("PageUp", 95, 100), ("PageDown", 5, 0), ("PageDown", 50, 40), ("ArrowUp", 5, -1), ("a", 5, -1),
])
def test_page_keys_move_by_ten_steps(script, key, step, target):
    assert script("stepByKey", key, step, 100) == target


def test_the_field_says_what_kind_of_number_it_takes():
    assert predict().label == "Your guess"
    assert predict(unit="nats").label == "Your guess in nats"
    assert predict(asked_as="as a factor").label == "Your guess, as a factor"
