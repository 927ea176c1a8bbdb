"""What the search index holds, and what is found in it: the pages' HTML in, sections with excerpts out."""

import json
from pathlib import Path

import pytest

import search

SCRIPT = Path(__file__).parents[2] / "_assets" / "js" / "search.js"

PAGE = """<nav>Contents</nav><main id="text" role="main">
<section class="x" id="on-norms"><span id="old"></span><h1>On <math><mi>LN</mi><mo>&#8289;</mo></math><a class="headerlink" href="#on-norms">#</a></h1>
<p>A norm divides by &lt;size&gt;.</p><p>Then <math data-tex="x^2"><msup><mi>x</mi><mn>2</mn></msup></math> stays.</p>
<script>secret()</script><svg><text>drawn</text></svg><div><math display="block" class="b"><mi>q</mi></math></div>
<section id="part"><h2>A part</h2><ul><li>One</li><li>Two</li></ul>
<div class="recall" id="recall-q2" role="group"><p class="recall-label" id="recall-q2-label">Q2</p><div><p>Which sum?</p></div>
<form>Check</form><details class="recall-answer"><summary>Worked answer</summary><p>42</p></details></div>
</section></section>
<dl class="glossary"><dt id="term-branch">branch</dt><dd><p>What a sublayer adds.</p></dd></dl>
</main><footer>2026</footer>"""

BOOK = [
    ["one.html", "The variance trace", [
        ["", "The variance trace", "One addition, done by hand."],
        ["sum", "The sum", "The covariance is forgotten: the variance of the sum has three terms. " + "More words follow here. " * 20
         + "At last the pre-LN layer."],
        ["recall-q2", "Q2", "What is Var(x₁)?"]]],
    ["two.html", "Real layers", [["", "Real layers", "Covariance, covariance and covariance."]]],
]


@pytest.fixture(scope="module")
def find():
    """The page's own search in an engine without a page."""
    from py_mini_racer import MiniRacer

    with MiniRacer() as engine:
        engine.eval(SCRIPT.read_text("utf-8"))

        def found(query, book=BOOK):
            call = f"residualStream.findSections({json.dumps(book)}, {json.dumps(query)})"
            return json.loads(engine.eval(f"JSON.stringify({call})"))
        yield found


def test_a_page_is_cut_into_sections_questions_and_terms():
    assert search.entries(PAGE) == [
        ["", "On LN", "A norm divides by <size>. Then x² stays."],
        ["part", "A part", "One Two"],
        ["recall-q2", "Q2", "Which sum?"],
        ["term-branch", "branch", "What a sublayer adds."],
    ]


@pytest.mark.parametrize("formula, words", [
    ("<mi>x</mi><mo>/</mo><msqrt><mi>l</mi></msqrt>", "x/\u221al"),
    ('<msqrt class="a"><mrow><mn>2</mn><mi>l</mi></mrow></msqrt>', "\u221a(2l)"),
    ("<msqrt><mn>1</mn><mo>+</mo><msqrt><msup><mi>x</mi><mn>2</mn></msup></msqrt></msqrt>", "\u221a(1+\u221a(x\u00b2))"),
], ids=["one symbol", "a product", "a root in a root"])
def test_a_root_keeps_its_sign(formula, words):
    assert search.text(f"<p>So <math>{formula}</math>.</p>") == f"So {words}."


def test_the_index_is_a_script_that_ends_nothing():
    script = search.index([("one.html", PAGE.replace("One", "\u2028 </script>"))])
    prefix = "(globalThis.residualStream ??= {}).searchIndex = "
    assert script.startswith(prefix)
    assert json.loads(script.removeprefix(prefix).rstrip(";\n"))[0][:2] == ["one.html", "On LN"]


@pytest.mark.parametrize("query, addresses", [
    ("covariance", ["two.html", "one.html#sum"]),
    ("COVARIANCES", ["two.html", "one.html#sum"]),
    ("variance sum", ["one.html#sum"]),
    ("var", ["one.html", "one.html#sum", "one.html#recall-q2"]),
    ("ariance", []),
    ("pre-ln", ["one.html#sum"]),
    ("x1", ["one.html#recall-q2"]),
    ("trace", ["one.html"]),
    ("covariance nowhere", []),
    ("", []), ("  .,;!?", []), ("__proto__", []), ("<script>", []), ("(((", []), ("x" * 10_000, []),
])
def test_each_word_begins_a_word_of_what_is_found(find, query, addresses):
    assert [place["address"] for place in find(query)] == addresses


def test_the_excerpt_is_the_text_around_the_first_match_with_the_matches_marked(find):
    [place] = find("layer pre-LN")
    assert place["heading"] == "The sum" and place["title"] == "The variance trace"
    assert [part for part, matched in place["excerpt"] if matched] == ["pre", "LN", "layer"]
    whole = "".join(part for part, _ in place["excerpt"])
    assert whole.startswith("… ") and whole.endswith("At last the pre-LN layer.") and len(whole) < 300
    beginning = "".join(part for part, _ in find("forgotten")[0]["excerpt"])
    assert beginning.startswith("The covariance is forgotten") and beginning.endswith(" …") and len(beginning) <= 203
