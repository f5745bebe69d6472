"""A second opinion on answers in digits, in plain Python.

:func:`recheck_answer` takes the rules and an answer and proves, for all states, each part that the
answer states; :func:`recheck` does it for an automaton that is said to accept the losing states.
Both share nothing with :mod:`icgsynth.automatic`, which finds such answers, nor with the automata
that prove them first, but the formats.
"""

from icgsynth.recheck.answer import recheck_answer
from icgsynth.recheck.equation import Recheck, recheck

__all__ = ["Recheck", "recheck", "recheck_answer"]
