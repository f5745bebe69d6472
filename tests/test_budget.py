"""Budgets, in seconds as they pass and in seconds of this process on a processor."""

from __future__ import annotations

import time
from math import inf

import pytest

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent


def test_sleep_is_no_work():
    counted = Budget(inf, work=0.2)
    part = counted.share(0.5)
    plain = Budget(0.2)
    time.sleep(0.3)
    assert plain.is_spent and not counted.is_spent and not part.is_spent
    assert counted.remaining() > 0.1
    with pytest.raises(BudgetSpent):
        plain.check()


def test_work_is_counted():
    counted, plain = Budget(inf, work=0.05), Budget(inf)
    while time.process_time() < counted.worked + 0.1:
        pass
    assert counted.is_spent and counted.within(1).is_spent and not plain.is_spent


def test_the_clock_counts_as_well():
    counted = Budget(0.1, work=60)
    time.sleep(0.2)
    assert counted.is_spent and counted.within(1).is_spent
