"""Recall questions for a class: send out notebooks, grade what comes back, write the notebooks of exercises.

A class from start to end, with roster.csv holding a column "id" (and name, email, canvas_id, section if you like):

  python -m residual_stream recall release --roster roster.csv --out release/
  (hand out release/ID.ipynb, collect the notebooks in submitted/)
  python -m residual_stream recall grade submitted/ --roster roster.csv --out grades.csv \\
      --feedback feedback/ --marking marking.csv
  (fill in the marks, 0 or 1, of the prose answers in marking.csv; run the same line again)

  python -m residual_stream recall answers ID --roster roster.csv
  python -m residual_stream recall export --canvas canvas.zip --moodle moodle.xml --anki recall.apkg

Whose notebook a file is, its name says: ID.ipynb, ID/recall.ipynb, or a learning platform's longer name with the id
in it; zip files are looked into. Every file that cannot be graded is reported in one sentence and never counts as zero.
"""

import argparse
import sys
from pathlib import Path

from residual_stream.recall import assignment
from residual_stream.recall.bank import book_bank
from residual_stream.recall.classroom import grades
from residual_stream.recall.classroom.answers import answer_sheet
from residual_stream.recall.classroom.files import write_whole
from residual_stream.recall.classroom.grading import grade_class
from residual_stream.recall.classroom.roster import read_roster
from residual_stream.recall.classroom.sheet import merge_marks, write_sheet
from residual_stream.recall.exports.anki import anki
from residual_stream.recall.exports.canvas import canvas
from residual_stream.recall.exports.moodle import moodle
from residual_stream.recall.schema import near


def place(text):
    """A path, or a refusal of what can be none."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"must name a file or a folder, not {text!r}")
    return Path(text)


def seconds(text):
    """A whole number of seconds that a deck's date can hold."""
    if not text.isdecimal() or len(text) > 10:
        raise argparse.ArgumentTypeError(f"must be a whole number of at most ten digits, not {text[:40]!r}")
    return int(text)


def configure(parser):
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)

    verbs.add_parser("questions", help="list the bank: ids, kinds, points, chapters")

    release = verbs.add_parser("release", help="a notebook for each student, with numbers of the student's own")
    release.add_argument("--out", type=place, required=True, metavar="FOLDER", help="where the notebooks go")
    release.add_argument("--roster", type=place, metavar="CSV", help="a notebook with its own numbers for each id")
    _shared(release)

    grade = verbs.add_parser("grade", help="read what was handed in (nothing is run) and write grades, "
                              "feedback and a sheet for the prose")
    grade.add_argument("submitted", type=place, metavar="FOLDER", help="where they are; nothing in it is changed")
    grade.add_argument("--roster", type=place, required=True, metavar="CSV", help="the class: a column id")
    grade.add_argument("--out", type=place, required=True, metavar="CSV",
                       help="the grades; beside it the same for Canvas, Moodle and Gradescope, and a report")
    grade.add_argument("--feedback", type=place, metavar="FOLDER", help="a text for each student")
    grade.add_argument("--marking", type=place, metavar="CSV", help="the sheet of prose answers, its marks kept")
    grade.add_argument("--marks", type=place, nargs="+", default=[], metavar="CSV",
                       help="copies of the sheet that others have filled: their marks go into it")
    grade.add_argument("--title", default="Recall", help="the assignment's name in your course (default: Recall)")
    _shared(grade)

    answers = verbs.add_parser("answers", help="print the right answers to one student's questions")
    answers.add_argument("student", metavar="ID", help="the student's id, written as on the roster")
    answers.add_argument("--roster", type=Path, metavar="CSV", help="refuse an id that is not on this roster")
    _shared(answers)

    export = verbs.add_parser("export", help="the questions for Canvas (QTI), Moodle (XML) or Anki")
    export.add_argument("--canvas", type=place, metavar="ZIP", help="a quiz that Canvas imports (QTI 1.2)")
    export.add_argument("--moodle", type=place, metavar="XML", help="questions that Moodle imports")
    export.add_argument("--anki", type=place, metavar="APKG", help="a deck; needs genanki (pip install genanki)")
    export.add_argument("--stamp", type=seconds, default=0, metavar="N",
                        help="of the deck: a larger number for a later wording, so that Anki takes it (default: 0)")
    _shared(export)

    verbs.add_parser("practice", help="write exercises/ and solutions/ anew: recall.ipynb from the bank, and "
                     "each lab's exercise from its solution, solutions/lab-*.ipynb")


