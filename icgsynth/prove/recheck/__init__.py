"""A second opinion on answers, in plain Python.

:func:`~icgsynth.prove.recheck.answer_parts.recheck_answer` takes the rules and an answer in
digits and proves, for all states, each part that the answer states.  It shares nothing with
:mod:`icgsynth.synth.digits`, which finds such answers, nor with the automata that prove them
first, but the formats and the statement of what has to hold.
:func:`~icgsynth.prove.recheck.far.check_far` tries an answer at far states."""
