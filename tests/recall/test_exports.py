"""Exports, read back by readers written here from the formats' own documents: tolerance, feedback and TeX survive."""

import html
import io
import re
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
from urllib.parse import unquote

import pytest

from residual_stream.__main__ import main
from residual_stream.recall.bank import book_bank, close
from residual_stream.recall.exports.canvas import QTI, canvas, with_equations
from residual_stream.recall.exports.moodle import moodle
from residual_stream.recall.markup import to_html

EVERY = [item.question() for item in book_bank().values()]
FIELDS = [field for question in EVERY for field in question.fields]
N = f"{{{QTI}}}"


# Moodle: a cloze field is {points:NUMERICAL:answers}, answers divided by ~, each "=" or "%share%", value:tolerance#words.

CLOZE = re.compile(r"\{(\d+):NUMERICAL:((?:\\.|[^}\\])*)\}")
ANSWER = re.compile(r"(=|%(\d+)%)([^:#]+):([^#]+)#(.*)", re.DOTALL)


def moodle_fields(question):
    text = question.find("questiontext/text").text
    fields = []
    for points, body in CLOZE.findall(text):
        answers = []
        for part in re.split(r"(?<!\\)~", body):
            _, share, value, tolerance, words = ANSWER.fullmatch(part).groups()
            answers.append((int(share or 100), float(value), float(tolerance), re.sub(r"\\(.)", r"\1", words)))
        fields.append((int(points), answers))
    return fields


def moodle_grade(answers, value):
    return next(((share, words) for share, known, reach, words in answers if abs(value - known) <= reach), (0, ""))


@pytest.fixture(scope="module")
def in_moodle():
    root = ElementTree.fromstring(moodle(EVERY))
    return {question.findtext("idnumber"): question for question in root if question.get("type") != "category"}


def test_moodle_has_every_question_once(in_moodle):
    kinds = {"numeric": "cloze", "choice": "multichoice", "prose": "essay"}
    assert {identity: question.get("type") for identity, question in in_moodle.items()} == \
        {question.id: kinds[question.kind] for question in EVERY}
    for question in EVERY:
        element = in_moodle[question.id]
        assert element.findtext("name/text").startswith(question.label)
        assert len(element.findall("hint")) == len(question.hints)


@pytest.mark.parametrize("question", [question for question in EVERY if question.fields], ids=lambda question: question.id)
def test_moodle_grades_as_the_book_does(question, in_moodle):
    fields = moodle_fields(in_moodle[question.id])
    assert len(fields) == len(question.fields)
    for (points, answers), field in zip(fields, question.fields):
        assert points == 1
        for factor in (1, 1 + 0.95 * field.tolerance, 1 - 0.95 * field.tolerance):
            assert moodle_grade(answers, factor * field.key)[0] == 100
        for factor in (1 + 1.05 * field.tolerance, 1 - 1.05 * field.tolerance):
            assert moodle_grade(answers, factor * field.key)[0] == 0
        for value, says in field.mistakes:
            assert moodle_grade(answers, value) == (0, says)


def test_moodle_choices_and_essays(in_moodle):
    for question in EVERY:
        element = in_moodle[question.id]
        if question.kind == "choice":
            told = [(answer.get("fraction"), answer.findtext("feedback/text")) for answer in element.findall("answer")]
            assert told == [("0", option.reason) if option.reason else ("100", "correct") for option in question.options]
        if question.kind == "prose":
            assert element.findtext("defaultgrade") == str(len(question.criteria))
            assert element.findtext("graderinfo/text").count("<li>") == len(question.criteria)


# Canvas: QTI 1.2 response processing, the first condition that holds sets the score.

def holds(condition, answer):
    tag = condition.tag.removeprefix(N)
    if tag == "or":
        return any(holds(part, answer) for part in condition)
    if tag == "and":
        return all(holds(part, answer) for part in condition)
    if tag == "other":
        return True
    if isinstance(answer, str):
        return tag == "varequal" and condition.text == answer
    return {"varequal": answer == float(condition.text), "vargte": answer >= float(condition.text),
            "varlte": answer <= float(condition.text)}[tag]


def canvas_grade(item, answer):
    for condition in item.iter(f"{N}respcondition"):
        if all(holds(part, answer) for part in condition.find(f"{N}conditionvar")):
            return float(condition.findtext(f"{N}setvar") or 0)
    return 0.0


