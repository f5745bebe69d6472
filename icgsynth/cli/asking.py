"""Run the questions of a command: budget, progress, last words, output, files and exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext, suppress
from functools import wraps
from inspect import signature
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar, cast

import click

from icgsynth.budget import CLOCK, Budget, on_the_clock
from icgsynth.cli.options import json_option, quiet_option, set_option, spec_argument
from icgsynth.cli.output import (
    DONE,
    REFUTED,
    UNKNOWN,
    Progress,
    as_json,
    envelope,
    say,
    watchdog,
    write_file,
)
from icgsynth.errors import BudgetSpent
from icgsynth.process.watchdog import slow_start

if TYPE_CHECKING:
    from icgsynth.export.report import Detail
    from icgsynth.subjects.question import Question, Searching, Told

_CODES = {"proved": DONE, "refuted": REFUTED, "unknown": UNKNOWN}  # by verdict


A = TypeVar("A")
B = TypeVar("B")
F = TypeVar("F", bound=Callable[..., Any])


class Delivery(NamedTuple):
    """Options of a command: seconds for each question, and how and where the answers go."""

    timeout: float  # may be infinite
    as_json: bool = False
    output: str | None = None
    quiet: bool = False
    details: tuple[Detail, ...] = ()  # optional parts of the text
    budget: Budget | None = None  # used in place of ``timeout``; it has begun already


_DETAILS: dict[Detail, tuple[tuple[str, ...], str]] = {
    "all": (("--all",), "Show all strategies that were found, and not the shortest alone."),
    "words": (("--words",), "Say each rule of the strategy as a sentence too."),
    "method": (("-v", "--verbose"), "Say how the answer was found and proved."),
}


def deliver_by(*options: Callable[[F], F], details: tuple[Detail, ...] = ()) -> Callable[[F], F]:
    """Return a decorator that adds ``options``, --json, --quiet and flags for ``details``.

    The command gets their values as ``delivery``, except for parameters that it names itself."""
    told = [click.option(*_DETAILS[d][0], d, is_flag=True, help=_DETAILS[d][1]) for d in details]

    def packing(command: F) -> F:
        own = signature(command).parameters

        @wraps(command)
        def packed(**given: Any) -> Any:
            names = [name for name in Delivery._fields if name in given and name not in own]
            found = {name: given.pop(name) for name in names}
            found["timeout"] = found["timeout"] or inf
            found["details"] = tuple(detail for detail in details if given.pop(detail))
            return command(delivery=Delivery(**found), **given)

        wrapped: Any = packed
        every: Any = (*options, *told, json_option, quiet_option)
        for option in reversed(every):
            wrapped = option(wrapped)
        return cast(F, wrapped)

    return packing


def of_subject(command: F) -> F:
    """Add the argument SPEC and the option --set to ``command``, which gets the game ``asked``."""

    @wraps(command)
    def run_named(spec: str, constants: tuple[tuple[str, int], ...], **given: Any) -> Any:
        from icgsynth.subjects import subject

        return command(asked=subject(spec, dict(constants)), **given)

    wrapped: Any = spec_argument(set_option(run_named))
    return cast(F, wrapped)


def ask(questions: Sequence[Question[Any]], delivery: Delivery, several: bool = False) -> int:
    """Ask ``questions`` in order, print the answers, write the file, and return the exit code.

    If the time of a question ends, what is known then is printed.  ``several``: the JSON is a
    list, as for --rule both."""
    if not delivery.quiet:
        for remark in dict.fromkeys(line for asked in questions for line in asked.remarks):
            say(remark, err=True)
    shown: list[Told] = []
    for question in questions:
        shown.append(_answer(question, delivery, shown, several))
    return deliver(shown, delivery, several)


def _answer(
    question: Question[Any], delivery: Delivery, before: Sequence[Told], several: bool
) -> Told:
    """Return the answer to ``question``.

    If its time ends, or a person stops it, print the answers ``before`` it and what is known."""

    def last_words(find_known: Callable[[], Any]) -> int:
        try:
            late = find_known()
        except BudgetSpent:
            if not before:
                raise
            return max(UNKNOWN, deliver(before, delivery, several))
        return deliver([*before, question.shown(late)], delivery, several)

    return _run(question.search, question.shown, delivery, last_words, question.prepare)


def wait_for(search: Callable[[Budget, Progress], Searching[A]], delivery: Delivery) -> A:
    """Run a ``search`` within its time and return its answer, for a command that needs it.

    If the search overruns its budget, a thread ends the program with
    :class:`~icgsynth.errors.BudgetSpent`."""

    def last_words(find_known: Callable[[], A]) -> NoReturn:
        find_known()
        raise BudgetSpent(_explain_stop(delivery))

    return _run(search, lambda found: found, delivery, last_words)


def _run(
    search: Callable[[Budget, Progress], Searching[A]],
    finish: Callable[[A], B],
    delivery: Delivery,
    last_words: Callable[[Callable[[], A]], int],
    prepare: Callable[[Progress], None] = lambda _: None,
) -> B:
    """Return ``finish`` of the answer of ``search``, both within the time of ``delivery``.

    ``prepare`` runs before the clock.  Where the time ends first, or a person stops the search,
    ``last_words`` gets a function that returns what is known, and returns the exit code."""
    seconds = delivery.timeout
    begun: list[Searching[A]] = []
    with Progress(delivery.quiet, seconds) as progress:

        def end(why: str = _explain_stop(delivery)) -> int:
            def find_known() -> A:
                if not begun:
                    raise BudgetSpent(why)
                return begun[0].unknown(why)

            progress.clear()
            return last_words(find_known)

        try:
            left = seconds if delivery.budget is None else delivery.budget.remaining()
            start = CLOCK.now() - on_the_clock(slow_start())
            with nullcontext() if seconds == inf else watchdog(left, end):
                budget = delivery.budget or Budget(seconds, started=start)
                prepare(progress)
                begun.append(search(budget, progress))
                return finish(begun[0].run())
        except KeyboardInterrupt:
            with suppress(BudgetSpent):
                end("it was stopped")
            raise


def _explain_stop(delivery: Delivery) -> str:
    return f"the budget of {delivery.timeout:g} s is spent"


def deliver(shown: Sequence[Told], delivery: Delivery, several: bool = False) -> int:
    """Write the files of the answers ``shown``, print the answers, and return the exit code.

    ``several``: the JSON is a list."""

    def json(made: Iterable[Callable[[], Any]]) -> str:
        told = zip(made, shown, strict=True)
        values = [envelope(value(), _CODES[answer.verdict]) for value, answer in told]
        return as_json(values if several else values[0])

    if delivery.output is not None:
        files = (answer.file or answer.value for answer in shown)
        write_file(delivery.output, json(files) + "\n")
    for answer in shown:
        for path, content in answer.drawings().items():
            if isinstance(content, dict):
                content = as_json(envelope(content, _CODES[answer.verdict])) + "\n"
            write_file(path, content)
    if delivery.as_json:
        say(json(answer.value for answer in shown), is_data=True)
    elif text := "\n".join(answer.text(delivery.details) for answer in shown).removesuffix("\n"):
        say(text)
    if not delivery.quiet:
        for warning in dict.fromkeys(w for answer in shown for w in answer.warnings):
            say(f"warning: {warning}", err=True)
    return max(_CODES[answer.verdict] for answer in shown)
