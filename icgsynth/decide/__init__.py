"""Has a conjunction a model over the integers?  Several exact deciders behind one question."""

from icgsynth.decide.portfolio import decide, forget
from icgsynth.decide.second import second_opinion

__all__ = ["decide", "forget", "second_opinion"]
