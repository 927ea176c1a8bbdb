"""The right answers to one student's questions, for whoever answers a complaint about a grade."""

import textwrap

from ..markup import inline_plain, to_plain

WIDTH = 100


def answer_sheet(questions):
    """The questions with their numbers, and under each its keys, its best choice, or its criteria and model answer."""
    return "\n\n".join(
        "\n".join([_wrapped(f"{question.label}. {to_plain(question.prompt)}"),
                   *(textwrap.indent(_wrapped(line), "  ") for line in _ANSWERS[question.kind](question))])
        for question in questions) + "\n"


def _wrapped(text):
    return "\n".join(textwrap.fill(line, WIDTH) for line in text.splitlines())


def _numbers(question):
    return [f"{field.name} = {field.key:.10g} (within {field.percent} % counts)" for field in question.fields]


def _choice(question):
    best = next(option for option in question.options if not option.reason)
    return [f"choice = {best.letter}: {inline_plain(best.text)}"]


def _prose(question):
    return [to_plain(question.answer),
            *(f"{number}. {inline_plain(criterion)}" for number, criterion in enumerate(question.criteria, 1))]


_ANSWERS = {"numeric": _numbers, "choice": _choice, "prose": _prose}
