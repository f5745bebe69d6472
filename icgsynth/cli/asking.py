"""One runner for all questions: budget, progress, last words, output, files and exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.output import Progress, as_json, enveloped, watchdog, write_file
from icgsynth.cli.screen import say
from icgsynth.errors import BudgetSpent

if TYPE_CHECKING:
    from icgsynth.subjects.question import Question, Searching, Told

_CODES = {"proved": DONE, "refuted": REFUTED, "unknown": UNKNOWN}  # by verdict


class Delivery(NamedTuple):
    """How a command was asked: seconds for each question, and where the answers go.

    Infinite seconds are as long as it takes.
    """

    timeout: float
    as_json: bool = False
    output: str | None = None
    quiet: bool = False


def ask(questions: Sequence[Question[Any]], delivery: Delivery, several: bool = False) -> int:
    """Ask one question after the other, print all answers and write the file; the exit code.

    Should the time of a question end, what is known then is printed.  ``several``: the JSON is a
    list, as for --rule both.
    """
    if not delivery.quiet:
        for remark in dict.fromkeys(line for asked in questions for line in asked.remarks):
            say(remark, err=True)
    shown: list[Told] = []
    for question in questions:
        shown.append(_answered(question, delivery, shown, several))
    return _deliver(shown, delivery, several)


def _answered(
    question: Question[Any], delivery: Delivery, before: Sequence[Told], several: bool
) -> Told:
    """The answer, within the time."""
    seconds = delivery.timeout
    why = f"the budget of {seconds:g} s is spent"
    begun: list[Searching[Any]] = []
    with Progress(delivery.quiet) as progress:

        def last_words() -> int:
            progress.clear()
            try:
                if not begun:
                    raise BudgetSpent(why)
                late = begun[0].unknown(why)
            except BudgetSpent:
                if not before:
                    raise
                return max(UNKNOWN, _deliver(before, delivery, several))
            return _deliver([*before, question.shown(late)], delivery, several)

        with nullcontext() if seconds == inf else watchdog(seconds, last_words):
            budget = Budget(seconds)
            question.prepare(progress)
            begun.append(question.search(budget, progress))
            return question.shown(begun[0].run())


def _deliver(shown: Sequence[Told], delivery: Delivery, several: bool) -> int:
    """Write the files and print the answers; the exit code."""

    def json(made: Iterable[Callable[[], Any]]) -> str:
        told = zip(made, shown, strict=True)
        values = [enveloped(value(), _CODES[answer.verdict]) for value, answer in told]
        return as_json(values if several else values[0])

    if delivery.output is not None:
        files = (answer.file or answer.value for answer in shown)
        write_file(delivery.output, json(files) + "\n")
    for answer in shown:
        for path, content in answer.drawings().items():
            if isinstance(content, dict):
                content = as_json(enveloped(content, _CODES[answer.verdict])) + "\n"
            write_file(path, content)
    if delivery.as_json:
        say(json(answer.value for answer in shown), is_data=True)
    elif text := "\n".join(answer.text() for answer in shown).removesuffix("\n"):
        say(text)
    if not delivery.quiet:
        for warning in dict.fromkeys(w for answer in shown for w in answer.warnings):
            say(f"warning: {warning}", err=True)
    return max(_CODES[answer.verdict] for answer in shown)
