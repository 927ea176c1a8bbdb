"""A question on a page: readable as it stands, graded where ``recall.js`` runs.

Without the script a page shows the prompt, the hints and the worked answer behind disclosures. The script brings the
form to light, grades what is typed with the keys and sentences that stand in the page, and keeps the worked answer
back until an attempt was made.
"""

import json
import re
from html import escape

from ..palette import stylesheet
from .bank import find
from .markup import curly, inline_html, inline_plain, to_html, to_plain


def question(identity, name=None):
    """The recall question with this id, to be shown by a notebook or a page.

    ``name`` makes its HTML ids unique where one page shows a question twice. Raises ValueError, with near matches,
    for an unknown id, and for a name that is not letters, digits and hyphens.
    """
    name = identity.lower() if name is None and isinstance(identity, str) else name
    found = find(identity)
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", name):
        raise ValueError(f"name must be letters, digits and hyphens, beginning with a letter, not {name!r}")
    return Sheet(found, f"recall-{name}")


class Sheet:
    """A question as it is shown: ``text`` for a terminal, ``html`` for a page."""

    def __init__(self, question, identity):
        self.question, self.identity = question, identity

    @property
    def text(self):
        """The prompt in plain characters, what it asks for, and the call that grades it."""
        asked = self.question
        lines = [f"{asked.label}. {to_plain(asked.prompt)}"]
        width = max(len(name) for name in asked.names)
        lines += [f"  {field.name:<{width}}  {inline_plain(field.label)}" for field in asked.fields]
        lines += [f"  {option.letter})  {inline_plain(option.text)}" for option in asked.options]
        blanks = ", ".join(f"{name}=..." for name in asked.names)
        if asked.kind == "prose":
            blanks = 'sentence="..."'
        return "\n".join([*lines, f'Answer with rs.check("{asked.id}", {blanks})'])

    def html(self):
        """The question for a page. Formulas are TeX between ``\\(`` and ``\\)``."""
        asked, identity = self.question, self.identity
        last = len(asked.hints)
        titles = [f"Hint {count} of {last}" for count in range(1, last + 1)] if last > 1 else ["Hint"]
        hints = "".join(_disclosure("recall-hint", title, hint) for title, hint in zip(titles, asked.hints))
        return (
            f'<div class="recall" id="{identity}" role="group" aria-labelledby="{identity}-label">'
            f'<p class="recall-label" id="{identity}-label">{escape(curly(asked.label))}</p>'
            f'<div class="recall-prompt" id="{identity}-prompt">{to_html(asked.prompt)}</div>'
            f"{_options_as_list(asked.options)}{self._form()}"
            f'<p class="recall-due" hidden></p>{hints}{self._answer()}'
            '<p class="recall-later" hidden>The worked answer appears here after an attempt.</p>'
            f'<script type="application/json">{_embedded(page_data(asked))}</script></div>'
        )

    def _answer(self):
        criteria = "".join(f"<li>{inline_html(text)}</li>" for text in self.question.criteria)
        listed = f"<p>A good answer:</p><ol>{criteria}</ol>" if criteria else ""
        return (f'<details class="recall-answer"><summary>Worked answer</summary>'
                f"{to_html(self.question.answer)}{listed}</details>")

    def _form(self):
        identity, asked = self.identity, self.question
        if asked.kind == "prose":
            return self._prose_form()
        controls = "".join(map(self._input, asked.fields)) + "".join(map(self._radio, asked.options))
        if asked.options:
            controls += f'<p class="recall-says" id="{identity}-choice-says"></p>'
        tolerances = {field.percent for field in asked.fields}
        note = (f'<p class="recall-note" id="{identity}-note">A number or arithmetic, such as '
                f"<code>(1 + sqrt(2)) / 3</code>. Right to within {' or '.join(sorted(tolerances))}\N{NO-BREAK SPACE}% counts.</p>"
                if asked.fields else "")
        return (
            '<form class="recall-form" hidden novalidate autocomplete="off">'
            f'<fieldset aria-describedby="{identity}-prompt">'
            f"<legend>Your answer</legend>{controls}</fieldset>{note}"
            f'<p class="recall-buttons"><button type="submit">Check</button> <button type="reset">Clear</button></p>'
            f'<p class="recall-total" id="{identity}-total" role="status"></p></form>'
        )

    def _prose_form(self):
        identity = self.identity
        ticks = "".join(
            f'<div class="recall-option"><input id="{identity}-has-{number}" name="has" type="checkbox" '
            f'value="{number}"><label for="{identity}-has-{number}">{inline_html(text)}</label></div>'
            for number, text in enumerate(self.question.criteria, 1)
        )
        return (
            '<form class="recall-form" hidden autocomplete="off">'
            f'<label for="{identity}-sentence">Your sentence</label>'
            f'<textarea id="{identity}-sentence" name="sentence" rows="3" maxlength="2000" '
            f'aria-describedby="{identity}-prompt"></textarea>'
            '<p class="recall-buttons"><button type="submit">Commit</button> <button type="reset">Clear</button></p>'
            f'<fieldset class="recall-criteria" hidden><legend>What your sentence has</legend>{ticks}</fieldset>'
            f'<p class="recall-total" id="{identity}-total" role="status"></p></form>'
        )

    def _input(self, field):
        control = f"{self.identity}-{field.name}"
        # The name that a notebook calls the field by, unless the label is that name already.
        # A formula alone names nothing to a screen reader; where it is the name, the eye needs no second one.
        unseen = ' class="visually-hidden"' if field.label == rf"\({field.name}\)" else ""
        name = "" if field.label == field.name else f" <code{unseen}>{field.name}</code>"
        return (
            '<div class="recall-field">'
            f'<label for="{control}">{inline_html(field.label)}{name}</label>'
            f'<input id="{control}" name="{field.name}" type="text" maxlength="400" spellcheck="false" '
            f'autocapitalize="none" autocomplete="off" enterkeyhint="done" '
            f'aria-describedby="{control}-says {self.identity}-note">'
            f'<p class="recall-says" id="{control}-says"></p></div>'
        )

    def _radio(self, option):
        control = f"{self.identity}-{option.letter}"
        return (
            f'<div class="recall-option"><input id="{control}" name="choice" type="radio" value="{option.letter}" '
            f'aria-describedby="{self.identity}-choice-says"><label for="{control}">'
            f"<b>{option.letter})</b> {inline_html(option.text)}</label></div>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": self.text, "text/html": f"<style data-rs>{stylesheet()}</style>{self.html()}"}


def _options_as_list(options):
    entries = "".join(f"<li>{inline_html(option.text)}</li>" for option in options)
    return f'<ol class="recall-options" type="a">{entries}</ol>' if options else ""


def _disclosure(kind, summary, text):
    return f'<details class="{kind}"><summary>{summary}</summary>{to_html(text)}</details>'


def page_data(question):
    """What the page's grader needs of a question, as JSON can carry it."""
    return {
        "id": question.id,
        "label": question.label,
        "fields": [
            {"name": field.name, "key": field.key, "tolerance": field.tolerance, "percent": field.percent,
             "mistakes": [list(mistake) for mistake in field.mistakes]}
            for field in question.fields
        ],
        "options": [[option.letter, option.reason] for option in question.options],
        "criteria": len(question.criteria),
    }


def _embedded(data):
    """JSON that may stand inside a script element: no character in it can end the element or open a comment."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
