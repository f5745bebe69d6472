"""The only place where files are written: aside, and then renamed."""

from __future__ import annotations

import os
from pathlib import Path


def write_aside(target: Path, data: bytes) -> None:
    """Write ``data`` to a new file beside ``target``, then rename it: it is whole, or as it was.

    OSError where it cannot be written.
    """
    import tempfile  # with compressors and more, which most commands do without

    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".icgsynth.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
