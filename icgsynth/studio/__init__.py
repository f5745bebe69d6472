"""The studio: pages in a browser on this machine, to play, write rules, build and verify.

:mod:`~icgsynth.studio.server` starts it, :mod:`~icgsynth.studio.guard` lets in whoever has the
token, :mod:`~icgsynth.studio.crew` has the processes that do the work.  Each page is a line of
:mod:`~icgsynth.studio.pages`, a template and a script; functions in ``tasks`` answer its requests.
"""
