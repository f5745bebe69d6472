"""Exact deciders of whether a conjunction of formulas has a model over the integers."""
