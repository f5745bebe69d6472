"""Run work in a fork of this process, with limits of time and memory."""

from __future__ import annotations

import ctypes
import os
import selectors
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import IO

from icgsynth.budget import on_the_clock
from icgsynth.process.started import MEGABYTE, Ending, last_said, limit

_PR_SET_PDEATHSIG = 1  # the option of Linux's prctl
_FAILED = 70  # the exit code of a child that raised an error

Tell = Callable[[bytes], None]
"""A function that sends a line, without its end, to the parent process."""

Work = Callable[[Tell], None]


class Orphaned(Exception):
    """Raised when the process that waits for the result is gone."""


def can_fork() -> bool:
    """Return whether this system can fork a process."""
    return hasattr(os, "fork")


def run_forked(work: Work, seconds: float, memory: int, orphaned_by: int = -1) -> Ending:
    """Run ``work`` in a fork of this process; return how it ended, with the lines that it sent.

    The fork is killed after ``seconds``, and gets at most ``memory`` bytes.  Once the descriptor
    ``orphaned_by``, if not -1, is at its end, it is killed and :class:`Orphaned` raised.
    """
    start = time.monotonic()
    with tempfile.TemporaryFile() as said:
        reading, writing = os.pipe()
        watcher = os.getpid()
        child = os.fork()
        if child == 0:
            _child(work, memory, writing, said, watcher)
        os.close(writing)
        killed = True
        told: list[bytes] = []
        try:
            deadline = start + on_the_clock(seconds)
            told.extend(_lines(reading, deadline, orphaned_by))
            killed = time.monotonic() >= deadline
        finally:
            if killed:
                os.kill(child, signal.SIGKILL)
            os.close(reading)
            _, status, usage = os.wait4(child, 0)
        spent = time.monotonic() - start
        megabytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / MEGABYTE
        code = os.waitstatus_to_exitcode(status)
        return Ending(code, last_said(said), tuple(told), killed, spent, megabytes)


def _lines(reading: int, deadline: float, orphaned_by: int) -> Iterator[bytes]:
    """Yield the lines of the pipe ``reading`` until its end or ``deadline``; raise Orphaned once
    ``orphaned_by``, if not -1, is at its end."""
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


def _child(work: Work, memory: int, writing: int, said: IO[bytes], watcher: int) -> None:
    """Do ``work`` in the forked child, whose parent is ``watcher``, and exit the process.

    Lines go to the pipe ``writing``, all other output to the file ``said``.
    """
    code = _FAILED
    try:
        _die_with(watcher)
        # The child must not write a byte into the pipes of its parent process.
        nothing = os.open(os.devnull, os.O_RDONLY)
        for target, source in ((0, nothing), (1, said.fileno()), (2, said.fileno())):
            os.dup2(source, target)
        limit(os.getpid(), memory)
        work(lambda line: _write(writing, line))
        code = 0
    except MemoryError:
        os.write(2, b"MemoryError\n")
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(code)


def _write(descriptor: int, line: bytes) -> None:
    data = memoryview(line + b"\n")
    while data:
        data = data[os.write(descriptor, data) :]


def _die_with(watcher: int) -> None:
    """Ask the system to kill this process when its parent, process ``watcher``, ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != watcher:  # killed before it was asked
        os._exit(_FAILED)
