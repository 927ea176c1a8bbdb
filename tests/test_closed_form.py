"""The closed form against the vectors themselves, sympy, Monte Carlo and an independent implementation's values."""

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import residual_stream as rs
from residual_stream import symbolic
from residual_stream.closed_form import X0, derivation, general_derivation, show_steps, toy_branch, variance_after

STD0 = np.sqrt(2.5)

# Computed by another implementation of the same toy, eps = 0.
MEASURED = {-2: 0.175444680, -0.5: 1.168861170, 0: 2.5, 0.5: 4.331138830, 1: 6.662277660, 2: 12.824555320}


def added(x, a, shift=1.0, eps=0.0):
    """Var(x + a LN(x) + shift) with a layer norm written out here: a second pair of hands."""
    x = np.asarray(x, dtype=float)
    deviation = x - np.sum(x, -1, keepdims=True) / x.shape[-1]
    norm = deviation / (np.sum(deviation**2, -1, keepdims=True) / x.shape[-1] + eps) ** 0.5
    return np.var(x + a * norm + shift, axis=-1)


@pytest.mark.parametrize("a, variance", MEASURED.items())
def test_values_of_the_worked_example(a, variance):
    assert variance_after(STD0, a) == pytest.approx(variance, abs=1e-9)
    assert np.var(np.add(X0, toy_branch(X0, a))) == pytest.approx(variance, abs=1e-9)


def test_the_coefficient_that_cancels_the_stream():
    assert variance_after(STD0, -STD0) == 0


@pytest.mark.parametrize("eps, variance", [(0, 4.331138830), (1e-8, 4.331138826), (1e-5, 4.331134668)])
def test_eps_changes_the_last_digits(eps, variance):
    assert variance_after(STD0, 0.5, eps) == pytest.approx(variance, abs=6e-10)
    assert added(X0, 0.5, eps=eps) == pytest.approx(variance, abs=6e-10)


def test_the_vectors_of_the_worked_example():
    np.testing.assert_allclose(toy_branch(X0, 0.5), [1.3162, 0.6838, 1.6325, 0.3675], atol=5e-5)
    np.testing.assert_allclose(np.add(X0, toy_branch(X0, 0.5)),
                               [2.31622777, -0.31622777, 3.63245553, -1.63245553], atol=5e-9)


numbers = st.floats(-100, 100)


@settings(deadline=None)
@given(st.lists(numbers, min_size=2, max_size=12), numbers, numbers, st.floats(1e-9, 1))
def test_holds_for_any_stream_shift_and_eps(x, a, shift, eps):
    assert variance_after(np.std(x), a, eps) == pytest.approx(added(x, a, shift, eps), rel=1e-6, abs=1e-9)


@settings(deadline=None)
@given(st.floats(1e-3, 1e3), st.floats(-1e3, 1e3))
def test_without_eps_it_is_a_square(std, a):
    assert variance_after(std, a) == pytest.approx((std + a) ** 2, rel=1e-12, abs=1e-9)


def test_monte_carlo_over_random_streams():
    """In expectation over random widths of normal streams, within four standard errors of the sample."""
    random = np.random.default_rng(0)
    x = random.normal(3.0, 2.0, size=(4000, 16))
    measured = np.var(x + 0.7 * rs.layer_norm(x, eps=1e-5) - 2.0, axis=-1)
    np.testing.assert_allclose(measured, variance_after(x.std(-1), 0.7, 1e-5), rtol=1e-12)
    # E (sigma + a)^2 = E sigma^2 + 2 a E sigma + a^2, with the moments of chi for 15 degrees of freedom
    mean_std = 2.0 * np.sqrt(2 / 16) * float(sympy.gamma(8) / sympy.gamma(sympy.Rational(15, 2)))
    expected = 4.0 * 15 / 16 + 2 * 0.7 * mean_std + 0.7**2
    assert abs(measured.mean() - expected) < 4 * measured.std() / np.sqrt(len(measured))


def test_constant_streams():
    assert variance_after(0.0, 0.5, 1e-5) == 0
    assert np.isnan(variance_after(0.0, 0.5, 0.0))
    assert np.var(np.add([3.0, 3.0], toy_branch([3.0, 3.0], 0.5, eps=1e-5))) == 0


def test_near_the_root_of_eps_the_square_is_far_off():
    assert np.sqrt(variance_after(1.6e-4, 0.5, 1e-5)) == pytest.approx(0.0254, abs=5e-5)


@pytest.mark.parametrize("std", [1e-300, 1e-170, 1e150, 1e300])
def test_scales_at_which_the_square_would_leave_the_floats(std):
    with np.errstate(over="ignore"):
        assert variance_after(std, 0.5) == pytest.approx((std + 0.5) ** 2 if std < 1 else np.square(std), rel=1e-12)


def test_broadcasts():
    grid = variance_after(np.array([[1.0], [2.0]]), np.array([0.0, 0.5, 1.0]))
    np.testing.assert_allclose(grid, [[1, 2.25, 4], [4, 6.25, 9]])
    assert np.ndim(variance_after(1, 1)) == 0


@pytest.mark.parametrize("arguments, word", [
    ((-1.0, 0.5), "std"), (([1.0, np.nan], 0.5), "std"), ((1.0, 0.5, -1e-9), "eps"), (("one", 0.5), "std"),
    ((1.0, "half"), "a must"), ((1.0, 0.5, 1j), "eps"),
])
def test_refuses_by_name(arguments, word):
    with pytest.raises(ValueError, match=word):
        variance_after(*arguments)