def _shared(parser):
    parser.add_argument("--questions", default=",".join(assignment.SIX), metavar="IDS",
                        help="which questions, divided by commas, or all (default: %(default)s)")
    parser.add_argument("--same-numbers", metavar="WORD",
                        help="everyone gets the same numbers, drawn from this word; say it to release and to grade")


def run(arguments):
    verbs = {verb.__name__: verb for verb in (questions, release, grade, answers, export, practice)}
    return verbs[arguments.verb](arguments)


def _items(arguments):
    bank = book_bank()
    chosen = [name.strip().lower() for name in arguments.questions.split(",")]
    if chosen == ["all"]:
        chosen = list(bank)
    for name in chosen:
        if name not in bank:
            raise ValueError(f"--questions: there is no question {name!r}{near(name, bank)}")
    if len(set(chosen)) < len(chosen):
        raise ValueError("--questions names a question twice")
    return [bank[name] for name in chosen]


def questions(arguments):
    """List every question of the bank."""
    for item in book_bank().values():
        asked = item.question()
        own = "numbers of one's own" if item.variants else "the same for all"
        print(f"{item.id:<26} {asked.kind:<8} {asked.out_of} point{'s' if asked.out_of > 1 else ' '}  "
              f"{asked.chapter:<16} {own}")


def release(arguments):
    """Write the notebooks of a class."""
    items, word = _items(arguments), arguments.same_numbers
    if arguments.roster:
        seeds = {student.id: word or student.id for student in read_roster(arguments.roster)}
    else:
        word = word or "class"
        seeds = {"recall": word}
    notebooks = {arguments.out / f"{name}.ipynb": _released(items, seed, name if arguments.roster else "")
                 for name, seed in seeds.items()}
    for path, text in notebooks.items():
        if path.exists() and path.read_bytes() != text.encode("utf-8"):     # it may be what a student handed in
            raise ValueError(f"{path} is there already and holds something else: remove it or choose another --out")
    for path, text in notebooks.items():
        write_whole(path, text)
    print(f"{len(seeds)} notebook{'s' if len(seeds) > 1 else ''} in {arguments.out}")
    if word:
        print(f"All have the same numbers: grade with --same-numbers {word}")


def _released(items, seed, student):
    return assignment.text_of(assignment.release([item.question(**item.draw(seed)) for item in items], student))


def grade(arguments):
    """Grade a folder of notebooks."""
    items, students = _items(arguments), read_roster(arguments.roster)
    _require_other_places(arguments)
    plain = [item.question() for item in items]
    kept = [arguments.marking] if arguments.marking and arguments.marking.exists() else []
    marks = merge_marks([*kept, *arguments.marks], students, plain)
    tell = arguments.feedback and (lambda student, text: write_whole(arguments.feedback / f"{student}.txt", text))
    word = arguments.same_numbers
    graded = grade_class(items, students, arguments.submitted, lambda student: word or student, marks, tell)
    if arguments.marking:
        write_whole(arguments.marking, write_sheet(graded.prose, plain, marks))
    beside = _beside(arguments.out)
    write_whole(arguments.out, grades.own(graded.lines, plain))
    for shape, make in grades.SHAPES.items():
        write_whole(beside[shape], make(graded.lines, plain, arguments.title))
    report = "".join(f"{sentence}\n" for sentence in graded.report)
    write_whole(beside["report"], report)
    print(report, end="", file=sys.stderr)
    done = sum(line.status == "graded" for line in graded.lines)
    print(f"{done} of {len(students)} students graded, grades in {arguments.out}")
    if arguments.marking and (left := sum(bool(line.unmarked) for line in graded.lines)):
        print(f"{left} student{'s have' if left > 1 else ' has'} prose not marked yet: "
              f"fill in {arguments.marking} and run this again")
    return 0


