"""A claim as Markdown, from which the page makes its card."""

import claims
from residual_stream.claims import VERDICTS, Claim

CLAIM = Claim(row="7", part="trace", verdict="wrong", says="It is 2.", truth="It is\n<<std:.4f>>.\n", sources=("one", "two"),
              shown=("chapters/a.ipynb#b",), tests=("tests/test_a.py::test_it",))


def test_a_claim_is_a_list_of_four_terms():
    assert claims.markdown(CLAIM) == (
        "As told\n: It is 2.\n\nIn truth\n: It is\n  1.5811.\n\nSource\n: {cite:t}`one,two`\n\n"
        "Shown in\n: [](chapters/a.ipynb#b); test `test_it`")


def test_questions_are_told_from_sections_of_the_same_title():
    shown = ("chapters/after.ipynb#why", "chapters/recall.ipynb#why")
    claim = Claim("1", "trace", "right", "a", "b", shown=shown)
    assert claims.evidence(claim) == "[](chapters/after.ipynb#why); question [](chapters/recall.ipynb#why)"


def test_no_line_begins_with_the_semicolon_after_a_long_name():
    claim = Claim("1", "trace", "right", "a", "b", shown=("c.md#d",), tests=("t.py::test_e", "t.py::test_f"))
    assert claims.evidence(claim) == "[](c.md#d); test `test_e` and test `test_f`"


def test_what_the_book_computes_itself_says_so():
    assert "Source\n: computed here\n" in claims.markdown(Claim("1", "trace", "right", "a", "b", tests=("t.py::test_b",)))


def test_the_tally_counts_every_verdict():
    told = claims.tally([CLAIM, CLAIM], VERDICTS)
    assert told.startswith("2 claims: 0 right; 0 right, with a nuance; 2 wrong; ") and told.endswith("0 left out.")
