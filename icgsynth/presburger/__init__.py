"""The only door to isl, the integer set library (Verdoolaege, ICMS 2010), through islpy."""

from icgsynth.presburger.direct import refute
from icgsynth.presburger.normal_sets import NAME, OPERATIONS, satisfy
from icgsynth.presburger.projection import without_quantifier
from icgsynth.presburger.split import refute_by_remainders

__all__ = [
    "NAME",
    "OPERATIONS",
    "refute",
    "refute_by_remainders",
    "satisfy",
    "without_quantifier",
]
