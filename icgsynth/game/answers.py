"""Answers of every kind: a game, how to play it, and what is proved of that.

An :class:`Answer` is what files hold and what every exporter, player and verifier takes.  There is
one class for each kind: :class:`~icgsynth.game.solution.Solution` of an impartial game,
:class:`~icgsynth.boards.fft.tiers.TreeAnswer`, :class:`~icgsynth.boards.learn.saved.LearnedAnswer`;
of values :class:`~icgsynth.game.grundy.GrundyAnswer`, or of heaps
:class:`~icgsynth.heaps.rules.heaps.HeapAnswer`.

Answers know no exporter and no solver.  How they look in a terminal and in a notebook, and what
else is done with them, is entered in :data:`SHOWN` where the package is put together
(:mod:`icgsynth`), and an answer looks its own looks up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypedDict, overload

from icgsynth.logic.nodes import Readable

if TYPE_CHECKING:
    from icgsynth.game.game import ParametricGame, State
    from icgsynth.game.strategy import Strategy

SCHEMA = "icgsynth/solution/2"
"""The schema of the files that are written, whatever their kind."""

Kind: TypeAlias = Literal["strategy", "tree", "learned", "value", "family"]
KINDS: dict[Kind, str] = {
    "strategy": "an answer of an impartial game",
    "tree": "a fast-and-frugal tree",
    "learned": "a learned strategy",
    "value": "Grundy values",
    "family": "an answer for all members of a family",
}
"""Each kind of answer, in words."""


class Verdict(StrEnum):
    """The status of a claim."""

    PROVED = "proved"
    REFUTED = "refuted"
    ASSUMED = "assumed"
    UNKNOWN = "unknown"

    __repr__ = str.__repr__


@dataclass(frozen=True, slots=True, repr=False)
class FarCheck(Readable):
    """The result of checking states of any size against the rules as they were written.  ``up_to``
    is the largest number in a state; ``claim`` and ``witness`` tell what fails first."""

    states: int
    up_to: int
    disagreements: int
    claim: str = ""
    witness: Mapping[str, int] | None = None

    def __str__(self) -> str:
        return f"{self.states:,} states up to {self.reach}, {self.disagreements} disagree"

    @property
    def reach(self) -> str:
        """Return the largest number in a checked state as text, past a million rounded up to a
        power of ten: ``10^30``."""
        if self.up_to <= 10**6:
            return str(self.up_to)
        return f"10^{len(str(self.up_to - 1))}"


@dataclass(frozen=True, slots=True, repr=False)
class BoxCheck(Readable):
    """The result of comparing an answer with backward induction on the box up to ``bound``."""

    bound: int
    states: int
    disagreements: int
    far: FarCheck | None = None

    @property
    def has_states(self) -> bool:
        """Return whether any state was checked, in the box or far outside."""
        return self.states > 0 or (self.far is not None and self.far.states > 0)

    def to_json(self) -> dict[str, Any]:
        """Return the entry ``explicit`` of an answer file: how many states of the box and far from
        it were checked, and how many of them disagree with the answer."""
        data: dict[str, Any] = {"bound": self.bound, "states": self.states}
        data["disagreements"] = self.disagreements
        if (far := self.far) is not None:
            data["far"] = {
                "states": far.states,
                "up_to": far.reach,
                "disagreements": far.disagreements,
            }
        return data

    def __str__(self) -> str:
        said = f"{self.states:,} states up to {self.bound}, {self.disagreements} disagree"
        return f"{said}; {self.far}" if self.far else said


@dataclass(frozen=True, slots=True, repr=False)
class Finding(Readable):
    """The result of deciding a claim: its verdict, why, a witness, and the engines that agree.
    ``why`` names what is refuted or could not be decided; ``witness`` gives the values of variables
    and parameters that refute it.  ``by`` are the engines that agree, the first one first, and
    ``checked`` the states that it was compared with.  A claim ``is_contradicted`` where it was
    proved once and something else then refuted it; its verdict is "unknown"."""

    verdict: Verdict
    why: str = ""
    witness: Mapping[str, int] | None = None
    by: tuple[str, ...] = ()
    checked: FarCheck | None = None
    is_contradicted: bool = False

    def __str__(self) -> str:
        return f"{self.verdict}: {self.why}" if self.why else str(self.verdict)

    @property
    def is_proved(self) -> bool:
        return self.verdict is Verdict.PROVED

    @property
    def told(self) -> str:
        """Return the reason of the verdict, and the witness if there is one:
        ``no move, at a = 1, b = 2``."""
        if not self.witness:
            return self.why
        return f"{self.why}, at {', '.join(f'{n} = {v}' for n, v in self.witness.items())}"

    def state(self, game: ParametricGame) -> State | None:
        """Return the witness, which refutes the claim, as a state of ``game``; None without one."""
        if self.witness is None:
            return None
        return tuple(self.witness[v] for v in game.variables)


PROVED = Finding(Verdict.PROVED)
NO_STRATEGY = Finding(Verdict.UNKNOWN, "there is no strategy")


class NamedGame(Protocol):
    """The type of the game of an answer; more is known of it by the kind of the answer."""

    @property
    def name(self) -> str: ...


class Answer(Protocol):
    """The type of all answers: what was found for one game; frozen."""

    @property
    def kind(self) -> Kind:
        """Return the kind of answer, such as "strategy" or "tree": the key ``kind`` of its file."""
        ...

    @property
    def game(self) -> NamedGame:
        """Return the game that is answered; rules of the strategy take it as an argument."""
        ...

    @property
    def strategy(self) -> Strategy[Any]:
        """Return the strategy that was found; an empty one where there is none."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Return the answer as JSON: plain dicts, lists, strings and numbers."""
        ...


