"""Theorems about all members of a family: formulas and strategies learned from a few of them."""
