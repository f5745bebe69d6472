"""What an answer says of one state: who wins there, by which move, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from icgsynth.errors import Refused
from icgsynth.game.game import (
    GivenState,
    ParametricGame,
    PlainMove,
    PlayRule,
    State,
    without_blocking,
)
from icgsynth.game.shown import Shown
from icgsynth.game.strategy import IntoLosing, Kept, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import satisfies


class OneState(Shown):
    """The questions to an answer about one state, which may be of any size.

    They believe the answer; whether it is proved, ``is_proved`` says.  A state that is not legal is
    an :class:`~icgsynth.errors.InputError`; :class:`~icgsynth.errors.Refused` where the answer does
    not say.
    """

    __slots__ = ()
    if TYPE_CHECKING:

        @property
        def game(self) -> ParametricGame: ...

        @property
        def rule(self) -> PlayRule: ...

        @property
        def is_proved(self) -> bool: ...

        @property
        def plan(self) -> Strategy[Any]: ...

        @property
        def outcomes(self) -> tuple[t.Formula, t.Formula, t.Formula]: ...

    def is_winning(self, state: GivenState) -> bool:
        """Whether the player to move wins."""
        return self._holds(self.outcomes[0], self.game.legal_state(state))

    def is_drawn(self, state: GivenState) -> bool:
        """Whether neither player can force a win, as where play may never end."""
        return self._holds(self.outcomes[2], self.game.legal_state(state))

    def move(self, state: GivenState) -> PlainMove | None:
        """The move to make, in a drawn state one that keeps the draw.

        None where the state is lost or play is over.
        """
        found = self._choose(self.game.legal_state(state))
        return None if found is None else found.move.plain

    def why(self, state: GivenState) -> str:
        """A sentence: who wins there, by which rule, where it leads, and why that is lost."""
        from icgsynth.game.moves import is_over

        here = self.game.legal_state(state)
        _, losing, drawn = self.outcomes
        said = self.game.show(here)
        if is_over(self.game, here):
            ends = ("lost", "loses") if self.rule == "normal" else ("won", "wins")
            said += f" is {ends[0]}: play is over, and who cannot move {ends[1]}"
        elif self._holds(losing, here):
            said += f" is lost, for {losing}: every move leads to a state that is won"
        elif (found := self._choose(here)) is not None:
            is_drawn = self._holds(drawn, here)
            now, then, why = ("drawn", "drawn too", drawn) if is_drawn else ("won", "lost", losing)
            by = "the losing states" if isinstance(found.tier, IntoLosing) else found.tier
            after = self.game.show(self.game.result(here, found.move))
            said += f" is {now}: by rule {found.number}, {by}, the move {found.move} leads to"
            said += f" {after}, which is {then}, for {why}"
        return said + ("." if self.is_proved else " (this is not proved).")

    def _holds(self, formula: t.Formula, state: State) -> bool:
        return satisfies(formula, self.game.env(state))

    def _choose(self, state: State) -> Kept[Any] | None:
        """The rule that decides in ``state``; None where it is lost or play is over."""
        from icgsynth.game.moves import any_move

        game = without_blocking(self.game)
        if self._holds(self.outcomes[1], state):
            return None
        found = self.plan.choose(game, state)
        if found is None and any_move(game, state) is not None:
            raise Refused(f"no rule of the answer finds a move in {game.show(state)}")
        return found
