"""The only door to isl, the integer set library (Verdoolaege, ICMS 2010), through islpy."""

from icgsynth.prove.deciders.presburger.direct import refute
from icgsynth.prove.deciders.presburger.normal_sets import NAME, OPERATIONS, satisfy
from icgsynth.prove.deciders.presburger.projection import without_quantifier
from icgsynth.prove.deciders.presburger.split import refute_by_remainders

__all__ = [
    "NAME",
    "OPERATIONS",
    "refute",
    "refute_by_remainders",
    "satisfy",
    "without_quantifier",
]
