"""Fast-and-frugal trees: short decision lists of rules that play a finite game perfectly.

Definitions 3-9 of Bolander and Pjetursson, "Synthesizing human-friendly optimal strategies in board
games" (CoG 2020): :mod:`~icgsynth.boards.finite.tree` is what people read and write,
:mod:`~icgsynth.boards.fft.player_view` the game as the compiled kernels see it,
:mod:`~icgsynth.boards.fft.synthesis` finds short trees, :mod:`~icgsynth.boards.fft.minimality`
proves that none is shorter, :mod:`~icgsynth.boards.fft.raw_check` checks one without these.
"""

RAW_CHECK = 250_000  # raw states up to which the second checker of trees runs unasked
