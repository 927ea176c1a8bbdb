"""Tables that go in and out: rosters, marking sheets, the grades in other systems' shapes, and refused commands."""

import pytest

from residual_stream.__main__ import main
from residual_stream.recall.bank import book_bank
from residual_stream.recall.classroom.files import write_whole
from residual_stream.recall.markup import inline_plain

from .conftest import right


def test_prose_is_marked_by_hand(course):
    course.hand_in("ada", **right("ada"), q1="=cmd|'/c calc'!A1\nFirst steps, and small ones.", q5="Scale.")
    course.hand_in("bob", q1="No.")
    grades = course.grade()
    assert grades["ada"]["q1"] == "" and grades["ada"]["to mark"] == "q1 q5" and grades["ada"]["total"] == "6"
    assert grades["ada"]["q6"] == "0" and "2 students have prose not marked yet" in course.out
    sheet = course.folder / "marking.csv"
    rows = course.rows("marking.csv")
    assert [(row["student"], row["question"], row["criterion"]) for row in rows] == [
        ("ada", "q1", "1"), ("ada", "q1", "2"), ("ada", "q5", "1"), ("ada", "q5", "2"), ("ada", "q5", "3"),
        ("bob", "q1", "1"), ("bob", "q1", "2")]
    assert rows[0]["answer"] == "'=cmd|'/c calc'!A1 First steps, and small ones."
    sheet.write_text(sheet.read_text().replace("ada,q1,1,,", "ada,q1,1,1,").replace("ada,q1,2,,", "ada,q1,2,0,"))
    grades = course.grade()
    assert grades["ada"]["q1"] == "1" and grades["ada"]["to mark"] == "q5" and grades["ada"]["notes"] == ""
    assert "ada,q1,1,1," in sheet.read_text() and "ada,q1,2,0," in sheet.read_text()
    told = course.feedback("ada")
    assert told.count("\n  yes  ") == told.count("\n  no  ") == 1
    criteria = [inline_plain(text) for text in book_bank()["q5"].question().criteria]
    assert not any(text in told for text in criteria), "they are held back until the answer is marked"
    assert "Q1  1/2, marked by hand" in told and "Q5  not marked yet" in told and "correct" not in told.partition("Q2")[0]
    course.hand_in("ada", **right("ada"), q1="Another sentence.")
    assert "Q1: the answer has changed since it was marked" in course.grade()["ada"]["notes"]


@pytest.mark.parametrize("prose", ["'quoted' from the start", "''= twice", "a lone \ud800 half", "tabs\tand\n\nlines", "“Ü” 漢字",
                                   "-- so", "x" * 6000])
def test_a_sheet_knows_its_own_answers_again(prose, course):
    course.hand_in("ada", q1=prose)
    course.grade()
    sheet = course.folder / "marking.csv"
    rows = sheet.read_text("utf-8").splitlines()
    sheet.write_text("\n".join(row.replace(",1,,", ",1,1,", 1).replace(",2,,", ",2,0,", 1) for row in rows) + "\n", "utf-8")
    grades = course.grade()
    assert grades["ada"]["q1"] == "1" and "has changed" not in grades["ada"]["notes"]
    assert ("only the first 5000 characters" in course.report) == (len(prose) > 5000)
    before = sheet.read_bytes()
    course.grade()
    assert sheet.read_bytes() == before


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    def lines():
        yield "new\n"
        raise KeyboardInterrupt

    path = tmp_path / "grades.csv"
    path.write_text("old\n")
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, lines())
    assert path.read_text() == "old\n"
    write_whole(path, ["new\n", "er\n"])
    assert path.read_text() == "new\ner\n"
    with pytest.raises(ValueError, match="cannot be written"):
        write_whole(tmp_path / "grades.csv" / "below.csv", "x")


def test_sheets_that_two_people_filled_are_merged(course):
    for student in ("ada", "bob"):
        course.hand_in(student, q1="Small steps.")
    course.grade()
    sheet = course.folder / "marking.csv"
    first, second = course.folder / "first.csv", course.folder / "second.csv"
    first.write_text(sheet.read_text().replace("ada,q1,1,,", "ada,q1,1,1,").replace("ada,q1,2,,", "ada,q1,2,0,"))
    second.write_text(sheet.read_text().replace("bob,q1,1,,", "bob,q1,1,1,").replace("bob,q1,2,,", "bob,q1,2,1,"))
    grades = course.grade("--marks", first, second)
    assert (grades["ada"]["q1"], grades["bob"]["q1"]) == ("1", "2")
    assert course.grade()["bob"]["q1"] == "2", "the sheet keeps what was merged"
    second.write_text(second.read_text().replace("ada,q1,1,,", "ada,q1,1,0,"))
    before = sheet.read_bytes()
    status, _, told = course.run("grade", course.submitted, "--roster", course.roster, "--out", course.folder / "g.csv",
                                 "--marking", sheet, "--marks", first, second)
    assert status == 2 and "criterion 1 of q1 of ada is marked differently in" in told and told.count("\n") == 1
    assert sheet.read_bytes() == before and not (course.folder / "g.csv").exists()


