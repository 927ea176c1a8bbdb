"""What one student is told: points, what was read, a hint where something is missing. No key, nobody else's numbers."""

from ..markup import inline_plain, to_plain


def feedback(line, questions, marked, marks):
    """The text of a student's feedback file."""
    out_of = sum(question.out_of for question in questions)
    parts = [f"Recall, {line.student.id}: {line.total} of {out_of} points"
             + (f" ({' and '.join(labels(line, questions))} not marked yet)" if line.unmarked else "")]
    for question in questions:
        told = _prose(question, line, marked, marks) if question.kind == "prose" else _numbers(question, marked)
        parts.append("\n".join(told))
    if line.notes:
        parts.append("\n".join(["Notes", *(f"  {note}" for note in line.notes)]))
    return "\n\n".join(parts) + "\n"


def not_graded(line, why):
    """The text for a student of whom nothing could be graded, with a sentence for each reason."""
    reasons = "".join(f"  {reason}\n" for reason in why)
    return f"Recall, {line.student.id}: not graded ({line.status})\n{reasons}"


def labels(line, questions):
    """The labels of the questions that wait for a mark."""
    return [question.label for question in questions if question.id in line.unmarked]


def _numbers(question, marked):
    result = marked.results[question.id]
    told, read = [result.total], marked.read[question.id]
    for verdict in result.verdicts:
        parts = [f"read as {read[verdict.name]}"] if verdict.name in read else []
        if result.out_of > 1:       # the total says it of a field that is alone
            parts.append(verdict.sentence)
        if parts:
            told.append(f"  {verdict.name}: {', '.join(parts)}")
    if result.points < result.out_of:
        told.append(f"  Hint: {to_plain(question.hints[0])}")
    return told


def _prose(question, line, marked, marks):
    if not marked.prose[question.id]:
        return [f"{question.label}  not answered (0/{question.out_of})", f"  Hint: {to_plain(question.hints[0])}"]
    points = line.points[question.id]
    if points is None:      # the criteria are half an answer, and the sentence may still be changed
        return [f"{question.label}  not marked yet"]
    told = [f"{question.label}  {points}/{question.out_of}, marked by hand"]
    for number, criterion in enumerate(question.criteria, 1):
        mark, _ = marks[line.student.id, question.id, number]
        told.append(f"  {'yes' if mark else 'no'}  {inline_plain(criterion)}")
    return told
