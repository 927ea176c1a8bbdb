"""The explorer in a live notebook: ipywidgets move the same drawing, computed by the kernel."""

from dataclasses import replace
from html import escape

import ipywidgets as widgets

from . import figure
from .prediction import read_guess

WIDE = {"description_width": "initial"}


def view(explorer):
    """The MIME bundle of a widget view on ``explorer``; its widgets are made here, when it is displayed."""
    bundle = build(explorer)._repr_mimebundle_()
    return {"application/vnd.jupyter.widget-view+json": bundle["application/vnd.jupyter.widget-view+json"]}


def build(explorer):
    """The widgets: the slider with its drawing, behind the question where the explorer asks one."""
    box = widgets.VBox()
    if explorer.predict is None:
        box.children = _slider(explorer, explorer.start)
    else:
        _ask(explorer, box)
    return box


def _slider(explorer, step, guess=None):
    """The slider, a labelled box for typing the same value, and the drawing; ``guess`` is drawn in it."""
    values = explorer.values
    # Rounded, as 0.55 - 0.5 is not 0.05 and the box would show it.
    gap = round(min(after - before for before, after in zip(values, values[1:])), 10)
    options = {"min": values[0], "max": values[-1], "step": gap, "value": values[step], "style": WIDE}
    slider = widgets.FloatSlider(continuous_update=True, readout=False, description=explorer.label, **options)
    box = widgets.BoundedFloatText(description=f"{explorer.label} =", **options)
    picture = widgets.HTML(_picture(explorer, step, guess))

    def show(change):
        nearest = explorer.nearest(change.new)
        # Both get the step itself: a slider in a browser arrives at 1.0499999999999998 for 1.05.
        slider.value = box.value = values[nearest]
        picture.value = _picture(explorer, nearest, guess)

    slider.observe(show, "value")
    box.observe(show, "value")
    return widgets.HBox([slider, box]), picture


def _picture(explorer, step, guess):
    drawing = explorer.merged.drawing(step)
    if guess is not None:
        drawing = replace(drawing, marks=(*drawing.marks, *explorer.predict.marks(guess)))
    return f"{figure.style()}<p>{escape(explorer.said[step])}</p>{drawing.html()}"


def _ask(explorer, box):
    predict = explorer.predict
    guess = widgets.Text(description=predict.label, style=WIDE)
    commit = widgets.Button(description="Commit and see", button_style="primary")
    without = widgets.Button(description="Show me without guessing", layout={"width": "auto"})
    message = widgets.HTML()

    def reveal(verdict="", number=None):
        box.children = (widgets.HTML(f"<p role='status'>{escape(verdict)}</p>"),
                        *_slider(explorer, explorer.step(predict.at), number))

    def committed(_):
        number, error = read_guess(guess.value)
        if error:
            message.value = f"<p role='alert'>{escape(error)}</p>"
        else:
            reveal(predict.verdict(number, guess.value), number)

    def entered(_, content, buffers):
        if content.get("event") == "submit":
            committed(guess)

    commit.on_click(committed)
    without.on_click(lambda _: reveal())
    guess.on_msg(entered)
    box.children = (widgets.HTML(f"<p>{escape(predict.question)}</p>"), widgets.HBox([guess, commit, without]), message)
