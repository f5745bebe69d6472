"""icgsynth: rules of a game in, a strategy out that people can follow and a machine has proved.

>>> import icgsynth as icg
>>> solution = icg.load("nim2").solve(rule="normal")
>>> print(solution.losing.formula)
a = b
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice as _islice
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

from icgsynth import wings
from icgsynth.errors import IcgError, InputError, Refused
from icgsynth.game.answers import SHOWN, Drawing, Verification

if TYPE_CHECKING:
    from sympy import Basic

    from icgsynth.game.answers import Answer, NamedGame
    from icgsynth.game.game import (
        GivenRule,
        GivenState,
        Move,
        ParametricGame,
        PlainMove,
        State,
    )
    from icgsynth.game.grundy import GrundyAnswer
    from icgsynth.game.solution import Solution
    from icgsynth.logic.term import Node
    from icgsynth.prove.well_formed import RulesReport
    from icgsynth.subjects import Subject
    from icgsynth.subjects.question import Judgement

__all__ = [
    "IcgError",
    "InputError",
    "Loaded",
    "LoadedGame",
    "Refused",
    "__version__",
    "catalog",
    "load",
    "loads",
    "read",
]

__version__ = "0.6.0"

_MOST_MOVES = 100_000  # moves of one state that are listed: two seconds
_Path: TypeAlias = str | PathLike[str]
_Constants: TypeAlias = Mapping[str, int] | None
Claimed: TypeAlias = "str | Node | Basic"
_L = TypeVar("_L", bound="Loaded")
_A = TypeVar("_A")


def __dir__() -> list[str]:
    return sorted(__all__)


@dataclass(frozen=True)
class Loaded:
    """A game of any kind, loaded from a name or a file, with methods that solve and check it.

    Each kind of game has a subclass with the types of its answers: impartial games have
    :class:`LoadedGame`.  A method that a kind of game does not support raises
    :class:`~icgsynth.errors.InputError`, which names the methods that it supports.
    """

    subject: Subject

    @property
    def game(self) -> NamedGame:
        """The game itself, read from its rules."""
        found: NamedGame = self._game
        return found

    def solve(self, rule: GivenRule = None, timeout: float = 60.0) -> object:
        """Return the answer that says who wins, and by which moves (``timeout`` in seconds).

        ``rule`` is by default the one that the rules of the game state, else normal play.
        """
        return self._solve(rule, timeout)

    def values(self, timeout: float = 60.0) -> object:
        """Return the Grundy values, as an object to call with a state (``timeout`` in seconds)."""
        return self._values(timeout)

    def moves(self, state: GivenState | Iterable[GivenState]) -> list[PlainMove]:
        """Return the list of all moves from ``state``.

        The state of a sum is a sequence with one state for each component, and its moves begin with
        the number of the component; the state of a game of heaps is a row of sizes.  Raises
        :class:`~icgsynth.errors.Refused` for more than 100,000 moves.
        """
        try:
            moves = self.subject.moves(state)
            found = [move.plain for move in _islice(moves, _MOST_MOVES + 1)]
        except OverflowError:
            raise Refused(f"a parameter has no bound in {state!r}") from None
        if len(found) > _MOST_MOVES:
            raise Refused(f"more than {_MOST_MOVES:,} moves lead from {state!r}")
        return found

    def check(self, timeout: float = 20.0) -> RulesReport:
        """Return what is found about the rules: whether moves stay legal and play ends."""
        found: RulesReport = self.subject.to_check().answer(timeout)
        return found

    @property
    def _game(self) -> Any:
        return self.subject.game

    def _solve(self, rule: GivenRule, timeout: float, finite_only: bool = False) -> Any:
        from icgsynth.game.game import play_rule

        asked = self.subject.rule if rule is None else play_rule(rule)
        return self.subject.to_solve(asked, finite_only).answer(timeout)

    def _values(self, timeout: float) -> Any:
        from icgsynth.subjects import AskedValue

        return self.subject.to_value(AskedValue(for_file=True)).answer(timeout)

    def __str__(self) -> str:
        return str(self.subject)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.game.name}>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


class LoadedGame(Loaded):
    """An impartial game over integer variables, with methods that solve and check it."""

    @property
    def game(self) -> ParametricGame:
        """The game itself: variables, actions and legal states, read from its rules."""
        found: ParametricGame = self._game
        return found

    def solve(
        self, rule: GivenRule = None, timeout: float = 60.0, finite_only: bool = False
    ) -> Solution:
        """Return the formula of the won states and a strategy, proved (``timeout`` in seconds).

        ``rule`` is by default the one that the rules of the game state, else normal play.
        Where play may never end the answer has ``draws``, unless with ``finite_only``.
        """
        found: Solution = self._solve(rule, timeout, finite_only)
        return found

    def values(self, timeout: float = 60.0) -> GrundyAnswer:
        """Return the Grundy values with their proof, as an object to call with a state."""
        found: GrundyAnswer = self._values(timeout)
        return found

    def verify(
        self,
        *,
        losing: Claimed | None = None,
        winning: Claimed | None = None,
        value: Claimed | None = None,
        rule: GivenRule = None,
        timeout: float = 60.0,
    ) -> Judgement:
        """Prove or refute a formula of the losing or winning states, or a term of Grundy values.

        Give one of the three: text of the language, a formula of an answer, or a SymPy expression
        whose symbols have the names of the variables.
        """
        from icgsynth.game.game import play_rule
        from icgsynth.subjects import AskedVerdict

        claims = {"losing": losing, "winning": winning, "value": value}
        given = [(side, claim) for side, claim in claims.items() if claim is not None]
        if len(given) != 1:
            raise InputError("verify takes one claim", mend="give losing, winning or value")
        ((side, claim),) = given
        asked = AskedVerdict(self.subject.rule if rule is None else play_rule(rule))
        found: Judgement = self.subject.to_judge(side, _claim_text(claim), asked).answer(timeout)
        return found


@overload
def load(spec: _Path, constants: _Constants = None) -> LoadedGame: ...
@overload
def load(spec: _Path, constants: _Constants = None, *, kind: type[_L]) -> _L: ...
def load(spec: _Path, constants: _Constants = None, *, kind: type[Loaded] = Loaded) -> Loaded:
    """Return the game that ``spec`` names: a file, a catalog name, a code of heaps, or a sum.

    Type checkers expect an impartial game; for another kind of game give its class as ``kind``,
    such as ``icgsynth.heaps.loaded.LoadedCode`` for a code of heaps.  ``constants`` overrides
    constants of the file.  Raises :class:`~icgsynth.errors.InputError` for another kind of game, or
    for faulty rules, with the place and advice.
    """
    if not isinstance(spec, str | PathLike):
        raise InputError(f"no path and no name: {spec!r}", mend="give one; loads() reads rules")
    return _load(fspath(spec), constants, None, kind)


@overload
def loads(text: str, constants: _Constants = None, name: str = "text") -> LoadedGame: ...
@overload
def loads(text: str, constants: _Constants = None, name: str = "text", *, kind: type[_L]) -> _L: ...
def loads(
    text: str,
    constants: _Constants = None,
    name: str = "text",
    *,
    kind: type[Loaded] = Loaded,
) -> Loaded:
    """Return the game whose rules are ``text``; messages call it ``name``.

    ``constants`` overrides constants of the rules; ``kind`` is the class of games that is expected.
    Raises :class:`~icgsynth.errors.InputError` for another kind of game, or for faulty rules.
    """
    return _load(name, constants, text, kind)


def catalog() -> dict[str, str]:
    """Return the names of all games in the catalog, which :func:`load` takes, with their titles.

    Impartial games come first; then boards and codes of heaps, which :func:`load` takes with
    their ``kind``.
    """
    from icgsynth.spec.catalog import Entry, NamedHeaps, entries, finite_entries, heap_entries

    found: list[Entry | NamedHeaps] = [*entries("icg", "blocking", "piles"), *finite_entries()]
    found += [*finite_entries("asp"), *heap_entries()]
    return {entry.name: entry.title for entry in found}


@overload
def read(
    path: _Path, spec: str | None = None, rule: GivenRule = None, *, timeout: float = 60.0
) -> Answer: ...
@overload
def read(
    path: _Path,
    spec: str | None = None,
    rule: GivenRule = None,
    *,
    kind: type[_A],
    timeout: float = 60.0,
) -> _A: ...
def read(
    path: _Path,
    spec: str | None = None,
    rule: GivenRule = None,
    *,
    kind: type[object] = object,
    timeout: float = 60.0,
) -> object:
    """Read the answer in a file that this program has written, of any kind, and prove it again.

    A file may have been changed: only what is proved again within ``timeout`` seconds is called
    proved.  ``kind``, such as :class:`~icgsynth.game.solution.Solution`, is the class that is
    wanted.  ``spec`` names the game, where the file lacks its rules; ``rule`` chooses one of two
    answers.

    Raises :class:`~icgsynth.errors.InputError` where the file is broken, or has an answer of
    another class, :class:`~icgsynth.errors.FalseClaim` where the answer is refuted, and
    :class:`~icgsynth.errors.BudgetSpent` where it calls itself proved and is not proved in time.
    """
    from icgsynth.budget import Budget
    from icgsynth.game.game import play_rule
    from icgsynth.spec.source import MAX_BYTES_OF_VALUES, Source
    from icgsynth.subjects.exports import prove_again

    source = Source.read(Path(path), fspath(path), MAX_BYTES_OF_VALUES)
    asked = None if rule is None else play_rule(rule)
    answer = prove_again(source, Budget(timeout), spec, asked)
    if not isinstance(answer, kind):
        said = f"{source.name} has a {type(answer).__name__}, and no {kind.__name__}"
        raise InputError(said, mend="leave kind out, or give that one")
    return answer


def _load(spec: str, constants: _Constants, text: str | None, kind: type[Loaded]) -> Loaded:
    from icgsynth.subjects import subject

    found = subject(spec, _integers(constants), text)
    module, name = found.loaded
    loaded: Loaded = getattr(wings.load(module), name)(found)
    if not isinstance(loaded, kind):
        mend = f"give kind={name}, from {module}"
        raise InputError(f"{spec} is {found.what}, and no {kind.__name__}", mend=mend)
    loaded.game  # reads the rules now, and raises if they are faulty  # noqa: B018
    return loaded


def _integers(constants: _Constants) -> Mapping[str, int]:
    """Return ``constants``, {} for None; InputError unless each name has an integer."""
    if not isinstance(constants, Mapping | None):
        raise InputError(f"no constants: {constants!r}", mend='give a dictionary, as in {"n": 5}')
    for name, number in (constants or {}).items():
        if isinstance(number, bool) or not isinstance(number, int):
            raise InputError(f"the constant {name} is an integer, not {number!r}")
    return constants or {}


def _claim_text(claim: Claimed) -> str:
    """Return a claim, given as text, formula or SymPy expression, as text of the language."""
    if hasattr(claim, "free_symbols"):
        text: str = wings.require("writer", "sympy").language(claim)
        return text
    if isinstance(claim, bool):
        raise InputError(f"{claim} is no claim", mend="SymPy writes a = b as Eq(a, b)")
    return str(claim)


def _text(solution: Solution) -> str:
    from icgsynth.export.report import as_text
    from icgsynth.export.solution_report import solution_report

    return as_text(solution_report(solution))


def _latex(solution: Solution) -> str:
    text: str = wings.require("writer", "latex").short_latex(solution)
    return text


def _svg(solution: Solution) -> str:
    from icgsynth.export.notebook import picture

    return picture(solution)


def _html(answer: object) -> str:
    from icgsynth.export.notebook import notebook_html

    return notebook_html(answer)


def _export(answer: Answer, fmt: str) -> str | bytes:
    from icgsynth.subjects.exports import write_answer

    return write_answer(answer, fmt)


def _save(answer: Answer, path: str | PathLike[str]) -> None:
    from icgsynth.cli.output import require_ending, write_file
    from icgsynth.export.json import answer_json

    require_ending(fspath(path), "", ".json")
    write_file(fspath(path), answer_json(answer))


def _verify(solution: Solution, timeout: float) -> Verification:
    from icgsynth.budget import Budget
    from icgsynth.prove.certificate import certify

    return certify(solution, Budget(timeout))


def _table(solution: Solution, bound: int) -> Drawing:
    from icgsynth.export.svg import table_svg
    from icgsynth.export.table import table_text
    from icgsynth.subjects import AskedTable
    from icgsynth.subjects.value_questions import to_table

    if bound < 0:
        raise InputError(f"no box has the bound {bound}", mend="give 0 or more")
    found = to_table(solution.game, AskedTable(solution.rule, bound)).answer().completed(solution)
    return Drawing(table_text(found), table_svg(found))


def _sum_move(answer: object, position: object) -> tuple[int, Move]:
    found: tuple[int, Move] = wings.require("mover", "sums").winning_move(answer, position)
    return found


def _state_with_move(game: ParametricGame) -> State | None:
    from icgsynth.prove.first_state import state_with_move

    return state_with_move(game)


SHOWN["text"], SHOWN["latex"], SHOWN["svg"], SHOWN["html"] = _text, _latex, _svg, _html
SHOWN["export"], SHOWN["save"] = _export, _save
SHOWN["verify"], SHOWN["table"], SHOWN["sum_move"] = _verify, _table, _sum_move
SHOWN["state_with_move"] = _state_with_move
