"""The page Play: a board, whoever plays on it, and why each move was made."""

from __future__ import annotations

from icgsynth.studio.crew import Crew
from icgsynth.studio.faults import Data
from icgsynth.studio.pages.page import StudioPage, long_work, question
from icgsynth.studio.tasks.play_tasks import answered, games, move_made, solved, view_of
from icgsynth.studio.tasks.worth_tasks import explored, reply_of, tree_found, tree_read, worth_of


def with_answer(crew: Crew, data: Data) -> Data:
    """``data`` with the answer of its game, where that was looked for before."""
    known = crew.recall(solved, {"game": data.get("game")}) or {}
    return {**data, "answer": known.get("answer"), "told": known.get("told")}


def with_given(crew: Crew, data: Data) -> Data:
    """``data`` with the answer that the command line gave for its game."""
    known = crew.recall(solved, {"game": data.get("game")}) or {}
    return {**data, "given": known.get("given")}


PLAY = StudioPage(
    "play",
    "Play",
    (
        question("/play/games", games),
        question("/play/view", view_of, with_answer),
        question("/play/move", move_made, with_answer),
        question("/play/answer", answered, with_answer),
        question("/play/worth", worth_of, with_answer),
        question("/play/reply", reply_of, with_answer),
        question("/play/worth-of-finite", worth_of, of_long=True),
        question("/play/reply-of-finite", reply_of, of_long=True),
        question("/play/rules-of-tree", tree_read, of_long=True),
        long_work("/play/solve", solved, with_given),
        long_work("/play/explore", explored),
        long_work("/play/tree", tree_found),
    ),
)
