"""A claim about all members of a family at once: losing formula, strategy and range."""

from __future__ import annotations

from dataclasses import dataclass, replace

from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, negation


@dataclass(frozen=True)
class FamilyClaim:
    """The claim of ``losing`` and ``strategy`` for all values of ``constants`` in ``where``.

    ``game`` has the constants among its variables, as :meth:`icgsynth.spec.icg.Spec.members` gives
    it; it does not say what range they have.  Where no ``winning`` formula is stated, it is the
    negation of the losing one."""

    game: ParametricGame
    constants: tuple[str, ...]
    where: t.Formula
    rule: PlayRule
    losing: t.Formula
    strategy: tuple[Rule, ...] = ()
    winning: t.Formula | None = None

    @property
    def solution(self) -> Solution:
        """The claim as an answer for one game, whose legal states are those of all members."""
        return Solution(
            game=replace(self.game, legal=conjunction((self.where, self.game.legal))),
            rule=self.rule,
            status="conditional",
            winning=Claim(self.winning or negation(self.losing)),
            losing=Claim(self.losing),
            strategy=Strategy(self.strategy),
        )
