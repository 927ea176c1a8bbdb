"""The claims page: complete, sourced, shown; and its numbers are computed."""

import json
import re
from pathlib import Path

import pytest

from residual_stream.claims import CLAIMS, NUMBERS, VERDICTS, book_claims, read_claims

ROOT = Path(__file__).parents[2]
HOLE = re.compile(r"<<([a-z0-9_]+):[^<>]*>>")
# A decimal number, one with its thousands parted, or one of three digits and more that is no year.
TYPED = re.compile(r"(?<![\w.,-])(?:\d+\.\d+|\d{1,3}(?:,\d{3})+|(?!(?:19|20)\d\d(?!\d))\d{3,})")
CLAIM = {claim.row: claim for claim in book_claims()}


def test_every_row_and_answer_is_there_once():
    rows = [claim.row for claim in book_claims()]
    assert rows == [*(str(row) for row in range(1, 57)), *(f"A{answer}" for answer in range(1, 7))]


@pytest.mark.parametrize("claim", book_claims(), ids=lambda claim: claim.row)
def test_a_claim_is_told_sourced_and_shown(claim):
    assert claim.says.strip() and claim.statement
    assert claim.sources or HOLE.search(claim.truth) or claim.shown, "nothing stands behind it"
    assert claim.shown or claim.tests, "nothing in the book shows it"


@pytest.mark.parametrize("claim", book_claims(), ids=lambda claim: claim.row)
def test_numbers_are_computed_or_reported(claim):
    typed = TYPED.findall(HOLE.sub("", claim.truth))
    assert sorted(set(typed)) == sorted(set(claim.reported))


def test_every_number_is_used():
    assert {name for claim in book_claims() for name in HOLE.findall(claim.truth)} == set(NUMBERS)


def headings(path):
    """The anchors of a notebook's or page's headings, as links write them."""
    text = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")
    for title in re.findall(r"^#+ (.+)$", text, re.M):
        yield re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")


def test_every_place_exists():
    for claim in book_claims():
        for place in claim.shown:
            path, _, anchor = place.partition("#")
            assert (ROOT / path).is_file(), f"claim {claim.row}: {place}"
            assert not anchor or anchor in headings(ROOT / path), f"claim {claim.row}: {place}"


def test_every_test_that_is_named_exists():
    for claim in book_claims():
        for name in claim.tests:
            path, _, function = name.partition("::")
            assert re.search(rf"^def {function}\(", (ROOT / path).read_text("utf-8"), re.M), f"claim {claim.row}: {name}"


def test_every_part_is_on_the_page():
    page = (ROOT / "claims.md").read_text("utf-8")
    assert re.findall(r"\{claims\} (\S+)", page) == list(dict.fromkeys(claim.part for claim in book_claims()))


def test_verdicts_are_those_of_the_page():
    assert {claim.verdict for claim in book_claims()} == set(VERDICTS)


@pytest.mark.parametrize("old, new, sentence", [
    ('verdict = "nuance"', 'verdict = "maybe"', "claim 1: the verdict must be one of"),
    ("says =", "tells =", "claim 1: there is no field tells"),
    ("<<six_sigma:.1f>>", "<<seven_sigma:.1f>>", "seven_sigma"),
])
def test_a_sick_claim_is_refused_by_its_row(tmp_path, old, new, sentence):
    path = tmp_path / "claims.toml"
    path.write_text(CLAIMS.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(ValueError, match=sentence):
        _ = [claim.statement for claim in read_claims(path)]


def test_statements_by_hand():
    """Sums done here, in the digits of the page."""
    assert "1.3162, 0.6838, 1.6325, 0.3675" in CLAIM["27"].statement
    assert "2.3162, \u22120.3162, 3.6325, \u22121.6325" in CLAIM["28"].statement
    assert "1.3162, 2.6325" in CLAIM["28"].statement
    assert "= 4.331138830, and" in CLAIM["30"].statement and f"{2.75 + 2.5**0.5:.9f}" == "4.331138830"
    assert "it is 4.331138826." in CLAIM["30"].statement and "here 0.999999996." in CLAIM["31"].statement
    assert "2.50, 4.33, 6.66, 9.49, 12.82" in CLAIM["34"].statement and "5.63, 12.66, 28.48" in CLAIM["34"].statement
    assert "6.4101 instead of 6.6623" in CLAIM["33"].statement and "0.0251, not 0.5002" in CLAIM["33"].statement
    assert "1.538" in CLAIM["36"].statement and "2.273" in CLAIM["36"].statement and "1.3620" in CLAIM["36"].statement
    assert "4,718,592 against 2,359,296" in CLAIM["42"].statement and "7,087,872" in CLAIM["42"].statement
    assert "0.125 per million: 27 times better" in CLAIM["3"].statement and "54 times" in CLAIM["3"].statement
    assert "a factor of 8.3" in CLAIM["39"].statement and "2.69 times" in CLAIM["41"].statement
    assert "a head is 128 wide, the inner width 49,152" in CLAIM["43"].statement and "173.9 billion" in CLAIM["43"].statement
    assert "5.89 with the factor and at 81.40 without" in CLAIM["46"].statement
    assert "13.89" in CLAIM["44"].statement and "7.0 to 12.0" in CLAIM["44"].statement
    assert "3.722 and 0.190 at 96 layers" in CLAIM["51"].statement
