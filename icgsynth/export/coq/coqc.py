"""What Coq says of a file: the door to ``coqc``."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from icgsynth.errors import InputError
from icgsynth.process.ending import Ending
from icgsynth.process.started import Started
from icgsynth.prove.kernel_opinion import KernelOpinion

__all__ = ["checked", "installed_coq"]

_CLOSED = b"Closed under the global context"  # what Coq prints of a theorem that assumes nothing
_MEMORY = 8_000_000_000  # bytes of address space; ten times what large files take
_VERSION = re.compile(rb"version (\S+)")


def installed_coq() -> tuple[str, str]:
    """The path of ``coqc`` and Coq's name with its version; :class:`InputError` without it."""
    path = shutil.which("coqc")
    if path is None:
        mend = "install Coq (Debian: apt-get install --no-install-recommends coq), or leave it out"
        raise InputError("to ask Coq needs coqc, which is not installed", mend=mend)
    with Started([path, "--version"]) as asked:
        ending = asked.run(b"", 60)
    found = _VERSION.search(b"\n".join(ending.told))
    return path, f"Coq {found[1].decode()}" if found else "Coq"


def checked(text: str, seconds: float) -> KernelOpinion:
    """What Coq says of the file ``text`` within so many seconds.

    It is proved where ``coqc`` ends well *and* says that the theorem assumes nothing.  Anything
    else refutes nothing: the proof in the file, and not the theorem, may be what fails.
    """
    path, name = installed_coq()
    with TemporaryDirectory() as folder:
        file = Path(folder, "answer.v")
        file.write_text(text, "utf-8")
        with Started([path, "-q", str(file)], memory=_MEMORY) as coqc:
            ending = coqc.run(b"", seconds)
    is_proved = ending.code == 0 and _CLOSED in ending.told
    return KernelOpinion(name, is_proved, ending.seconds, "" if is_proved else _why(ending))


def _why(ending: Ending) -> str:
    if ending.killed:
        return "its time was over"
    if ending.lacked_memory(_MEMORY):
        return "it had too little memory"
    said = ending.said.partition("Error:")[2].split()
    return " ".join(said)[:200] or ending.how
