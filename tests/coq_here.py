"""Whether Coq can be asked."""

from __future__ import annotations

import os
import shutil

import pytest


def require_coq() -> None:
    """Skip the test where ``coqc`` is missing; fail where ICGSYNTH_REQUIRE_COQ asks for it."""
    if shutil.which("coqc") is None:
        if os.environ.get("ICGSYNTH_REQUIRE_COQ"):
            pytest.fail("coqc is missing, and ICGSYNTH_REQUIRE_COQ asks for it")
        pytest.skip("coqc is not installed (Debian: apt-get install coq)")
