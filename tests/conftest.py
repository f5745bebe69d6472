"""What all tests share, and the processes that they start."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import NamedTuple

import catalog_answers
import pytest

from icgsynth.cli import run

# The tests start some hundred processes, and each would compile the package anew where Python is
# told to write no bytecode.  Numba's machine code is kept in the same folders, either way.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell starts what it runs in the background with Ctrl-C ignored, which every process that it
# starts inherits.  The tests that interrupt a process say what happens where Ctrl-C is heeded.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """The folder where all workers of this run keep the answers of the catalog's games."""
    if not hasattr(config, "workerinput"):  # a worker has that of the process that started it
        folder = TemporaryDirectory(prefix="icgsynth-tests-")
        config.add_cleanup(folder.cleanup)
        os.environ[catalog_answers.FOLDER] = folder.name


class Ended(NamedTuple):
    """How a command ended, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def icgsynth(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Ended]:
    """``icgsynth`` with these arguments, in this process; ``typed`` is what it reads."""

    def icgsynth(*arguments: object, typed: str = "") -> Ended:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = run([str(argument) for argument in arguments])
        return Ended(code, *capfd.readouterr())

    return icgsynth
