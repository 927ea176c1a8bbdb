"""Grading: a value is compared, a text is read first; every verdict is one clause.

The comparison and the sentences are the same in ``recall_grader.js``, which grades the texts typed into the page.
"""

import re

import numpy as np

from .bank import Question, close, find
from .cells import Answer
from .markup import inline_plain, to_plain
from .reader import Refusal, quoted, read_answer, trim
from .schema import near
from .sentences import REFUSALS, fill
from .verdicts import Result, SelfMark, Verdict

NEARLY = 10
"""Within this many tolerances an answer is close, not off: its digits were cut too early."""

_LETTER = re.compile(r"""(["']?)([A-Za-z])\1""")
_SCALARS = (int, float, *{
    kind for kind in np.sctypeDict.values()
    if issubclass(kind, (np.integer, np.floating)) and not issubclass(kind, np.timedelta64)
})


def grade_number(field, value):
    """The verdict on one finite float: the key, the mistakes in the bank's order, then whether it was nearly right."""
    if close(value, field.key, field.tolerance):
        return Verdict(field.name, "correct", {})
    for known, says in field.mistakes:
        if close(value, known, field.tolerance):
            return Verdict(field.name, "mistake", {"says": says})
    if close(value, field.key, NEARLY * field.tolerance):
        return Verdict(field.name, "close", {"percent": field.percent})
    return Verdict(field.name, "off", {})


def grade_choice(question, letter):
    """The verdict on a letter, upper or lower case."""
    for option in question.options:
        if letter.lower() == option.letter:
            if not option.reason:
                return Verdict("choice", "correct", {})
            return Verdict("choice", "mistake", {"says": option.reason})
    raise Refusal(fill(REFUSALS["choice"], letters=", ".join(option.letter for option in question.options)))


def grade_ticks(question, text):
    """The verdict on the numbers of the criteria that a learner finds met, such as ``1 3``; 0 for none of them."""
    count = len(question.criteria)
    numbers = set(re.split("[ ,]+", text))
    if numbers != {"0"} and not numbers <= {str(number) for number in range(1, count + 1)}:
        raise Refusal(fill(REFUSALS["criteria"], count=count))
    return Verdict("has", "ticked", {"points": len(numbers - {"0"})})


def _require_names(question, answers):
    for name in answers:
        if name not in question.names:
            raise ValueError(f"{question.label} asks for no {name}{near(name, question.names)}")


def _grade(question, answers, read):
    """The result for answers by name; ``read(name, answer)`` is a verdict, None for a blank, or a Refusal."""
    verdicts = []
    for name in question.names:
        try:
            verdict = read(name, answers.get(name))
        except Refusal as refusal:
            verdict = Verdict(name, "refused", {"quoted": _quote(answers[name]), "reason": str(refusal)})
        verdicts.append(verdict or Verdict(name, "blank", {}))
    if question.kind == "prose":
        return SelfMark(question.id, question.label, tuple(verdicts), question.out_of)
    return Result(question.id, question.label, tuple(verdicts))


def grade_text(question, answers):
    """Grade typed answers, a dict from field name to text (``choice`` to a letter). Never runs what was typed.

    Prose is not judged: ``sentence`` is committed, and ``has`` names the criteria that its writer finds met.
    ``question`` is a Question or an id. Blank or missing texts are not answered yet. Raises ValueError for an
    unknown question, for a name that it does not ask for, and for an answer that is no text.
    """
    question = question if isinstance(question, Question) else find(question)
    fields = {field.name: field for field in question.fields}
    for name, text in answers.items():
        if type(text) is not str:
            raise ValueError(f"{question.label} {name}: a typed answer is a text, and {type(text).__name__} is not")

    _require_names(question, answers)

    def read(name, text):
        if text is None or not trim(text):
            return None
        if name == "choice":
            return grade_choice(question, trim(text))
        if name == "sentence":
            return Verdict(name, "committed", {})
        if name == "has":
            return grade_ticks(question, trim(text))
        return grade_number(fields[name], read_answer(text))

    return _grade(question, answers, read)


