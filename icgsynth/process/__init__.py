"""Other processes: the only place that starts one, but for a sweep's copies of this process.

:mod:`~icgsynth.process.started` starts a program, :mod:`~icgsynth.process.worker` a Python that
calls functions, and :mod:`~icgsynth.process.watchdog` ends this very one in time, and says how long
its start took.
"""