def warnings_on(proof: Mapping[str, Verdict]) -> tuple[str, ...]:
    """Return a sentence for each of the claims "closure" and "ending" that ``proof``, {claim:
    verdict}, refutes: such rules may mean something else than their author thinks."""
    said = {
        "closure": "some move would leave the legal states, and so does not apply",
        "ending": "the declared end is not exactly where no action applies",
    }
    return tuple(text for part, text in said.items() if proof.get(part) is Verdict.REFUTED)


# --- who proved it -----------------------------------------------------------------------------

# What an engine shares with another check that the same report names.
_SHARED = {"remainders": " (which share their compiler with the check of far states)"}


def name_engines(by: Sequence[str]) -> str:
    """Return the text ``isl, confirmed by z3`` for ``by``, the names of the engines that proved a
    claim, the first one first."""
    first, *others = [name + _SHARED.get(name, "") for name in by]
    named = f"{', '.join(others[:-1])} and {others[-1]}" if len(others) > 1 else "".join(others)
    return f"{first}, confirmed by {named}" if others else first


def times(by: Sequence[str]) -> str:
    """Return "twice, by two independent methods" if ``by`` names several engines that proved a
    claim, "once, by one method alone" for one, and "" for none."""
    if len(by) > 1:
        return "twice, by two independent methods"
    return "once, by one method alone" if by else ""


TextFormat: TypeAlias = Literal[
    "fft", "python", "html", "smt2", "latex", "asp", "dot", "walnut", "coq", "json", "bfile"
]
"""The formats that are text; a sheet for a class, "pdf", is bytes."""


class Verification(Protocol):
    """The type of the results of a verification."""

    @property
    def verdict(self) -> str:
        """Return "proved", "refuted" or "unknown"."""
        ...

    @property
    def is_proved(self) -> bool: ...


@dataclass(frozen=True, repr=False)
class Drawing:
    """A drawing of the states of a box: text in a terminal, ``svg`` in a notebook."""

    text: str
    svg: str

    def __repr__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg


class Looks(TypedDict, total=False):
    """The functions that show answers or work on them; each takes an answer first."""

    text: Callable[[Any], str]
    latex: Callable[[Any], str]
    svg: Callable[[Any], str]
    html: Callable[[Any], str]
    export: Callable[[Any, str], str | bytes]
    save: Callable[[Any, str | PathLike[str]], None]
    verify: Callable[[Any, float], Verification]
    table: Callable[[Any, int], Drawing]
    sum_move: Callable[[Any, Any], tuple[int, Any]]
    state_with_move: Callable[[Any], tuple[int, ...] | None]


SHOWN: Looks = {}


class Shown:
    """Base of answers with a short ``repr``, and in a notebook theorem, picture and rules.
    ``brief`` is what the ``repr`` says beside the name of the class."""

    __slots__ = ()

    @property
    def brief(self) -> str:
        """Return the game's name and the status of its answer, as text for the ``repr``."""
        raise NotImplementedError

    @overload
    def export(self, fmt: TextFormat) -> str: ...
    @overload
    def export(self, fmt: Literal["pdf"]) -> bytes: ...
    @overload
    def export(self, fmt: str) -> str | bytes: ...
    def export(self, fmt: str) -> str | bytes:
        """Return the answer as text, or bytes for "pdf", in the format ``fmt``.  InputError, which
        names the formats, where there is no such format."""
        return SHOWN["export"](self, fmt)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the answer to the file ``path``, suffix ``.json`` or none, whole or not at all."""
        SHOWN["save"](self, path)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.brief}>"

    def _repr_html_(self) -> str:
        return SHOWN["html"](self)


@dataclass(frozen=True, slots=True)
class KernelOpinion:
    """The opinion of a proof assistant on the theorem of an answer; ``why`` if not accepted.  It
    refutes nothing: what it does not accept may be the proof and not the theorem.  ``lines`` is how
    long the file is that it was given, and ``said`` what it says of a theorem that it accepts."""

    checker: str
    is_proved: bool
    seconds: float
    why: str = ""
    lines: int = 0
    said: str = ""

    @property
    def value(self) -> dict[str, Any]:
        """Return a dict for JSON: the proof assistant's name, verdict, why not, and seconds."""
        verdict = "proved" if self.is_proved else "unknown"
        told = {"why": self.why, "lines": self.lines, "said": self.said}
        more = {key: what for key, what in told.items() if what}
        seconds = round(self.seconds, 4)
        return {"checker": self.checker, "verdict": verdict, **more, "seconds": seconds}

    @property
    def line(self) -> str:
        """Return the opinion of a proof assistant on an answer's theorem as a line of a report."""
        verdict = "proved" if self.is_proved else "unknown"
        said = f"its theorem, in a file of {self.lines:,} lines, is checked by {self.checker} "
        said += f"in {self.seconds:.1f} s: {self.said}"
        if self.why:
            said = f"asked of {self.checker}: {self.why}"
        return f"  coq          {verdict:<8} {said}"
