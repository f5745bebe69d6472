"""Make machine code for the tests, in two processes before the workers start, and keep it.

Each kernel takes a second or more to compile, and each worker that meets one without machine code
would compile it for itself.  The commands here use those kernels that most tests need.  They are
given no seconds: these would count the compiling, and end it.
"""

from __future__ import annotations

import subprocess
import sys

from store import stored

COMMANDS = (
    (
        "fft synth tictactoe --method algorithm2",
        "value 0.165",
    ),
    (
        "starts tictactoe --count-sets",
        "starts connect --size 4x4 --match 3 --moves 2 --count 2",
        "tournament tictactoe --matches 2",
        "learn nim",
    ),
)
# The kernel that takes longest, in the process that has less to do: the other one finds it.
_ANNEAL = """
from icgsynth.boards.fft.anneal import anneal
from icgsynth.boards.fft.search import EMPTY, _toy
from icgsynth.boards.fft.workshop import Workshop
shop = Workshop(_toy(), 0)
anneal(shop.view, shop.bench, shop.load(EMPTY), 1, 1.0, True)
"""
_FORCE = """
from icgsynth.boards.finite.proof_numbers import find_forced
from icgsynth.boards.finite.symmetry import trivial
from icgsynth.boards.finite.whole import SolvingTable
from icgsynth.boards.rules.finite import finite_game
board = SolvingTable(finite_game("tictactoe")).board()
find_forced(board, trivial(board))
"""
_SERIES = """
import shlex, sys
from icgsynth.cli import run
codes = [run([*shlex.split(command), "--quiet"]) for command in sys.argv[1:]]
sys.exit(any(codes))
"""


def _compile() -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", first + _SERIES, *commands],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for first, commands in zip((_FORCE, _ANNEAL), COMMANDS, strict=True)
    ]
    codes = [process.wait() for process in started]
    assert not any(codes), f"a process that compiles did not come to its end: {codes}"


def warm() -> None:
    """Compile the kernels of today's sources, unless that was done before."""
    stored("machine code", _compile, "wings")
