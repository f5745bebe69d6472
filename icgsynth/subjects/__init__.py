"""Subjects: what a person names, and the questions that can be asked of it.

The kind of a subject is told by its name or its ending, or by the first word of its rules; the
module of that kind is loaded when it is asked for.  It is a module of this package, or of a wing,
has a function ``subject(named)``, and extends :class:`Subject` by the questions that such games
answer.
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

_BY_NAME = {"codes", "finite", "sums"}  # kinds that are told otherwise than by such a word


def subject(
    spec: str, constants: Mapping[str, int] | None = None, text: str | None = None
) -> Subject:
    """What ``spec`` means: a name of the catalog, a path, a code of heaps, a sum, or ``-``.

    ``constants`` are set by name.  With ``text`` these are the rules, and ``spec`` is what they are
    called in messages.
    :class:`~icgsynth.errors.InputError` where there is no such game; what is wrong with its rules
    is told when it is asked something.
    """
    return find_subject(Named(spec, constants or {}, text))


def find_subject(named: Named) -> Subject:
    """The subject that was named; raises as :func:`subject` does."""
    found: Subject = module_of(kind_of(named, words())).subject(named)
    return found


def module_of(kind: str) -> ModuleType:
    """The module of subjects of this ``kind``: a file of this folder, or what a wing adds."""
    found = wings.find("subject", kind)
    return found if found is not None else wings.load(f"{__name__}.{kind}_subject")


def impartial_game(found: Subject) -> ParametricGame:
    """The one impartial game that was ``found``; InputError where it is another kind of game."""
    from icgsynth.game.game import ParametricGame, without_blocking

    if not isinstance(game := found.game, ParametricGame):
        message = f"{found.named.spec} is {found.what}, and no impartial game"
        raise InputError(message, mend=found.mend)
    return without_blocking(game)


@cache
def words() -> frozenset[str]:
    """The first words of rules, endings (".kif") and beginnings of names ("connect:")."""
    names = (name for _, name, _ in iter_modules(__path__) if name.endswith("_subject"))
    own = {name.removesuffix("_subject") for name in names}
    return frozenset(own.union(wings.names("subject"))) - _BY_NAME


class AskedValue(NamedTuple):
    """The options of a question about Grundy values.

    ``at`` is one state as a person writes it; ``most`` how many values of heaps show a period.
    ``table`` names the file for the values of all states up to ``bound``, ``-`` for text of so many
    characters in a line.
    ``for_file``: the whole answer is wanted, and not the value of a state alone.  ``output`` names
    its file, which may hold what an earlier search came to.
    """

    at: str | None = None
    rule: PlayRule = "normal"
    most: int | None = None
    table: str | None = None
    bound: int | None = None
    width: int = 80
    for_file: bool = False
    output: str | None = None

    def without(self, *names: str, of: str) -> None:
        """:class:`~icgsynth.errors.InputError` where one of the options has a value."""
        for name in names:
            if getattr(self, name) is not None:
                option = {"most": "--to"}.get(name, f"--{name}")
                raise InputError(f"{option} is not for {of}", mend=f"leave {option} out")


class AskedTable(NamedTuple):
    """The options of a table: the states up to ``bound``, and where they are to be shown.

    ``output`` is a file, told by its ending; ``width`` that of the terminal in characters;
    ``quiet``: nothing is said of the file.  ``solve``: states that depend on others outside the box
    are looked up in a proved answer.  ``where``: a formula of the states that are shown.
    """

    rule: PlayRule = "normal"
    bound: int | None = None
    output: str | None = None
    as_json: bool = False
    width: int = 80
    quiet: bool = False
    solve: bool = False
    where: str | None = None

    @property
    def ending(self) -> str:
        """Return the ending of the file in small letters; "" without one."""
        return "" if self.output is None else Path(self.output).suffix.lower()

    def present(
        self,
        text: Callable[[], Report | str],
        summary: str,
        value: Callable[[], Any],
        draw: Callable[[str], str | bytes],
    ) -> Told:
        """The table as text and value, or where it goes to a file, as that and its summary."""
        path = self.output
        if path is None:
            return Told(Verdict.PROVED, text, value)
        content = value() if self.ending == ".json" else draw(path)
        said = f"{path}: {summary}" if summary and not self.quiet else ""
        return Told(Verdict.PROVED, lambda: said, value, drawings=lambda: {path: content})


class AskedVerdict(NamedTuple):
    """The options of a check of an answer file: the ``rule`` chooses from two answers.

    ``cross``: by a second solver too; ``coq``: by Coq too.
    """

    rule: PlayRule | None = None
    cross: bool = False
    coq: bool = False

    def require_plain(
        self, what: str, *, cross: bool = False, coq: bool = False, rule: bool = False
    ) -> None:
        """:class:`~icgsynth.errors.InputError` for an option that ``what`` does not take.

        ``cross``, ``coq``, ``rule``: it takes that one. And for ``coq`` where no Coq is installed,
        before anything is read or proved.
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
    """A game, or several; what it cannot be asked is refused with what it can be asked.

    ``what`` names the kind in a sentence, as "a sum of games".
    """

    what: str
    largest_file = MAX_BYTES  # of an answer
    loaded = ("icgsynth", "Loaded")  # module and name of its class for programs

    def __init__(self, named: Named) -> None:
        self.named = named

    def __str__(self) -> str:
        """The rules as text, or the words that name it."""
        return self.named.spec

    @property
    def game(self) -> Any:
        """The rules, read; :class:`~icgsynth.errors.InputError` with what is wrong with them."""
        raise NotImplementedError

    @property
    def rule(self) -> PlayRule:
        """The rule of play for whoever asks without one: misère play where the rules state it."""
        try:
            if "misere" not in self.named.source.text:
                return "normal"
            from icgsynth.spec.resolve import stated_rule

            return stated_rule(self.named.source)
        except InputError:  # no such text, or what is wrong with it is told to who asks
            return "normal"

    def to_solve(
        self, rule: PlayRule, finite_only: bool = False, for_file: bool = True
    ) -> Question[Any]:
        """Who wins from which states, by which moves.

        ``finite_only``: no answer where play may never end.  ``for_file``: all that a file holds
        is wanted.
        """
        raise self._refuse("solve")

    def to_position(self, rule: PlayRule, at: str) -> Question[Any]:
        """Who wins at one state, as a person writes it, and by which move."""
        raise InputError(f"solve --at is not for {self.what}", mend=self.mend)

    def to_list(self, rule: PlayRule, where: str) -> Question[Any]:
        """Who wins in each of the states where a formula holds."""
        raise InputError(f"--where is not for {self.what}", mend="leave it out")

    def to_judge(self, kind: str, text: str, asked: AskedVerdict) -> Question[Any]:
        """Whether ``text`` says which states are ``kind``, or is the "value"."""
        raise InputError(f"verify --{kind} is not for {self.what}", mend=_FILE)

    def to_value(self, asked: AskedValue) -> Question[Any]:
        """Return the question after Grundy values, or who wins at a state."""
        raise self._refuse("value")

    def to_table(self, asked: AskedTable) -> Question[Any]:
        """The states of a box, labelled."""
        raise self._refuse("table")

    def to_check(self) -> Question[Any]:
        """Whether its rules are well formed."""
        raise self._refuse("check")

    def to_verify(self, source: Source, asked: AskedVerdict) -> Question[Any]:
        """Whether the answer in ``source`` is so."""
        raise self._refuse("verify")

    def moves(self, state: Any) -> Iterator[Move]:
        """Every move from a state; OverflowError where a parameter has no bound."""
        message = f"{self.game.name} is {self.what}, whose moves are not listed"
        raise InputError(message, mend=self.mend)

    @property
    def mend(self) -> str:
        """Return the commands that answer such a game."""
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
    """Return the remarks that the reader of the rules made."""
    return tuple(f"warning: {warning}" for warning in game.warnings)
