"""What ``value`` and ``verify`` do with games of heaps that split."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.kernel import code_with, opinion_of
from icgsynth.cli.output import Progress, as_json, watchdog, write_file
from icgsynth.cli.screen import say
from icgsynth.errors import BudgetSpent
from icgsynth.export.coq.heaps_file import heaps_coq
from icgsynth.export.heap_report import heap_report
from icgsynth.export.heap_table import heap_picture, heap_table_csv, heap_table_text
from icgsynth.export.table import table_png, table_svg
from icgsynth.game.heaps import HeapAnswer
from icgsynth.game.solution import Verdict, agreed
from icgsynth.prove.heap_replay import Replay
from icgsynth.prove.kernel_opinion import KernelOpinion
from icgsynth.prove.nim_claims import judge_period
from icgsynth.spec.heap_code import read_code
from icgsynth.spec.heap_file import read_period
from icgsynth.spec.json_text import Located
from icgsynth.spec.source import Source
from icgsynth.values.nim_search import HeapSearch

__all__ = ["print_judged", "table_of_heaps", "value_of_heaps", "verify_values"]

_LOOKED = 2_048  # heaps among which a table looks for a period


def value_of_heaps(
    spec: str,
    most: int,
    at: int | None,
    timeout: float,
    json: bool,
    output: str | None,
    quiet: bool,
) -> int:
    """Find the values of a code, and print them; the exit code."""
    progress = Progress(quiet)
    search = HeapSearch(read_code(spec), most, Budget(timeout), at, progress)

    def last_words() -> int:
        progress.clear()
        late = search.unknown(f"the budget of {timeout:g} s is spent")
        return _deliver(late, at, json, output)

    try:
        with watchdog(timeout, last_words):
            answer = search.run()
    finally:
        progress.clear()
    return _deliver(answer, at, json, output)


def _deliver(answer: HeapAnswer, at: int | None, json: bool, output: str | None) -> int:
    text = as_json(answer.to_json()) if output or (json and at is None) else ""
    if output:
        write_file(output, text + "\n")
    if at is None:
        say(text if json else heap_report(answer), json, nl=json)
        return DONE if answer.is_periodic else UNKNOWN
    value = answer.value(at)
    found = {"state": [at], "value": value, "proved": value is not None}
    said = f"G({at}) = {value}" if value is not None else f"G({at}) is unknown: {answer.why}"
    say(as_json(found) if json else said, json)
    return DONE if value is not None else UNKNOWN


def table_of_heaps(
    spec: str, count: int, timeout: float, json: bool, output: str | None, quiet: bool
) -> int:
    """Print the values of the heaps below ``count``, or write them to a file; the exit code."""
    ending = Path(output).suffix.lower() if output else ""
    progress = Progress(quiet)
    answer = HeapSearch(read_code(spec), max(count, _LOOKED), Budget(timeout), None, progress).run()
    progress.clear()
    if len(answer.first(count)) < count:
        raise BudgetSpent(f"{answer.why}; choose a smaller --bound")
    data = as_json({"code": answer.code.name, "bound": count - 1, "values": answer.first(count)})
    if json:
        click.echo(data)
    elif not output:
        click.echo(heap_table_text(answer, count), nl=False)
    if output and ending == ".json":
        write_file(output, data + "\n")
    elif output and ending == ".csv":
        write_file(output, heap_table_csv(answer, count))
    elif output:
        picture = heap_picture(answer, count)
        write_file(output, table_svg(picture) if ending == ".svg" else table_png(picture))
    return DONE


def verify_values(
    spec: str, source: Source | Located, timeout: float, json: bool, kernel: bool = False
) -> int:
    """Replay the claim of a file from the rules; the exit code.

    With ``kernel`` Coq is asked as well.
    """
    opinion = None
    code = read_code(spec)
    claim = read_period(source, code)
    late = Replay(Verdict.UNKNOWN, why=f"the budget of {timeout:g} s is spent")

    def last_words() -> int:
        return print_judged(code.name, late, json)

    if claim is None:
        replay = Replay(Verdict.UNKNOWN, why="the file claims no period")
    else:
        with watchdog(timeout, last_words):
            replay = judge_period(claim, budget := Budget(timeout))
            if kernel:
                answer = HeapAnswer(code, claim.values, claim, True)
                is_proved = replay.verdict is Verdict.PROVED
                opinion = opinion_of(lambda: heaps_coq(answer), is_proved, budget)
    return print_judged(code.name, replay, json, opinion)


def print_judged(name: str, replay: Replay, json: bool, kernel: KernelOpinion | None = None) -> int:
    """Say what became of a claim; the exit code."""
    found: dict[str, Any] = {"code": name, "verdict": str(replay.verdict)}
    if replay.verdict is Verdict.PROVED:
        found["checked_to"] = replay.checked_to
        how = f"the first {replay.checked_to:,} values are right"
        text = f"{how}, which proves the period"
        if replay.by:
            found["by"] = list(replay.by)
            whole = f"{how}, and all others" if replay.checked_to else "the values of all heaps"
            text = f"{whole}, by {agreed(replay.by)}"
    else:
        found["why"] = text = replay.why
    if replay.heap is not None:
        found["heap"] = replay.heap
    if kernel is not None:
        found, text = found | {"coq": kernel.value}, f"{text}\n{kernel.line}"
    say(as_json(found) if json else f"{name}: {replay.verdict}\n  {text}", json)
    code = {Verdict.PROVED: DONE, Verdict.REFUTED: REFUTED}.get(replay.verdict, UNKNOWN)
    return code_with(code, kernel)
