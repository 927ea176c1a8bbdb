"""The question as text and as HTML: readable as it stands, one id each, nothing that could end the data early."""

import json
import re
from html.parser import HTMLParser

import pytest

import residual_stream as rs
from residual_stream.recall import page, sentences
from residual_stream.recall.bank import book_bank
from residual_stream.recall.markup import inline_html, inline_plain, to_html, to_plain
from residual_stream.recall.plain_tex import plain_tex

IDENTITIES = list(book_bank())


class Elements(HTMLParser):
    """Every start tag with its attributes; open and closing tags must match."""

    def __init__(self, html):
        super().__init__()
        self.found, self.open = [], []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        if tag != "input":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_text_of_q2():
    assert rs.question("q2").text == (
        "Q2. In the worked example, x0 = [1, -1, 2, -2], f(z) = a z + 1 and x1 = x0 + f(LN(x0)). "
        "Now the coefficient of the branch goes from a = 0.5 to a = 1.0. What are Var(f), Cov(x0, f) and Var(x1)?\n"
        "  var_f   Var(f)\n"
        "  cov     Cov(x0, f)\n"
        "  var_x1  Var(x1)\n"
        'Answer with rs.check("q2", var_f=..., cov=..., var_x1=...)')


def test_a_field_is_named_once_where_its_label_is_its_name():
    html = rs.question("attention-weights").html()
    assert ">weights</label>" in html and "<code>weights</code>" not in html
    assert "<code>var_f</code></label>" in rs.question("q2").html()
    assert "<code>d_ff</code></label>" in rs.question("q4").html(), "a label of mathematics alone is no name"
    assert '<code class="visually-hidden">a</code></label>' in rs.question("double-the-variance").html(), "and is seen once"


@pytest.mark.parametrize("identity", IDENTITIES)
def test_the_html_is_whole(identity):
    html = rs.question(identity).html()
    elements = Elements(html).found
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids)) and all(name.startswith(f"recall-{identity}") for name in ids)
    for _, attributes in elements:
        for reference in ("for", "aria-labelledby", "aria-describedby"):
            assert set(attributes.get(reference, "").split()) <= set(ids)
    labelled = {attributes["for"] for tag, attributes in elements if tag == "label"}
    assert {attributes["id"] for tag, attributes in elements if tag in ("input", "textarea")} == labelled
    assert [attributes for tag, attributes in elements if tag == "form" and "hidden" in attributes]
    assert html == rs.question(identity).html()


@pytest.mark.parametrize("identity", IDENTITIES)
def test_all_of_it_stands_outside_the_form(identity):
    """Without a script the form stays hidden, so prompt, options, hints and answer must not be inside it."""
    question = book_bank()[identity].question()
    html = re.sub(r"<form.*</form>", "", rs.question(identity).html(), flags=re.S)
    assert to_html(question.prompt) in html and to_html(question.answer) in html
    assert all(to_html(hint) in html for hint in question.hints)
    assert html.count("<li>") == len(question.options) + len(question.criteria)
    assert all(f"<li>{inline_html(text)}</li>" in html for text in question.criteria)


def test_a_second_copy_has_ids_of_its_own():
    first, second = rs.question("q2").html(), rs.question("q2", name="again").html()
    ids = re.compile(r' id="([^"]*)"')
    assert not set(ids.findall(first)) & set(ids.findall(second))


@pytest.mark.parametrize("name", ["", "a b", 'x" onload="', "é", "-a"])
def test_refuses_names_that_are_no_ids(name):
    with pytest.raises(ValueError, match="name must be letters"):
        rs.question("q2", name=name)


def test_unknown_questions():
    with pytest.raises(ValueError, match="did you mean q2"):
        rs.question("q22")
    with pytest.raises(ValueError, match="not by int"):
        rs.question(2)


def test_what_a_notebook_gets():
    bundle = rs.question("q2")._repr_mimebundle_()
    assert bundle["text/plain"] == rs.question("q2").text
    assert bundle["text/html"].startswith("<style data-rs>") and "--stream" in bundle["text/html"]


def test_embedded_data_cannot_end_its_element():
    hostile = {"says": "</script><!--<script>\u2028&amp;]]>"}
    text = page._embedded(hostile)
    assert not set(text) & set("<>&\u2028") and json.loads(text) == hostile


def test_the_page_gets_the_same_sentences():
    """The committed script is what the tables make; otherwise: python -m residual_stream.recall.sentences"""
    assert sentences.SCRIPT.read_text(encoding="utf-8") == sentences.script()


def test_what_is_put_into_a_sentence_is_not_searched_again():
    assert sentences.fill("{quoted}: {reason}", quoted="{reason}", reason="x") == "{reason}: x"


@pytest.mark.parametrize("tex, plain", [
    (r"x_0", "x0"), (r"x_{l+1}", "x_(l+1)"), (r"x_l", "x_l"), (r"d_{\mathrm{ff}}", "d_ff"), (r"\sigma_0^2", "σ0²"), (r"10^{-5}", "10^(-5)"),
    (r"\operatorname{Var}(x_1)", "Var(x1)"), (r"\class{stream}{x_1}", "x1"), (r"\sqrt{2.5}", "√2.5"),
    (r"\sqrt{a + b}", "√(a + b)"), (r"\frac{a + 1}{2}", "(a + 1)/2"), (r"\frac12", "1/2"), (r"a\,b", "a b"),
    (r"\left( a \right)", "( a )"), (r"a^b", "a^b"), (r"2 \cdot 3", "2 · 3"), (r"\{1\}", "{1}"), (r"\|x\|^2", "‖x‖²"),
])
def test_tex_in_plain_characters(tex, plain):
    assert plain_tex(tex) == plain


@pytest.mark.parametrize("tex", [r"\int x", "{", "}", r"\sqrt{", "x^", r"\frac{1}", "x_}", r"{a}}", r"\class{a}"])
def test_tex_that_is_refused(tex):
    with pytest.raises(ValueError, match="TeX"):
        plain_tex(tex)


@pytest.mark.parametrize("straight, set_by_a_printer", [
    ("the layer's", "the layer’s"), ("the layers' own", "the layers’ own"), ('a "b c", d', "a “b c”, d"),
    ('"a" (or "b")', "“a” (or “b”)"), ('"*a* b."', "“<em>a</em> b.”"), ("`a'b`", "<code>a'b</code>"),
    (r"\(f'(x)\)'s", r"\(f'(x)\)’s"),
])
def test_quotation_marks_and_apostrophes_are_curly_outside_of_code_and_formulas(straight, set_by_a_printer):
    assert to_html(straight) == f"<p>{set_by_a_printer}</p>"


def test_markup():
    text = "One `a < b` *word* and \\(x < y\\).\n\n2 * 3 * 4 & more\nlines"
    assert to_html(text) == ("<p>One <code>a &lt; b</code> <em>word</em> and \\(x &lt; y\\).</p>"
                             "<p>2 * 3 * 4 &amp; more lines</p>")
    assert to_plain(text) == "One a < b word and x < y.\n2 * 3 * 4 & more lines"
    assert inline_plain("\\[x_0\\]") == "x0"
