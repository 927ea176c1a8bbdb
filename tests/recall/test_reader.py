"""The reader of typed answers: Python's own arithmetic as the oracle, and nothing but its own refusal for the rest."""

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from residual_stream.recall.reader import DEEPEST, LONGEST, Refusal, quoted, read_answer

NAMES = {"sqrt": math.sqrt, "exp": math.exp, "log": math.log, "pi": math.pi, "float": float, "__builtins__": {}}

literals = st.one_of(
    st.integers(0, 99).map(str), st.floats(0, 1000).map(lambda number: f"{number:.3f}"),
    st.sampled_from(["0", ".5", "5.", "1e3", "2.5E-3", "1e+2", "007", "pi"]))


def grown(inner):
    return st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", " * ", "/", "**", " - "]), inner).map("".join),
        st.tuples(st.sampled_from(["-", "+", " - "]), inner).map("".join),
        *(inner.map(form.format) for form in ("({})", "sqrt({})", "exp( {})", "log({} )")))


expressions = st.recursive(literals, grown, max_leaves=8).filter(lambda text: len(text) <= LONGEST)


def python_value(text):
    """What Python makes of the text, its numbers taken as floats; None where the value is not a finite real number."""
    floats = re.sub(r"(?<![\w.])(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", lambda number: f"float('{number[0]}')", text)
    try:
        value = eval(floats, NAMES)
    except (ValueError, ZeroDivisionError, OverflowError, TypeError):
        # TypeError: the root of what a fractional power of a negative number gives in Python, a complex number
        return None
    return value if isinstance(value, float) and math.isfinite(value) else None


@settings(deadline=None, max_examples=500)
@given(expressions)
def test_agrees_with_python(text):
    expected = python_value(text)
    if expected is None:
        with pytest.raises(Refusal):
            read_answer(text)
    else:
        assert read_answer(text) == expected


@pytest.mark.parametrize("text, value", [
    ("6.6623", 6.6623), ("(sqrt(2.5) + 1)**2", 6.662277660168381), ("-2**2", -4), ("2**-1", 0.5), ("2**3**2", 512),
    ("--3", 3), ("8/4/2", 1), ("1-2-3", -4), ("\u22123", -3), ("2 \u2212 3", -1), ("  1 ", 1), ("\u00a01\u00a0", 1),
    ("(2\n+3)", 5), ("1e3", 1000), ("pi", math.pi), ("log(exp(2))", 2), ("007", 7), ("(" * 30 + "1" + ")" * 30, 1),
    ("2**0.5**2", 2**0.25), ("0**0", 1), ("1e-400", 0),
])
def test_reads(text, value):
    assert read_answer(text) == value


