"""Commands that a test runs in its own process."""

from __future__ import annotations

import pytest

from icgsynth.cli import run


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout and stderr; no fault of ours is among what a command may end with."""
    code = run([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    assert code != 1, err
    return code, out, err
