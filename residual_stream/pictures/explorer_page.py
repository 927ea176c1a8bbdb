"""The explorer on a page: a figure that reads with no script, and the data with which the script moves it."""

import json
from html import escape

from . import figure


def html(explorer):
    """The explorer as HTML; ids are made of its name."""
    asks = explorer.predict is not None
    return (f'<figure class="picture explorer{" predicting" if asks else ""}" id="explorer-{explorer.name}" '
            f'data-explorer="{explorer.name}" style="--ratio:{_ratio(explorer.merged.first)}">'
            f'{_form(explorer) if asks else ""}'
            f'<div class="truth">{_svg(explorer)}{_control(explorer)}{figure.caption(explorer.caption)}'
            f'{figure.details(explorer.table())}</div>'
            f'<script type="application/json">{_json(_data(explorer))}</script></figure>')


def _ratio(drawing):
    """Width over height: the page keeps drawing and slider in one screen with it."""
    return round(drawing.width / drawing.height, 3)


def _svg(explorer):
    drawing = explorer.merged.drawing(explorer.start)
    guess = explorer.predict.marks(explorer.predict.truth) if explorer.predict else ()
    waiting = (mark.with_attribute("display", "none") for mark in guess)
    content = "".join(mark.svg() for mark in (*drawing.marks, *waiting))
    return figure.svg(drawing.width, drawing.height, content, drawing.alt)


def _control(explorer):
    said = escape(explorer.said[explorer.start])
    return (f'<div class="control" hidden><label for="{explorer.name}-value">{escape(explorer.label)}</label>'
            f'<input type="range" id="{explorer.name}-value" min="0" max="{len(explorer.values) - 1}" '
            f'value="{explorer.start}" aria-valuetext="{said}" autocomplete="off">'
            f'<output for="{explorer.name}-value" aria-live="off">{said}</output></div>'
            f'<noscript><p>The slider needs JavaScript. The figure stands at {said}; the data below has other values.'
            f'</p></noscript>')


def _form(explorer):
    name, predict = explorer.name, explorer.predict
    return (f'<form class="prediction" hidden novalidate><p id="{name}-question">{escape(predict.question)}</p>'
            f'<label for="{name}-guess">{escape(predict.label)}</label>'
            f'<input type="text" id="{name}-guess" autocomplete="off" aria-describedby="{name}-question {name}-error">'
            f'<button type="submit">Commit and see</button>'
            f'<button type="button" class="without">Show me without guessing</button>'
            f'<p class="error" id="{name}-error" role="alert"></p></form><p class="verdict" role="status"></p>')


def _data(explorer):
    data = {
        "start": explorer.start,
        "values": explorer.values,
        "said": explorer.said,
        "alts": explorer.merged.alts,
        "varying": explorer.merged.varying,
    }
    if explorer.predict is not None:
        data["predict"] = {"at": explorer.step(explorer.predict.at)} | explorer.predict.data()
    return data


def _json(data):
    # In a script element only "<" can end the element or open a comment, and JSON has it only inside strings.
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
