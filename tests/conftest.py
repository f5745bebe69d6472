"""Fixtures that all tests share, and settings of pytest and of processes."""

from __future__ import annotations

import gc
import io
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import changed
import costs
import hypothesis
import pace
import pytest
import stages
import warm
from chromium_here import chromium
from commands import HANGS, Ended, call
from coq_here import require_coq

from icgsynth.cli import output
from icgsynth.wings import wings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from icgsynth.boards.finite.grounder import Ground

# The tests start some hundred processes, and each would compile the package anew where Python is
# told to write no bytecode.  Numba's machine code is kept in the same folders, either way.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# How long an example takes says how busy the machine is, and nothing of the code.
hypothesis.settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any machine")

# A shell starts what it runs in the background with Ctrl-C ignored, which every process that it
# starts inherits.  The tests that interrupt a process say what happens where Ctrl-C is heeded.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """Load the plugins of these tests."""
    for plugin in (costs, changed, pace, stages):
        pluginmanager.register(plugin, plugin.__name__)


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels first, where several workers are about to run all tests."""
    several = config.getoption("numprocesses", None)  # of the process that starts the workers
    if several and config.args == config.getini("testpaths"):
        warm.warm()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[Any]:
    """Keep the garbage collector off while tests are collected, and let it run seldom later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _grounded_once() -> Iterator[None]:
    """Ground each game of clingo once, also where many commands read the same game.

    Each of them would start a process for it, which takes longer than most of what is tested.
    """
    if "boards" not in wings():
        yield
        return
    from icgsynth.boards.finite import grounder

    kept: dict[tuple[object, ...], bytes] = {}
    original = grounder._run

    def _run(program: str, found: Ground, *limits: float) -> tuple[Any, bool, str]:
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


@pytest.fixture(scope="session", autouse=True)
def _nothing_ends_the_tests() -> Iterator[None]:
    """Keep the watchdogs of commands from ending the process that runs the tests.

    The command's seconds do not count the compiling, although a person gives them, and on a busy
    machine it may end late.  What a watchdog does is tested in processes of their own.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "CLOCK", SimpleNamespace())
        patch.setattr(output, "GRACE", HANGS)
        yield


@pytest.fixture(scope="session")
def coq() -> None:
    """Require Coq, or skip the test."""
    require_coq()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Yield Chromium without a window; a test that uses it belongs to the second stage."""
    with chromium() as found:
        yield found


@pytest.fixture
def icgsynth(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Ended]:
    """Return a function that runs ``icgsynth`` in this process; ``typed`` is what it reads."""

    def icgsynth(*arguments: object, typed: str = "") -> Ended:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return call(capfd, *arguments)

    return icgsynth


@pytest.fixture
def spec(tmp_path: Path) -> Callable[[str], str]:
    """Return a function that writes rules to a file, and returns its path."""

    def write(text: str) -> str:
        path = tmp_path / "game.icg"
        path.write_text(text)
        return str(path)

    return write
