"""Write a file under another name, and then rename it; no other place writes files."""

from __future__ import annotations

import os
from pathlib import Path


def write_aside(target: Path, data: bytes) -> None:
    """Write ``data`` to the file ``target``, by a new file that is renamed: the old one is replaced
    whole, or left as it was.  Raises OSError where this folder or file cannot be written."""
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
