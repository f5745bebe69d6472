"""Copies of this process: their limits hold for what they start, too."""

from __future__ import annotations

import sys

import pytest

from icgsynth.benchmark.sweep.forked import run_forked
from icgsynth.process.started import Started


@pytest.mark.skipif(sys.platform != "linux", reason="sets the limit of another process")
def test_a_bound_on_memory_is_not_loosened_from_within():
    """A process that a bounded one starts, and bounds by more, has no more than that one."""

    def work(say):
        code = "import resource; print(*resource.getrlimit(resource.RLIMIT_AS))"
        with Started([sys.executable, "-c", code], memory=9 * 10**9) as child:
            say(child.run(b"", 30).told[0])

    assert run_forked(work, 30, 8 * 10**9).told == (b"8000000000 8000000000",)
