"""Has a conjunction a model over the integers?  Several exact deciders behind one question."""

from icgsynth.decide.portfolio import decide

__all__ = ["decide"]
