"""Moodle's XML: numeric questions as cloze (several fields, each with its tolerance), choices, essays with criteria.

Format: Moodle documentation, "Moodle XML format" and "Embedded answers (Cloze) question type".
"""

import re
import xml.etree.ElementTree as ElementTree

from .common import child, criteria_html, html, inline, xml_bytes


def moodle(questions):
    """The bytes of an XML file with these questions, in a category of their own."""
    quiz = ElementTree.Element("quiz")
    category = child(quiz, "question", type="category")
    child(child(category, "category"), "text", "$course$/The residual stream")
    for question in questions:
        _KINDS[question.kind](quiz, question)
    return xml_bytes(quiz)


def _question(quiz, question, kind, text):
    element = child(quiz, "question", type=kind)
    child(child(element, "name"), "text", f"{question.label} ({question.id})")
    _html(element, "questiontext", text)
    _html(element, "generalfeedback", html(question.answer))
    child(element, "idnumber", question.id)
    for hint in question.hints:
        _html(element, "hint", html(hint))
    return element


def _html(parent, tag, text, **attributes):
    child(child(parent, tag, format="html", **attributes), "text", text)


def _cloze(quiz, question):
    rows = "".join(f"<p>{inline(field.label)}: {_numerical(field)}</p>" for field in question.fields)
    _question(quiz, question, "cloze", html(question.prompt) + rows)


def _numerical(field):
    """One field of a cloze text: the right value first, then each known mistake, worth nothing, with its words."""
    answers = [f"={_with_tolerance(field.key, field.tolerance)}#correct"]
    answers += [f"%0%{_with_tolerance(value, field.tolerance)}#{_escaped(says)}" for value, says in field.mistakes]
    return "{1:NUMERICAL:" + "~".join(answers) + "}"


def _with_tolerance(value, tolerance):
    return f"{value:.10g}:{tolerance * (abs(value) or 1):.6g}"


def _escaped(text):
    return re.sub(r"([}#~/\"\\])", r"\\\1", text)


def _choice(quiz, question):
    element = _question(quiz, question, "multichoice", html(question.prompt))
    child(element, "defaultgrade", "1")
    child(element, "single", "true")
    child(element, "shuffleanswers", "true")
    child(element, "answernumbering", "abc")
    for option in question.options:
        answer = child(element, "answer", fraction="0" if option.reason else "100", format="html")
        child(answer, "text", inline(option.text))
        _html(answer, "feedback", option.reason or "correct")


def _essay(quiz, question):
    element = _question(quiz, question, "essay", html(question.prompt))
    child(element, "defaultgrade", str(question.out_of))
    child(element, "responseformat", "editor")
    child(element, "responserequired", "1")
    child(element, "responsefieldlines", "5")
    _html(element, "graderinfo", criteria_html(question))


_KINDS = {"numeric": _cloze, "choice": _choice, "prose": _essay}
