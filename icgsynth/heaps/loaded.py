"""What programs ask of codes, heaps by rules, piles and sums: classes to load them as."""

from __future__ import annotations

from icgsynth import Loaded
from icgsynth.game.game import GivenRule
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.heaps.rules.game_sum import SumAnswer, SumGame
from icgsynth.heaps.rules.heap_rows import HeapGameAnswer
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.heaps import HeapAnswer, HeapCode
from icgsynth.heaps.rules.misere import MisereAnswer, TameAnswer
from icgsynth.heaps.rules.pile_answer import PilesAnswer
from icgsynth.heaps.rules.piles import PileGame

__all__ = ["LoadedCode", "LoadedHeaps", "LoadedPiles", "LoadedSum"]


class LoadedCode(Loaded):
    """A game of heaps by its code, as ``0.77``; a state is a heap, or a row of heaps."""

    @property
    def game(self) -> HeapCode:
        """The code, read."""
        found: HeapCode = self._game
        return found

    def solve(self, rule: GivenRule = None, timeout: float = 60.0) -> SumAnswer | MisereAnswer:
        """Who wins a row of heaps: by values, and under misère play by a quotient."""
        found: SumAnswer | MisereAnswer = self._solve(rule, timeout)
        return found

    def values(self, timeout: float = 60.0) -> HeapAnswer:
        """The nim sequence; what is returned is called with a heap, or a row of heaps."""
        found: HeapAnswer = self._values(timeout)
        return found


class LoadedSum(Loaded):
    """A sum of games, as ``nim2 + 2*0.77``; a state has one for each component."""

    @property
    def game(self) -> SumGame:
        """The components, read."""
        found: SumGame = self._game
        return found

    def solve(self, rule: GivenRule = None, timeout: float = 60.0) -> SumAnswer | MisereAnswer:
        """Who wins: by the values of the components, and under misère play by a quotient."""
        found: SumAnswer | MisereAnswer = self._solve(rule, timeout)
        return found

    def values(self, timeout: float = 60.0) -> SumAnswer:
        """The values of all components; what is returned is called with a state of the sum."""
        found: SumAnswer = self._values(timeout)
        return found


class LoadedHeaps(Loaded):
    """A game of heaps by rules that begin with ``heaps``; a state is one heap."""

    @property
    def game(self) -> HeapGame:
        """The rules, read."""
        found: HeapGame = self._game
        return found

    def solve(
        self, rule: GivenRule = None, timeout: float = 60.0
    ) -> HeapGameAnswer | TameAnswer | MisereAnswer:
        """The values of the heaps, or who wins rows of them under misère play."""
        found: HeapGameAnswer | TameAnswer | MisereAnswer = self._solve(rule, timeout)
        return found

    def values(self, timeout: float = 60.0) -> HeapGameAnswer:
        """The values of the heaps; what is returned is called with a heap."""
        found: HeapGameAnswer = self._values(timeout)
        return found


class LoadedPiles(Loaded):
    """Any number of piles, by rules that begin with ``piles``."""

    @property
    def game(self) -> PileGame:
        """The rules, read."""
        found: PileGame = self._game
        return found

    def solve(self, rule: GivenRule = None, timeout: float = 60.0) -> PilesAnswer:
        """Who wins any number of piles."""
        found: PilesAnswer = self._solve(rule, timeout)
        return found

    def values(self, timeout: float = 60.0) -> GrundyAnswer:
        """The values of one pile; what is returned is called with a pile."""
        found: GrundyAnswer = self._values(timeout)
        return found
