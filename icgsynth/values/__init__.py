"""Grundy values: found here, decided in :mod:`icgsynth.prove`."""
