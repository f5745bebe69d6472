"""One job in one process with limits, and what to make of a process that told nothing.

The process is forked from this one, where everything is loaded already; it may use so much
address space, and is killed soon after its time.  Where there is no ``fork``,
:mod:`icgsynth.batch.sweep.job_worker` starts a fresh one instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from icgsynth.batch.sweep.job import Columns, Tell, failed, out_of_memory, work
from icgsynth.batch.sweep.record import Record, complete
from icgsynth.process.ending import Ending
from icgsynth.process.forked import Tell as TellLine
from icgsynth.process.forked import forked
from icgsynth.process.watchdog import GRACE

__all__ = ["KILL_AFTER", "isolated", "record_of"]

KILL_AFTER = GRACE + 0.3  # seconds past its time that a process is killed

Work = Callable[[Mapping[str, Any], Tell], None]


def isolated(message: Mapping[str, Any], orphaned_by: int = -1, do: Work = work) -> Record:
    """Do the job of ``message`` in a process of its own; its record, whatever happens to it.

    Raises :class:`~icgsynth.process.forked.Orphaned`, the process killed, once the descriptor
    ``orphaned_by`` is at its end.
    """

    def there(tell: TellLine) -> None:
        do(message, lambda columns: tell(json.dumps(columns).encode()))

    late = message["timeout"] + KILL_AFTER
    return record_of(message, forked(there, late, message["memory"], orphaned_by))


def record_of(message: Mapping[str, Any], ending: Ending) -> Record:
    """The record of a job from what its process told, and from how that ended."""
    columns: Columns = {}
    for told in ending.told:
        columns |= json.loads(told)
    if "status" not in columns:
        columns |= _judged(message, ending)
    columns["seconds"] = round(ending.seconds, 3)
    if ending.megabytes:
        columns["megabytes"] = round(ending.megabytes, 1)
    return complete(message, columns)


def _judged(message: Mapping[str, Any], ending: Ending) -> Columns:
    """What to say of a process that ended without an answer."""
    if ending.killed:
        late = message["timeout"] + KILL_AFTER
        return failed("unknown", f"killed after {late:g} s: the budget was not heeded")
    if ending.lacked_memory(message["memory"]):
        return out_of_memory(message)
    if ending.how == "SIGKILL":
        reason = "killed from outside, as the system does where memory is short"
        return failed("unknown", reason)
    words = f": {ending.last_words}" if ending.last_words else ""
    reason = f"the process ended without an answer ({ending.how}){words}"
    return failed("error", reason, code=1)
