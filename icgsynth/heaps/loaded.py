"""The classes of loaded games of heaps, of piles and of sums, for Python programs."""

from __future__ import annotations

from typing import Generic, TypeAlias, TypeVar

from icgsynth import Loaded
from icgsynth.game.answers import NamedGame
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

_Game = TypeVar("_Game", bound=NamedGame)
_Answer = TypeVar("_Answer")
_Values = TypeVar("_Values")
_Rows: TypeAlias = SumAnswer | MisereAnswer  # by values, and under misere play by a quotient


class _Typed(Loaded, Generic[_Game, _Answer, _Values]):
    @property
    def game(self) -> _Game:
        """The game that was loaded."""
        found: _Game = self._game
        return found

    def solve(self, rule: GivenRule = None, timeout: float = 60.0) -> _Answer:
        """Return the answer on who wins; ``rule`` is the game's by default, ``timeout`` in
        seconds."""
        found: _Answer = self._solve(rule, timeout)
        return found

    def values(self, timeout: float = 60.0) -> _Values:
        """Return the Grundy values, an object to call with a state (``timeout`` in seconds)."""
        found: _Values = self._values(timeout)
        return found


class LoadedCode(_Typed[HeapCode, _Rows, HeapAnswer]):
    """A loaded game of heaps given by a code such as ``0.77``; a state is a heap or a row of heaps.

    It is solved for rows of heaps, by values or a misère quotient; its values are a nim sequence.
    """


class LoadedSum(_Typed[SumGame, _Rows, SumAnswer]):
    """A loaded sum of games, as ``nim2 + 2*0.77``; a state lists a state of each component.

    The sum is solved by the values of all components, and under misère play by a quotient.
    """


class LoadedHeaps(_Typed[HeapGame, HeapGameAnswer | TameAnswer | MisereAnswer, HeapGameAnswer]):
    """A loaded game of heaps, by rules that begin with ``heaps``; a state is one heap.

    Answers give the values of the heaps, or who wins rows of them under misère play.
    """


class LoadedPiles(_Typed[PileGame, PilesAnswer, GrundyAnswer]):
    """A loaded game on any number of piles (``piles`` rules); its values are those of one pile."""
