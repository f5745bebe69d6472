"""The subject of commands for finite games in GDL and in clingo's language."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from icgsynth import wings
from icgsynth.boards.rules.finite import parse_text, read_finite
from icgsynth.errors import InputError
from icgsynth.game.answers import KINDS
from icgsynth.game.game import PlayRule
from icgsynth.spec.catalog import FINITE_MEND
from icgsynth.spec.resolve import Named
from icgsynth.spec.source import Source
from icgsynth.subjects import AskedVerdict, Subject
from icgsynth.subjects.question import Question

if TYPE_CHECKING:
    from icgsynth.boards.finite.datalog import Rulebook
    from icgsynth.boards.finite.encoding import Encoding


def subject(named: Named) -> FiniteSubject:
    """Return the finite game that ``named`` names."""
    return FiniteSubject(named)


class FiniteSubject(Subject):
    """A finite game as a subject: all its states are solved; trees and strategies are verified."""

    what = "a finite game"
    loaded = ("icgsynth.boards.loaded_board", "LoadedBoard")

    @cached_property
    def game(self) -> Rulebook | Encoding:
        named = self.named
        if named.text is not None:
            return parse_text(named.spec, named.text, named.constants)
        return read_finite(named.file, named.constants)

    def __str__(self) -> str:
        """Return the text of the rules as in their file."""
        return self.named.source.text

    def to_solve(
        self, rule: PlayRule, finite_only: bool = False, for_file: bool = True
    ) -> Question[Any]:
        """Return the question who wins from the initial state, and by which moves. InputError for
        ``finite_only``, an option of impartial games."""
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
        answers = wings.require("answer", kind)
        question: Question[Any] = answers.to_verify(self.named, source, asked)
        return question

    @property
    def mend(self) -> str:
        return FINITE_MEND.format(self.named.spec)
