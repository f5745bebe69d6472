"""Subjects: games that a person names, and the questions that each kind of game answers.

The kind of a subject is told by its name or its ending, or by the first word of its rules; the
module of that kind is loaded when it is needed.  It is a module of this package or of a wing,
has a function ``subject(named)``, and extends :class:`Subject` by the questions that games of the
kind answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from icgsynth import wings
from icgsynth.errors import InputError
from icgsynth.export.report import Report
from icgsynth.game.answers import Verdict
from icgsynth.spec.resolve import Named, kind_of
from icgsynth.spec.source import MAX_BYTES, Source
from icgsynth.subjects.question import Question, Told

if TYPE_CHECKING:
    from icgsynth.game.game import Move, ParametricGame, PlayRule

_BY_NAME = {"codes", "finite", "sums"}  # kinds that no first word or ending tells


def subject(
    spec: str, constants: Mapping[str, int] | None = None, text: str | None = None
) -> Subject:
    """Return the game that ``spec`` means: a catalog name, path, code of heaps, sum, or ``-``.

    ``constants`` are set by name.  If ``text`` is given, it has the rules, and messages call them
    ``spec``.
    Raises :class:`~icgsynth.errors.InputError` where there is no such game; faults of its rules are
    raised by its first question.
    """
    return find_subject(Named(spec, constants or {}, text))


def find_subject(named: Named) -> Subject:
    """Return the object of its kind for the game ``named``; InputError if there is no such game."""
    found: Subject = module_of(kind_of(named, words())).subject(named)
    return found


def module_of(kind: str) -> ModuleType:
    """Import and return the module for games of ``kind``, as "sums", from a wing or this folder."""
    found = wings.find("subject", kind)
    return found if found is not None else wings.load(f"{__name__}.{kind}_subject")


def impartial_game(found: Subject) -> ParametricGame:
    """Return the game of ``found``; InputError unless it is impartial and has no blocking."""
    from icgsynth.game.game import ParametricGame, without_blocking

    if not isinstance(game := found.game, ParametricGame):
        message = f"{found.named.spec} is {found.what}, and no impartial game"
        raise InputError(message, mend=found.mend)
    return without_blocking(game)


@cache
def words() -> frozenset[str]:
    """Return the words that tell a kind of games: first words of rules, ".kif", "connect:", .."""
    names = (name for _, name, _ in iter_modules(__path__) if name.endswith("_subject"))
    own = {name.removesuffix("_subject") for name in names}
    return frozenset(own.union(wings.names("subject"))) - _BY_NAME


class AskedValue(NamedTuple):
    """The options of a question for Grundy values."""

    at: str | None = None  # one state as a person writes it
    rule: PlayRule = "normal"
    most: int | None = None  # how many values of heaps are searched for a period
    table: str | None = None  # file for the values of all states up to ``bound``; ``-`` for text
    bound: int | None = None
    width: int = 80  # characters in a line of such text
    for_file: bool = False  # the whole answer is wanted, not the value of a state alone
    output: str | None = None  # file of the answer; it may hold the result of an earlier search

    def without(self, *names: str, of: str) -> None:
        """Raise InputError, which says "not for ``of``", if one of the options ``names`` is set."""
        for name in names:
            if getattr(self, name) is not None:
                option = {"most": "--to"}.get(name, f"--{name}")
                raise InputError(f"{option} is not for {of}", mend=f"leave {option} out")


class AskedTable(NamedTuple):
    """The options of a table: the states up to ``bound``, and where they are to be shown."""

    rule: PlayRule = "normal"
    bound: int | None = None
    output: str | None = None  # a file, whose ending tells the format
    as_json: bool = False
    width: int = 80  # characters in a line of the terminal
    quiet: bool = False  # no summary of the file
    solve: bool = False  # a proved answer decides states that depend on states outside the box
    where: str | None = None  # a formula of the states that are shown

    @property
    def ending(self) -> str:
        """The ending of the file ``output`` in small letters, such as ".svg"; "" without one."""
        return "" if self.output is None else Path(self.output).suffix.lower()

    def present(
        self,
        text: Callable[[], Report | str],
        summary: str,
        value: Callable[[], Any],
        draw: Callable[[str], str | bytes],
    ) -> Told:
        """Return the table to be shown: as text and JSON, or as the file ``output`` with a summary.

        ``text`` returns the report and ``value`` the JSON value, also of a file that ends in .json;
        another file holds what ``draw`` returns for its path.
        """
        path = self.output
        if path is None:
            return Told(Verdict.PROVED, text, value)
        content = value() if self.ending == ".json" else draw(path)
        said = f"{path}: {summary}" if summary and not self.quiet else ""
        return Told(Verdict.PROVED, lambda: said, value, drawings=lambda: {path: content})


class AskedVerdict(NamedTuple):
    """The options of a check of an answer file."""

    rule: PlayRule | None = None  # which of two answers
    cross: bool = False  # by a second solver too
    coq: bool = False  # by Coq too

    def require_plain(
        self, what: str, *, cross: bool = False, coq: bool = False, rule: bool = False
    ) -> None:
        """Raise :class:`~icgsynth.errors.InputError` for an option that ``what`` does not take.

        ``cross``, ``coq``, ``rule``: ``what`` takes this option.  Also raises where Coq is asked
        for and not installed, before anything is read or proved.
        """
        wrong = {
            "--cross-check": self.cross and not cross,
            "--coq": self.coq and not coq,
            "--rule": self.rule is not None and not rule,
        }
        if option := next((name for name, given in wrong.items() if given), None):
            also = " and values of one game or of heaps" if option == "--coq" else ""
            message = f"{option} is for answers of impartial games{also}, not a {what} file"
            raise InputError(message, mend=f"leave {option} out")
        if self.coq:
            wings.require("proof assistant", "coq").installed_coq()


_FILE = "give the answer as a file"
_QUESTIONS = {"solve": "to_solve", "value": "to_value", "table": "to_table", "check": "to_check"}


class Subject:
    """A game that a person has named, with a method for each question; others are refused.

    ``what`` names the kind in a sentence, as "a sum of games".
    """

    what: str
    largest_file = MAX_BYTES  # bytes of an answer file
    loaded = ("icgsynth", "Loaded")  # module and name of the class that programs get

    def __init__(self, named: Named) -> None:
        self.named = named

    def __str__(self) -> str:
        """Return the rules as text, or the words by which the person named the game."""
        return self.named.spec

    @property
    def game(self) -> Any:
        """The game, read from its rules; :class:`~icgsynth.errors.InputError` for faulty rules."""
        raise NotImplementedError

    @property
    def rule(self) -> PlayRule:
        """The default rule of play: misère play where the rules state it, else normal play."""
        try:
            if "misere" not in self.named.source.text:
                return "normal"
            from icgsynth.spec.resolve import stated_rule

            return stated_rule(self.named.source)
        except InputError:  # no text of rules; a fault in it is raised by the first question
            return "normal"

    def to_solve(
        self, rule: PlayRule, finite_only: bool = False, for_file: bool = True
    ) -> Question[Any]:
        """Return the question, to be run later, who wins from which states and by which moves.

        ``finite_only``: no answer where play may never end.  ``for_file``: the answer has all that
        a file holds.  InputError in the base class.
        """
        raise self._refuse("solve")

    def to_position(self, rule: PlayRule, at: str) -> Question[Any]:
        """Return the question who wins at the state ``at`` (text); InputError in the base class."""
        raise InputError(f"solve --at is not for {self.what}", mend=self.mend)

    def to_list(self, rule: PlayRule, where: str) -> Question[Any]:
        """Return the question who wins where ``where`` holds; InputError in the base class."""
        raise InputError(f"--where is not for {self.what}", mend="leave it out")

    def to_judge(self, kind: str, text: str, asked: AskedVerdict) -> Question[Any]:
        """Return the question whether ``text`` is right as ``kind``: winning, losing or value.

        It is a formula of the winning or losing states, or a term.  InputError in the base class.
        """
        raise InputError(f"verify --{kind} is not for {self.what}", mend=_FILE)

    def to_value(self, asked: AskedValue) -> Question[Any]:
        """Return the question for Grundy values, or one of them; InputError in the base class."""
        raise self._refuse("value")

    def to_table(self, asked: AskedTable) -> Question[Any]:
        """Return the question who wins each state of a box; InputError in the base class."""
        raise self._refuse("table")

    def to_check(self) -> Question[Any]:
        """Return the question whether the rules are well formed; InputError in the base class."""
        raise self._refuse("check")

    def to_verify(self, source: Source, asked: AskedVerdict) -> Question[Any]:
        """Return the question whether the file ``source`` is right; InputError in this class."""
        raise self._refuse("verify")

    def moves(self, state: Any) -> Iterator[Move]:
        """Yield all moves from ``state``; OverflowError where a parameter has no bound.  InputError
        in the base class."""
        message = f"{self.game.name} is {self.what}, whose moves are not listed"
        raise InputError(message, mend=self.mend)

    @property
    def mend(self) -> str:
        """A sentence that names the commands which take this kind of game."""
        able = [
            word
            for word, method in _QUESTIONS.items()
            if getattr(type(self), method) is not getattr(Subject, method)
        ]
        return f"use icgsynth {' or '.join(able)}"

    def _refuse(self, question: str) -> InputError:
        message = f"{self.named.spec} is {self.what}, which 'icgsynth {question}' does not take"
        return InputError(message, mend=self.mend)


def remarks_on(game: ParametricGame) -> tuple[str, ...]:
    """Return the warnings of the parser about the rules of ``game``, a line each."""
    return tuple(f"warning: {warning}" for warning in game.warnings)
