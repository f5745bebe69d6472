"""One job in one process with limits, and what to make of a process that told nothing.

The process is forked from this one, where everything is loaded already; it may use so much
address space, and is killed soon after its time.  Where there is no ``fork``,
:mod:`icgsynth.batch.sweep.fresh` starts a fresh one instead.
"""

from __future__ import annotations

import ctypes
import json
import os
import selectors
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from icgsynth.batch.sweep.job import (
    GRACE,
    Columns,
    Tell,
    asks_for_memory,
    failed,
    out_of_memory,
    work,
)
from icgsynth.batch.sweep.record import Record, complete

__all__ = ["KILL_AFTER", "Orphaned", "isolated", "judge"]

KILL_AFTER = GRACE + 0.5  # seconds past its time that a process is killed
_PR_SET_PDEATHSIG = 1
_MEGABYTE = 1_000_000
_CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS")
_LAST_WORDS = 4_000  # bytes of what a process said that are looked at

Work = Callable[[Mapping[str, Any], Tell], None]


class Orphaned(Exception):
    """Nobody waits for the result any more."""


def isolated(message: Mapping[str, Any], orphaned_by: int = -1, do: Work = work) -> Record:
    """Do the job of ``message`` in a process of its own; its record, whatever happens to it.

    Raises :class:`Orphaned`, the process killed, once the descriptor ``orphaned_by`` is at its
    end.
    """
    start = time.monotonic()
    with tempfile.TemporaryFile() as said:
        reading, writing = os.pipe()
        watcher = os.getpid()
        child = os.fork()
        if child == 0:
            _child(message, writing, said, watcher, do)
        os.close(writing)
        killed = True
        columns: Columns = {}
        try:
            deadline = start + message["timeout"] + KILL_AFTER
            for told in _lines(reading, deadline, orphaned_by):
                columns |= json.loads(told)
            killed = time.monotonic() >= deadline
        finally:
            if killed:
                os.kill(child, signal.SIGKILL)
            os.close(reading)
            _, status, usage = os.wait4(child, 0)
        seconds = time.monotonic() - start
        megabytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / _MEGABYTE
        if "status" not in columns:
            code = os.waitstatus_to_exitcode(status)
            columns |= judge(message, code, _end_of(said), killed, megabytes)
    return complete(
        message, {**columns, "seconds": round(seconds, 3), "megabytes": round(megabytes, 1)}
    )


def judge(
    message: Mapping[str, Any], code: int, said: bytes, killed: bool, megabytes: float = 0.0
) -> Columns:
    """What to say of a process that ended with ``code`` (negative: a signal) without an answer."""
    if killed:
        late = message["timeout"] + KILL_AFTER
        return failed("unknown", f"killed after {late:g} s: the budget was not heeded")
    how = _signal(-code) if code < 0 else f"exit code {code}"
    text = said.decode("utf-8", "replace")
    # A library that does not look whether it got memory dies of it by a signal.
    is_full = megabytes * _MEGABYTE + _reserved() > message["memory"] / 2
    if (how in _CRASHES and is_full) or asks_for_memory(text):
        return out_of_memory(message)
    if how == "SIGKILL":
        reason = "killed from outside, as the system does where memory is short"
        return failed("unknown", reason)
    words = text.strip().splitlines()
    last = f": {words[-1][:300]}" if words else ""
    return failed("error", f"the process ended without an answer ({how}){last}", code=1)


def _lines(reading: int, deadline: float, orphaned_by: int) -> Iterator[bytes]:
    """Whole lines until the end of the pipe or the deadline."""
    buffer = b""
    with selectors.DefaultSelector() as selector:
        selector.register(reading, selectors.EVENT_READ)
        if orphaned_by >= 0:
            selector.register(orphaned_by, selectors.EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                if key.fd == orphaned_by:
                    raise Orphaned
                data = os.read(reading, 65_536)
                if not data:
                    return
                *whole, buffer = (buffer + data).split(b"\n")
                yield from whole


def _child(
    message: Mapping[str, Any], writing: int, said: IO[bytes], watcher: int, do: Work
) -> None:
    """The forked process: never returns."""
    code = 70
    try:
        _die_with(watcher)
        # Not a byte may get into the pipes of the process that this one was forked from.
        nothing = os.open(os.devnull, os.O_RDONLY)
        for target, source in ((0, nothing), (1, said.fileno()), (2, said.fileno())):
            os.dup2(source, target)
        _limit(message["memory"])
        do(message, lambda columns: _write(writing, columns))
        code = 0
    except MemoryError:
        os.write(2, b"MemoryError\n")
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(code)


def _write(descriptor: int, columns: Columns) -> None:
    data = memoryview(json.dumps(columns).encode() + b"\n")
    while data:
        data = data[os.write(descriptor, data) :]


def _die_with(watcher: int) -> None:
    """Ask the system to kill this process should the one that watches it be killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != watcher:  # killed before it was asked
        os._exit(70)


def _limit(memory: int) -> None:
    """Bound the address space, in bytes, where the system can."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))
    except (OSError, ValueError):  # macOS knows the limit, and refuses it
        return


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # one of the real-time signals, which have no names
        return f"signal {number}"


def _reserved() -> int:
    """Bytes of address space that this process, and a fork of it, has without using them."""
    try:
        size, resident = Path("/proc/self/statm").read_text("ascii").split()[:2]
    except OSError:  # not Linux
        return 0
    return (int(size) - int(resident)) * os.sysconf("SC_PAGE_SIZE")


def _end_of(said: IO[bytes]) -> bytes:
    said.seek(max(0, said.seek(0, os.SEEK_END) - _LAST_WORDS))
    return said.read()
