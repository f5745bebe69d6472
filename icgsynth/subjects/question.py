"""A question to a subject: the search for its answer, and how the answer is shown.

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
    """The work on one question."""

    def run(self) -> A_co:
        """Work, and return the answer; where the budget ends first, what was found by then."""
        ...

    def unknown(self, why: str, /) -> A_co:
        """What is known at this moment; ``why`` says why it is not more.

        :class:`~icgsynth.errors.BudgetSpent` where there is nothing to show before the end.
        """
        ...


def _nothing(why: str) -> NoReturn:
    raise BudgetSpent(why)


@dataclass(frozen=True)
class Work(Generic[A]):
    """A search that is a function."""

    run: Callable[[], A]
    unknown: Callable[[str], A] = _nothing


def _at_once(_: Progress) -> None:
    """Nothing takes long to load."""


@dataclass(frozen=True)
class Told:
    """An answer for those who asked; reports and values are made when they are wanted.

    ``verdict``: proved where the question has its answer, refuted where there can be none.
    ``value`` is the JSON value that is printed, ``file`` that of the answer's file where it holds
    more.  ``drawings`` are other files that were asked for, by their paths, or JSON values that are
    to be written there; ``warnings`` what the work has found to be doubtful about the rules.
    """

    verdict: Verdict
    report: Callable[[], Report | str]
    value: Callable[[], Any]
    file: Callable[[], Any] | None = None
    drawings: Callable[[], Mapping[str, str | bytes | dict[str, Any]]] = dict
    warnings: tuple[str, ...] = ()

    def text(self, details: Collection[Detail] = ()) -> str:
        """The report for a terminal, with the ``details``; empty where there is nothing to say."""
        said = self.report()
        return said if isinstance(said, str) else as_text(said, details)

    def html(self) -> str:
        """The report for a page."""
        said = self.report()
        return f"<pre>{escape(said)}</pre>" if isinstance(said, str) else as_html(said)


@dataclass(frozen=True)
class Question(Generic[A]):
    """A question to one subject, with all that the answer depends on but the time.

    ``search`` gives the search, not begun.  ``remarks`` is what there is to say of the rules before
    it, a line each; ``prepare`` loads what takes long to load, before the clock runs.
    """

    search: Callable[[Budget, Progress], Searching[A]]
    shown: Callable[[A], Told]
    remarks: tuple[str, ...] = ()
    prepare: Callable[[Progress], None] = _at_once

    def answer(self, timeout: float = 60.0) -> A:
        """The answer within ``timeout`` seconds, for a program that asks."""
        return self.search(Budget(timeout), silent).run()


def plain_question(
    run: Callable[[Budget, Progress], A],
    shown: Callable[[A], Told],
    unknown: Callable[[str], A] = _nothing,
    remarks: tuple[str, ...] = (),
    prepare: Callable[[Progress], None] = _at_once,
) -> Question[A]:
    """Return the question that ``run`` answers, from a budget and progress, and ``shown`` tells.

    ``unknown`` is what is known before its end; ``remarks`` are said first; ``prepare`` comes
    before the clock starts.
    """

    def search(budget: Budget, progress: Progress) -> Searching[A]:
        return Work(lambda: run(budget, progress), unknown)

    return Question(search, shown, remarks, prepare)


def verdict_of(is_known: bool) -> Verdict:
    """The verdict on a question: proved where its answer ``is_known``, else unknown."""
    return Verdict.PROVED if is_known else Verdict.UNKNOWN


# --- claims that are proved or refuted --------------------------------------------------------


@dataclass(frozen=True)
class Judgement:
    """How the claim of a file stands.

    ``subject`` is the first words of the text; ``said`` tells why, or by what it is proved.  The
    value has the keys of ``head``, ``verdict``, and then those of ``found``, by default "why".
    """

    head: Mapping[str, Any]
    subject: str
    verdict: Verdict = Verdict.UNKNOWN
    said: str = ""
    found: Mapping[str, Any] | None = None
    kernel: KernelOpinion | None = None

    def of(self, finding: Finding, said: str) -> Judgement:
        """The judgement that a ``finding`` of the claim comes to; ``said`` tells what is proved."""
        if not finding.is_proved:
            return replace(self, verdict=finding.verdict, said=finding.why, found=None)
        return replace(self, verdict=finding.verdict, said=said, found={"by": list(finding.by)})

    @property
    def is_proved(self) -> bool:
        return self.verdict is Verdict.PROVED

    @property
    def value(self) -> dict[str, Any]:
        """The judgement as a JSON value."""
        found = {"why": self.said} if self.found is None else self.found
        coq = {} if self.kernel is None else {"coq": self.kernel.value}
        return {**self.head, "verdict": str(self.verdict), **found, **coq}

    @property
    def shown(self) -> Told:
        """The judgement; proved is what Coq accepts too, if it was asked."""
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
    """Return the question whether the claim of a file is true; ``remarks`` are said first.

    ``nothing`` is the judgement before anything is known; ``judge`` proves or refutes the claim.
    With ``coq`` Coq is asked about the text that it gives, once the claim is proved.
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
    """Return what Coq says of the file that ``write`` makes, where the answer ``is_proved``."""
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
    """Return the verdict of all who were asked: what the ``kernel`` (Coq) rejects is not proved."""
    doubted = kernel is not None and not kernel.is_proved
    return Verdict.UNKNOWN if doubted and verdict is Verdict.PROVED else verdict
