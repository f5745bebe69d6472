"""Results that take long and are kept on the disk for later runs.

A kept file holds arrays of numbers and nothing that could be executed: numpy's own format without
pickled objects, behind a checksum and the whole key.  A file that does not fit its key or its
checksum is as good as none.  The folder is ``$XDG_CACHE_HOME/icgsynth``, by default
``~/.cache/icgsynth``; ICGSYNTH_CACHE names another one, or is ``off``.  Together the files take no
more than a limit: those that were not used for longest go first.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from icgsynth.process.aside import write_aside

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Arrays", "cache_folder", "keep", "kept", "user_cache"]

_FORMAT = 1  # of the files; in the key, so that another one is never read
_MOST = 512 << 20  # bytes of all files together
_LARGEST = 128 << 20  # bytes of one file
_ENDING = ".kept"
_DIGEST = 32  # bytes of a SHA-256 sum
_OFF = ("off", "0", "no", "none")

Arrays: TypeAlias = "Mapping[str, NDArray[np.generic]]"


def cache_folder() -> Path | None:
    """Where results are kept; None where they are not."""
    given = os.environ.get("ICGSYNTH_CACHE")
    if given is not None:
        return None if given.strip().lower() in ("", *_OFF) else Path(given).expanduser()
    with suppress(RuntimeError):
        return user_cache()
    return None


def user_cache() -> Path:
    """The user's folder of what can be made again; RuntimeError where nobody's home is known."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "icgsynth"


def kept(key: Mapping[str, Any]) -> Arrays | None:
    """The arrays that were kept under ``key``, a JSON object; None where there are none."""
    from zipfile import BadZipFile
    from zlib import error as Damaged

    import numpy as np

    if (path := _path(key)) is None:
        return None
    try:
        data = path.read_bytes()
        if len(data) > _LARGEST or sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
            return None
        with np.load(BytesIO(data[_DIGEST:]), allow_pickle=False) as file:
            found = {name: file[name] for name in file.files}
        if found.pop("key").tobytes() != _text(key):
            return None
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, Damaged):
        return None
    with suppress(OSError):
        os.utime(path)
    return found


def keep(key: Mapping[str, Any], arrays: Arrays) -> None:
    """Keep ``arrays`` under ``key``, if there is a folder that takes them."""
    import numpy as np

    if (path := _path(key)) is None or sum(a.nbytes for a in arrays.values()) > _LARGEST // 2:
        return
    stream = BytesIO()
    written: dict[str, Any] = {"key": np.frombuffer(_text(key), np.uint8), **arrays}
    np.savez(stream, **written)
    data = stream.getvalue()
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_aside(path, sha256(data).digest() + data)
        _trim(path.parent)


def _trim(folder: Path) -> None:
    """Take away the files that were not used for longest, until the rest is small enough."""
    found = [(p.stat(), p) for p in folder.glob(f"*{_ENDING}")]
    found.sort(key=lambda pair: pair[0].st_mtime, reverse=True)
    total = 0
    for stat, path in found:
        total += stat.st_size
        if total > _MOST:
            path.unlink(missing_ok=True)


def _text(key: Mapping[str, Any]) -> bytes:
    return json.dumps({**key, "format": _FORMAT}, sort_keys=True).encode()


def _path(key: Mapping[str, Any]) -> Path | None:
    folder = cache_folder()
    return None if folder is None else folder / f"{sha256(_text(key)).hexdigest()[:40]}{_ENDING}"
