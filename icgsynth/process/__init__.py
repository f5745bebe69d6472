"""Child processes: nothing else starts any, but for the forked copies that a sweep makes.

:mod:`~icgsynth.process.started` starts a program, :mod:`~icgsynth.process.worker` a Python that
calls functions, and :mod:`~icgsynth.process.watchdog` ends this process in time, and measures how
long its start took.
"""
