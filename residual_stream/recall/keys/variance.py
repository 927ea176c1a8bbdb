"""The worked example, x0 + f(LN(x0)) with f(z) = a z + 1: its account, its closed form, and what goes wrong in them."""

from functools import lru_cache

import numpy as np

from ...closed_form import toy_branch, variance_after
from ...model.addition import account
from .registry import key, mistake


def _addition(x0, a):
    return _account(tuple(x0), a)


@lru_cache(maxsize=8)       # a dozen mistakes ask for the same addition
def _account(x0, a):
    return account(np.array(x0), toy_branch(x0, a))


def _sample_std(x0):
    return np.std(x0, ddof=1)


# The stream and the branch of the worked example: x0 + f(LN(x0)), f(z) = a z + 1.

@key
def stream_variance(x0):
    return np.var(x0)


@key
def stream_std(x0):
    return np.std(x0)


@key
def branch_variance(x0, a):
    return _addition(x0, a).var_branch


@key
def covariance(x0, a):
    return _addition(x0, a).covariance


@key
def sum_variance(x0, a):
    return _addition(x0, a).var_sum


@key
def sum_std(x0, a):
    return np.sqrt(_addition(x0, a).var_sum)


@key
def sum_variance_before(x0, a_before):
    return sum_variance(x0, a_before)


@key
def variance_ratio(x0, a_before, a):
    return sum_variance(x0, a) / sum_variance(x0, a_before)


@key
def coefficient_ratio(a_before, a):
    return a / a_before


@key
def increase_ratio(x0, a_before, a):
    return (sum_variance(x0, a) - np.var(x0)) / (sum_variance(x0, a_before) - np.var(x0))


@mistake
def branch_variance_not_squared(a):
    return abs(a)


@mistake
def branch_variance_without_norm(x0, a):
    return a**2 * np.var(x0)


@mistake
def branch_variance_with_shift(x0, a):
    return _addition(x0, a).var_branch + 1


@mistake
def branch_variance_of_a_sample(x0, a):
    return np.var(toy_branch(x0, a), ddof=1)


@mistake
def branch_variance_after_sample_norm(x0, a):
    return (a * np.std(x0) / _sample_std(x0)) ** 2


@mistake
def branch_variance_before(x0, a_before):
    return branch_variance(x0, a_before)


@mistake
def covariance_before(x0, a_before):
    return covariance(x0, a_before)


@mistake
def covariance_none():
    return 0.0


@mistake
def covariance_twice(x0, a):
    return 2 * _addition(x0, a).covariance


@mistake
def covariance_without_norm(x0, a):
    return a * np.var(x0)


@mistake
def covariance_as_correlation():
    return 1.0


@mistake
def covariance_of_a_sample(x0, a):
    return np.cov(x0, toy_branch(x0, a))[0, 1]


@mistake
def covariance_after_sample_norm(x0, a):
    return a * np.var(x0) / _sample_std(x0)


@mistake
def sum_variance_without_covariance(x0, a):
    parts = _addition(x0, a)
    return parts.var_stream + parts.var_branch


@mistake
def sum_variance_covariance_once(x0, a):
    parts = _addition(x0, a)
    return parts.var_stream + parts.var_branch + parts.covariance


@mistake
def sum_variance_without_norm(x0, a):
    return np.var(x0) * (1 + a) ** 2


@mistake
def sum_variance_of_a_sample(x0, a):
    return np.var(np.add(x0, toy_branch(x0, a)), ddof=1)


@mistake
def sum_variance_after_sample_norm(x0, a):
    return np.var(x0) * (1 + a / _sample_std(x0)) ** 2


@mistake
def sum_std_not_squared(x0, a):
    return np.std(x0) + a


@mistake
def sum_variance_without_stream(x0, a):
    parts = _addition(x0, a)
    return parts.var_branch + 2 * parts.covariance


# The coefficient that multiplies the variance: std0 + a = sqrt(factor) std0.

@key
def coefficient_for(x0, factor):
    return np.std(x0) * (np.sqrt(factor) - 1)


@key
def target_variance(x0, factor):
    return factor * np.var(x0)


@key
def target_std(x0, factor):
    return np.sqrt(factor) * np.std(x0)


@mistake
def coefficient_multiplied(a_before, factor):
    return factor * a_before