# The derivation: each equation is put into a stream of four free components, and must hold there.

COMPONENTS = sympy.symbols("x1:5", real=True)
ROOT = sympy.Symbol("S", positive=True)    # what layer norm divides by
MEAN = sum(COMPONENTS) / 4
VARIANCE = sum((entry - MEAN) ** 2 for entry in COMPONENTS) / 4


def definitions(general):
    """Every defined symbol in terms of the components and the root, written down apart from the derivation."""
    gain = symbolic.gamma if general else 1
    z = [gain * (entry - MEAN) / ROOT for entry in COMPONENTS]
    y = [entry + symbolic.a * norm + symbolic.b for entry, norm in zip(COMPONENTS, z)]
    mean_after = sum(y) / 4
    return {
        symbolic.mean0: MEAN, symbolic.mean1: mean_after, symbolic.std0: ROOT, symbolic.variance0: VARIANCE,
        symbolic.variance1: sum((entry - mean_after) ** 2 for entry in y) / 4,
        **{symbolic.x[k + 1]: COMPONENTS[k] for k in range(4)}, **{symbolic.z[k + 1]: z[k] for k in range(4)},
        **{symbolic.y[k + 1]: y[k] for k in range(4)},
    }


def squared_root(general):
    """The square of the root: the variance, with eps under the root in the general case."""
    return VARIANCE + (symbolic.eps if general else 0)


def differences(equation, general):
    """Left minus right for each component that the equation speaks of, in the components and the root alone."""
    root = sympy.sqrt(symbolic.variance0 + symbolic.eps)
    for index in range(1, 5) if equation.has(symbolic.i) else (1,):
        gap = (equation.lhs - equation.rhs).subs(root, ROOT).subs(symbolic.d, 4).doit().subs(symbolic.i, index)
        yield gap.subs(definitions(general), simultaneous=True)


def vanishes(gap, general):
    """Whether an expression is zero once the root's square is what it is: exact, by division of polynomials."""
    numerator = sympy.expand(sympy.numer(sympy.together(gap)))
    return sympy.expand(sympy.rem(numerator, sympy.expand(ROOT**2 - squared_root(general)), ROOT)) == 0


STEPS = [(general, step) for general, steps in ((False, derivation()), (True, general_derivation())) for step in steps]


@pytest.mark.parametrize("general, step", STEPS)
def test_every_step_holds_for_four_free_components(general, step):
    assert all(vanishes(gap, general) for gap in differences(step[0], general))


@pytest.mark.parametrize("general, step", STEPS)
def test_every_step_holds_in_numbers(general, step):
    values = {**dict(zip(COMPONENTS, (1.0, -1.5, 2.0, 0.25))), symbolic.a: 0.7, symbolic.b: -3.0, symbolic.gamma: 1.4,
              symbolic.eps: 0.01}
    values[ROOT] = float(squared_root(general).subs(values)) ** 0.5
    for gap in differences(step[0], general):
        assert abs(float(gap.subs(values))) < 1e-12


def test_the_check_of_the_steps_can_fail():
    wrong = sympy.Eq(symbolic.variance1, (symbolic.std0 - symbolic.a) ** 2)
    assert not any(vanishes(gap, False) for gap in differences(wrong, False))


def test_where_the_derivations_begin_and_end():
    assert derivation()[0][0] == sympy.Eq(symbolic.mean0, symbolic.average(symbolic.x[symbolic.i]))
    assert derivation()[-1][0] == sympy.Eq(symbolic.variance1, (symbolic.std0 + symbolic.a) ** 2)
    v, a, gain, eps = symbolic.variance0, symbolic.a, symbolic.gamma, symbolic.eps
    assert general_derivation()[-1][0] == sympy.Eq(symbolic.variance1, v * (1 + a * gain / sympy.sqrt(v + eps)) ** 2)


@settings(deadline=None, max_examples=50)
@given(st.floats(0.01, 10), st.floats(-5, 5), st.floats(1e-6, 1), st.floats(-2, 2))
def test_the_last_equations_are_what_variance_after_computes(std, a, eps, gain):
    special, general = derivation()[-1][0].rhs, general_derivation()[-1][0].rhs
    assert float(special.subs({symbolic.std0: std, symbolic.a: a})) == pytest.approx(variance_after(std, a), abs=1e-9)
    put_in = {symbolic.variance0: std**2, symbolic.a: a, symbolic.eps: eps, symbolic.gamma: gain}
    assert float(general.subs(put_in)) == pytest.approx(variance_after(std, a * gain, eps), rel=1e-9, abs=1e-9)


def test_the_steps_as_shown():
    shown = show_steps(derivation())._repr_mimebundle_()
    assert shown["text/plain"].splitlines()[-1].strip() == "Var(x_1) = (sigma_0 + a)**2"
    assert shown["text/html"].count("<li>") == len(derivation())
    assert "divided by d, not by d − 1." in shown["text/plain"]
    assert r"divided by \(d\), not by \(d - 1\)." in shown["text/html"]
    assert r"\[{z}_{i} = \frac{{x}_{i} - \mu_0}{\class{stream}{\sigma_0}}\]" in shown["text/html"]
