"""A task of a lab: what the learner hands over is tried, and one sentence says how it did.

What runs here is the learner's own code in the learner's own notebook. Nothing that it does wrong leaves ``grade``
as an exception: the error is told like any other mistake.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..schema import near
from ..verdicts import Result, Verdict


class Wrong(Exception):
    """What is handed over is not right; the message says why, as the end of "... is off: "."""


class Blank(Exception):
    """Nothing is handed over yet."""


@dataclass(frozen=True)
class Task:
    """One task: ``judge(answer)`` returns if the answer is right, and raises Wrong or Blank if it is not.

    ``name`` is what the answer is called in the notebook, hence in ``rs.check(id, name=answer)``.
    """

    id: str
    label: str
    chapter: str
    name: str
    judge: Callable

    def grade(self, answers):
        """The Result for ``{name: answer}``. Raises ValueError for any other name."""
        for name in answers:
            if name != self.name:
                raise ValueError(f"{self.label} asks for no {name}{near(name, [self.name])}")
        return Result(self.id, self.label, (self._verdict(answers.get(self.name)),))

    def _verdict(self, answer):
        try:
            if answer is None or answer is ...:
                raise Blank
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.judge(answer)
        except Blank:
            return Verdict(self.name, "blank", {})
        except Wrong as wrong:
            return Verdict(self.name, "mistake", {"says": str(wrong)})
        return Verdict(self.name, "correct", {})
