"""The only door to isl, the integer set library (Verdoolaege, ICMS 2010), through islpy."""

from icgsynth.presburger.direct import refute
from icgsynth.presburger.normal_sets import NAME, OPERATIONS, satisfy
from icgsynth.presburger.projection import without_quantifier

__all__ = ["NAME", "OPERATIONS", "refute", "satisfy", "without_quantifier"]
