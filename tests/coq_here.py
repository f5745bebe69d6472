"""Ask Coq about a file, and skip tests where Coq is not installed.

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
    """Return the commands of ``text`` that load, what it proves of all games, and the rest."""
    end = next((text.index(line) + len(line) for line in _ENDS if line in text), 0)
    begin = text.index(_BEGINS) if end else 0
    loads = text[begin : text.index("\n\n", begin)] if end else ""
    return loads, text[begin + len(loads) : end], text[end:]


def opening(*parts: str) -> str:
    """Return these parts of the library as text that is compiled once, before a test's own text."""
    from icgsynth.coq.gallina import library

    loads = (
        "From Coq Require Import ZArith Lia Bool List.\nImport ListNotations.\nUnset Lia Cache.\n"
    )
    return f"{loads}Open Scope Z_scope.\n\n{''.join(map(library, parts))}{_ENDS[-1]}"


def _coqc(folder: str, file: str) -> subprocess.CompletedProcess[str]:
    """Run ``coqc`` on a file in a folder, and return how it ended."""
    return subprocess.run(
        ["coqc", "-q", file], cwd=folder, capture_output=True, text=True, timeout=MINUTES
    )


def _compiled(text: str) -> bytes:
    """Return the compiled form of what is proved of all games; b"" where Coq refuses it."""
    with TemporaryDirectory() as folder:
        Path(folder, "Library_here.v").write_text(text, "utf-8")
        _coqc(folder, "Library_here.v")
        made = Path(folder, "Library_here.vo")
        return made.read_bytes() if made.exists() else b""


@cache
def _loaded(text: str) -> str:
    """Return a folder in which Coq can load the compiled form of ``text``."""
    name = f"Library_here.vo {sha256(text.encode()).hexdigest()}"
    folder = mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    Path(folder, "Library_here.vo").write_bytes(stored(name, lambda: _compiled(text), "wings"))
    return folder


def complaint(text: str) -> str:
    """Return why Coq refuses the file ``text``; "" where it accepts it and nothing is assumed."""
    from icgsynth.coq.coqc import check_file

    if not _parted(text)[1]:
        found = check_file(text, MINUTES)
        return "" if found.is_proved else found.why
    done = answered(text)
    if done.returncode == 0 and CLOSED not in done.stdout:
        return f"it does not say '{CLOSED}'"
    return "" if done.returncode == 0 else f"refused: {done.stderr}"


def answered(text: str) -> subprocess.CompletedProcess[str]:
    """Run ``coqc`` on a file, with what is proved of all games loaded, and return how it ended."""
    loads, proved, rest = _parted(text)
    folder = _loaded(loads + proved)
    whole = f"{loads}\nRequire Import Library_here.\n{rest}"
    Path(folder, "answer.v").write_text(whole, "utf-8")
    return _coqc(folder, "answer.v")


def is_accepted(text: str) -> bool:
    """Return whether Coq accepts the file ``text``, and nothing is assumed in it."""
    return not complaint(text)


def require_accepted(text: str) -> None:
    """Fail with Coq's message where it does not accept the file ``text``."""
    if not is_accepted(text):
        from icgsynth.coq.coqc import check_file

        found = check_file(text, MINUTES)
        pytest.fail(found.why or "Coq accepts only the whole file")


def as_data_alone(text: str) -> str:
    """Return the file ``text`` without the lines that repeat the data in the names of the rules.

    What is changed in the data is then a false statement, and not only another one than is said.
    """
    return re.sub(r"Example \w+_is .*?:= eq_refl\.\n", "", text, flags=re.DOTALL)