def grade_values(question, answers):
    """Grade values by name: plain int, float or NumPy scalars, a letter for ``choice``; None and ... are blank.

    Anything else is refused without a method of it being called, so that no object can declare itself right.
    """
    question = question if isinstance(question, Question) else find(question)
    fields = {field.name: field for field in question.fields}

    _require_names(question, answers)

    def read(name, value):
        if value is None or value is ...:
            return None
        if name == "choice":
            letter = trim(value) if type(value) is str else "?"
            return grade_choice(question, letter) if letter else None
        if name == "sentence":
            return _sentence(value)
        if name == "has":
            return grade_ticks(question, _numbers(value))
        return grade_number(fields[name], _number(value))

    return _grade(question, answers, read)


def grade_cell(question, answers):
    """Grade what an answer cell assigns (``cells.read_cell``), a dict from name to Answer; other names do not count."""
    fields = {field.name: field for field in question.fields}

    def read(name, answer):
        if answer is None or not answer.text:
            return None
        if name == "choice":
            return grade_choice(question, letter[2] if (letter := _LETTER.fullmatch(answer.text)) else "?")
        if answer.refusal is not None:
            raise answer.refusal
        return grade_number(fields[name], answer.value)

    return _grade(question, answers, read)


def _sentence(value):
    if type(value) is not str:
        raise Refusal(fill(REFUSALS["prose"]))
    return Verdict("sentence", "committed", {}) if trim(value) else None


def _numbers(value):
    """The text that names the same criteria as a whole number or a list of them."""
    values = value if type(value) in (list, tuple) else [value]
    known = [entry for entry in values if type(entry) is int and 0 <= entry <= 9]
    return " ".join(map(str, known or [0])) if len(known) == len(values) else "?"


def _number(value):
    if not any(type(value) is kind for kind in _SCALARS):
        raise Refusal(fill(REFUSALS["type"]))
    try:
        number = float(value)
    except OverflowError:
        raise Refusal(fill(REFUSALS["large"])) from None
    if not np.isfinite(number):
        raise Refusal(fill(REFUSALS["endless"], name=str(number)))
    return number


def _quote(answer):
    """How a refused answer is shown: its text, a number as it prints, anything else by its type alone."""
    if type(answer) is Answer:
        return quoted(answer.text)
    if type(answer) is str:
        return quoted(answer)
    if type(answer) in (float, *_SCALARS) and not isinstance(answer, int):
        return str(answer)
    return f"a value of type {type(answer).__name__}"


def check(item, /, **answers):
    """Grade an answer in a notebook: print one line a field and a total, return the Result, keep the progress.

    ``check("q2", var_f=1.0, cov=..., var_x1=...)``; a value left as ``...`` or None is not answered yet. Values must
    be plain int, float or NumPy scalars. Prose is marked by its writer: ``check("q1", sentence="...")`` shows the
    worked answer and the criteria, and ``has=[1, 2]`` then says which of them the sentence meets. A task of a lab is
    tried out: ``check("write-layer-norm", layer_norm=layer_norm)``; no error of the learner's function leaves it.
    Raises ValueError for an unknown question or task, or an unknown name.
    """
    from .progress import record    # the grader of a class keeps no progress
    from .labs import TASKS

    task = TASKS.get(item) if isinstance(item, str) else None
    result, shown = task.grade(answers) if task else grade_values(item, answers), []
    if isinstance(result, SelfMark) and result.committed:
        asked = find(item)
        criteria = [f"{number}. {inline_plain(text)}" for number, text in enumerate(asked.criteria, 1)]
        shown = [to_plain(asked.answer), *criteria]
    notice = "" if result.blank else record(result.id, result.points, result.out_of)
    # In one piece: a kernel may send what is written in pieces as several outputs.
    print("".join(f"{line}\n" for line in [*shown, *result.lines, *filter(None, [notice])]), end="")
    return result
