"""The pages of the studio, in the order of the navigation, and the tasks behind their requests."""

from __future__ import annotations

from icgsynth.studio.crew import Crew
from icgsynth.studio.faults import Data
from icgsynth.studio.page import StudioPage, long_work, question
from icgsynth.studio.tasks import (
    automaton_tasks,
    build_tasks,
    file_tasks,
    fit_tasks,
    play_tasks,
    puzzle_tasks,
    rules_tasks,
    value_tasks,
)


def _recall(crew: Crew, data: Data) -> Data:
    return crew.recall(play_tasks.solve_impartial, {"game": data.get("game")}) or {}


def _with_answer(crew: Crew, data: Data) -> Data:
    """Return ``data`` with "answer": the JSON of an earlier answer for its game, or None."""
    return {**data, "answer": _recall(crew, data).get("answer")}


def _with_given(crew: Crew, data: Data) -> Data:
    """Return ``data`` with "given": the JSON of an answer from a file for its game, or None."""
    return {**data, "given": _recall(crew, data).get("given")}


def keep_given(crew: Crew, opened: Data) -> None:
    """Let ``crew`` remember the answer of an ``opened`` file as "given": it is to be proved
    again."""
    if "answer" in opened:
        given = {"given": opened["answer"], "passing": True}
        crew.remember(play_tasks.solve_impartial, {"game": opened["game"]}, given)


def _with_verified(crew: Crew, data: Data) -> Data:
    """Return ``data`` with "answer", as by :func:`_with_answer`, and with "verified": the JSON of
    the answer that the page's rules were proved to be, or None."""
    asked = {key: data.get(key) for key in ("game", "losing", "rules")}
    found = crew.recall(build_tasks.verify, asked) or {}
    return {**_with_answer(crew, data), "verified": found.get("answer")}


_PLAY = (
    question("/play/games", play_tasks.games),
    question("/play/view", play_tasks.view_of, _with_answer),
    question("/play/move", play_tasks.move_made, _with_answer),
    question("/play/worth", play_tasks.worth_of, _with_answer, "moves"),
    question("/play/reply", play_tasks.reply_of, _with_answer, "moves"),
    question("/play/rules-of-tree", play_tasks.tree_read, desk="moves"),
    long_work("/play/solve", play_tasks.solve_impartial, _with_given),
    long_work("/play/explore", play_tasks.explore),
    long_work("/play/tree", play_tasks.tree_found),
)
_RULES = (
    question("/rules/text", rules_tasks.format_rules),
    long_work("/rules/check", rules_tasks.check, desk="checks"),
    long_work("/rules/table", rules_tasks.label_box, _with_answer, "checks"),
    long_work("/rules/answer", rules_tasks.find_answer),
)
_BUILD = (
    question("/build/begin", build_tasks.begin, _with_answer, "moves"),
    long_work("/build/verify", build_tasks.verify, _with_answer),
    long_work("/build/rule", build_tasks.fitting_rule, _with_answer),
    long_work("/build/rest", build_tasks.completed_rules, _with_answer),
    long_work("/build/shorten", build_tasks.shorten_rules, _with_answer),
)
_PUZZLES = (
    question("/puzzles/games", puzzle_tasks.puzzle_games),
    long_work("/puzzles/find", puzzle_tasks.puzzles),
)
_AUTOMATON = (question("/automaton/walk", automaton_tasks.walk, _with_answer),)

FRAME = (
    question("/game/fit", fit_tasks.list_unfit, _with_answer),
    question("/files/open", file_tasks.open_file, kept=keep_given),
    long_work("/files/formats", file_tasks.list_formats, _with_verified, desk="checks"),
    long_work("/files/save", file_tasks.save, _with_verified, desk="checks"),
)
"""The requests that every page may send."""

PAGES = (
    StudioPage("play", "Play", _PLAY),
    StudioPage("rules", "Rules", _RULES),
    StudioPage("build", "Build and verify", _BUILD),
    StudioPage("gallery", "Gallery", (question("/gallery/list", rules_tasks.list_games),)),
    StudioPage("puzzles", "Puzzles", _PUZZLES),
    StudioPage("automaton", "Automaton", _AUTOMATON),
    StudioPage("values", "Values", (long_work("/values/find", value_tasks.find_values),)),
)