def _require_other_places(arguments):
    """Refuse to write where the submissions or the roster are, or two things in one place."""
    taken = {arguments.roster.resolve(): "the roster", **{path.resolve(): "a filled sheet" for path in arguments.marks}}
    written = [("--out", path) for path in (arguments.out, *_beside(arguments.out).values())]
    written += [(f"--{name}", getattr(arguments, name)) for name in ("marking", "feedback") if getattr(arguments, name)]
    for option, path in written:
        if path.resolve().is_relative_to(arguments.submitted.resolve()):
            raise ValueError(f"{option} {path} lies in {arguments.submitted}, where nothing is changed: "
                             "choose another place")
        if path.resolve() in taken:
            raise ValueError(f"{option} would overwrite {taken[path.resolve()]}, {path}: choose another place")
        taken[path.resolve()] = f"what {option} writes"


def _beside(out):
    """What is written beside the grades: a table for each platform, and the report."""
    return {name: out.with_suffix(f".{name}.csv") for name in grades.SHAPES} | {"report": out.with_suffix(".report.txt")}


def answers(arguments):
    """Print the right answers to one student's questions."""
    if arguments.roster:
        known = [student.id for student in read_roster(arguments.roster)]
        if arguments.student not in known:
            raise ValueError(f"{arguments.student} is not on the roster {arguments.roster}"
                             f"{near(arguments.student, known)}")
    seed = arguments.same_numbers or arguments.student
    print(answer_sheet([item.question(**item.draw(seed)) for item in _items(arguments)]), end="")


def export(arguments):
    """Write the questions for other systems, with the book's numbers or those of --same-numbers."""
    word = arguments.same_numbers
    questions = [item.question(**item.draw(word)) if word else item.question() for item in _items(arguments)]
    makers = {
        "canvas": lambda: canvas(questions), "moodle": lambda: moodle(questions),
        "anki": lambda: anki(questions, arguments.stamp),
    }
    chosen = [name for name in makers if getattr(arguments, name)]
    if not chosen:
        raise ValueError("export needs a file to write: --canvas, --moodle or --anki")
    for name in chosen:
        write_whole(getattr(arguments, name), makers[name]())
        print(getattr(arguments, name))


def practice(arguments):
    """Write the notebooks of exercises and of their solutions, executed; a lab's exercise is cut from its solution."""
    import nbformat     # it takes seconds to import, and the other verbs do without

    from residual_stream import notebooks
    from residual_stream.recall.labs.cutting import cut

    exercises, answered = Path("exercises"), Path("solutions")
    for folder in (exercises, answered):
        if not folder.is_dir():
            raise ValueError(f"there is no folder {folder} here: run this in the folder of the book")
    made = {}
    for path in sorted(answered.glob("lab-*.ipynb")):
        made[path] = notebooks.read(path)
        made[exercises / path.name] = cut(made[path], path)
    questions = [book_bank()[name].question() for name in assignment.SIX]
    for folder, make in ((exercises, assignment.practice), (answered, assignment.solutions)):
        made[folder / "recall.ipynb"] = nbformat.reads(assignment.text_of(make(questions)), as_version=4)
    for path, notebook in made.items():
        try:
            notebooks.write(notebooks.normalise(notebooks.execute(notebook, path)), path)
        except notebooks.CellFailed as failure:
            raise ValueError(failure) from failure
        print(path)
