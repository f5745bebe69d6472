"""Formulas with products of unknowns: proved by linear facts about these products.

A game whose constants have no value yet has them in ``v mod (n + 1)`` and in ``d * k``.
:mod:`~icgsynth.prove.deciders.products.linearised` gives each product, quotient and remainder a
name; :mod:`~icgsynth.prove.deciders.products.decision` says what is true of them in linear
arithmetic, asks a solver, and adds facts where its model is none.
"""

from icgsynth.prove.deciders.products.decision import decide_products

__all__ = ["decide_products"]
