r"""The closed form, derived: from the definition of layer norm to Var(x1), one visible step at a time.

The stream x has components x_i, i = 1 ... d; the stream after the addition, x_1, has components y_i. Every step is an
equation that follows from the definitions above it, for any d and any x that is not constant.
"""

import re
from html import escape
from typing import NamedTuple

from sympy import Eq, Function, IndexedBase, Sum, Symbol, sqrt
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

from .palette import stylesheet


class Var(Function):
    """The population variance of a vector, as a symbol."""

    nargs = 1

    def _latex(self, printer):
        return rf"\operatorname{{Var}}({printer._print(self.args[0])})"


class Step(NamedTuple):
    r"""One equation and the sentence that says why it holds; its formulas stand between ``\(`` and ``\)``."""

    expression: Eq
    sentence: str


d, i = Symbol("d", integer=True, positive=True), Symbol("i", integer=True)
a, b, gamma = Symbol("a", real=True), Symbol("b", real=True), Symbol("gamma", real=True)
mean0, mean1 = Symbol("mu_0", real=True), Symbol("mu_1", real=True)
std0, variance0 = Symbol("sigma_0", positive=True), Symbol("V", nonnegative=True)
eps = Symbol("varepsilon", positive=True)
x, z, y = IndexedBase("x", real=True), IndexedBase("z", real=True), IndexedBase("y", real=True)
variance1 = Var(Symbol("x_1"))


def average(term):
    """The mean of a term over the width."""
    return Sum(term, (i, 1, d)) / d


def _steps(variance, divisor, gain, sum_of_parts, result):
    """The steps for layer norm with this divisor and gain; the last ones lead from the factor to the result."""
    deviation, factor = x[i] - mean0, 1 + a * gain / divisor
    return [
        Step(Eq(mean0, average(x[i])), r"The mean of the stream over its width \(d\)."),
        Step(Eq(variance, average(deviation**2)),
             r"Its variance: the mean squared deviation, divided by \(d\), not by \(d - 1\)."),
        Step(Eq(z[i], gain * deviation / divisor), "Layer norm, by its definition: centre, then divide by one number."),
        Step(Eq(y[i], x[i] + a * z[i] + b), "The addition: the stream plus the branch."),
        Step(Eq(y[i], x[i] + a * gain * deviation / divisor + b), "Layer norm put in."),
        Step(Eq(mean1, average(y[i])), "The mean after the addition, by definition."),
        Step(Eq(mean1, mean0 + b), "Deviations average to zero, so the mean only takes up the shift."),
        Step(Eq(y[i] - mean1, factor * deviation),
             "The mean taken away: every deviation is the old one times one and the same factor. The shift is gone."),
        Step(Eq(variance1, average((y[i] - mean1) ** 2)), "The variance after the addition, by definition."),
        Step(Eq(variance1, factor**2 * average(deviation**2)),
             r"The factor is the same for every \(i\): it leaves the sum squared."),
        Step(Eq(variance1, factor**2 * variance), "What is left in the sum is the variance of the stream."),
        *([Step(Eq(variance1, sum_of_parts),
                "Multiplied out: the stream’s variance, twice the covariance, the branch’s variance.")]
          if sum_of_parts is not None else []),
        *result,
    ]


def closed_form_steps():
    """The steps for eps = 0 and gain 1, ending in Var(x_1) = (sigma_0 + a)^2."""
    return _steps(std0**2, std0, 1, std0**2 + 2 * a * std0 + a**2,
                  [Step(Eq(variance1, (std0 + a) ** 2),
                        r"A perfect square: the addition adds \(a\) to the standard deviation.")])


def general_steps():
    """The steps with eps, any mean, any uniform shift b and one gain gamma for all components."""
    return _steps(variance0, sqrt(variance0 + eps), gamma, None, [])


COLOURED = {a: r"\class{branch}{a}", std0: r"\class{stream}{\sigma_0}", variance0: r"\class{stream}{V}",
            mean0: r"\mu_0", mean1: r"\mu_1"}
"""How the symbols look in a formula: the stream's scale and the branch's coefficient in their colours."""


class _AsWritten:
    """Sums in the order of the text: x_i - mu_0, sigma_0 + a, 1 + a / sigma_0; sympy's own is alphabetical."""

    def _as_ordered_terms(self, expression, order=None):
        def place(term):
            return (term.could_extract_minus_sign(), *(term.as_coeff_exponent(late)[1] for late in (b, a, eps)))

        return sorted(super()._as_ordered_terms(expression, order), key=place)


class _Tex(_AsWritten, LatexPrinter):
    pass


class _Text(_AsWritten, StrPrinter):
    pass


def tex(equation):
    """The equation as TeX, coloured as the book's vocabulary is."""
    # 1/d stands before a sum, but a short quotient stays one fraction.
    ratio = {"long_frac_ratio": 1} if equation.has(Sum) else {}
    return _Tex({"symbol_names": COLOURED, **ratio}).doprint(equation)


def text(equation):
    """The equation in one line of plain text."""
    return " = ".join(map(_Text().doprint, equation.args))


FORMULA = re.compile(r"\\\((.+?)\\\)")


def plain(sentence):
    """A sentence as plain text."""
    return FORMULA.sub(lambda formula: formula[1].replace("-", "−"), sentence)


class Steps:
    """Steps as a numbered list, each equation below its sentence; plain text where only text is shown."""

    def __init__(self, steps):
        self.steps = [Step(*step) for step in steps]

    @property
    def text(self):
        """The steps, one line of words and one of mathematics each."""
        return "\n".join(f"{count:>2}. {plain(sentence)}\n      {text(equation)}"
                         for count, (equation, sentence) in enumerate(self.steps, 1))

    def html(self):
        """The steps for a page; equations are TeX between ``\\[`` and ``\\]``."""
        entries = "".join(rf"<li><p>{escape(sentence, quote=False)}</p>\[{escape(tex(equation), quote=False)}\]</li>"
                          for equation, sentence in self.steps)
        return f'<ol class="steps">{entries}</ol>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": self.text, "text/html": f"<style data-rs>{stylesheet()}</style>{self.html()}"}
