"""A second opinion on answers, in plain Python.

:func:`~icgsynth.prove.recheck.answer_parts.recheck_answer` takes the rules and an answer in
digits and proves, for all states, each part that the answer states;
:func:`~icgsynth.prove.recheck.equation.recheck` does it for an automaton that is said to accept
the losing states.  Both share nothing with :mod:`icgsynth.synth.digits`, which finds such answers,
nor with the automata that prove them first, but the formats.
:func:`~icgsynth.prove.recheck.far.check_far` tries an answer at far states.
"""
