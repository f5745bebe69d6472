"""Small positions asked on the command line: who wins is the judge's, and only small ones count.

Faults it sees: states that are counted twice or not at all, the other rule's winner, a large
state that is drawn, an answer that is read as another.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from experiments.at import BELOW, Position, asked, judged, positions
from experiments.judge.play import Play
from experiments.judge.reading import read_rules
from icgsynth.spec.catalog import resolve

NIM = Play(read_rules(Path(resolve("nim2")).read_text("utf-8")))


@pytest.mark.parametrize(
    ("state", "rule", "found"),
    [
        ((0, 0), "normal", ("lost", 1)),
        ((0, 0), "misere", ("won", 1)),
        ((3, 3), "normal", ("lost", 16)),
        ((1, 1), "misere", ("won", 4)),
        ((5, 3), "misere", ("won", 24)),
        ((40, 40), "normal", None),
    ],
)
def test_a_state_is_judged_with_all_that_is_below_it(state, rule, found):
    assert judged(NIM, state, rule) == found


@pytest.mark.slow
def test_positions_are_small_and_the_command_says_who_wins():
    drawn = list(positions(3, random.Random(1)))
    assert len(drawn) == 3 and all(0 < position.below <= BELOW for position in drawn)
    assert asked(Position("nim2", "normal", (5, 3), "won", 24))[0] == "won"
    said, seconds = asked(Position("nim2", "misere", (1, 1), "won", 4))
    assert said == "won" and seconds > 0
    assert asked(Position("nim2", "normal", (-1, 0), "lost", 1))[0] == "exit code 2"
