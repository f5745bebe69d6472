"""A solution as a file for Coq that stands alone: the game from its rules, and the whole theorem.

:mod:`~icgsynth.coq.coq_file` writes it, and :mod:`~icgsynth.coq.coqc` asks Coq.
"""
