"""The claims that make an answer right, as formulas that must have no model.

:mod:`~icgsynth.claims.game` says it of the rules, of a ranking and of each part of an answer,
:mod:`~icgsynth.claims.endless_play` where play may never end, and
:mod:`~icgsynth.claims.stated` of a whole solution, part by part.
"""
