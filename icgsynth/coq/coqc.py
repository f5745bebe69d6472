"""Ask Coq about a file: the door to ``coqc``."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from icgsynth.errors import InputError
from icgsynth.game.answers import KernelOpinion
from icgsynth.process.started import Ending, Started

_CLOSED = b"Closed under the global context"  # what Coq prints of a theorem that assumes nothing
_MEMORY = 8_000_000_000  # bytes of address space; ten times what large files take
_PATIENCE = 10.0  # seconds in which coqc says its version; it takes a few hundredths
_VERSION = re.compile(rb"version (\S+)")


def installed_coq() -> str:
    """Return the path of ``coqc``; :class:`InputError` where it is not installed."""
    path = shutil.which("coqc")
    if path is None:
        mend = "install Coq (Debian: apt-get install --no-install-recommends coq), or leave it out"
        raise InputError("to ask Coq needs coqc, which is not installed", mend=mend)
    return path


def coq_version(seconds: float) -> str:
    """Return Coq's name with the version that ``coqc`` tells within ``seconds``, or without one."""
    told = _ran(["--version"], min(seconds, _PATIENCE)).told
    found = _VERSION.search(b"\n".join(told))
    return f"Coq {found[1].decode()}" if found else "Coq"


def check_file(text: str, seconds: float) -> KernelOpinion:
    """Return Coq's verdict on the file ``text``, found within so many ``seconds``. It is proved
    where ``coqc`` ends well *and* says that the theorem assumes nothing. Anything else refutes
    nothing: the proof in the file, and not the theorem, may be what fails."""
    begun = time.monotonic()
    name = coq_version(seconds)
    ending = _ran(["-q", "answer.v"], seconds - (time.monotonic() - begun), text)
    is_proved = ending.code == 0 and _CLOSED in ending.told
    why, said = ("", _CLOSED.decode()) if is_proved else (_why(ending), "")
    return KernelOpinion(name, is_proved, ending.seconds, why, text.count("\n"), said)


def _ran(arguments: Sequence[str], seconds: float, text: str = "") -> Ending:
    """Return how ``coqc`` ended with these ``arguments`` in a folder that has nothing but ``text``,
    as ``answer.v``: it reads any libraries in its folder."""
    path = installed_coq()
    with TemporaryDirectory() as folder:
        Path(folder, "answer.v").write_text(text, "utf-8")
        try:
            with Started([path, *arguments], memory=_MEMORY, folder=folder) as coqc:
                return coqc.run(b"", max(0.0, seconds))
        except OSError as error:
            reason = (error.strerror or "it is no program").lower()
            mend = "install Coq anew, or leave it out"
            raise InputError(f"{path} cannot be started: {reason}", mend=mend) from None


def _why(ending: Ending) -> str:
    if ending.killed:
        return "its time was over"
    if ending.lacked_memory(_MEMORY):
        return "it had too little memory"
    if ending.code == 0:
        return f"it does not say '{_CLOSED.decode()}'"
    said = ending.said.partition("Error:")[2].split()
    return " ".join(said)[:200] or ending.how
