"""Whether Coq can be asked, and what it says of a file."""

from __future__ import annotations

import os
import re
import shutil

import pytest

from icgsynth.coq.coqc import checked

MINUTES = 300.0  # seconds that Coq may take, on any machine; it takes at most about seven


def require_coq() -> None:
    """Skip the test where ``coqc`` is missing; fail where ICGSYNTH_REQUIRE_COQ asks for it."""
    if shutil.which("coqc") is None:
        if os.environ.get("ICGSYNTH_REQUIRE_COQ"):
            pytest.fail("coqc is missing, and ICGSYNTH_REQUIRE_COQ asks for it")
        pytest.skip("coqc is not installed (Debian: apt-get install coq)")


def is_accepted(text: str) -> bool:
    """Whether Coq accepts the file, and nothing is assumed in it."""
    return checked(text, MINUTES).is_proved


def require_accepted(text: str) -> None:
    """Fail, with what Coq says, where it does not accept the file."""
    found = checked(text, MINUTES)
    assert found.is_proved, found.why


def as_data_alone(text: str) -> str:
    """The file without the lines that say the data in the names of the rules.

    What is changed in the data is then a false statement, and not only another one than is said.
    """
    return re.sub(r"Example \w+_is .*?:= eq_refl\.\n", "", text, flags=re.DOTALL)
