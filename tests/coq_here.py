"""Whether Coq can be asked, and what it says of a file.

Each file begins with what is proved once for all games, for which Coq takes longer than for the
rest.  Here this is compiled once, as a file of its own that the rest of each file loads; that Coq
accepts whole files as well is tested in ``test_coq_asked.py``.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import pytest
from store import stored

MINUTES = 1200.0  # seconds that Coq may take, on any machine; it takes at most about twenty


def require_coq() -> None:
    """Skip the test where ``coqc`` is missing; fail where ICGSYNTH_REQUIRE_COQ asks for it."""
    if shutil.which("coqc") is None:
        if os.environ.get("ICGSYNTH_REQUIRE_COQ"):
            pytest.fail("coqc is missing, and ICGSYNTH_REQUIRE_COQ asks for it")
        pytest.skip("coqc is not installed (Debian: apt-get install coq)")


CLOSED = "Closed under the global context"  # what Coq prints where nothing is assumed
_BEGINS = "From Coq Require"
# What is proved of all games ends with the modules about digits, or else where the answer begins.
_ENDS = ("\nEnd DigitFunctions.\n", "\nEnd Digits.\n", "(* The answer *)\n")


def _parted(text: str) -> tuple[str, str, str]:
    """What a file loads, what is proved of all games, and the rest."""
    end = next((text.index(line) + len(line) for line in _ENDS if line in text), 0)
    begin = text.index(_BEGINS) if end else 0
    loads = text[begin : text.index("\n\n", begin)] if end else ""
    return loads, text[begin + len(loads) : end], text[end:]


def opening(*parts: str) -> str:
    """These parts of the library, which are compiled once, before what a test says itself."""
    from icgsynth.coq.gallina import library

    loads = (
        "From Coq Require Import ZArith Lia Bool List.\nImport ListNotations.\nUnset Lia Cache.\n"
    )
    return f"{loads}Open Scope Z_scope.\n\n{''.join(map(library, parts))}{_ENDS[-1]}"


def _coqc(folder: str, file: str) -> subprocess.CompletedProcess[str]:
    """The run of ``coqc`` on a file."""
    return subprocess.run(
        ["coqc", "-q", file], cwd=folder, capture_output=True, text=True, timeout=MINUTES
    )


def _compiled(text: str) -> bytes:
    """What Coq makes of what is proved of all games; nothing where it does not accept it."""
    with TemporaryDirectory() as folder:
        Path(folder, "Library_here.v").write_text(text, "utf-8")
        _coqc(folder, "Library_here.v")
        made = Path(folder, "Library_here.vo")
        return made.read_bytes() if made.exists() else b""


@cache
def _loaded(text: str) -> str:
    """A folder in which ``text`` can be loaded."""
    name = f"Library_here.vo {sha256(text.encode()).hexdigest()}"
    folder = mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    Path(folder, "Library_here.vo").write_bytes(stored(name, lambda: _compiled(text), "wings"))
    return folder


def complaint(text: str) -> str:
    """What Coq says against the file; an empty text where it is accepted, and assumes nothing."""
    from icgsynth.coq.coqc import check_file

    if not _parted(text)[1]:
        found = check_file(text, MINUTES)
        return "" if found.is_proved else found.why
    done = answered(text)
    if done.returncode == 0 and CLOSED not in done.stdout:
        return f"it does not say '{CLOSED}'"
    return "" if done.returncode == 0 else f"refused: {done.stderr}"


def answered(text: str) -> subprocess.CompletedProcess[str]:
    """The run of ``coqc`` on a file of ours, without what is proved of all games."""
    loads, proved, rest = _parted(text)
    folder = _loaded(loads + proved)
    whole = f"{loads}\nRequire Import Library_here.\n{rest}"
    Path(folder, "answer.v").write_text(whole, "utf-8")
    return _coqc(folder, "answer.v")


def is_accepted(text: str) -> bool:
    """Whether Coq accepts the file, and nothing is assumed in it."""
    return not complaint(text)


def require_accepted(text: str) -> None:
    """Fail, with what Coq says, where it does not accept the file."""
    if not is_accepted(text):
        from icgsynth.coq.coqc import check_file

        found = check_file(text, MINUTES)
        pytest.fail(found.why or "Coq accepts only the whole file")


def as_data_alone(text: str) -> str:
    """The file without the lines that say the data in the names of the rules.

    What is changed in the data is then a false statement, and not only another one than is said.
    """
    return re.sub(r"Example \w+_is .*?:= eq_refl\.\n", "", text, flags=re.DOTALL)
