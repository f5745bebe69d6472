"""The subject of commands for OpenSpiel games, as ``openspiel:breakthrough(rows=4,columns=3)``."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from icgsynth.boards.finite.outcome import PlayOutcome, outcome_in
from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.boards.rules.openspiel import (
    OpenSpielGame,
    named_actions,
    openspiel_game,
    played_out,
)
from icgsynth.boards.subject.board_questions import require_own_rule, tell_outcome
from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.game.game import PlayRule, State
from icgsynth.spec.resolve import Named
from icgsynth.subjects import Subject
from icgsynth.subjects.question import Question, Searching, Work


def subject(named: Named) -> OpenSpielSubject:
    """Return the OpenSpiel game that ``named`` names."""
    return OpenSpielSubject(named)


class OpenSpielSubject(Subject):
    """A game of OpenSpiel as a subject, of which all states are solved."""

    what = "a game of OpenSpiel"

    @cached_property
    def game(self) -> OpenSpielGame:
        """The loaded game; ``--set`` is refused, for its parameters stand in its name."""
        if self.named.constants:
            message = f"{self.named.spec} has its parameters in its name"
            raise InputError(message, mend="leave --set out")
        return openspiel_game(self.named.spec)

    @property
    def rule(self) -> PlayRule:
        """The rule of play, always normal: the game itself says who wins."""
        return "normal"

    def __str__(self) -> str:
        """Return the name of the game in place of rules, which only OpenSpiel has."""
        return self.named.spec

    def to_solve(
        self, rule: PlayRule, finite_only: bool = False, for_file: bool = True
    ) -> Question[PlayOutcome]:
        return self._question(rule, None)

    def to_position(self, rule: PlayRule, at: str) -> Question[PlayOutcome]:
        return self._question(rule, at)

    def _question(self, rule: PlayRule, at: str | None) -> Question[PlayOutcome]:
        require_own_rule(self.named.spec, rule)
        game = self.game
        start = () if at is None else after_moves(game, at)

        def search(budget: Budget, _: Progress) -> Searching[PlayOutcome]:
            steps = WorkSteps(game.name)

            def run() -> PlayOutcome:
                found = played_out(game, start, budget, steps)
                outcome = outcome_in(found.arena, tuple(found.goals), game.facts(start))
                if not outcome.moves:
                    return outcome
                action = dict(named_actions(game.at(start)))[outcome.moves[0]]
                return replace(outcome, after=game.facts((*start, action)))

            def unknown(why: str) -> PlayOutcome:
                raise BudgetSpent(steps.too_large(why))

            return Work(run, unknown)

        return Question(search, lambda found: tell_outcome(found, at is None))


def after_moves(game: OpenSpielGame, text: str) -> State:
    """Return the state after the moves in ``text``, with blanks or semicolons between them.
    InputError where one is not legal."""
    state: State = ()
    rest = text.strip(" ;")
    while rest:
        moves = sorted(named_actions(game.at(state)), key=lambda m: -len(m[0]))
        names = {name: name.rstrip(" ;") for name, _ in moves}
        found = next((m for m in moves if rest.startswith(names[m[0]])), None)
        if found is None:
            legal = "  ".join(name for name, _ in moves) or "play is over"
            message = f"no move at this place of the line: {rest[:40]}"
            raise InputError(message, mend=f"the moves are: {legal[:300]}")
        state = (*state, found[1])
        rest = rest[len(names[found[0]]) :].strip(" ;")
    return state
