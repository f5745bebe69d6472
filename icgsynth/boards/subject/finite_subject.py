"""Finite games: descriptions in GDL, and encodings in clingo's language."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from icgsynth.boards.rules.finite import finite_game, parse_text, read_finite
from icgsynth.budget import Budget, Progress
from icgsynth.errors import InputError
from icgsynth.game.answers import KINDS, Kind, Verdict
from icgsynth.game.game import PlayRule
from icgsynth.spec.catalog import FINITE_MEND
from icgsynth.spec.resolve import Named
from icgsynth.spec.source import Source
from icgsynth.subjects.question import Question, Told, plain_question
from icgsynth.subjects.subject import AskedVerdict, Subject

if TYPE_CHECKING:
    from icgsynth.boards.finite.datalog import Rulebook
    from icgsynth.boards.finite.encoding import Encoding
    from icgsynth.boards.learn.stage import Stage
    from icgsynth.boards.learn.weak_learner import Judged


def subject(named: Named) -> FiniteSubject:
    """The finite game that was named."""
    return FiniteSubject(named)


class FiniteSubject(Subject):
    """A finite game, which is solved whole; its trees and learned strategies are verified."""

    what = "a finite game"
    loaded = ("icgsynth.boards.loaded_board", "LoadedBoard")

    @cached_property
    def game(self) -> Rulebook | Encoding:
        named = self.named
        if named.text is not None:
            return parse_text(named.spec, named.text, named.constants)
        return read_finite(named.file, named.constants)

    def __str__(self) -> str:
        """The rules as they are in the file."""
        return self.named.source.text

    def to_solve(
        self, rule: PlayRule, finite_only: bool = False, for_file: bool = True
    ) -> Question[Any]:
        """Who wins from the start, by which moves."""
        if finite_only:
            message = f"--finite-only is for impartial games, and {self.named.spec} is finite"
            raise InputError(message, mend="leave --finite-only out")
        from icgsynth.boards.subject.board_questions import to_outcome

        return to_outcome(self.game, rule)

    def to_position(self, rule: PlayRule, at: str) -> Question[Any]:
        from icgsynth.boards.subject.board_questions import to_outcome

        return to_outcome(self.game, rule, at)

    def to_verify(self, source: Source, asked: AskedVerdict) -> Question[Any]:
        from icgsynth.spec.answer_file import any_kind

        kind = any_kind(source)
        if kind not in ("tree", "learned"):
            message = f"{self.named.spec} is a finite game, and {source.name} is {KINDS[kind]}"
            raise InputError(message, mend="verify a tree, or what icgsynth learn has written")
        return of_tree_or_learned(self.named, source, asked, kind)

    @property
    def mend(self) -> str:
        return FINITE_MEND.format(self.named.spec)


def of_tree_or_learned(
    named: Named, source: Source, asked: AskedVerdict, kind: Kind
) -> Question[Any]:
    """The question whether the tree or the learned strategy in ``source`` is right.

    A tree for the player and the states that its file names; of an impartial game these are those
    of a box.
    """
    asked.require_plain(kind)
    if kind == "learned":
        return _to_judge(named, source)
    from icgsynth.boards.fft.tree_questions import Setting, to_judge, tree_game

    game, frame = tree_game(named.spec, source, named.constants, named.text)
    player = "auto" if frame.player is None else str(frame.player)
    setting = Setting(player, symmetry="on" if frame.symmetric else "off")
    return to_judge(game, setting, source)


class _Learned(NamedTuple):
    """A game with all its states, and what a learned strategy is worth there."""

    stage: Stage
    judged: Judged


def _to_judge(named: Named, source: Source) -> Question[_Learned]:
    """What a learned strategy is worth over all states, replies and ties."""

    def judge(_: Budget, progress: Progress) -> _Learned:
        from icgsynth.boards.learn.saved import read_learned
        from icgsynth.boards.learn.stage import stage_of
        from icgsynth.boards.learn.weak_learner import judge_strategy

        is_named = named.text is None  # by a name that an encoding has first
        game = finite_game(named.spec, named.constants) if is_named else FiniteSubject(named).game
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
