"""Count and limit the seconds of the processor that a process and its children use.

The clock runs on while other work has the processor; these seconds do not.  They are read from
``/proc``; where there is none, as on other systems than Linux, no limit is ever reached.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_LOOK = 0.1  # seconds on the clock between two looks at the seconds of the processor
_TICKS = os.sysconf("SC_CLK_TCK")  # a second, as the system counts what a process uses
_USED = slice(11, 15)  # fields after the name: of the process, for it, and both of ended children


def processor_seconds(process: str = "self") -> float:
    """Return what ``process`` and all processes below it have used; 0 where it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
        listed = [task.read_text() for task in Path(f"/proc/{process}/task").glob("*/children")]
    except OSError:
        return 0.0
    below = (child for line in listed for child in line.split())
    return sum(map(int, fields[_USED])) / _TICKS + sum(map(processor_seconds, below))


@contextmanager
def at_most(seconds: float, late: Callable[[], None]) -> Iterator[None]:
    """Call ``late``, in another thread, once the block has used more than ``seconds``.

    What the processes that it started use counts as well.
    """
    begun, ended = processor_seconds(), threading.Event()

    def watch() -> None:
        while not ended.wait(_LOOK):
            if processor_seconds() - begun > seconds:
                late()
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        ended.set()