@mistake
def coefficient_before(a_before):
    return a_before


@mistake
def coefficient_from_the_sum_before(x0, a_before, factor):
    return np.sqrt(factor * sum_variance_before(x0, a_before)) - np.std(x0)


@mistake
def coefficient_without_covariance(x0, factor):
    return np.sqrt((factor - 1) * np.var(x0))


@mistake
def coefficient_covariance_once(x0, factor):
    # V + a^2 + a std = factor V, the positive root
    return np.std(x0) * (np.sqrt(4 * factor - 3) - 1) / 2


@mistake
def coefficient_as_variance(x0, factor):
    return (factor - 1) * np.var(x0)


@mistake
def coefficient_after_sample_norm(x0, factor):
    return _sample_std(x0) * (np.sqrt(factor) - 1)


@mistake
def coefficient_without_norm(factor):
    return np.sqrt(factor) - 1


@mistake
def coefficient_reflected(x0, factor):
    return -np.std(x0) * (np.sqrt(factor) + 1)


# The addition repeated: each adds a to the standard deviation.

@key
def repeated_std(x0, a, additions):
    stream = np.array(x0, dtype=float)
    for _ in range(additions):
        stream = stream + toy_branch(stream, a)
    return stream.std()


@key
def repeated_variance(x0, a, additions):
    return repeated_std(x0, a, additions) ** 2


@key
def first_growth(x0, a):
    return variance_after(np.std(x0), a) / np.var(x0)


@mistake
def repeated_variance_geometric(x0, a, additions):
    return np.var(x0) * first_growth(x0, a) ** additions


@mistake
def repeated_std_geometric(x0, a, additions):
    return np.sqrt(repeated_variance_geometric(x0, a, additions))


@mistake
def repeated_variance_without_norm(x0, a, additions):
    return np.var(x0) * (1 + a) ** (2 * additions)


@mistake
def repeated_std_without_norm(x0, a, additions):
    return np.std(x0) * (1 + a) ** additions


@mistake
def repeated_variance_independent(x0, a, additions):
    return np.var(x0) + additions * a**2


@mistake
def repeated_std_independent(x0, a, additions):
    return np.sqrt(repeated_variance_independent(x0, a, additions))


@mistake
def repeated_variance_by_steps_of_a(x0, a, additions):
    return np.var(x0) + additions * a


@mistake
def repeated_variance_equal_steps(x0, a, additions):
    return np.var(x0) + additions * (variance_after(np.std(x0), a) - np.var(x0))


@mistake
def repeated_variance_as_multiple_of_the_first(x0, a, additions):
    return additions * variance_after(np.std(x0), a)


@mistake
def repeated_std_too_early(x0, a, additions):
    return np.std(x0) + (additions - 1) * a


@mistake
def repeated_variance_too_early(x0, a, additions):
    return repeated_std_too_early(x0, a, additions) ** 2


# A constant stream.

@key
def constant_sum_variance(constant, a, eps):
    return np.var(np.add(constant, toy_branch(constant, a, eps=eps)))


@key
def closed_form_at_zero_std(a):
    return (0 + a) ** 2


# The same additions without the norm: x + a x + 1.

@key
def unnormed_variance(x0, a, additions):
    stream = np.array(x0, dtype=float)
    for _ in range(additions):
        stream = stream + a * stream + 1
    return stream.var()


@key
def unnormed_growth(a):
    return (1 + a) ** 2


@mistake
def unnormed_variance_too_early(x0, a, additions):
    return unnormed_variance(x0, a, additions) / unnormed_growth(a)


@mistake
def unnormed_variance_not_squared(x0, a, additions):
    return np.var(x0) * (1 + a) ** additions


@mistake
def unnormed_std(x0, a, additions):
    return np.sqrt(unnormed_variance(x0, a, additions))


@mistake
def unnormed_variance_independent(x0, a, additions):
    return np.var(x0) * (1 + a**2) ** additions


# A branch that takes away: a below 0.

@key
def correlation(x0, a):
    return _addition(x0, a).correlation


@mistake
def correlation_of_the_other_sign(x0, a):
    return -_addition(x0, a).correlation


@mistake
def branch_variance_negative(a):
    return -(a**2)


@mistake
def sum_variance_of_the_other_sign(x0, a):
    return variance_after(np.std(x0), -a)
