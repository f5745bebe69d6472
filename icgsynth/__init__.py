"""icgsynth: rules of a game in, a strategy out that people can follow and a machine has proved.

>>> import icgsynth as icg
>>> solution = icg.load("nim2").solve(rule="normal")
>>> print(solution.losing.formula)
a = b
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal, cast

from icgsynth.errors import InputError, Refused
from icgsynth.game.shown import SHOWN, Drawing, Verification

if TYPE_CHECKING:
    from icgsynth.game.answers import Answer
    from icgsynth.game.game import Move, PlainMove, PlayRule
    from icgsynth.game.game_sum import Position, SumAnswer
    from icgsynth.game.one_state import GivenState
    from icgsynth.game.solution import Solution
    from icgsynth.subjects import Subject

__all__ = ["LoadedGame", "__version__", "load", "loads"]

__version__ = "0.1.0"

_MOST_MOVES = 100_000  # that are listed at once: two seconds


@dataclass(frozen=True)
class LoadedGame:
    """A game that was named, or a sum of several, and what can be asked of it.

    An answer is of the kind that such a game has.  Of an impartial game :meth:`solve` gives a
    :class:`~icgsynth.game.solution.Solution`, :meth:`value` a
    :class:`~icgsynth.game.grundy.GrundyAnswer` and :meth:`check` a
    :class:`~icgsynth.prove.well_formed.RulesReport`.  A question that such a game does not answer
    is an :class:`~icgsynth.errors.InputError`, which says what it does answer.
    """

    subject: Subject

    @property
    def game(self) -> Any:
        """The rules, read: of an impartial game a :class:`~icgsynth.game.game.ParametricGame`."""
        return self.subject.game

    def solve(
        self,
        rule: PlayRule | Literal["misère"] = "normal",
        timeout: float = 60.0,
        finite_only: bool = False,
    ) -> Any:
        """The winning formula, cover and strategy, with their proof (``timeout`` in seconds).

        Where play may never end the answer has ``draws``, unless with ``finite_only``.
        """
        from icgsynth.game.game import play_rule

        return self.subject.to_solve(play_rule(rule), finite_only).answer(timeout)

    def value(self, timeout: float = 60.0) -> Any:
        """The Grundy values with their proof (``timeout`` in seconds)."""
        from icgsynth.subjects import AskedValue

        return self.subject.to_value(AskedValue(for_file=True)).answer(timeout)

    def moves(self, state: GivenState | Iterable[GivenState]) -> list[PlainMove]:
        """Every move of an impartial game from ``state``, a tuple, list or mapping by names.

        The state of a sum is one for each component, of heaps a row; its moves begin with the
        number of the component.  :class:`~icgsynth.errors.Refused` where they are more than
        100,000.
        """
        from icgsynth.game.game import ParametricGame
        from icgsynth.game.game_sum import SumGame
        from icgsynth.prove.deciders.quantifiers import plain_rules

        game, given = self.game, cast(Any, state)
        match game:
            case ParametricGame():
                plain = plain_rules(game)
                moves = plain.moves(plain.legal_state(given))
            case SumGame():
                moves = game.moves(game.legal_position(given))
            case _:
                message = f"{game.name} is {self.subject.what}, whose moves are not listed"
                raise InputError(message, mend=self.subject.mend)
        try:
            found = [move.plain for move in islice(moves, _MOST_MOVES + 1)]
        except OverflowError:
            raise Refused(f"a parameter has no bound in {state!r}") from None
        if len(found) > _MOST_MOVES:
            raise Refused(f"more than {_MOST_MOVES:,} moves lead from {state!r}")
        return found

    def check(self, timeout: float = 20.0) -> Any:
        """Closure, declared ending states and termination, each proved or refuted."""
        return self.subject.to_check().answer(timeout)

    def __str__(self) -> str:
        return str(self.subject)

    def __repr__(self) -> str:
        return f"<LoadedGame {self.game.name}>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


def load(spec: str | PathLike[str], constants: Mapping[str, int] | None = None) -> LoadedGame:
    """What ``spec`` names, as on the command line: a file, a name of the catalog, heaps, a sum.

    ``constants`` overrides those of the file.  Raises
    :class:`~icgsynth.errors.InputError` with the place and the mend.
    """
    if not isinstance(spec, str | PathLike):
        raise InputError(f"no path and no name: {spec!r}", mend="give one; loads() reads rules")
    return _loaded(fspath(spec), constants, None)


def loads(text: str, constants: Mapping[str, int] | None = None, name: str = "text") -> LoadedGame:
    """Read rules from a string; ``constants`` overrides those of the rules.

    Raises :class:`~icgsynth.errors.InputError` with the place, in the text called ``name``, and the
    mend.
    """
    return _loaded(name, constants, text)


def _loaded(spec: str, constants: Mapping[str, int] | None, text: str | None) -> LoadedGame:
    from icgsynth.subjects import subject

    loaded = LoadedGame(subject(spec, _integers(constants), text))
    loaded.game  # what is wrong with the rules is said now  # noqa: B018
    return loaded


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
    from icgsynth.export.notebook import picture

    return picture(solution)


def _html(answer: object) -> str:
    from icgsynth.export.notebook import notebook_html

    return notebook_html(answer)


def _exported(answer: Answer, fmt: str) -> str:
    from icgsynth.export import export

    return export(answer, fmt)


def _save(answer: Answer, path: str | PathLike[str]) -> None:
    from icgsynth.cli.output import require_ending, write_file
    from icgsynth.export.json import answer_json

    require_ending(fspath(path), "", ".json")
    write_file(fspath(path), answer_json(answer))


def _verified(solution: Solution, timeout: float) -> Verification:
    from icgsynth.budget import Budget
    from icgsynth.prove.certificate import certify

    written = replace(solution, game=solution.written or solution.game)
    return certify(written, Budget(timeout))


def _table(solution: Solution, bound: int) -> Drawing:
    from icgsynth.export.svg import table_svg
    from icgsynth.export.table import table_text
    from icgsynth.subjects import AskedTable
    from icgsynth.subjects.value_questions import to_table

    if bound < 0:
        raise InputError(f"no box has the bound {bound}", mend="give 0 or more")
    found = to_table(solution.game, AskedTable(solution.rule, bound)).answer().completed(solution)
    return Drawing(table_text(found), table_svg(found))


def _sum_move(answer: SumAnswer, position: Position) -> tuple[int, Move]:
    from icgsynth.values.sum_search import SumMover

    found = SumMover(answer).find(position)
    if found is None:
        raise Refused("no component has a winning move")
    aim, move = found
    return aim.place, move


SHOWN["text"], SHOWN["latex"], SHOWN["svg"], SHOWN["html"] = _text, _latex, _svg, _html
SHOWN["export"], SHOWN["save"] = _exported, _save
SHOWN["verify"], SHOWN["table"], SHOWN["sum_move"] = _verified, _table, _sum_move
