"""A second opinion on answers, in plain Python.

:func:`~icgsynth.recheck.answer.recheck_answer` takes the rules and an answer in digits and proves,
for all states, each part that the answer states; :func:`~icgsynth.recheck.equation.recheck` does it
for an automaton that is said to accept the losing states.  Both share nothing with
:mod:`icgsynth.automatic`, which finds such answers, nor with the automata that prove them first,
but the formats.  :func:`~icgsynth.recheck.far.check_far` tries an answer at far states.
"""
