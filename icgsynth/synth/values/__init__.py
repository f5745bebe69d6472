"""Grundy values of games and of heaps that split: found here, decided in :mod:`icgsynth.prove`."""
