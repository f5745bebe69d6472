"""A browser, Chromium, for tests of pages, and whether it is installed."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_PROGRAM = "chromium"  # the name of Debian's


def require_chromium() -> str:
    """Return the path of Chromium.

    The test is skipped where it or playwright is missing, and fails where
    ICGSYNTH_REQUIRE_CHROMIUM asks for them.
    """
    found = shutil.which(_PROGRAM)
    missing = "chromium is not installed (Debian: apt-get install chromium)" if not found else ""
    if importlib.util.find_spec("playwright") is None:
        missing = "playwright is not installed (pip install playwright)"
    if missing or found is None:
        if os.environ.get("ICGSYNTH_REQUIRE_CHROMIUM"):
            pytest.fail(f"{missing}, and ICGSYNTH_REQUIRE_CHROMIUM asks for it")
        pytest.skip(missing)
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a browser without a window, and close it at the end."""
    found = require_chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found,
            args=["--no-sandbox", "--disable-gpu", "--renderer-process-limit=1"],
        )
        try:
            yield browser
        finally:
            browser.close()
