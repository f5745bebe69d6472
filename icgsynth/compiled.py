"""The only door to numba: kernels compiled once, kept on the disk, and announced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from icgsynth.errors import InputError

__all__ = ["Progress", "announce", "compiled", "is_compiled", "silent"]

_F = TypeVar("_F", bound=Callable[..., Any])

Progress = Callable[[str], None]
"""Takes one line for the person who waits; a command writes it to stderr."""


def silent(message: str) -> None:
    """A progress callback that says nothing."""


def compiled(function: _F) -> _F:
    """``function`` in machine code, cached beside its module (or in numba's user cache).

    It is compiled at its first call.  :class:`~icgsynth.errors.InputError` names the extra to
    install where numba is missing.
    """
    try:
        from numba import njit
    except ImportError:
        raise InputError(
            "finite games need numba, which is not installed",
            mend="pip install 'icgsynth[fft]'",
        ) from None
    return cast(_F, njit(cache=True, nogil=True)(function))


def is_compiled(function: Callable[..., Any]) -> bool:
    """Whether the disk holds machine code of ``function`` at least as new as its source."""
    folder = getattr(getattr(function, "stats", None), "cache_path", None)
    plain = getattr(function, "py_func", None)
    if folder is None or plain is None:
        return False
    source = Path(plain.__code__.co_filename)
    found = Path(folder).glob(f"{source.stem}.{plain.__qualname__}-*.nbi")
    return any(index.stat().st_mtime >= source.stat().st_mtime for index in found)


def announce(kernels: Sequence[Callable[..., Any]], progress: Progress) -> None:
    """Say that machine code is about to be made, where some of ``kernels`` has none yet."""
    missing = [k for k in kernels if not getattr(k, "signatures", ()) and not is_compiled(k)]
    if missing:
        progress(
            f"compiling {len(missing)} kernel{'s' * (len(missing) > 1)} for this machine, once "
            f"(about {2 * len(missing)} s); later runs find them in the cache"
        )
