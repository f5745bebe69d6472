"""The page Play: a board, whoever plays on it, and why each move was made."""

from __future__ import annotations

from icgsynth.studio.pages.page import StudioPage, long_work, question
from icgsynth.studio.tasks.play_tasks import move_made, solved, view_of

__all__ = ["PLAY"]

PLAY = StudioPage(
    "play",
    "Play",
    (
        question("/play/view", view_of),
        question("/play/move", move_made),
        long_work("/play/solve", solved),
    ),
)
