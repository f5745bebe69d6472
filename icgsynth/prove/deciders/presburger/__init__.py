"""The only door to isl, the integer set library (Verdoolaege, ICMS 2010), through islpy."""

from icgsynth.prove.deciders.presburger.direct import refute
from icgsynth.prove.deciders.presburger.normal_sets import NAME, OPERATIONS, satisfy

__all__ = ["NAME", "OPERATIONS", "REMAINDERS", "refute", "satisfy"]

REMAINDERS = "remainders"  # what reports call the engine of presburger.split
