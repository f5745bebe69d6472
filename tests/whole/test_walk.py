"""The page of the walk names functions that are called, and counts the files that are entered."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "walk.md"
PROFILE = """
import contextlib, io, json, sys, threading
called = {}

def seen(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_flags & 1 and "/icgsynth/" in code.co_filename:
        called.setdefault(code.co_filename.rpartition("/icgsynth/")[2], set()).add(code.co_name)

from icgsynth.cli import run

threading.setprofile(seen)
sys.setprofile(seen)
with contextlib.redirect_stdout(io.StringIO()):
    code = run(sys.argv[1:])
sys.setprofile(None)
print(json.dumps([code, {file: sorted(names) for file, names in called.items()}]))
"""
_SECTION = re.compile(r"^## `icgsynth ([^`]+)`\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_STATION = re.compile(r"`([\w/]+\.py):(\w+)`")
SECTIONS = dict(_SECTION.findall(PAGE.read_text("utf-8")))


def test_the_page_has_the_four_walks():
    assert list(SECTIONS) == [
        *("solve nim2", "solve wythoff", "value 0.77", "fft synth tictactoe"),
    ]
    assert all(len(_STATION.findall(text)) >= 5 for text in SECTIONS.values())


@pytest.mark.slow
@pytest.mark.parametrize("command", SECTIONS)
def test_each_station_is_called_and_no_more_files_are_entered(command):
    done = subprocess.run(
        [sys.executable, "-c", PROFILE, *command.split()], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    code, called = json.loads(done.stdout)
    assert code == 0
    missing = [
        f"{file}:{name}"
        for file, name in _STATION.findall(SECTIONS[command])
        if name not in called.get(file, ())
    ]
    assert not missing
    (most,) = re.findall(r"at most (\d+) files", SECTIONS[command])
    assert len(called) <= int(most)
