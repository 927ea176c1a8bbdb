"""The questions as a notebook: to practise, with the answers filled in, or for a class to hand in.

Every cell has a fixed id, and every answer cell is marked three times (its id, nbgrader's metadata, its first line),
since tools on the way from a class and back drop the one or the other.
"""

import json
import re
import textwrap

from .markup import inline_plain, to_markdown, to_plain

SIX = ("q1", "q2", "q3", "q4", "q5", "q6")
"""The questions that an assignment has where none are named."""

PLACEHOLDER = "*Your answer goes here.*"


def practice(questions):
    """The notebook of exercises: each question, a cell for its answer, and a check that grades it at once."""
    cells = [
        _text("title", "# Recall\n\nAnswer from memory first.\nWrite numbers, or arithmetic such as "
                       "`(1 + sqrt(2)) / 3`, run the cell, and run the check below it.\n"
                       "What is left as `...` is not answered yet.\n`rs.progress()` shows what you have done so far."),
        _code("start", "import residual_stream as rs\nfrom math import exp, log, pi, sqrt"),
    ]
    for question in questions:
        cells += [
            _code(f"{question.id}-question", f'rs.question("{question.id}")'),
            _code(f"answer-{question.id}", _blank_answers(question)),
            _code(f"check-{question.id}", _check(question)),
        ]
    return _notebook(cells)


def solutions(questions):
    """The notebook of exercises with every answer filled in: full marks."""
    notebook = practice(questions)
    filled = {f"answer-{question.id}": _right_answers(question) for question in questions}
    worked = {f"check-{question.id}": question for question in questions if question.kind != "prose"}
    cells = [_text("title", "# Recall, answered\n\nThe same questions with answers that get full marks.")]
    for cell in notebook["cells"][1:]:
        identity = cell["id"]
        cells.append(_code(identity, filled[identity]) if identity in filled else cell)
        if identity in worked:
            question = worked[identity]
            cells.append(_text(f"{question.id}-worked", to_markdown(question.answer)))
    return _notebook(cells)


def release(questions, student):
    """The notebook that a class gets: the questions as text with their own numbers, nothing that grades them."""
    whose = f" of {student}" if student else ""
    cells = [
        _text("title", f"# Recall{whose}\n\nWrite numbers, or arithmetic such as `(1 + sqrt(2)) / 3`, in place of each "
                       "`...`; names that you gave values to earlier in the same cell may stand in it.\n"
                       "The cells are read and never run: loops, functions and imports count for nothing.\n"
                       "Keep the first line of each answer cell and the name of the file."),
        _code("start", "from math import exp, log, pi, sqrt"),
    ]
    for question in questions:
        prompt = f"## {question.label}\n\n{to_markdown(question.prompt)}"
        if question.options:
            prompt += "\n\n" + "\n".join(f"- {option.letter}) {_inline_markdown(option.text)}"
                                         for option in question.options)
        cells.append(_text(f"{question.id}-question", prompt, **_nbgrader(f"{question.id}-question", locked=True)))
        if question.kind == "prose":
            cells.append(_text(f"answer-{question.id}", f"<!-- answer {question.id} -->\n{PLACEHOLDER}",
                               **_nbgrader(f"answer-{question.id}", points=question.out_of, solution=True)))
            continue
        cells += [
            _code(f"answer-{question.id}", _blank_answers(question),
                  **_nbgrader(f"answer-{question.id}", solution=True)),
            _code(f"check-{question.id}", f"# What will be read:\n{', '.join(question.names)}",
                  **_nbgrader(f"check-{question.id}", points=question.out_of, locked=True)),
        ]
    notebook = _notebook(cells)
    notebook["metadata"]["residual_stream"] = {"student": student}
    return notebook


def text_of(notebook):
    """What the notebook's file holds: the JSON that Jupyter itself writes."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True, separators=(",", ": ")) + "\n"


def _notebook(cells):
    return {"cells": cells, "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python",
                                                        "name": "python3"}, "language_info": {"name": "python"}},
            "nbformat": 4, "nbformat_minor": 5}


def _text(identity, source, **metadata):
    return {"cell_type": "markdown", "id": identity, "metadata": metadata, "source": source.splitlines(True)}


def _code(identity, source, **metadata):
    return {"cell_type": "code", "execution_count": None, "id": identity, "metadata": metadata, "outputs": [],
            "source": source.splitlines(True)}


def _nbgrader(identity, points=None, locked=False, solution=False):
    """The metadata by which nbgrader (schema 3) knows a cell."""
    data = {"schema_version": 3, "grade_id": identity, "locked": locked, "solution": solution, "task": False,
            "grade": points is not None}
    return {"nbgrader": data | ({"points": points} if points is not None else {})}


def _inline_markdown(text):
    return to_markdown(text).replace("\n", " ")


def _blank_answers(question):
    lines = [f"# answer {question.id}"]
    if question.kind == "choice":
        letters = ", ".join(option.letter for option in question.options)
        lines[0] += f': one of the letters {letters}, as in choice = "a"'
    if question.kind == "prose":
        return f"{lines[0]}\nsentence = ...\nhas = ...  # after the check: what it has, as in [1, 2]"
    labels = {field.name: inline_plain(field.label) for field in question.fields}
    lines += [f"{name} = ..." + (f"  # {labels[name]}" if _says_more(labels.get(name, name), name) else "")
              for name in question.names]
    return "\n".join(lines)


def _says_more(label, name):
    return re.sub(r"[\W_]", "", label.lower()) != name.replace("_", "")


def _check(question):
    return f'rs.check("{question.id}", {", ".join(f"{name}={name}" for name in question.names)})'


def _right_answers(question):
    lines = [f"# answer {question.id}"]
    if question.kind == "prose":
        first = to_plain(question.answer).partition("\n")[0]
        lines_of_text = textwrap.wrap(first, 100)
        quoted = [f"    {line!r}" for line in [*(f"{line} " for line in lines_of_text[:-1]), lines_of_text[-1]]]
        return "\n".join([*lines, "sentence = (", *quoted, ")",
                          f"has = {list(range(1, len(question.criteria) + 1))}"])
    if question.kind == "choice":
        best = next(option.letter for option in question.options if not option.reason)
        return "\n".join([*lines, f'choice = "{best}"'])
    return "\n".join([*lines, *(f"{field.name} = {_digits(field)}" for field in question.fields)])


def _digits(field):
    """The key with the digits that its tolerance asks for, whole where it is whole."""
    return f"{field.key:.0f}" if field.key == round(field.key) else f"{field.key:.6g}"
