"""How slow this machine is, so that what tests say does not depend on it.

The parts of a search have budgets in seconds.  On a machine that does less in a second, the tests
let each second of a budget last longer: see ``ICGSYNTH_PACE`` in ``icgsynth.budget``.  The first
process of a run measures it, and all others inherit it.
"""

from __future__ import annotations

import os
import time

USUAL = 0.06  # seconds that the loop takes on the machines that the budgets were chosen on
MARGIN = 1.5  # it is measured before the other tests make the machine busy


def _loop() -> float:
    start, total = time.perf_counter(), 0
    for number in range(10**6):
        total += number
    return time.perf_counter() - start


def pace() -> float:
    """1 on a machine of the usual speed."""
    slower = min(_loop() for _ in range(3)) / USUAL
    return 1.0 if slower < 2 else round(MARGIN * slower, 1)


if "ICGSYNTH_PACE" not in os.environ:
    os.environ["ICGSYNTH_PACE"] = str(pace())
