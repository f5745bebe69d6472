"""Grundy values of games and of heaps that split: found here, decided in :mod:`icgsynth.prove`."""

USUAL_HEAPS = 1 << 20  # whose values may show a period, where nobody says how many
