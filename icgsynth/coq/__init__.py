"""Write answers as files for Coq that stand alone: the game from its rules, and the whole theorem.

:mod:`~icgsynth.coq.linear_file` writes an answer as data for the texts in ``library``,
:mod:`~icgsynth.coq.digits_file` where automata decide, and :mod:`~icgsynth.coq.coqc` asks Coq."""