@pytest.mark.parametrize("line, words", [
    ("ada,q1,1,2", "a mark is 0 or 1, not '2'"), ("eve,q1,1,1", "'eve' is not on the roster"),
    ("ada,q1,3,1", "there is no criterion 3 of q1"), ("ada,q2,1,1", "there is no criterion 1 of q2"),
    ("ada,q1,1,1\nada,q1,1,0", "is marked twice, and differently"), ('ada,q1,"1,1', "is not CSV"),
])
def test_marking_sheets_with_a_fault(line, words, course):
    sheet = course.folder / "filled.csv"
    sheet.write_text(f"student,question,criterion,mark\n{line}\n")
    status, _, told = course.run("grade", course.submitted, "--roster", course.roster, "--out", course.folder / "g.csv",
                                 "--marking", sheet)
    assert status == 2 and words in told and told.count("\n") == 1
    assert sheet.read_text().endswith(f"{line}\n") and not (course.folder / "g.csv").exists()


def test_shapes_for_other_systems(course):
    course.hand_in("ada", **right("ada"))
    course.grade("--title", "Recall 1")
    canvas = course.rows("grades.canvas.csv")
    assert list(canvas[0]) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Recall 1"]
    assert canvas[0]["Student"].strip() == "Points Possible" and canvas[0]["Recall 1"] == "13"
    assert canvas[1] == {"Student": "Ada L.", "ID": "07", "SIS User ID": "ada", "SIS Login ID": "ada", "Section": "A",
                         "Recall 1": "6"}
    assert canvas[2]["Recall 1"] == ""
    assert course.rows("grades.moodle.csv")[0] == {"ID number": "ada", "Full name": "Ada L.",
                                                   "Email address": "ada@example.org", "Recall 1": "6"}
    assert course.rows("grades.gradescope.csv")[0] == {"Name": "Ada L.", "SID": "ada", "Email": "ada@example.org",
                                                       "Total Score": "6", "Max Points": "13"}


@pytest.mark.parametrize("text, words", [
    ("", "is empty"), ("name\nAda\n", "has no column id"), ("id\na b\n", "line 2: the id 'a b' must be letters"),
    ("id\n../x\n", "must be letters"), ("id\nada\nADA\n", "line 3: the id ADA is there twice"), ("id\n", "names no student"),
    ('id\n"x', "is not CSV"), ("id\na,b\n", "2 entries for 1 columns"), ("id\n=x\n", "must be letters"),
])
def test_rosters_with_a_fault(text, words, course):
    course.roster.write_text(text)
    status, _, told = course.run("release", "--roster", course.roster, "--out", course.folder / "new")
    assert status == 2 and words in told and told.count("\n") == 1
    assert not (course.folder / "new").exists()


@pytest.mark.parametrize("text", ["id;name\nada;Ada\n", "\ufeffid,name\r\nada,Ada\r\n", "ID,Name\n\nada,Ada\n"])
def test_rosters_as_spreadsheets_write_them(text, course):
    course.roster.write_bytes(text.encode("utf-8"))
    status, out, _ = course.run("release", "--roster", course.roster, "--out", course.folder / "new")
    assert status == 0 and [path.name for path in (course.folder / "new").iterdir()] == ["ada.ipynb"]


@pytest.mark.parametrize("words, told", [
    (["release", "--out", "x", "--questions", "q9"], "there is no question 'q9'"),
    (["release", "--out", "x", "--questions", "q1,q1"], "names a question twice"),
    (["release", "--out", "x", "--roster", "none.csv"], "roster none.csv cannot be read"),
    (["grade", "nowhere", "--roster", "{roster}", "--out", "{folder}/g.csv"], "nowhere is no folder"),
    (["grade", "{submitted}", "--roster", "{roster}", "--out", "{submitted}/g.csv"], "where nothing is changed"),
    (["grade", "{submitted}", "--roster", "{roster}", "--out", "{roster}"], "would overwrite the roster"),
    (["grade", "{submitted}", "--roster", "{roster}", "--out", "{folder}/g.csv", "--marking", "{folder}/g.csv"],
     "would overwrite what --out writes"),
    (["grade", "{submitted}", "--roster", "{roster}", "--out", "{folder}/m.csv", "--marks", "{folder}/m.csv"],
     "would overwrite a filled sheet"),
    (["grade", "{submitted}", "--roster", "{roster}", "--out", "{folder}/g.csv", "--marking", "{folder}/g.canvas.csv"],
     "would overwrite what --out writes"),
    (["grade", "{submitted}", "--roster", "{roster}", "--out", "{folder}"], "cannot be written"),
])
def test_commands_that_are_refused(words, told, course):
    status, _, error = course.run(*(word.format(roster=course.roster, folder=course.folder, submitted=course.submitted)
                                    for word in words))
    assert status == 2 and told in error and error.count("\n") == 1


@pytest.mark.parametrize("words, told", [
    (["release", "--out", ""], "--out: must name a file or a folder, not ''"),
    (["release", "--out", "a\0b"], "--out: must name a file or a folder"),
    (["export", "--anki", "x", "--stamp", "9" * 400], "--stamp: must be a whole number of at most ten digits"),
    (["export", "--anki", "x", "--stamp", "-1"], "--stamp: must be a whole number of at most ten digits"),
])
def test_values_that_no_option_takes(words, told, capsys):
    with pytest.raises(SystemExit) as end:
        main(["recall", *words])
    error = capsys.readouterr().err
    assert end.value.code == 2 and told in error and error.count("\n") == 1


def test_answers_to_an_id_that_is_not_on_the_roster(course):
    status, out, told = course.run("answers", "adda", "--roster", course.roster)
    assert (status, out) == (2, "") and "adda is not on the roster" in told and "did you mean ada?" in told
    assert course.run("answers", "ada", "--roster", course.roster) == course.run("answers", "ada")
    assert course.run("answers", "adda")[0] == 0
