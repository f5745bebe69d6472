"""A second opinion on automatic sets of losing states, in plain Python.

:func:`recheck` takes the rules and a finite automaton as data and proves, for all states, that
the automaton accepts the losing ones.  It shares nothing with :mod:`icgsynth.automatic` that
finds such automata, but the format.
"""

from icgsynth.recheck.equation import Recheck, recheck

__all__ = ["Recheck", "recheck"]
