"""The explorer in a live notebook, its widgets moved as a reader moves them."""

import numpy as np

from residual_stream.pictures.explorer import explore
from residual_stream.pictures.explorer_widget import build, view
from residual_stream.pictures.variance_trace import addition, predict_variance, say_variance

VALUES = np.linspace(-2.5, 2.5, 101)


def explorer(**more):
    return explore(addition, name="variance", a=VALUES, start=0.5, say=say_variance, **more)


def test_the_slider_moves_the_drawing_continuously():
    shown = explorer()
    controls, picture = build(shown).children
    slider, box = controls.children
    assert slider.continuous_update and (slider.min, slider.max, slider.value) == (-2.5, 2.5, 0.5)
    assert slider.step == box.step == 0.05
    assert (slider.description, box.description) == ("a", "a =")
    for value in (-2.5, 0.0, 1.35, 2.5):
        slider.value = value
        assert box.value == value
        assert shown.drawing(value).svg() in picture.value
        assert say_variance(value) in picture.value


def test_the_number_box_moves_the_slider_and_takes_the_nearest_value():
    shown = explorer()
    controls, picture = build(shown).children
    slider, box = controls.children
    box.value = 1.36
    assert slider.value == box.value == 1.35
    assert shown.drawing(1.35).svg() in picture.value


def test_a_browsers_rounding_does_not_reach_the_number_box():
    controls, _ = build(explorer()).children
    slider, box = controls.children
    slider.value = 1.0499999999999998  # what the slider sends for one step up from 1
    assert slider.value == box.value == 1.05


def asked():
    box = build(explorer(predict=predict_variance(1, "What is <Var(x1)>?")))
    question, form, message = box.children
    return box, question, form.children, message


def test_the_question_comes_first_and_its_answer_stays_hidden():
    box, question, (guess, commit, without), message = asked()
    assert question.value == "<p>What is &lt;Var(x1)&gt;?</p>"
    assert guess.description == "Your guess"
    assert "6.66" not in question.value + message.value


def test_a_committed_guess_is_told_and_drawn():
    box, _, (guess, commit, _), _ = asked()
    guess.value = "3.5"
    commit.click()
    verdict, controls, picture = box.children
    assert "You guessed 3.5; the computed value is 6.6623. Your guess is 3.1623 too low." in verdict.value
    assert controls.children[0].value == 1
    assert "your guess" in picture.value
    controls.children[0].value = 2
    assert "your guess" in picture.value


def test_enter_commits_too():
    box, _, (guess, _, _), _ = asked()
    guess.value = "7"
    guess._handle_custom_msg({"event": "submit"}, [])
    assert "too high" in box.children[0].value


def test_what_is_no_number_is_told_and_asked_again():
    box, question, (guess, commit, _), message = asked()
    guess.value = "2,75"
    commit.click()
    assert "Write the decimal mark as a point" in message.value
    assert box.children[0] is question


def test_the_figure_shows_without_a_guess():
    box, _, (_, _, without), _ = asked()
    without.click()
    _, controls, picture = box.children
    assert controls.children[0].value == 1
    assert "your guess" not in picture.value


def test_the_view_names_a_widget():
    bundle = view(explorer())
    assert list(bundle) == ["application/vnd.jupyter.widget-view+json"]
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"]


def test_a_live_kernel_gets_all_three_representations(monkeypatch):
    import IPython

    class Shell:
        kernel = object()

    monkeypatch.setattr(IPython, "get_ipython", Shell)
    bundle = explorer()._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"}
