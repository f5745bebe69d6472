"""What an answer says besides who wins and who loses, where play may go on for ever.

A state from which neither player can force a win is *drawn*: each has a move that keeps it so, and
nobody has one that loses for the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic.term import FALSE, Formula, conjunction, disjunction, negation

__all__ = ["DrawnStates"]


@dataclass(frozen=True, slots=True)
class DrawnStates:
    """``drawn`` states, the rules that keep a game drawn, and how long a win takes.

    The level of a winning or losing state is the place, from 0, of the first of ``levels`` that
    holds there: whoever wins there does so in at most as many moves of both players.
    """

    drawn: Formula
    levels: tuple[Formula, ...]
    keeping: Strategy[Rule] = field(default_factory=Strategy)

    def below(self, level: int) -> Formula:
        """The states of a lower level than ``level``."""
        return disjunction(self.levels[:level]) if level else FALSE

    def at(self, level: int) -> Formula:
        """The states of ``level``: it is the first that holds there."""
        earlier = (negation(formula) for formula in self.levels[:level])
        return conjunction((self.levels[level], *earlier))
