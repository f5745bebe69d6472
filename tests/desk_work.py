"""Work for the studio's desks that imports nothing else.

A process that begins has to read the module of its task within the seconds of the task: that of the
tests themselves takes some of these, and on a busy machine all.
"""

from __future__ import annotations

import time
from typing import Any


def forever(_data: dict[str, Any]) -> dict[str, Any]:
    """Work without an end."""
    while True:
        time.sleep(0.05)


def swift(data: dict[str, Any]) -> dict[str, Any]:
    """Return at once the seconds that were given, and whether the answer is a passing one."""
    return {"seconds": data["seconds"], "passing": data.get("passing", False)}


def slow(data: dict[str, Any]) -> dict[str, Any]:
    """Take longer than work that has to wait is tried for, unless 5 seconds or more are given."""
    if data["seconds"] < 5:
        time.sleep(60)
    return {"seconds": data["seconds"]}
