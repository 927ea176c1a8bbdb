"""Grading: a value is compared, a text is read first; every verdict is one clause.

The comparison and the sentences are the same in ``recall_grader.js``, which grades the texts typed into the page.
"""

from dataclasses import dataclass

import numpy as np

from .bank import Question, close, find
from .reader import Refusal, quoted, read_answer, trim
from .schema import near
from .sentences import CLAUSES, REFUSALS, TOTALS, VERDICTS, fill

NEARLY = 10
"""Within this many tolerances an answer is close, not off: its digits were cut too early."""

_SCALARS = (int, float, *{
    kind for kind in np.sctypeDict.values()
    if issubclass(kind, (np.integer, np.floating)) and not issubclass(kind, np.timedelta64)
})


@dataclass(frozen=True)
class Verdict:
    """What is said of one field: ``kind`` is correct, mistake, off, close, blank or refused."""

    name: str
    kind: str
    values: dict

    @property
    def sentence(self):
        """The verdict in words."""
        return fill(VERDICTS[self.kind], **self.values)

    def clause(self, alone):
        """The verdict as a part of the total; its remark only where it is the only one."""
        kind = self.kind if alone else {"mistake": "off", "refused": "short"}.get(self.kind, self.kind)
        return fill(CLAUSES[kind], name=self.name, **self.values)


@dataclass(frozen=True)
class Result:
    """A graded question. ``check`` has printed it; at the end of a cell it shows nothing more."""

    id: str
    label: str
    verdicts: tuple[Verdict, ...]

    @property
    def points(self):
        """One point for each correct field."""
        return sum(verdict.kind == "correct" for verdict in self.verdicts)

    @property
    def out_of(self):
        """The points that can be had."""
        return len(self.verdicts)

    @property
    def total(self):
        """The whole question in one line."""
        open_ones = [verdict for verdict in self.verdicts if verdict.kind != "correct"]
        kind = "some"
        if not open_ones:
            kind = "correct"
        elif all(verdict.kind == "blank" for verdict in self.verdicts):
            kind = "blank"
        clauses = "; ".join(verdict.clause(len(open_ones) == 1) for verdict in open_ones)
        return fill(TOTALS[kind], label=self.label, points=self.points, fields=self.out_of, clauses=clauses)

    @property
    def lines(self):
        """One line a field, and the total; the total alone where it says everything."""
        if self.out_of == 1 or all(verdict.kind == "blank" for verdict in self.verdicts):
            return [self.total]
        width = max(len(verdict.name) for verdict in self.verdicts)
        return [*(f"{verdict.name:<{width}}  {verdict.sentence}" for verdict in self.verdicts), self.total]

    def _ipython_display_(self):
        pass


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


def _grade(question, answers, read):
    """The result for answers by name; ``read(name, answer)`` is a verdict, None for a blank, or a Refusal."""
    for name in answers:
        if name not in question.names:
            raise ValueError(f"{question.label} asks for no {name}{near(name, question.names)}")
    verdicts = []
    for name in question.names:
        try:
            verdict = read(name, answers.get(name))
        except Refusal as refusal:
            verdict = Verdict(name, "refused", {"quoted": _quote(answers[name]), "reason": str(refusal)})
        verdicts.append(verdict or Verdict(name, "blank", {}))
    return Result(question.id, question.label, tuple(verdicts))


def grade_text(question, answers):
    """Grade typed answers, a dict from field name to text (``choice`` to a letter). Never runs what was typed.

    ``question`` is a Question or an id. Blank or missing texts are not answered yet. Raises ValueError for an
    unknown question, for a name that it does not ask for, and for an answer that is no text.
    """
    question = question if isinstance(question, Question) else find(question)
    fields = {field.name: field for field in question.fields}
    for name, text in answers.items():
        if type(text) is not str:
            raise ValueError(f"{question.label} {name}: a typed answer is a text, and {type(text).__name__} is not")

    def read(name, text):
        if text is None or not trim(text):
            return None
        if name == "choice":
            return grade_choice(question, trim(text))
        return grade_number(fields[name], read_answer(text))

    return _grade(question, answers, read)


def grade_values(question, answers):
    """Grade values by name: plain int, float or NumPy scalars, a letter for ``choice``; None and ... are blank.

    Anything else is refused without a method of it being called, so that no object can declare itself right.
    """
    question = question if isinstance(question, Question) else find(question)
    fields = {field.name: field for field in question.fields}

    def read(name, value):
        if value is None or value is ...:
            return None
        if name == "choice":
            letter = trim(value) if type(value) is str else "?"
            return grade_choice(question, letter) if letter else None
        return grade_number(fields[name], _number(value))

    return _grade(question, answers, read)


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
    if type(answer) is str:
        return quoted(answer)
    if type(answer) in (float, *_SCALARS) and not isinstance(answer, int):
        return str(answer)
    return f"a value of type {type(answer).__name__}"


def check(item, /, **answers):
    """Grade values in a notebook: print one line a field and a total, and return the Result.

    ``check("q2", var_f=1.0, cov=..., var_x1=...)``; a value left as ``...`` or None is not answered yet. Values must
    be plain int, float or NumPy scalars. Raises ValueError for an unknown question or an unknown field.
    """
    result = grade_values(item, answers)
    print(*result.lines, sep="\n")
    return result
