"""The page of the walk names functions that are called, and counts files, modules, climbs, trips.

Rooms are floors, in the order of the first contract in ``pyproject.toml``.  A climb is where the
next file that is entered for the first time stands on a higher floor than the one before, without
files that everything uses, from ``game`` down.  A trip is a call of a function of ``prove`` by the
search, in ``solve`` and ``synth``.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "walk.md"
PROFILE = """
import contextlib, io, json, sys, threading
called, trips = {}, []

def seen(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_flags & 1 and "/icgsynth/" in code.co_filename:
        file = code.co_filename.rpartition("/icgsynth/")[2]
        called.setdefault(file, set()).add(code.co_name)
        caller = frame.f_back.f_code.co_filename.rpartition("/icgsynth/")[2]
        if file.startswith("prove/") and caller.startswith(("solve/", "synth/")):
            trips.extend([code.co_name] * (code.co_name == code.co_qualname))

from icgsynth.cli import run

threading.setprofile(seen)
sys.setprofile(seen)
with contextlib.redirect_stdout(io.StringIO()):
    code = run(sys.argv[1:])
sys.setprofile(None)
loaded = sum(name.partition(".")[0] == "icgsynth" for name in sys.modules)
print(json.dumps([code, {file: sorted(names) for file, names in called.items()}, loaded, trips]))
"""
_SECTION = re.compile(r"^## `icgsynth ([^`]+)`\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_STATION = re.compile(r"`([\w/]+\.py):(\w+)`")
SECTIONS = dict(_SECTION.findall(PAGE.read_text("utf-8")))


def test_the_page_has_the_four_walks():
    assert list(SECTIONS) == [
        *("solve nim2", "solve wythoff", "value 0.77", "fft synth tictactoe"),
    ]
    assert all(len(_STATION.findall(text)) >= 5 for text in SECTIONS.values())


def climbs(files):
    """The pairs of files of which the second is on a higher floor; others are left out."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = contracts["contracts"][0]["layers"]
    floors = {room.strip(): i for i, rooms in enumerate(layers) for room in rooms.split("|")}
    told = [(floors.get(file.partition("/")[0], -1), file) for file in files]
    told = [each for each in told if 0 <= each[0] < floors["game"]]
    return [(one[1], two[1]) for one, two in pairwise(told) if two[0] < one[0]]


def test_climbs_are_counted():
    assert climbs(["cli/asking.py", "logic/term.py", "prove/beyond.py", "prove/windows.py"]) == []
    assert climbs(["claims/game.py", "synth/cover.py"]) == [("claims/game.py", "synth/cover.py")]


@pytest.mark.slow
@pytest.mark.parametrize("command", SECTIONS)
def test_each_station_is_called_and_no_more_files_are_entered(command):
    # The search for a tree takes all the time that it has.
    words = [*command.split(), *["--budget", "7"] * command.startswith("fft")]
    done = subprocess.run([sys.executable, "-c", PROFILE, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    code, called, loaded, trips = json.loads(done.stdout)
    assert code == 0
    missing = [
        f"{file}:{name}"
        for file, name in _STATION.findall(SECTIONS[command])
        if name not in called.get(file, ())
    ]
    assert not missing
    ((files, modules),) = re.findall(
        r"at most (\d+) files.*? (\d+) modules", SECTIONS[command], re.DOTALL
    )
    assert len(called) <= int(files)
    assert loaded <= int(modules)
    for most in re.findall(r"climbs (\d+) times", SECTIONS[command]):
        assert len(climbs(called)) <= int(most)
    for most in re.findall(r"asks for a proof (\d+) times", SECTIONS[command]):
        assert len(trips) <= int(most), trips
