"""The only door to numba: kernels compiled once, kept on the disk, and announced.

A kernel's machine code holds that of every function it calls, also of other modules; numba's
cache looks at the kernel's own file alone.  So the cache's key is extended by a digest of all
sources that went into the code: an edited one is never met by stale machine code.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from icgsynth.budget import CLOCK
from icgsynth.errors import InputError

__all__ = ["Notice", "Progress", "announce", "compiled", "inlined", "is_compiled", "part", "silent"]

_F = TypeVar("_F", bound=Callable[..., Any])
_PACKAGE = __name__.partition(".")[0]
_WRONG = ("avx512", "avx10", "amx-avx512")  # processor features whose code cannot be trusted

Progress = Callable[[str], None]
"""Takes one line for the person who waits; a command writes it to stderr."""


class Notice(str):
    """A message that people should see even where progress is not shown."""


def silent(message: str) -> None:
    """A progress callback that says nothing."""


def compiled(function: _F) -> _F:
    """``function`` in machine code, cached beside its module (or in numba's user cache).

    It is compiled at its first call.  :class:`~icgsynth.errors.InputError` names the extra to
    install where numba is missing.
    """
    kernel = _njit()(nogil=True)(function)
    from numba.core.caching import FunctionCache

    stamp = _digest(function)

    class Cache(FunctionCache):  # type: ignore[misc]
        """The same key, and the sources."""

        def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
            return (*super()._index_key(sig, codegen), stamp)

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            """The machine code on the disk; None, and the disk cleared, where it is too old.

            The list of what is there names the types of arguments, and cannot be read where one
            of them has since got another name or place.
            """
            try:
                return super().load_overload(sig, target_context)
            except (AttributeError, ImportError):
                self.flush()
                return None

    kernel._cache = Cache(kernel.py_func)
    kernel.sources = stamp
    return cast(_F, kernel)


def part(function: _F) -> _F:
    """``function`` as a part of the kernels that call it: it cannot be called from Python.

    What lets Python call a kernel takes longer to compile than most kernels do, and the code
    of a part is cached with its callers'.
    """
    options = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast(_F, _njit()(**options)(function))


def inlined(function: _F) -> _F:
    """``function`` as a part that is copied into each kernel that calls it.

    For short functions that take many arrays, each of which is several arguments of machine
    code: a call would pass them all anew.
    """
    options = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast(_F, _njit()(forceinline=True, **options)(function))


def _njit() -> Callable[..., Any]:
    try:
        from numba import njit
    except ImportError:
        raise InputError(
            "finite games and long nim sequences need numba, which is not installed",
            mend="pip install 'icgsynth[fft]'",
        ) from None
    _leave_out_avx512()
    _stop_the_clock()
    return cast(Callable[..., Any], njit)


@cache
def _stop_the_clock() -> None:
    """Have the clock of budgets stand still while machine code is made."""
    from numba.core import event

    ways = {"on_start": lambda *_: CLOCK.stop(), "on_end": lambda *_: CLOCK.go()}
    event.register("numba:compile", type("Making", (event.Listener,), ways)())


def _leave_out_avx512() -> None:
    """Compile without AVX-512, unless the environment names a processor itself.

    LLVM 20 to 22 (numba 0.66 to 0.68) makes wrong code of loops that store under a condition:
    on processors with AVX-512 a retrograde analysis lost most of its values.  Our kernels work
    on bits and branches, and are as fast without.
    """
    from llvmlite import binding
    from numba import config

    if config.CPU_NAME is None:
        features = binding.get_host_cpu_features()
        config.CPU_NAME = binding.get_host_cpu_name()
        config.CPU_FEATURES = ",".join(
            f"{'+' if has and not name.startswith(_WRONG) else '-'}{name}"
            for name, has in sorted(features.items())
        )


def _digest(function: Callable[..., Any]) -> str:
    """Of the function's source file, and those of the kernels and types its module imports."""
    files: set[str] = set()
    met: set[str] = set()
    todo = [function.__globals__]
    while todo:
        names = todo.pop()
        if (own := names.get("__file__")) is None or own in met:
            continue
        met.add(own)
        for value in list(names.values()):
            plain = getattr(value, "py_func", value)
            module = sys.modules.get(str(getattr(plain, "__module__", None)))
            if module is None or not module.__name__.startswith(f"{_PACKAGE}."):
                continue
            if plain is not value:
                todo.append(vars(module))
            elif isinstance(value, type) and module.__file__ is not None:
                files.add(module.__file__)
    digest = hashlib.sha256()
    for file in sorted(files | met):
        digest.update(Path(file).read_bytes())
    return digest.hexdigest()


def is_compiled(kernel: Any) -> bool:
    """Whether machine code of ``kernel`` and of all its parts is loaded, or on the disk."""
    if getattr(kernel, "signatures", ()):
        return True
    try:
        index = kernel._cache._cache_file._load_index()
        here = kernel.targetctx.codegen().magic_tuple()
    except (AttributeError, ImportError, OSError):
        return False
    return any(key[1] == here and key[-1] == kernel.sources for key in index)


def announce(kernels: Sequence[Callable[..., Any]], progress: Progress) -> None:
    """Say that machine code is about to be made, where some of ``kernels`` has none yet."""
    missing = sum(not is_compiled(kernel) for kernel in kernels)
    if missing:
        progress(
            Notice(
                f"compiling {missing} kernel{'s' * (missing > 1)} for this machine, once (some "
                "seconds each); later runs find them in the cache"
            )
        )
