"""The page Puzzles: positions to be won, one after the other, from easy to hard."""

from __future__ import annotations

from icgsynth.studio.pages.page import StudioPage, long_work, question
from icgsynth.studio.tasks.puzzle_tasks import puzzle_games, puzzles

PUZZLES = StudioPage(
    "puzzles",
    "Puzzles",
    (question("/puzzles/games", puzzle_games), long_work("/puzzles/find", puzzles)),
)
