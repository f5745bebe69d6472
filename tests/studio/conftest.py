"""What the tests of the studio share: the studio, started as people start it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from starlette.testclient import TestClient


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """What ``icgsynth studio`` prints; it is ended as people end it."""
    command = [sys.executable, "-m", "icgsynth", "studio", "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield process.stdout.readline().strip()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    """What asks the studio without a browser, and is let in."""
    from studio_here import let_in

    with let_in() as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page of the studio in a browser on a desk."""
    from studio_here import DESK, opened_page

    with opened_page(browser, address, DESK) as found:
        yield found
