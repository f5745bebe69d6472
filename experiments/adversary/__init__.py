"""``python -m experiments adversary`` tries to make icgsynth claim something false."""

from experiments.adversary.command import main

__all__ = ["main"]
