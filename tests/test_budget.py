"""Deadlines, in seconds as they pass or in seconds of this process on a processor."""

from __future__ import annotations

import time

import pytest

from icgsynth.budget import Budget, in_processor_time
from icgsynth.errors import BudgetSpent


def test_sleep_is_no_time_on_a_processor():
    with in_processor_time():
        counted = Budget(0.2)
        part = counted.share(0.5)
    plain = Budget(0.2)
    time.sleep(0.3)
    assert plain.is_spent and not counted.is_spent and not part.is_spent
    assert counted.remaining() > 0.1
    with pytest.raises(BudgetSpent):
        plain.check()


def test_work_is():
    with in_processor_time():
        counted = Budget(0.05)
    while time.process_time() < counted.started + 0.1:
        pass
    assert counted.is_spent and counted.elapsed() >= 0.1
    assert not Budget(60).elapsed() > 30, "outside, seconds are those of the clock again"
