"""What GAME means to the commands of finite games: GDL, an encoding, or a bounded .icg."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from icgsynth.budget import UNBOUNDED, Budget, Notice
from icgsynth.errors import InputError, OutOfReach, Refused
from icgsynth.fft.tiers import FactGame
from icgsynth.finite.arena import Arena, arena_of_board
from icgsynth.finite.board import Board, board_of
from icgsynth.finite.bounded import BoundedPlay, bounded, roots
from icgsynth.finite.game import FiniteGame
from icgsynth.finite.grounder import ground
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.play.parametric import read_state
from icgsynth.prove.deciders.quantifiers import plain_rules
from icgsynth.spec.catalog import resolve
from icgsynth.spec.finite import finite_game
from icgsynth.spec.load import load_spec
from icgsynth.spec.source import Source, is_encoding, looks_like_gdl

_STATES = 1_000  # of a box whose bound is not given
_GREATEST = 10_000  # as for --bound
_BOUNDS = (100, 50, 30, 20, 15, 12, 10, 8, 6, 5, 4, 3, 2)


class FiniteSpec:
    """A game by the words of a command line; read at once, solved when it is asked for.

    The last four are for impartial games, whose states have no bound of their own.
    """

    def __init__(
        self,
        game: str,
        bound: int | None = None,
        start: str | None = None,
        rule: PlayRule = "normal",
        constants: Mapping[str, int] = {},
    ) -> None:
        self.name, self.rule, self.constants, self._start = game, rule, dict(constants), start
        path = resolve(game, "gdl", "icg", "blocking", "piles", "asp")
        source = Source.read(path, game)
        self.parametric: ParametricGame | None = None
        encoded = is_encoding(path, source.text)
        if not encoded and not looks_like_gdl(source.text):
            self.parametric = plain_rules(load_spec(source, constants))
            self._warnings = tuple(self.parametric.warnings)
            self._bound = bound
            return
        given = {"--bound": bound, "--start": start, "--set": constants and not encoded}
        if wrong := next((name for name, value in given.items() if value), None):
            message = f"{game} is a finite game as it is: {wrong} is for impartial games (.icg)"
            raise InputError(message, mend=f"leave {wrong} out")
        self.rules = finite_game(str(path), constants)
        self._warnings = self.rules.warnings

    @property
    def is_whole(self) -> bool:
        """Whether it is an impartial game of which neither a bound nor a start was asked for."""
        return self.parametric is not None and self._bound is None and self._start is None

    def frame(self) -> dict[str, Any]:
        """Which states a tree of this game is for, as its file says it."""
        if self.parametric is None:
            return {"constants": self.constants}
        start = {} if self._start is None else {"start": self._start}
        return {
            "constants": dict(self.parametric.constants),
            "variables": list(self.parametric.variables),
            "rule": self.rule,
            "bound": self.box,
            **start,
        }

    @cached_property
    def bound(self) -> int:
        """The bound of every variable of an impartial game."""
        assert self.parametric is not None
        if self._bound is not None:
            return self._bound
        wide = len(self.parametric.variables)
        return next((b for b in _BOUNDS if (b + 1) ** wide <= _STATES), 1)

    @cached_property
    def board(self) -> Board:
        """The compiled rules of a game description."""
        return board_of(ground(self.rules))

    def arena(
        self, symmetric: bool, progress: Callable[[str], None], budget: Budget = UNBOUNDED
    ) -> Arena:
        """The game solved whole, up to its symmetries or not, within ``budget``."""
        for warning in self._warnings:
            progress(Notice(f"warning: {warning}"))
        self._warnings = ()
        if self.parametric is None:
            board = self.board
            return arena_of_board(board, symmetric, seconds=budget.remaining(), progress=progress)
        try:
            return bounded(self.parametric, self.box, self.rule, self.initial)[0]
        except Refused as refused:
            if not self.is_whole:
                raise
            raise OutOfReach(f"{refused}; --bound or --start may say which states") from None

    @cached_property
    def play(self) -> FactGame:
        """The game one state at a time."""
        if (game := self.parametric) is None:
            return FiniteGame(self.board)
        return BoundedPlay(game, self.rule, (*roots(game, self.box, self.initial)[0], 0))

    @cached_property
    def initial(self) -> State | None:
        """The state that --start gives to an impartial game."""
        if self.parametric is None or self._start is None:
            return None
        initial = read_state(self.parametric, self._start)
        if not 0 <= min(initial) <= max(initial) <= _GREATEST:
            raise InputError(
                f"--start {str(self._start)[:60]}: a game that is solved whole has values "
                f"from 0 to {_GREATEST:,}",
                mend="start nearer to 0",
            )
        return initial

    @property
    def box(self) -> int:
        """The bound of every variable, and as far as --start where no bound is given."""
        if self.initial is None or self._bound is not None:
            return self.bound
        return max(self.bound, *self.initial)
