"""icgsynth: rules of a game in, a strategy out that people can follow and a machine has proved.

>>> import icgsynth as icg
>>> solution = icg.load("nim2").solve(rule="normal")
>>> print(solution.losing.formula)
a = b
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING

from icgsynth.errors import InputError
from icgsynth.game.shown import SHOWN

if TYPE_CHECKING:
    from icgsynth.game.game import ParametricGame, PlayRule
    from icgsynth.game.grundy import GrundyAnswer
    from icgsynth.game.solution import Solution
    from icgsynth.prove.well_formed import RulesReport

__all__ = ["LoadedGame", "__version__", "load", "loads"]

__version__ = "0.1.0"


@dataclass(frozen=True)
class LoadedGame:
    """A game that was read, and what can be asked of it."""

    game: ParametricGame

    def solve(
        self, rule: PlayRule = "normal", timeout: float = 60.0, finite_only: bool = False
    ) -> Solution:
        """The winning formula, cover and strategy, with their proof (``timeout`` in seconds).

        Where play may never end the answer has ``draws``, unless with ``finite_only``.
        """
        from icgsynth.budget import Budget
        from icgsynth.synth.search import solve

        return solve(self.game, rule, Budget(timeout), finite_only=finite_only)

    def value(self, timeout: float = 60.0) -> GrundyAnswer:
        """The Grundy function with its proof (``timeout`` in seconds)."""
        from icgsynth.budget import Budget
        from icgsynth.values.grundy_search import grundy

        return grundy(self.game, Budget(timeout))

    def check(self, timeout: float = 20.0) -> RulesReport:
        """Closure, declared ending states and termination, each proved or refuted."""
        from icgsynth.budget import Budget
        from icgsynth.prove.confirm import check_twice

        return check_twice(self.game, Budget(timeout))

    def __str__(self) -> str:
        return str(self.game)

    def __repr__(self) -> str:
        return f"<LoadedGame {self.game.name}>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self.game))}</pre>"


def load(spec: str | PathLike[str], constants: Mapping[str, int] | None = None) -> LoadedGame:
    """Read an ``.icg`` or numeric-PDDL file, or a game of the catalog by its name.

    ``constants`` overrides those of the file.  Raises
    :class:`~icgsynth.errors.InputError` with the place and the mend.
    """
    if not isinstance(spec, str | PathLike):
        raise InputError(f"no path and no name: {spec!r}", mend="give one; loads() reads rules")
    from icgsynth.spec.catalog import resolve
    from icgsynth.spec.load import load_spec
    from icgsynth.spec.source import Source

    name = fspath(spec)
    return LoadedGame(load_spec(Source.read(resolve(name), name), _integers(constants)))


def loads(text: str, constants: Mapping[str, int] | None = None, name: str = "text") -> LoadedGame:
    """Read rules from a string; ``constants`` overrides those of the rules.

    Raises :class:`~icgsynth.errors.InputError` with the place, in the text called ``name``, and the
    mend.
    """
    from icgsynth.spec.load import load_spec
    from icgsynth.spec.source import Source

    return LoadedGame(load_spec(Source(name, text), _integers(constants)))


def _integers(constants: Mapping[str, int] | None) -> Mapping[str, int]:
    """``constants``, each with an integer; which names a game has is seen when it is read."""
    if not isinstance(constants, Mapping | None):
        raise InputError(f"no constants: {constants!r}", mend='give a dictionary, as in {"n": 5}')
    for name, number in (constants or {}).items():
        if isinstance(number, bool) or not isinstance(number, int):
            raise InputError(f"the constant {name} is an integer, not {number!r}")
    return constants or {}


# --- how solutions look ----------------------------------------------------------------------


def _text(solution: Solution) -> str:
    from icgsynth.export.report import as_text
    from icgsynth.export.solution_report import solution_report

    return as_text(solution_report(solution))


def _latex(solution: Solution) -> str:
    from icgsynth.export.latex import latex

    return latex(solution)


def _svg(solution: Solution) -> str:
    from icgsynth.export.picture import picture

    return picture(solution)


def _html(answer: object) -> str:
    from icgsynth.export.notebook import notebook_html

    return notebook_html(answer)


SHOWN["text"], SHOWN["latex"], SHOWN["svg"], SHOWN["html"] = _text, _latex, _svg, _html
