"""The class that programs get when they load a finite game."""

from __future__ import annotations

from icgsynth import Loaded
from icgsynth.boards.finite.datalog import Rulebook
from icgsynth.boards.finite.encoding import Encoding

__all__ = ["LoadedBoard"]


class LoadedBoard(Loaded):
    """A finite game that was loaded from rules in GDL or in clingo's language."""

    @property
    def game(self) -> Rulebook | Encoding:
        """The parsed rules: :class:`Rulebook` for GDL, :class:`Encoding` for clingo's language."""
        found: Rulebook | Encoding = self._game
        return found