@pytest.fixture(scope="module")
def in_canvas():
    with zipfile.ZipFile(io.BytesIO(canvas(EVERY, "Recall"))) as archive:
        manifest = ElementTree.fromstring(archive.read("imsmanifest.xml"))
        files = [element.get("href") for element in manifest.iter() if element.tag.endswith("}file")]
        assert [name for name in archive.namelist() if name != "imsmanifest.xml"] == files
        root = ElementTree.fromstring(archive.read(files[0]))
    items = list(root.iter(f"{N}item"))
    assert len({item.get("ident") for item in items}) == len(items)
    return {item.get("title"): item for item in items}


def entry(item, label):
    return next(field.findtext(f"{N}fieldentry") for field in item.iter(f"{N}qtimetadatafield")
                if field.findtext(f"{N}fieldlabel") == label)


def test_canvas_grades_as_the_book_does(in_canvas):
    for question in EVERY:
        for field in question.fields:
            item = in_canvas[f"{question.label}, {field.name}"]
            assert entry(item, "question_type") == "numerical_question"
            for step, score in ((0, 100), (0.95, 100), (-0.95, 100), (1.05, 0), (-1.05, 0)):
                assert canvas_grade(item, field.key * (1 + step * field.tolerance)) == score
            for value, _ in field.mistakes:
                assert canvas_grade(item, value) == 0
        if question.kind == "choice":
            item = in_canvas[question.label]
            assert entry(item, "question_type") == "multiple_choice_question"
            for option in question.options:
                assert canvas_grade(item, option.letter) == (0 if option.reason else 100)
        if question.kind == "prose":
            assert entry(in_canvas[question.label], "question_type") == "essay_question"
            assert float(entry(in_canvas[question.label], "points_possible")) == len(question.criteria)


def test_canvas_links_every_feedback(in_canvas):
    for item in in_canvas.values():
        linked = {element.get("linkrefid") for element in item.iter(f"{N}displayfeedback")}
        assert linked == {element.get("ident") for element in item.iter(f"{N}itemfeedback")}


def test_formulas_survive(in_moodle, in_canvas):
    """Every formula of the bank, colours aside, stands in both exports as TeX."""
    for question in EVERY:
        plain = re.sub(r"\\class\{[a-z]+\}", "", to_html(question.prompt))
        assert plain in in_moodle[question.id].findtext("questiontext/text")
        formulas = [html.unescape(tex) for tex in re.findall(r"\\\((.*?)\\\)", plain)]
        title = f"{question.label}, {question.fields[0].name}" if question.fields else question.label
        shown = in_canvas[title].find(f"{N}presentation/{N}material/{N}mattext").text
        assert "\\(" not in shown and "\\class" not in shown
        titles = [html.unescape(title) for title in re.findall(r'data-equation-content="([^"]*)"', shown)]
        sources = [unquote(unquote(source)) for source in re.findall(r'src="/equation_images/([^"]*)"', shown)]
        assert titles[:len(formulas)] == formulas == sources[:len(formulas)]


def test_an_equation_cannot_leave_its_attribute():
    assert with_equations(r'\(a "b" &lt; c\)').count('"') == 10


def test_the_same_bytes_at_every_run(tmp_path, capsys):
    for number in "12":
        assert main(["recall", "export", "--questions", "all", "--canvas", str(tmp_path / f"{number}.zip"),
                     "--moodle", str(tmp_path / f"{number}.xml")]) == 0
    assert (tmp_path / "1.zip").read_bytes() == (tmp_path / "2.zip").read_bytes()
    assert (tmp_path / "1.xml").read_bytes() == (tmp_path / "2.xml").read_bytes()


def test_a_class_can_have_numbers_of_its_own(tmp_path, capsys):
    assert main(["recall", "export", "--questions", "q3", "--same-numbers", "spring", "--moodle", str(tmp_path / "m.xml")]) == 0
    question = ElementTree.parse(tmp_path / "m.xml").getroot()[1]
    item = book_bank()["q3"]
    key = item.question(**item.draw("spring")).fields[0].key
    assert moodle_grade(moodle_fields(question)[0][1], key)[0] == 100
    assert not close(key, item.question().fields[0].key, 0.001)


def test_an_export_needs_a_file(capsys):
    assert main(["recall", "export"]) == 2 and "--canvas, --moodle or --anki" in capsys.readouterr().err


def test_a_deck_without_genanki_is_refused(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "genanki", None)
    assert main(["recall", "export", "--anki", str(tmp_path / "deck.apkg")]) == 2
    assert "genanki is not installed" in capsys.readouterr().err and not list(tmp_path.iterdir())
