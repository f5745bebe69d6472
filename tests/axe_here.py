"""Get axe, a checker of web pages for accessibility, from npm once, and run it on a page."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from icgsynth.process.compiled import user_cache

if TYPE_CHECKING:
    from playwright.sync_api import Page

_PACKAGE = "axe-core@4.10.3"
_SECONDS = 120  # for a download of half a megabyte
_SCRIPT = "package/axe.min.js"


def axe() -> str:
    """Return the script of axe; the test is skipped where npm is missing or has no network."""
    kept = Path(user_cache()) / "tests" / f"{_PACKAGE}.js"
    if not kept.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("npm is not installed, which fetches axe")
        with TemporaryDirectory() as folder:
            command = [npm, "pack", "--silent", _PACKAGE]
            try:
                subprocess.run(
                    command, cwd=folder, check=True, capture_output=True, timeout=_SECONDS
                )
            except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
                pytest.skip(f"npm cannot fetch {_PACKAGE}")
            with tarfile.open(next(Path(folder).glob("*.tgz"))) as packed:
                script = packed.extractfile(_SCRIPT)
                assert script is not None
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(script.read())
    return kept.read_text("utf-8")


def faults(page: Page) -> list[str]:
    """Return what axe finds on ``page`` as it is shown: the rule that is broken, and where."""
    page.evaluate(axe())
    found = page.evaluate("axe.run()")["violations"]
    return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]
