"""The release in nbgrader itself, by the commands of the page "For instructors": from source to feedback."""

import pytest

from residual_stream.recall.bank import book_bank

from .conftest import right


def test_generating_the_assignment_keeps_the_answer_cells(course):
    text = (course / "release" / "recall" / "recall.ipynb").read_text()
    assert "# answer q2" in text and "NotImplementedError" not in text


@pytest.mark.parametrize("student, points", [
    ("right", 6), ("blank", 0), ("loop", 5), ("leaves", 3), ("unchecked", 6), ("doubled", 6), ("forged", 0),
    ("partly", 5), ("tampered", 0),
])
def test_autograde_gives_what_the_values_deserve(student, points, course, tool):
    gradebook = tool("nbgrader.api").Gradebook(f"sqlite:///{course}/gradebook.db", "course")
    try:
        submission = gradebook.find_submission("recall", student)
        assert submission.score == points and submission.max_score == 13
    finally:
        gradebook.close()


def test_feedback_holds_no_key(course):
    text = (course / "feedback" / "partly" / "recall" / "recall.html").read_text()
    assert "Q2  2/3: cov is off" in text
    key = next(field.key for field in book_bank()["q2"].question(**book_bank()["q2"].draw("spring")).fields
               if field.name == "cov")
    assert repr(key) in right("q2") and f"{key:.5g}" not in text and f"{key:.4f}" not in text
