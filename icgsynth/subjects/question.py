"""A question about a game: the search for its answer, and how the answer is shown.

Whoever asks, a command or a program, begins the search and runs it; at any moment, also from
another thread, the search tells what is known so far.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Protocol, TypeVar

from icgsynth import wings
from icgsynth.budget import Budget, Progress, silent
from icgsynth.errors import BudgetSpent, InputError, Refused
from icgsynth.export.report import Detail, Report, as_html, as_text
from icgsynth.game.answers import Finding, Verdict

if TYPE_CHECKING:
    from icgsynth.game.answers import KernelOpinion

A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)


class Searching(Protocol[A_co]):
    """A search for the answer to one question, which can be interrupted."""

    def run(self) -> A_co:
        """Search and return the answer; if the budget ends first, what was found by then."""
        ...

    def unknown(self, why: str, /) -> A_co:
        """Return the answer as known at this moment; ``why``, put into it, says why it is not more.

        Raises :class:`~icgsynth.errors.BudgetSpent` where there is nothing to show before the end.
        """
        ...


def _nothing(why: str) -> NoReturn:
    raise BudgetSpent(why)


@dataclass(frozen=True)
class Work(Generic[A]):
    """A search made of two functions: ``run``, and ``unknown`` for what is known so far."""

    run: Callable[[], A]
    unknown: Callable[[str], A] = _nothing


def _at_once(_: Progress) -> None:
    """Do nothing: no preparation is needed."""


@dataclass(frozen=True)
class Told:
    """An answer ready to show: verdict, report and JSON value, each made when it is wanted."""

    verdict: Verdict  # proved if the question has its answer, refuted if there can be none
    report: Callable[[], Report | str]
    value: Callable[[], Any]  # the JSON value to print
    file: Callable[[], Any] | None = None  # that of the answer's file, where it holds more
    # Contents, or JSON values, of other files that were asked for, by path.
    drawings: Callable[[], Mapping[str, str | bytes | dict[str, Any]]] = dict
    warnings: tuple[str, ...] = ()  # what the search found to be doubtful about the rules

    def text(self, details: Collection[Detail] = ()) -> str:
        """Return the report as text, with its parts for the ``details``; "" if there is none."""
        said = self.report()
        return said if isinstance(said, str) else as_text(said, details)

    def html(self) -> str:
        """Return the report as HTML."""
        said = self.report()
        return f"<pre>{escape(said)}</pre>" if isinstance(said, str) else as_html(said)


@dataclass(frozen=True)
class Question(Generic[A]):
    """A question about one game: how to search for its answer, and how to show the answer."""

    search: Callable[[Budget, Progress], Searching[A]]  # returns the search, not begun
    shown: Callable[[A], Told]
    remarks: tuple[str, ...] = ()  # lines about the rules, printed before the search
    prepare: Callable[[Progress], None] = _at_once  # loads slow modules before the clock runs

    def answer(self, timeout: float = 60.0) -> A:
        """Search for at most ``timeout`` seconds; return the answer, or what is known by then."""
        return self.search(Budget(timeout), silent).run()


def plain_question(
    run: Callable[[Budget, Progress], A],
    shown: Callable[[A], Told],
    unknown: Callable[[str], A] = _nothing,
    remarks: tuple[str, ...] = (),
    prepare: Callable[[Progress], None] = _at_once,
) -> Question[A]:
    """Return the question whose answer ``run`` computes and ``shown`` makes ready to print.

    ``unknown`` returns what is known before the end; ``remarks`` are printed first; ``prepare``
    runs before the clock starts.
    """

    def search(budget: Budget, progress: Progress) -> Searching[A]:
        return Work(lambda: run(budget, progress), unknown)

    return Question(search, shown, remarks, prepare)


def verdict_of(is_known: bool) -> Verdict:
    """Return the verdict on a question: proved where its answer ``is_known``, else unknown."""
    return Verdict.PROVED if is_known else Verdict.UNKNOWN


# --- claims that are proved or refuted --------------------------------------------------------


@dataclass(frozen=True)
class Judgement:
    """The verdict on a claim, of a file or of a person, with its reason."""

    head: Mapping[str, Any]  # the first keys of the JSON value; then comes "verdict"
    subject: str  # the text begins with it
    verdict: Verdict = Verdict.UNKNOWN
    said: str = ""  # why, or how the claim is proved
    found: Mapping[str, Any] | None = None  # the last keys of the JSON value; None: "why"
    kernel: KernelOpinion | None = None

    def of(self, finding: Finding, said: str) -> Judgement:
        """Return this judgement with the verdict of ``finding``; ``said`` tells what is proved."""
        if not finding.is_proved:
            return replace(self, verdict=finding.verdict, said=finding.why, found=None)
        return replace(self, verdict=finding.verdict, said=said, found={"by": list(finding.by)})

    @property
    def is_proved(self) -> bool:
        return self.verdict is Verdict.PROVED

    @property
    def value(self) -> dict[str, Any]:
        """The judgement in JSON: the keys of ``head``, "verdict", and the keys of ``found``."""
        found = {"why": self.said} if self.found is None else self.found
        coq = {} if self.kernel is None else {"coq": self.kernel.value}
        return {**self.head, "verdict": str(self.verdict), **found, **coq}

    @property
    def shown(self) -> Told:
        """The judgement ready to show; if Coq was asked and rejects the claim, it is unknown."""
        kernel = self.kernel
        said = [f"{self.subject}: {self.verdict}", f"  {self.said}"]
        text = "\n".join(said if kernel is None else [*said, kernel.line])
        return Told(with_kernel(self.verdict, kernel), lambda: text, lambda: self.value)


def verification(
    nothing: Judgement,
    judge: Callable[[Budget], Judgement],
    coq: Callable[[], str] | None = None,
    remarks: tuple[str, ...] = (),
) -> Question[Judgement]:
    """Return the question whether a claim is true; ``remarks`` are printed first.

    ``nothing`` is the judgement before anything is known; ``judge`` proves or refutes the claim.
    With ``coq`` Coq checks the text that ``coq`` returns, once the claim is proved.
    """

    def unknown(why: str) -> Judgement:
        return replace(nothing, said=why, found=None)

    def judge_claim(budget: Budget, _: Progress) -> Judgement:
        try:
            found = judge(budget)
        except (BudgetSpent, Refused) as stopped:
            found = unknown(str(stopped))
        if coq is None:
            return found
        return replace(found, kernel=opinion_of(coq, found.is_proved, budget))

    return plain_question(judge_claim, lambda found: found.shown, unknown, remarks)


def opinion_of(write: Callable[[], str], is_proved: bool, budget: Budget) -> KernelOpinion:
    """Return what Coq says of ``write()``; it is asked only if ``is_proved`` and time is left."""
    from icgsynth.game.answers import KernelOpinion

    if budget.is_spent:
        return KernelOpinion("Coq", False, 0.0, "its time was over")
    coq = wings.require("proof assistant", "coq")
    name = coq.coq_version(budget.remaining())
    if not is_proved:
        return KernelOpinion(name, False, 0.0, "not asked, for the answer is not proved")
    try:
        found: KernelOpinion = coq.check_file(write(), budget.remaining())
        return found
    except (Refused, InputError) as error:
        return KernelOpinion(name, False, 0.0, str(error))


def with_kernel(verdict: Verdict, kernel: KernelOpinion | None) -> Verdict:
    """Return ``verdict``; unknown in place of proved if the ``kernel`` (Coq) rejects the proof."""
    doubted = kernel is not None and not kernel.is_proved
    return Verdict.UNKNOWN if doubted and verdict is Verdict.PROVED else verdict
