"""What programs ask of finite games: the class to load them as."""

from __future__ import annotations

from icgsynth import Loaded
from icgsynth.boards.finite.datalog import Rulebook
from icgsynth.boards.finite.encoding import Encoding

__all__ = ["LoadedBoard"]


class LoadedBoard(Loaded):
    """A finite game, in GDL or in clingo's language."""

    @property
    def game(self) -> Rulebook | Encoding:
        """The rules, read."""
        found: Rulebook | Encoding = self._game
        return found
