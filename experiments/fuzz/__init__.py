"""``python -m experiments fuzz``: random games and mutilated files, judged."""

from experiments.fuzz.command import main

__all__ = ["main"]
