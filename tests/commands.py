"""A command run in this process, for tests of what it writes and how it ends."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from icgsynth.cli import codes, run


class Ended(NamedTuple):
    """How a command ended, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> Ended:
    """``icgsynth`` with these arguments: it does not crash, whatever they are."""
    code = run([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    assert code != codes.CRASH, err
    return Ended(code, out, err)


def refused(capfd: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What is said on stderr, with exit code 2 and nothing on stdout."""
    code, out, err = call(capfd, *arguments)
    assert (code, out) == (codes.BAD_INPUT, ""), err
    return err
