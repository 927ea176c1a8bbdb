"""TeX becomes MathML of the right structure, or is refused; never something else."""

import re
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import temml


def tree(tex, display=False):
    return ElementTree.fromstring(temml.mathml(tex, display))


def elements(tex, display=False):
    """The elements and characters of a formula, without attributes and without rows (which only group)."""
    return re.sub(r"</?mrow>", "", re.sub(r"<(\w+) [^>]*>", r"<\1>", temml.mathml(tex, display)))


@pytest.mark.parametrize("tex, expected", [
    ("x_1", "<msub><mi>x</mi><mn>1</mn></msub>"),
    (r"\frac{a}{b}", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
    (r"\sqrt{d}", "<msqrt><mi>d</mi></msqrt>"),
    (r"\sigma_F^2", "<msubsup><mi>\u03c3</mi><mi>F</mi><mn>2</mn></msubsup>"),
    (r"a \le b", "<mi>a</mi><mo>\u2264</mo><mi>b</mi>"),
    (r"\mathbb{R}", "<mi>\u211d</mi>"),
    (r"\begin{aligned} a &= b \\ c &= d \end{aligned}",
     "<mtable>" + "".join(f"<mtr><mtd><mi>{left}</mi></mtd><mtd><mo>=</mo><mi>{right}</mi></mtd></mtr>"
                          for left, right in ("ab", "cd")) + "</mtable>"),
])
def test_a_formula_has_the_elements_that_mathml_has_for_it(tex, expected):
    assert elements(tex) == f"<math>{expected}</math>"


def test_a_power_after_a_parenthesis_rests_on_it_and_not_on_what_is_inside():
    formula = tree("(N^4 M)^{1/16}")
    assert [temml.reading(script[0]) for script in formula.iter("msup")] == ["N", ")"]
    assert temml.plain("(N^4 M)^{1/16}") == "(N4M)1/16"


def test_a_large_sum_carries_its_limits_above_and_below_on_its_own_line_only():
    assert tree(r"\sum_{i=1}^{d} x_i", display=True).find(".//munderover") is not None
    assert tree(r"\sum_{i=1}^{d} x_i").find(".//munderover") is None


def test_a_class_colours_its_term_and_no_other():
    formula = tree(r"\class{stream}{x_0} + \class{branch}{f} + y")
    coloured = {element.get("class"): temml.reading(element) for element in formula.iter() if element.get("class")}
    assert coloured == {"stream": "x0", "branch": "f"}


def test_the_source_stays_for_copying():
    assert tree("a  <\n b").get("data-tex") == "a < b"


@pytest.mark.parametrize("tex", [
    r"\frac{a}{b", r"\nosuchcommand", r"a & b", r"\left( x", "x^2^3", r"\begin{aligned} a", r"}{",
    r"\href{https://example.org}{x}", r"\includegraphics{https://example.org/a.png}", r"\style{color:red}{x}",
    r"\id{content}{x}", r"\data{foo=bar}{x}", r"\class{stream\"><script>}{x}", r"\class{Stream}{x}",
    r"\def\a{\a\a}\a",
])
def test_broken_or_hostile_tex_is_refused_with_one_line(tex):
    with pytest.raises(temml.TexError) as refusal:
        temml.mathml(tex)
    assert str(refusal.value) and "\n" not in str(refusal.value)


def test_markup_in_text_stays_text():
    formula = tree(r"\text{<script>alert(1)</script>}")
    assert formula.find(".//script") is None
    assert "<script>alert(1)</script>" in temml.reading(formula).replace("\u00a0", " ")


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from([*"abx01+-=<>&^_{}\\$\"' ()[]", r"\frac", r"\sqrt", r"\text", r"\left"]), max_size=12)
       .map("".join))
def test_any_input_converts_to_well_formed_mathml_or_is_refused(tex):
    allowed = re.compile(r"math|m[a-z]+|semantics")
    try:
        formula = tree(tex)
    except temml.TexError:
        return
    assert formula.tag == "math" and all(allowed.fullmatch(element.tag) for element in formula.iter())


def test_no_formula_leaves_a_definition_behind_for_the_next():
    temml.mathml(r"\gdef\leftover{x}\leftover")
    with pytest.raises(temml.TexError):
        temml.mathml(r"\leftover")


@pytest.mark.parametrize("tex, stretches", [(r"\left(x_1\right)", False), (r"\left(\frac{a}{b}\right)", True)])
def test_fences_stretch_around_tall_content_only(tex, stretches):
    fences = [element.get("stretchy") for element in tree(tex).iter("mo") if element.get("fence")]
    assert fences == [str(stretches).lower()] * 2


def test_an_operator_in_an_index_has_no_space_around_it():
    inside, outside = tree("x_{l+1} + y").findall(".//mo")
    assert inside.get("lspace") == inside.get("rspace") == "0"
    assert outside.get("lspace") is None


@pytest.mark.parametrize("tex", [r"a + \dots + b", r"a, \dots, b", r"(a) \cdots (b)"])
def test_dots_keep_a_thin_space_and_not_that_of_a_relation(tex):
    dots, = (element for element in tree(tex).iter("mo") if element.text in ("\u22ef", "\u2026"))
    assert dots.get("lspace") == dots.get("rspace") == ".17em"


def test_a_long_formula_breaks_inside_its_parentheses_and_says_the_same():
    long = "(2.3162 - 0.3162 + 3.6325 - 1.6325)/4 = 1"
    assert [temml.reading(part) for part in tree(long)] == ["(2.3162\u2212", "0.3162+", "3.6325\u2212", "1.6325)/4=", "1"]
    assert tree(long).get("class") == "breakable" and tree(long, display=True).get("class") == "tml-display"
    coloured = tree(r"\class{stream}{(aaaa + bbbb + cccc + dddd)} - eeee")
    assert temml.reading(coloured.find(".//*[@class='stream']")) == "(aaaa+bbbb+cccc+dddd)"


@pytest.mark.parametrize("tex, forms", [
    (r"[1,\ -2]", [None, "prefix"]), (r"[1,\; -2,\ +3]", [None, "prefix", None, "prefix"]), (r"[a - b]", [None]),
])
def test_a_sign_after_a_comma_is_no_subtraction(tex, forms):
    assert [element.get("form") for element in tree(tex).iter("mo") if not element.get("fence")] == forms


@pytest.mark.parametrize("tex, spaces", [
    (r"\class{norm}{\operatorname{LN}}(x)", 0), (r"\class{norm}{\operatorname{LN}}\left(x\right)", 0),
    (r"\class{norm}{\operatorname{LN}}\bigl(x\bigr)", 0), (r"\class{norm}{\operatorname{LN}} x", 1),
])
def test_a_coloured_name_stands_close_to_its_parenthesis(tex, spaces):
    assert len(list(tree(tex, display=True).iter("mspace"))) == spaces


@pytest.mark.parametrize("tex, spaces", [
    (r"\operatorname{Cov}", 0), (r"\class{covariance}{\operatorname{Cov}}", 0), (r"\operatorname{Cov} = 1", 0),
    (r"\operatorname{Cov} x", 1),
])
def test_a_name_without_an_argument_keeps_no_space_for_one(tex, spaces):
    assert len(list(tree(tex).iter("mspace"))) == spaces


@pytest.mark.parametrize("tex, expected", [
    (r"\mathrm{Var}(x_1)", "Var(x1)"), (r"\mu", "\u03bc"), ("a = b", "a=b"),
])
def test_the_plain_reading_is_the_characters_alone(tex, expected):
    assert temml.plain(tex) == expected
