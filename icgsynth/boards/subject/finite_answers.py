"""Read and verify answer files of finite games: decision trees and learned strategies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from icgsynth.boards.rules.finite import finite_game, parse_text
from icgsynth.budget import Budget, Progress
from icgsynth.game.answers import Answer, Kind, Verdict
from icgsynth.spec.answer_file import any_kind, game_and_rules
from icgsynth.spec.resolve import Named
from icgsynth.spec.source import Source
from icgsynth.subjects import AskedVerdict
from icgsynth.subjects.question import Question, Told, plain_question

if TYPE_CHECKING:
    from icgsynth.boards.finite.datalog import Rulebook
    from icgsynth.boards.finite.encoding import Encoding
    from icgsynth.boards.learn.stage import Stage
    from icgsynth.boards.learn.weak_learner import Judged


def to_verify(named: Named, source: Source, asked: AskedVerdict) -> Question[Any]:
    """Return the question whether the tree in the file ``source`` is strongly optimal, or the
    learned strategy never loses. A tree is for the player and states that its file names; of an
    impartial game, within a box. InputError where ``asked`` has options that these do not take."""
    kind = any_kind(source)
    asked.require_plain(kind)
    if kind == "learned":
        return _to_judge(named, source)
    from icgsynth.boards.fft.tree_questions import Setting, to_judge, tree_game

    game, frame = tree_game(named.spec, source, named.constants, named.text)
    player = "auto" if frame.player is None else str(frame.player)
    setting = Setting(player, symmetry="on" if frame.symmetric else "off")
    return to_judge(game, setting, source)


class _Learned(NamedTuple):
    """A solved game, and the verdict on a learned strategy for that game."""

    stage: Stage
    judged: Judged


def _to_judge(named: Named, source: Source) -> Question[_Learned]:
    """Return the question whether the learned strategy in ``source`` never loses."""

    def judge(_: Budget, progress: Progress) -> _Learned:
        from icgsynth.boards.learn.saved import read_learned
        from icgsynth.boards.learn.stage import stage_of
        from icgsynth.boards.learn.weak_learner import judge_strategy

        game = _learned_on(named.spec, named.text, named.constants)
        stage = stage_of(game, progress=progress)
        return _Learned(stage, judge_strategy(read_learned(source, stage).strategy, stage))

    def show(found: _Learned) -> Told:
        from icgsynth.boards.learn.learn_report import verdict_lines

        report, arena = found.judged.report, found.stage.arena
        verdict = Verdict.PROVED if report.never_loses else Verdict.REFUTED
        lines = [f"{arena.name}: {verdict}", *verdict_lines(found.stage, found.judged)]
        value = {"game": arena.name, "verdict": str(verdict)} | report.to_json(arena.roles)
        return Told(verdict, lambda: "\n".join(lines), lambda: value)

    return plain_question(judge, show)


def read_answer(source: Source, spec: str | None) -> Answer:
    """Return the decision tree or learned strategy in the file ``source``; ``spec`` names its game
    (None: as the file says)."""
    kind: Kind = any_kind(source)
    name, text = game_and_rules(source, spec)
    if kind == "tree":
        from icgsynth.boards.fft.tree_questions import tree_answer

        return tree_answer(name, source, text)
    from icgsynth.boards.learn.saved import read_learned
    from icgsynth.boards.learn.stage import unsolved_game

    return read_learned(source, unsolved_game(_learned_on(name, text, {})))


def _learned_on(name: str, text: str | None, constants: Mapping[str, int]) -> Rulebook | Encoding:
    return finite_game(name, constants) if text is None else parse_text(name, text, constants)
