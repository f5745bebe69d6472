"""Synthesis of Grundy functions of games; :mod:`icgsynth.prove` decides whether they are right."""
