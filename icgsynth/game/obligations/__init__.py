"""What has to hold for an answer to be right, as formulas that must have no model.

:mod:`~icgsynth.game.obligations.game` says it of the rules and of each part of an answer,
:mod:`~icgsynth.game.obligations.endless_play` where play may never end,
:mod:`~icgsynth.game.obligations.termination` of a ranking, and
:mod:`~icgsynth.game.obligations.stated` of a whole solution, part by part.
"""
