"""The drawn states of a game whose play may go on for ever, as an answer states them.

A state from which neither player can force a win is *drawn*: each has a move that keeps it so, and
nobody has one that loses for the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import Rewriting, conjunction, disjunction, negation, substitute


@dataclass(frozen=True, slots=True)
class DrawnStates:
    """The ``drawn`` states of a game, the rules that keep the draw, and how long a win takes.  The
    level of a winning or losing state is the value of ``rank`` there, at least 0; without a rank it
    is the place, from 0, of the first of ``levels`` that holds.  Whoever wins there does so in at
    most as many moves of both players.  ``minimal`` and ``constants_up_to`` are said of the formula
    of the drawn states, as in :class:`~icgsynth.game.solution.Claim`."""

    drawn: t.Formula
    levels: tuple[t.Formula, ...]
    keeping: Strategy[Rule] = field(default_factory=Strategy)
    rank: t.Term | None = None
    minimal: bool = False
    constants_up_to: int = 0

    def mapped(self, by: Rewriting) -> DrawnStates:
        """Return a copy with the function ``by`` applied to each formula and term: of the drawn
        states, of the levels, of the rank and of the rules."""
        keeping = Strategy(tuple(rule.mapped(by) for rule in self.keeping))
        rank = self.rank and by(self.rank)
        levels = tuple(map(by, self.levels))
        return replace(self, drawn=by(self.drawn), levels=levels, keeping=keeping, rank=rank)

    @property
    def ranked(self) -> t.Formula:
        """Return the formula of the states that have a level: a bound on how many moves a win
        takes."""
        if self.rank is not None:
            return t.compare(self.rank, ">=", 0)
        return disjunction(self.levels)

    def falls(self, after: Mapping[str, t.Term]) -> Iterator[tuple[str, t.Formula, t.Formula]]:
        """Yield (name, premise, conclusion) of implications that say that a move lowers the
        level, a bound on the moves that a win takes.  ``after`` has each variable's term after
        the move."""
        if self.rank is not None:
            yield "each level", t.TRUE, t.compare(substitute(self.rank, after), "<", self.rank)
        for level in range(len(self.levels) if self.rank is None else 0):
            yield f"level {level}", self.at(level), substitute(self.below(level), after)

    def keys_of_levels(self) -> dict[str, Any]:
        """Return the entries ``levels`` and ``rank`` of an answer file, bounds on a win's
        length."""
        rank = {} if self.rank is None else {"rank": str(self.rank)}
        return {"levels": [str(formula) for formula in self.levels], **rank}

    def below(self, level: int) -> t.Formula:
        """Return the disjunction of the first ``level`` formulas in ``levels``: it holds in the
        states of lower levels."""
        return disjunction(self.levels[:level]) if level else t.FALSE

    def at(self, level: int) -> t.Formula:
        """Return the formula of the states of ``level``: that formula of ``levels`` holds, and none
        of those before it."""
        earlier = (negation(formula) for formula in self.levels[:level])
        return conjunction((self.levels[level], *earlier))
