"""Other processes: the only place of the package that starts one.

:mod:`~icgsynth.process.started` starts a program, :mod:`~icgsynth.process.forked` a copy of this
process with limits of time and memory, :mod:`~icgsynth.process.worker` a Python that calls
functions; :mod:`~icgsynth.process.ending` says what became of a process, and
:mod:`~icgsynth.process.watchdog` ends this very one in time, and says how long its start took.
"""
