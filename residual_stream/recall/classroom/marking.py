"""One student's notebook against the student's own numbers: results, what the answers were, and notes."""

from dataclasses import dataclass

from ..cells import LONGEST_CELL, read_cell
from ..grader import grade_cell
from ..reader import quoted
from .submissions import answer_cells, prose_of, released_to

MOST_CELLS = 10
"""So many answer cells of one question are read, the last ones, so that no notebook takes long."""


@dataclass(frozen=True)
class Marked:
    """What a notebook deserves: by question id a Result (numbers, a choice) or the text of a prose answer.

    ``read`` says by question id and name what the answers that could be read stand for.
    """

    results: dict
    prose: dict
    notes: tuple[str, ...]
    read: dict

    @property
    def untouched(self):
        """Whether there is no answer at all, not even one that could not be read."""
        return not any(self.prose.values()) and all(result.blank for result in self.results.values())

    @property
    def unread(self):
        """A sentence for each answer that could not be read."""
        return [f"{result.label} {verdict.name}: {verdict.sentence}" for result in self.results.values()
                for verdict in result.verdicts if verdict.kind == "refused"]


def mark(questions, document, student):
    """Grade the notebook's answer cells; reads values only, so it neither runs nor believes anything in the notebook.

    Of several cells for one question the last that is not blank counts, with a note.
    """
    cells = answer_cells(document)
    results, prose, notes, read = {}, {}, [], {}
    if released_to(document) not in ("", student):
        notes.append("the notebook was released to another student; it was graded with the numbers of this one")
    for question in questions:
        found = cells.get(question.id, [])
        sources = found[-MOST_CELLS:]
        if not sources:
            notes.append(f"{question.label}: its answer cell is missing")
        if question.kind == "prose":
            texts = [text for source in sources if (text := prose_of(source))]
            prose[question.id] = texts[-1][:LONGEST_CELL] if texts else ""
            several = len(set(texts)) > 1
            if texts and len(texts[-1]) > LONGEST_CELL:
                notes.append(f"{question.label}: only the first {LONGEST_CELL} characters of the answer are read")
        else:
            results[question.id], several, passed, read[question.id] = _values(question, sources)
            notes += [f"{question.label}: {note}" for note in passed]
        if len(found) > MOST_CELLS:
            notes.append(f"{question.label}: there are {len(found)} answer cells, and the last {MOST_CELLS} are read")
        elif len(found) > 1:
            notes.append(f"{question.label}: there are {len(found)} answer cells, "
                         + ("with different answers, and the last one counts" if several else "and they agree"))
    return Marked(results, prose, tuple(notes), read)


def _values(question, sources):
    """The result of the last cell that has an answer, whether others have a different one, its notes, what was read."""
    read = [read_cell(source) for source in sources]
    asked = [{name: cell.answers[name] for name in question.names if name in cell.answers} for cell in read]
    answered = [index for index, answers in enumerate(asked) if any(answer.text for answer in answers.values())]
    last = answered[-1] if answered else len(read) - 1
    if last < 0:
        return grade_cell(question, {}), False, (), {}
    given = {tuple((name, answer.text) for name, answer in asked[index].items()) for index in answered}
    result = grade_cell(question, asked[last])
    refused = {verdict.name for verdict in result.verdicts if verdict.kind in ("refused", "blank")}
    told = {name: _read_as(answer) for name, answer in asked[last].items() if name not in refused}
    return result, len(given) > 1, read[last].notes, told


def _read_as(answer):
    """What an answer stands for: a number to ten digits, or a letter as it was written."""
    return quoted(answer.text) if answer.value is None else f"{answer.value:.10g}"
