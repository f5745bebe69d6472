"""Tell how many values of heaps fit into the memory that they may take."""

from __future__ import annotations

import os

_SHARE = 4  # of the memory of the machine, or of what this process may have: a quarter
_BYTES = 96  # of one heap: its value, and what the search for a period keeps beside it
_UNKNOWN = 1 << 32  # bytes, where the system does not say how many there are


def room_for_heaps() -> int:
    """Return how many heaps a quarter of the memory holds."""
    return memory() // _SHARE // _BYTES


def memory() -> int:
    """Return the bytes of memory of the machine, or fewer where this process may have fewer."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit

        allowed = getrlimit(RLIMIT_AS)[0]
    except (AttributeError, ImportError, OSError, ValueError):
        return _UNKNOWN
    return whole if allowed == RLIM_INFINITY else min(whole, allowed)
