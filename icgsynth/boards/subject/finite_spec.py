"""The game of a command line for the commands of finite games: GDL, clingo, or a bounded .icg."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from icgsynth.boards.finite.arena import Arena
from icgsynth.boards.finite.board import Board
from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.boards.finite.whole import SolvingTable
from icgsynth.boards.rules.finite import PREFIX
from icgsynth.boards.subject.finite_subject import FiniteSubject
from icgsynth.budget import UNBOUNDED, Budget, Notice
from icgsynth.errors import InputError, OutOfReach, Refused
from icgsynth.subjects import impartial_game, subject

if TYPE_CHECKING:
    from icgsynth.boards.fft.tiers import FactGame
    from icgsynth.boards.rules.openspiel import OpenSpielGame
    from icgsynth.game.game import ParametricGame, PlayRule, State

_STATES = 1_000  # states at most under the default bound
_GREATEST = 10_000  # the greatest value of a variable, as for --bound
_BOUNDS = (100, 50, 30, 20, 15, 12, 10, 8, 6, 5, 4, 3, 2)


class FiniteSpec:
    """The game that the words of a command line describe; read at once, solved on demand.

    ``bound``, ``start`` and ``rule`` are for impartial games, whose states have no bound."""

    def __init__(
        self,
        game: str,
        bound: int | None = None,
        start: str | None = None,
        rule: PlayRule = "normal",
        constants: Mapping[str, int] = {},
        text: str | None = None,
    ) -> None:
        """Load the game named ``game``, or with the rules ``text`` of an answer file. ``bound``,
        ``start`` and ``rule`` are for impartial games; ``constants`` has values by name."""
        self.name, self.rule, self.constants, self._start = game, rule, dict(constants), start
        self.parametric: ParametricGame | None = None
        self.steps: WorkSteps | None = None  # the work on a finite game, once it is begun
        self._board: Board | None = None
        self._warnings: tuple[str, ...] = ()
        self._bound = bound
        self.openspiel: OpenSpielGame | None = None
        is_openspiel = (text or game).startswith(PREFIX)
        if text is None:
            found = subject(game, constants)
        else:
            found = subject(text) if is_openspiel else subject(game, None, text)
        is_finite = isinstance(found, FiniteSubject)
        if is_openspiel or is_finite:
            self._leave_out({"--bound": bound, "--start": start})
        if is_openspiel:
            self.openspiel = found.game
        elif is_finite:
            self.rules = found.game
            self._warnings = self.rules.warnings if text is None else ()
        else:
            from icgsynth.prove.deciders.quantifiers import plain_rules

            plain = plain_rules(impartial_game(found))
            self._warnings = plain.warnings if text is None else ()
            given = plain.constants if text is None else tuple(self.constants.items())
            self.parametric = replace(plain, constants=given)

    def _leave_out(self, given: Mapping[str, object]) -> None:
        """Raise InputError if an option in ``given`` has a value (not None): finite games take
        none."""
        if wrong := next((name for name, value in given.items() if value), None):
            message = f"{self.name} is a finite game: {wrong} is for impartial games (.icg)"
            raise InputError(message, mend=f"leave {wrong} out")

    @property
    def is_whole(self) -> bool:
        """Whether the game is impartial and neither --bound nor --start was given."""
        return self.parametric is not None and self._bound is None and self._start is None

    def frame(self) -> dict[str, Any]:
        """Return the entries of a tree file that say for which game and states the tree is."""
        if self.parametric is None:
            rules = self.rules if self.openspiel is None else self.openspiel
            return {"constants": self.constants, "rules": rules.text}
        start = {} if self._start is None else {"start": self._start}
        return {
            "constants": dict(self.parametric.constants),
            "variables": list(self.parametric.variables),
            "rule": self.rule,
            "bound": self.box,
            **start,
            "rules": str(self.parametric),
        }

    @cached_property
    def bound(self) -> int:
        """The greatest value of each variable of an impartial game, by --bound or by default."""
        assert self.parametric is not None
        if self._bound is not None:
            return self._bound
        wide = len(self.parametric.variables)
        return next((b for b in _BOUNDS if (b + 1) ** wide <= _STATES), 1)

    @property
    def board(self) -> Board | None:
        """The compiled rules of a finite game; None for an impartial game or one of OpenSpiel."""
        if self.parametric is not None or self.openspiel is not None:
            return None
        if self._board is None:
            self._board = SolvingTable(self.rules).board()
        return self._board

    def arena(
        self, symmetric: bool, progress: Callable[[str], None], budget: Budget = UNBOUNDED
    ) -> Arena:
        """Return the game with all states solved, up to symmetry if ``symmetric``, in ``budget``.
        OutOfReach where it is too large."""
        for warning in self._warnings:
            progress(Notice(f"warning: {warning}"))
        self._warnings = ()
        if self.openspiel is not None:
            from icgsynth.boards.rules.openspiel import played_out, told_apart

            self.steps = WorkSteps(self.name)
            return told_apart(played_out(self.openspiel, (), budget, self.steps).arena)
        if self.parametric is None:
            table = SolvingTable(self.rules, budget, progress)
            self.steps = table.steps
            if self._board is None:
                self._board = table.board()
            return table.arena(self._board, symmetric)
        from icgsynth.boards.finite.bounded import arena_of_box

        try:
            return arena_of_box(self.parametric, self.box, self.rule, self.initial)[0]
        except Refused as refused:
            if not self.is_whole:
                raise
            raise OutOfReach(f"{refused}; --bound or --start may say which states") from None

    @cached_property
    def play(self) -> FactGame:
        """The game as an object that gives the moves and results of one state at a time."""
        if self.openspiel is not None:
            return self.openspiel
        if (game := self.parametric) is None:
            from icgsynth.boards.finite.game import FiniteGame

            assert self.board is not None
            return FiniteGame(self.board)
        from icgsynth.boards.finite.bounded import roots
        from icgsynth.boards.finite.bounded_play import BoundedPlay

        return BoundedPlay(game, self.rule, (*roots(game, self.box, self.initial)[0], 0))

    @cached_property
    def initial(self) -> State | None:
        """The state of an impartial game that --start gives, or None; InputError if too large."""
        if self.parametric is None or self._start is None:
            return None
        from icgsynth.spec.state_text import parse_state

        initial = parse_state(self.parametric, self._start)
        if not 0 <= min(initial) <= max(initial) <= _GREATEST:
            raise InputError(
                f"--start {str(self._start)[:60]}: a game that is solved whole has values "
                f"from 0 to {_GREATEST:,}",
                mend="start nearer to 0",
            )
        return initial

    @property
    def box(self) -> int:
        """The greatest value of each variable: the bound, or --start's if that is greater."""
        if self.initial is None or self._bound is not None:
            return self.bound
        return max(self.bound, *self.initial)
