"""Decorators that compile functions with numba and cache their machine code on the disk.

A kernel's machine code holds that of every function it calls, also of other modules; numba's
cache looks at the kernel's own file alone.  So machine code is kept in a folder that is named by a
digest of all sources that went into the code: an edited source never meets stale machine code, and
another copy of equal sources, in another environment, finds the code that exists already.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from icgsynth import wings
from icgsynth.budget import CLOCK, Notice, Progress

_F = TypeVar("_F", bound=Callable[..., Any])
_PACKAGE = __name__.partition(".")[0]
_PART = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_WRONG = ("avx512", "avx10", "amx-avx512")  # processor features whose code cannot be trusted


def user_cache() -> Path:
    """Return the user's cache folder of icgsynth; RuntimeError where no home folder is known."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "icgsynth"


def compiled(function: _F) -> _F:
    """Return ``function`` compiled by numba, with its machine code cached on the disk.  It is
    compiled at its first call.  Raises :class:`~icgsynth.errors.InputError` with the extra to
    install where numba is missing."""
    kernel = _njit()(nogil=True)(function)
    kernel.sources = _digest(function)
    kernel._cache = _cache(function, kernel.sources)
    return cast(_F, kernel)


def _cache(function: Callable[..., Any], stamp: str) -> Any:
    """Return numba's cache on the disk for the compiled ``function``, in a folder whose name is
    ``stamp``, a digest of its sources."""
    from numba import config
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

    class Folder(_CacheLocator):
        """The cache folder, named by ``stamp``, in ``kernels`` or in NUMBA_CACHE_DIR."""

        def get_cache_path(self) -> str:
            return str(Path(config.CACHE_DIR or user_cache() / "kernels") / stamp)

        def get_source_stamp(self) -> str:
            return stamp

        def get_disambiguator(self) -> str:
            return str(function.__code__.co_firstlineno)

        @classmethod
        def from_function(cls, _function: object, _file: str) -> Folder | None:
            """Return the cache folder; None where it cannot be made, so that numba chooses
            another."""
            try:
                (found := cls()).ensure_cache_path()
            except (OSError, RuntimeError):
                return None
            return found

    class Files(CompileResultCacheImpl):
        """Numba's cache files of one kernel, in :class:`Folder` if possible."""

        _locator_classes = (Folder, *CompileResultCacheImpl._locator_classes)

    class Cache(FunctionCache):
        """A numba cache that returns machine code only for exactly the types asked for.  Of two
        processes that compile a kernel for different types at the same time, one may overwrite the
        other's file."""

        _impl_class = Files

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            found = super().load_overload(sig, target_context)
            return found if found is not None and found.signature.args == tuple(sig) else None

    return Cache(function)


def part(function: _F) -> _F:
    """Return ``function`` compiled by numba for calls from compiled code; Python cannot call it.
    The wrapper for calls from Python takes longer to compile than most kernels do, and the code of
    a part is cached with that of its callers."""
    return cast(_F, _njit()(**_PART)(function))


def inlined(function: _F) -> _F:
    """Return ``function`` compiled by numba so that each kernel that calls it has a copy of it.
    This is for short functions that take many arrays: in machine code each array is several
    arguments, which a call would pass anew."""
    return cast(_F, _njit()(forceinline=True, **_PART)(function))


def _njit() -> Callable[..., Any]:
    try:
        with _without_scipy():
            from numba import njit
            from numba.np import arraymath  # noqa: F401
    except ImportError:
        message = "finite games and long nim sequences need numba, which is not installed"
        raise wings.lacking(message, "fft") from None
    _leave_out_avx512()
    _stop_the_clock()
    return cast(Callable[..., Any], njit)


@cache
def _stop_the_clock() -> None:
    """Make numba stop the clock of all budgets while it compiles a kernel."""
    from numba.core import event

    ways = {"on_start": lambda *_: CLOCK.stop(), "on_end": lambda *_: CLOCK.go()}
    event.register("numba:compile", type("Making", (event.Listener,), ways)())


@contextmanager
def _without_scipy() -> Iterator[None]:
    """Hide scipy from imports within the ``with`` block, for numba would load it and our kernels
    need no linear algebra of it: importing scipy takes 60 ms and 15 MB."""
    if "scipy" in sys.modules:
        yield
        return
    sys.modules["scipy"] = cast(Any, None)
    try:
        yield
    finally:
        del sys.modules["scipy"]


def _leave_out_avx512() -> None:
    """Set numba to compile without AVX-512, unless the environment names a processor."""
    # LLVM 20 to 22 (numba 0.66 to 0.68) makes wrong code of loops that store under a condition: on
    # processors with AVX-512 a retrograde analysis lost most of its values.  Our kernels work on
    # bits and branches, and are as fast without.
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
    """Return a digest of the source files of ``function`` and of all compiled functions and types
    that its modules import."""
    # The names of the modules count, for numba's files name the module that each kernel stands in.
    files: dict[str, str] = {}  # by the name of the module
    met: set[str] = set()
    todo = [function.__globals__]
    while todo:
        names = todo.pop()
        if (own := names.get("__file__")) is None or own in met:
            continue
        met.add(own)
        files[names["__name__"]] = own
        for value in list(names.values()):
            plain = getattr(value, "py_func", value)
            module = sys.modules.get(str(getattr(plain, "__module__", None)))
            if module is None or not module.__name__.startswith(f"{_PACKAGE}."):
                continue
            if plain is not value:
                todo.append(vars(module))
            elif isinstance(value, type) and module.__file__ is not None:
                files[module.__name__] = module.__file__
    digest = hashlib.sha256()
    for name, file in sorted(files.items()):
        digest.update(f"{name}\0".encode() + Path(file).read_bytes())
    return digest.hexdigest()


def is_compiled(kernel: Any) -> bool:
    """Return whether machine code of the compiled function ``kernel`` for this processor is loaded
    or on the disk."""
    if getattr(kernel, "signatures", ()):
        return True
    try:
        index = kernel._cache._cache_file._load_index()
        here = kernel.targetctx.codegen().magic_tuple()
    except (AttributeError, ImportError, OSError):
        return False
    return any(key[1] == here for key in index)


def announce(kernels: Sequence[Callable[..., Any]], progress: Progress) -> None:
    """Report to ``progress`` how many of the ``kernels``, compiled functions, have no machine code
    yet and will be compiled; nothing if there are none."""
    missing = sum(not is_compiled(kernel) for kernel in kernels)
    if missing:
        progress(
            Notice(
                f"compiling {missing} kernel{'s' * (missing > 1)} for this machine, once (some "
                "seconds each); later runs find them in the cache"
            )
        )
