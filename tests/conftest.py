"""What all tests share, and the processes that they start."""

from __future__ import annotations

import io
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import hypothesis
import pace  # noqa: F401  (it sets ICGSYNTH_PACE)
import pytest

from icgsynth.cli import run
from icgsynth.finite import grounder

# The tests start some hundred processes, and each would compile the package anew where Python is
# told to write no bytecode.  Numba's machine code is kept in the same folders, either way.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# How long an example takes says how busy the machine is, and nothing of the code.
hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.load_profile("any machine")

# What a test computes it computes itself: only those of the cache say where that is.
os.environ["ICGSYNTH_CACHE"] = "off"

# A shell starts what it runs in the background with Ctrl-C ignored, which every process that it
# starts inherits.  The tests that interrupt a process say what happens where Ctrl-C is heeded.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


ONE_IN = 4  # of the many cases of a slow test, ``-m "slow and not nightly"`` runs one in so many


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a slow test with more than so many slow cases, most are for the night.

    They say the same of other inputs, so a mistake that only one of them sees is found a day late.
    """
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("nightly"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for alike in cases.values():
        for number, item in enumerate(alike if len(alike) > ONE_IN else ()):
            if number % ONE_IN:
                item.add_marker(pytest.mark.nightly)


BEGUN = time.monotonic()


def pytest_runtest_setup() -> None:
    """No test begins when ``ICGSYNTH_TEST_MINUTES`` are over, if they are set."""
    minutes = float(os.environ.get("ICGSYNTH_TEST_MINUTES", "inf"))
    if time.monotonic() - BEGUN > 60 * minutes:
        pytest.skip(f"the {minutes:g} minutes for these tests were over")


@pytest.fixture(scope="session", autouse=True)
def _grounded_once() -> Iterator[None]:
    """What clingo grounds whole is grounded once, also where many commands read the same game.

    Each of them would start a process for it, which takes longer than most of what is tested.
    """
    kept: dict[tuple[object, ...], bytes] = {}
    original = grounder._run

    def _run(program: str, found: grounder.Ground, *limits: float) -> tuple[Any, bool, str]:
        asked = (program, found.name, found.plain, *limits)
        if asked in kept:
            vars(found).update(pickle.loads(kept[asked]))
            return "whole", False, ""
        ended = original(program, found, *limits)
        if ended == ("whole", False, ""):
            kept[asked] = pickle.dumps(vars(found))
        return ended

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grounder, "_run", _run)
        yield


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
