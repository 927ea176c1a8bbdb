"""nbgrader with this reader in place of running: its autograde step reads the answers and gives points by them.

In the course's ``nbgrader_config.py``, WORD being the one of ``recall release --same-numbers WORD``:

    from residual_stream.recall.nbgrader_reader import configure
    configure(get_config(), "WORD")

Made for nbgrader 0.9.6 and its own plug-in points: nothing is cleared when the assignment is generated, since its
answer cells are blank already; of duplicated cells the last stays; cells that the assignment does not have count for
nothing; deleted cells come back; nothing is executed.
"""

from nbformat.v4 import new_output
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.preprocessors import ClearSolutions, DeduplicateIds, Execute, NbGraderPreprocessor
from nbgrader.utils import is_grade
from traitlets import Unicode

from .bank import book_bank
from .classroom.marking import mark


class KeepLast(NbGraderPreprocessor):
    """Of the assignment's cells the last with each grade_id stays known to nbgrader; all others become plain cells."""

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            source = gradebook.find_notebook(about["notebook"], about["assignment"])
            expected = {cell.name for cell in source.source_cells}
        for cell in reversed(nb.cells):
            data = cell.metadata.get("nbgrader", {})
            identity = data.get("grade_id") if isinstance(data, dict) else None
            if isinstance(identity, str) and identity in expected:
                expected.remove(identity)
            else:
                cell.metadata.pop("nbgrader", None)
        return nb, resources


class ReadAnswers(NbGraderPreprocessor):
    """Puts the points of each question, as its answer cell deserves them, into the output of its check cell."""

    word = Unicode("class", help="the word from which the class's numbers were drawn").tag(config=True)

    def preprocess(self, nb, resources):
        bank = book_bank()
        checks = {cell.metadata["nbgrader"]["grade_id"].removeprefix("check-"): cell for cell in nb.cells
                  if is_grade(cell) and cell.metadata["nbgrader"]["grade_id"].startswith("check-")}
        questions = [bank[name].question(**bank[name].draw(self.word)) for name in checks if name in bank]
        marked = mark(questions, nb, "")
        for name, result in marked.results.items():
            told = "\n".join(result.lines) + "\n"
            # nbgrader takes a number in a cell's result for its points, and whatever is no number for full ones.
            checks[name].outputs = [
                new_output("stream", name="stdout", text=told),
                new_output("execute_result", data={"text/plain": str(float(result.points))}, execution_count=1),
            ]
        return nb, resources


def configure(config, word="class"):
    """Set up a course's nbgrader configuration (a traitlets ``Config``); the numbers are drawn from ``word``."""
    generate = [step for step in GenerateAssignment.preprocessors.default_args[0] if step is not ClearSolutions]
    config.GenerateAssignment.preprocessors = generate
    sanitize = Autograde.sanitize_preprocessors.default_args[0]
    config.Autograde.sanitize_preprocessors = [KeepLast if step is DeduplicateIds else step for step in sanitize]
    grade = Autograde.autograde_preprocessors.default_args[0]
    config.Autograde.autograde_preprocessors = [ReadAnswers if step is Execute else step for step in grade]
    config.OverwriteCells.add_missing_cells = True
    config.ReadAnswers.word = word
