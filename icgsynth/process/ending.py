"""What became of a process."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

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
    """How a process ended.

    ``code`` is its exit code, or the negative number of the signal that ended it; ``said`` the
    end of what it wrote to stderr; ``told`` the whole lines that it wrote where its answer was
    expected; ``killed`` is set where its time was over.  ``megabytes`` is the most memory that
    it had in use, 0 where that is not known.
    """

    code: int
    said: str
    told: tuple[bytes, ...] = ()
    killed: bool = False
    seconds: float = 0.0
    megabytes: float = 0.0

    @property
    def how(self) -> str:
        """The name of the signal, or ``exit code 3``."""
        if self.code >= 0:
            return f"exit code {self.code}"
        try:
            return signal.Signals(-self.code).name
        except ValueError:  # one of the real-time signals, which have no names
            return f"signal {-self.code}"

    @property
    def last_words(self) -> str:
        """The last line that it said, at most 300 characters; empty where it said nothing."""
        lines = self.said.strip().splitlines()
        return lines[-1][:300] if lines else ""

    def lacked_memory(self, memory: int) -> bool:
        """Return whether the process, which could have ``memory`` bytes, ended for want of them."""
        # A library that does not look whether it got memory dies of it by a signal.
        is_full = self.megabytes * MEGABYTE + _reserved_bytes() > memory / 2
        return (self.how in _CRASHES and is_full) or asks_for_memory(self.said)


def asks_for_memory(said: str) -> bool:
    """Return whether the words ``said`` by an error mean that there was no more memory."""
    return any(words in said for words in _MEMORY_WORDS)


def _reserved_bytes() -> int:
    """Bytes of address space that this process, and a fork of it, has without using them."""
    try:
        size, resident = Path("/proc/self/statm").read_text("ascii").split()[:2]
    except OSError:  # not Linux
        return 0
    return (int(size) - int(resident)) * os.sysconf("SC_PAGE_SIZE")
