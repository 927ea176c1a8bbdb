"""The quizzes in readers that others wrote: a checker of QTI packages, and a parser of Moodle's XML."""

from residual_stream.recall.bank import book_bank
from residual_stream.recall.exports.canvas import canvas
from residual_stream.recall.exports.moodle import moodle

EVERY = [item.question() for item in book_bank().values()]


def test_the_qti_package_holds_together(tool, tmp_path):
    """Its files, identifiers, and answers agree; pictures of formulas are Canvas's own and come from there."""
    check_package = tool("qti_package_maker.common.package_integrity").check_package
    path = tmp_path / "canvas.zip"
    path.write_bytes(canvas(EVERY))
    assert [fault for fault in check_package(str(path)) if "/equation_images/" not in fault] == []
    path.write_bytes(canvas(EVERY).replace(b"imsmanifest.xml", b"imsmanifest.txt"))
    assert check_package(str(path))


def test_moodles_questions_are_read(tool):
    read = tool("moodle_xml_parser.parser").parse_bytes(moodle(EVERY))
    numeric = [question for question in EVERY if question.kind == "numeric"]
    assert len(read["cloze"]) == len(numeric)
    for cloze, question in zip(read["cloze"], numeric):
        gaps = [gap for gap in cloze.gaps if gap.sub_type == "NUMERICAL"]
        assert cloze.name == f"{question.label} ({question.id})" and len(gaps) == len(question.fields)
        for gap, field in zip(gaps, question.fields):
            assert [option.score for option in gap.options] == [100] + [0] * len(field.mistakes)
            values = [[float(number) for number in option.answer.split(":")] for option in gap.options]
            for (value, reach), right in zip(values, [field.key, *(mistake for mistake, _ in field.mistakes)]):
                assert abs(value - right) <= 1e-9 * abs(right)
                assert abs(reach - field.tolerance * (abs(right) or 1)) <= 1e-5 * reach
    choices = [question for question in EVERY if question.kind == "choice"]
    assert [choice.name for choice in read["multichoice"]] == \
        [f"{question.label} ({question.id})" for question in choices]
    for choice, question in zip(read["multichoice"], choices):
        assert choice.single and [option.score_fraction == 100 for option in choice.options] == \
            [not option.reason for option in question.options]