REFUSED = {
    "open('key.txt')": "a call to open is not an answer",
    "__import__('os').system('ls')": "a call to __import__ is not an answer",
    "np.sqrt(2.5)": "a call to np.sqrt is not an answer",
    "eval(1)": "a call to eval", "Sqrt(2)": "a call to Sqrt", "pi(2)": "a call to pi",
    "x0": "the name x0 has no value", "e": "the name e", "PI": "the name PI", "a.b": "the name a.b", "_": "the name _",
    "'6.66'": "quotation marks", '"6.66"': "quotation marks", "“6.66”": "quotation marks",
    "6,66": "the decimal mark is a point", "1,000.5": "the decimal mark is a point", "log(8,2)": "a comma is not read",
    "6.66 m": "m stands after a number", "2.5cm": "cm stands after", "1_000": "_000 stands after", "0x10": "x10 stands",
    "1j": "j stands after", "3 units": "units stands after", "5 %": "% is not read here, write 0.05 for 5 %",
    "nan": "nan is not a finite number", "inf": "inf is not a finite", "-Infinity": "Infinity is not a finite",
    "NaN": "NaN is not a finite", "1e400": "too large", "-1e400": "too large", "9**9**9": "too large",
    "9**9**9**9**9": "too large", "10**309": "too large", "1e308*10": "too large", "exp(1000)": "too large",
    "-1e308-1e308": "too large", "1e308/1e-308": "too large",
    "1/0": "divides by zero", "0**-1": "divides by zero", "1/(2-2)": "divides by zero", "1/-0": "divides by zero",
    "sqrt(-1)": "sqrt has no real value", "log(0)": "log has no real value", "log(-1)": "log has no real value",
    "(-8)**(1/3)": "a fractional power of a negative number",
    "": "stops too early", "2+": "stops too early", "(": "stops too early", "-": "stops too early", "2**": "too early",
    "(1": "opened and never closed", "sqrt(2": "opened and never closed",
    "1)": "closed that was never opened", "sqrt(2))": "never opened",
    "()": ") cannot stand", "*2": "* cannot stand", "2*/3": "/ cannot stand", "**": "** cannot stand",
    "2 3": "an operator is missing before 3", "2 pi": "before pi", "2(3)": "before (", "(2)(3)": "before (",
    "2 sqrt(2)": "before sqrt", "pi 2": "before 2", "1.5.2": "before .2", "pi x": "before x", "(2 3)": "before 3",
    "sqrt 2": "sqrt needs a number in parentheses", "sqrt": "sqrt needs", "sqrt()": "sqrt needs", "log": "log needs",
    "3^2": "^ is not read here, write **", "2×3": "× is not read here, write *",
    "6÷2": "÷ is", "2π": "π is", "√2": "√ is",
    "3²": "² is not read", "7//2": "// is not read here, write /", "var = 5": "= is not read",
    "[1]": "[ is", "{1}": "{ is",
    "–5": "– is not read here, write -", "6 ∞": "∞ is",
    "６.６": "U+FF16", "٣": "U+0663", "𝟔": "U+1D7D4", "१": "U+0967", "ｓｑｒｔ(2)": "U+FF53", "рi": "U+0440", "1;2": "U+003B",
    "1#2": "U+0023", "1\x00": "U+0000", "\u202e1": "U+202E", "1\u2009000": "U+2009", "\ud800": "U+D800", "💥": "U+1F4A5",
    "lambda: 1": "U+003A", "1 if 2 else 3": "if stands after", "1 < 2": "U+003C", "~1": "U+007E", "\\1": "U+005C",
    "1" * (LONGEST + 1): "longer than 200 characters", "(" * 10_000_000: "longer than 200",
    "(" * 31 + "1" + ")" * 31: "more than 30 levels", "-" * 100 + "1": "more than 30 levels",
    "2**" * 60 + "1": "more than 30 levels", "sqrt(" * 35 + "1" + ")" * 35: "longer than 200",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text[:24]))
def test_refuses_with_the_reason(text):
    with pytest.raises(Refusal) as refusal:
        read_answer(text)
    assert REFUSED[text] in str(refusal.value)
    assert "\n" not in str(refusal.value) and len(str(refusal.value)) < 300


@settings(deadline=None, max_examples=1000)
@given(st.one_of(
    st.text(max_size=250),
    st.text(alphabet="0123456789.eE+-*/()\u2212 ,xpisqrtlognaf_'\"", max_size=60),
    st.lists(st.sampled_from(["1", "2.5", "pi", "sqrt", "(", ")", "**", "-", "+", "/", "*", " ", "9e99", "x"]),
             max_size=60).map("".join),
))
def test_never_raises_anything_but_its_refusal(text):
    try:
        value = read_answer(text)
    except Refusal as refusal:
        assert str(refusal)
    else:
        assert type(value) is float and math.isfinite(value)


def test_the_deepest_nesting_that_is_read():
    assert read_answer("(" * DEEPEST + "1" + ")" * DEEPEST) == 1
    assert read_answer("+".join("1" * 100)) == 100


@pytest.mark.parametrize("text, shown", [
    (" 1 ", "“1”"), ("a\nb", "“a\ufffdb”"), ("x" * 31, f"“{'x' * 30}…”"), ("\u202e", "“\ufffd”"), ("π", "“π”"),
])
def test_quotes_on_one_line(text, shown):
    assert quoted(text) == shown
