"""The relay of lunch boxes: one error among so many deliveries, in the unit of quality control."""

from .registry import key, mistake

SIX_SIGMA = 3.4
"""Defects per million that the label "Six Sigma" allows, a convention of quality control."""


@key
def defects_per_million(millions):
    return 1 / millions


@key
def times_better(millions):
    return SIX_SIGMA / defects_per_million(millions)


@key
def six_sigma():
    return SIX_SIGMA


@mistake
def deliveries_per_error(millions):
    return millions


@mistake
def both_ways_per_million(millions):
    return 1 / (2 * millions)


@mistake
def defects_as_fraction(millions):
    return 1e-6 / millions


@mistake
def ratio_the_other_way(millions):
    return defects_per_million(millions) / SIX_SIGMA


@mistake
def ratio_both_ways(millions):
    return SIX_SIGMA * 2 * millions
