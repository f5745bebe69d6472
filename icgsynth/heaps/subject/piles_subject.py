"""Subjects and questions about any number of piles, by rules that begin with ``piles``."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from icgsynth.budget import Budget, Progress
from icgsynth.errors import InputError
from icgsynth.game.answers import Verdict
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.heaps.rules.heap_spec import pile_game
from icgsynth.heaps.rules.pile_answer import PilesAnswer, Theorem
from icgsynth.heaps.rules.piles import NUMBER, PileGame, Piles, join_moves
from icgsynth.heaps.search.pile_search import PileSearch, winning_move
from icgsynth.heaps.text.pile_report import pile_report
from icgsynth.prove.deciders.quantifiers import plain_rules
from icgsynth.spec.icg import parse
from icgsynth.spec.resolve import Named, load_spec
from icgsynth.spec.solution_file import file_constants
from icgsynth.spec.source import Source
from icgsynth.spec.state_text import format_state, parse_state
from icgsynth.subjects import AskedTable, AskedValue, AskedVerdict, Subject, remarks_on
from icgsynth.subjects.game_subject import GameSubject
from icgsynth.subjects.position_questions import PositionAnswer
from icgsynth.subjects.question import Question, Searching, Told, Work, plain_question, verdict_of

_BY = "proved for every number of piles"


def subject(named: Named) -> Subject:
    """Return what answers questions on a game of piles, or on one of a given number of piles."""
    return _Member(named) if NUMBER in named.constants else PilesSubject(named)


class _Member(GameSubject):
    """The impartial game of a certain number of piles."""

    @cached_property
    def game(self) -> ParametricGame:
        """The rules without quantifiers, which a rule on the first pile has."""
        return plain_rules(load_spec(self.named.source, self.named.constants))


class PilesSubject(Subject):
    """A game of any number of piles; with their number given it is one impartial game."""

    what = "any number of piles"
    loaded = ("icgsynth.heaps.loaded", "LoadedPiles")

    @cached_property
    def game(self) -> PileGame:
        """The game of piles that the rules define."""
        return pile_game(parse(self.named.source), self.named.constants)

    def __str__(self) -> str:
        return str(self.game)

    @property
    def mend(self) -> str:
        """The hint to a question that is refused: which questions the rules answer."""
        return f"{super().mend}, or all others for three piles with --set {NUMBER}=3"

    def _one(self) -> Subject:
        return GameSubject(Named(self.named.spec, text=str(self.game.pile)))

    def _member(self, number: int) -> Subject:
        constants = {**self.named.constants, NUMBER: number}
        return _Member(replace(self.named, constants=constants))

    def to_solve(
        self, rule: PlayRule, finite_only: bool = False, for_file: bool = True
    ) -> Question[PilesAnswer]:
        def search(budget: Budget, progress: Progress) -> Searching[PilesAnswer]:
            found = PileSearch(self.game, rule, budget, progress, True)
            return Work(found.run, found.unknown)

        def show(answer: PilesAnswer) -> Told:
            is_endless = any(solution.cycle for solution in answer.members.values())
            verdict = Verdict.REFUTED if is_endless else verdict_of(answer.theorem is not None)
            return Told(verdict, lambda: pile_report(answer, self.named.spec), answer.to_json)

        return Question(search, show, remarks_on(self.game.pile))

    def to_position(self, rule: PlayRule, at: str) -> Question[PositionAnswer]:
        piles = self._piles(at)
        state = tuple(number for pile in piles for number in pile)
        still = self.game.member(len(piles), ())  # which refuses too many

        def run(budget: Budget, progress: Progress) -> PositionAnswer:
            answer = PileSearch(self.game, rule, budget.share(0.5), progress, False).run()
            if answer.theorem is not None:
                return self._position(answer.theorem, piles, state, budget)
            asked = self._member(len(piles)).to_position(rule, format_state(state))
            found: PositionAnswer = asked.search(budget, progress).run()
            return found

        def late(why: str) -> PositionAnswer:
            return PositionAnswer(state, still, rule, by=why)

        def show(found: PositionAnswer) -> Told:
            verdict = Verdict.PROVED if found.is_proved else Verdict.UNKNOWN
            return Told(verdict, lambda: found.lines, lambda: found.value)

        return plain_question(run, show, late, remarks_on(self.game.pile))

    def _position(
        self, theorem: Theorem, piles: Piles, state: State, budget: Budget
    ) -> PositionAnswer:
        """Return who wins ``piles`` by ``theorem``, with a move; ``state`` has their numbers."""
        moves = winning_move(theorem, piles, budget)
        game = plain_rules(self.game.member(len(piles), [tuple(moves)] if moves else []))
        winner = "winning" if theorem.wins(piles) else "losing"
        move = join_moves(moves) if moves else None
        return PositionAnswer(state, game, theorem.rule, winner, move, by=_BY, is_proved=True)

    def to_value(self, asked: AskedValue) -> Question[Any]:
        if (self.game.how, self.game.count, asked.rule) != ("at most", 1, "normal"):
            message = f"{self.named.spec}: values add where one pile is touched, under normal play"
            raise InputError(message, mend=self.mend)
        if asked.at is None:
            return self._one().to_value(asked)
        piles = self._piles(asked.at)
        at = format_state(tuple(number for pile in piles for number in pile))
        return self._member(len(piles)).to_value(asked._replace(at=at))

    def to_table(self, asked: AskedTable) -> Question[Any]:
        return self._member(self.game.least).to_table(asked)

    def to_check(self) -> Question[Any]:
        return self._one().to_check()

    def to_verify(self, source: Source, asked: AskedVerdict) -> Question[Any]:
        if (number := file_constants(source, asked.rule).get(NUMBER)) is None:
            raise self._refuse("verify")
        return self._member(number).to_verify(source, asked)

    def _piles(self, text: str) -> Piles:
        """Return the piles in ``text``: ``3,5,6`` or, with two variables, ``3,1; 5,0``."""
        pile = plain_rules(self.game.pile)
        parts = text.split("," if len(pile.variables) == 1 and ";" not in text else ";")
        return tuple(parse_state(pile, part) for part in parts)
