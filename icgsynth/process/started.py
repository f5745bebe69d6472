"""Run a program in a child process, with pipes to it and limits of time and memory.

An :class:`Ending` says what became of it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from icgsynth.budget import on_the_clock

_running: set[Started] = set()
_LAST_SAID = 100_000  # bytes of what a process said that are kept: more than any message
MEGABYTE = 1_000_000  # bytes
_CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS")
# What the libraries below say when an allocation fails, or a thread that needs a stack.
_MEMORY_WORDS = (
    "out of memory",
    "bad_alloc",
    "MemoryError",
    "Cannot allocate memory",
    "Resource temporarily unavailable",
    "can't start new thread",
)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child process ended: exit code, output, time and memory.  ``code`` is the exit code, or
    the negative number of the signal that ended the process; ``said`` the end of what the process
    wrote to stderr; ``told`` the complete lines that it wrote to stdout; ``killed`` is set where
    its time was over.  ``megabytes`` is the most memory that it had in use, 0 where that is not
    known."""

    code: int
    said: str
    told: tuple[bytes, ...] = ()
    killed: bool = False
    seconds: float = 0.0
    megabytes: float = 0.0

    @property
    def how(self) -> str:
        """Return how the process ended: the name of a signal, or for example ``exit code 3``."""
        if self.code >= 0:
            return f"exit code {self.code}"
        try:
            return signal.Signals(-self.code).name
        except ValueError:  # one of the real-time signals, which have no names
            return f"signal {-self.code}"

    @property
    def last_words(self) -> str:
        """Return the last line written to stderr, at most 300 characters; "" if there is none."""
        lines = self.said.strip().splitlines()
        return lines[-1][:300] if lines else ""

    def lacked_memory(self, memory: int) -> bool:
        """Return whether the process, limited to ``memory`` bytes, ended for lack of memory."""
        # A library that does not check its allocations dies by a signal when one fails.
        is_full = self.megabytes * MEGABYTE + _reserved_bytes() > memory / 2
        return (self.how in _CRASHES and is_full) or asks_for_memory(self.said)


def asks_for_memory(said: str) -> bool:
    """Return whether ``said``, the message of an error, means that memory ran out."""
    return any(words in said for words in _MEMORY_WORDS)


def _reserved_bytes() -> int:
    """Return the bytes of address space that this process has reserved and does not use."""
    try:
        size, resident = Path("/proc/self/statm").read_text("ascii").split()[:2]
    except OSError:  # not Linux
        return 0
    return (int(size) - int(resident)) * os.sysconf("SC_PAGE_SIZE")


def python_calling(module: str, function: str) -> list[str]:
    """Return the command that starts a Python which calls ``function`` of ``module``.  The function
    gets no arguments.  The new Python has the module path and the recursion limit of this one, and
    does not import from its working folder."""
    code = (
        "import json, sys; sys.path[:], depth = json.loads(sys.argv[1]); "
        f"sys.setrecursionlimit(depth); from {module} import {function}; {function}()"
    )
    state = json.dumps([sys.path, sys.getrecursionlimit()])
    return [sys.executable, "-P", "-c", code, state]


class Started:
    """A child process that runs a command, and is killed when the ``with`` block is left.
    ``memory`` bounds its address space, in bytes, where the system can; ``folder`` is its working
    folder, by default that of this process.  Raises OSError where it cannot be started."""

    def __init__(
        self, command: Sequence[str], memory: int | None = None, folder: str | None = None
    ) -> None:
        self._begun = time.monotonic()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (closed by ``stop``)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                cwd=folder,
                env=_environment(),
                # The terminal's Ctrl-C is for the process that started this one, and kills it.
                start_new_session=True,
            )
        except OSError:
            self._said.close()
            raise
        self._late = False
        self._ending: Ending | None = None
        _running.add(self)
        if memory is not None:
            limit(self._process.pid, memory)

    def __enter__(self) -> Started:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def stdin(self) -> IO[bytes]:
        """Return the stream that the child process reads; ValueError if there is none."""
        return _there(self._process.stdin)

    @property
    def stdout(self) -> IO[bytes]:
        """Return the stream that the child process writes; ValueError if there is none."""
        return _there(self._process.stdout)

    def send(self, data: bytes) -> None:
        """Write ``data`` to the child's stdin and close that, even if the child has ended."""
        with suppress(BrokenPipeError):
            self.stdin.write(data)
        with suppress(BrokenPipeError):
            self.stdin.close()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Kill the child process, so that its pipes end, if the ``with`` block takes longer than
        ``seconds``."""

        def end() -> None:
            self._late = True
            self.kill()

        timer = threading.Timer(min(on_the_clock(seconds), threading.TIMEOUT_MAX), end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def run(self, data: bytes, seconds: float) -> Ending:
        """Write ``data`` to the child's stdin, wait at most ``seconds`` until it ends, else kill
        it, and return how it ended, with its output."""
        with self.within(seconds):
            out, _ = self._process.communicate(data)
        return self.stop(told=out)

    @property
    def was_late(self) -> bool:
        """Return whether the process was killed because its time was over."""
        return self._late

    def kill(self) -> None:
        """Kill the child process now; may be called from any thread."""
        self._process.kill()

    def stop(self, patience: float = 0.0, told: bytes = b"") -> Ending:
        """Wait ``patience`` seconds for the end of the child, kill it if it still runs, and return
        how it ended; ``told`` is the output that was read from it."""
        if self._ending is not None:
            return self._ending
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        self._process.kill()
        code = self._process.wait()
        _running.discard(self)
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # of what was still to be sent
                _there(stream).close()
        with self._said as said:
            words = last_said(said)
        lines = tuple(told.split(b"\n")[:-1])  # the last one may have been cut
        spent = time.monotonic() - self._begun
        self._ending = Ending(code, words, lines, self._late, spent)
        return self._ending


def kill_all() -> None:
    """Kill all child processes that still run; may be called from any thread."""
    for started in tuple(_running):
        started.kill()


def last_said(stream: IO[bytes]) -> str:
    """Return the last 100,000 bytes in the seekable file ``stream``, decoded."""
    stream.seek(max(0, stream.seek(0, os.SEEK_END) - _LAST_SAID))
    return stream.read().decode("utf-8", "replace")


def _there(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("a process without this pipe")
    return stream


def _environment() -> dict[str, str]:
    wanted = {
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "1",
        "PYTHONHASHSEED": "0",
    }
    return wanted | os.environ


def limit(pid: int, memory: int) -> None:
    """Bound the address space of the process ``pid`` to ``memory`` bytes, where the system can."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, prlimit
    except ImportError:  # not Linux: the other limits remain
        return
    with suppress(OSError, ValueError):
        _, hard = prlimit(pid, RLIMIT_AS)
        allowed = memory if hard == RLIM_INFINITY else min(memory, hard)
        prlimit(pid, RLIMIT_AS, (allowed, allowed))
