"""Has a conjunction a model over the integers?  Several exact deciders behind one question."""

from icgsynth.prove.deciders.portfolio import decide, forget, second_opinion

__all__ = ["decide", "forget", "second_opinion"]
