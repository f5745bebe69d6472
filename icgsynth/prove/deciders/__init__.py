"""Has a conjunction a model over the integers?  Several exact deciders behind one question."""
