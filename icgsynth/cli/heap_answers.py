"""What ``value`` and ``verify`` do with games of heaps that split."""

from __future__ import annotations

from typing import Any

import click

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.output import Progress, as_json, watchdog, write_file
from icgsynth.export.heap_report import heap_report
from icgsynth.game.heaps import HeapAnswer
from icgsynth.game.solution import Verdict
from icgsynth.prove.heap_replay import Replay, replay_period
from icgsynth.spec.heap_code import read_code
from icgsynth.spec.heap_file import read_period
from icgsynth.spec.source import Source
from icgsynth.values.nim_search import HeapSearch

__all__ = ["value_of_heaps", "verify_values"]


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
        click.echo(text if json else heap_report(answer), nl=json)
        return DONE if answer.is_periodic else UNKNOWN
    value = answer.value(at)
    found = {"state": [at], "value": value, "proved": value is not None}
    said = f"G({at}) = {value}" if value is not None else f"G({at}) is unknown: {answer.why}"
    click.echo(as_json(found) if json else said)
    return DONE if value is not None else UNKNOWN


def verify_values(spec: str, source: Source, timeout: float, json: bool) -> int:
    """Replay the claim of a file from the rules; the exit code."""
    code = read_code(spec)
    claim = read_period(source, code)
    late = Replay(Verdict.UNKNOWN, why=f"the budget of {timeout:g} s is spent")

    def last_words() -> int:
        return _judged(code.name, late, json)

    if claim is None:
        replay = Replay(Verdict.UNKNOWN, why="the file claims no period")
    else:
        with watchdog(timeout, last_words):
            replay = replay_period(claim, Budget(timeout))
    return _judged(code.name, replay, json)


def _judged(name: str, replay: Replay, json: bool) -> int:
    found: dict[str, Any] = {"code": name, "verdict": str(replay.verdict)}
    if replay.verdict is Verdict.PROVED:
        found["checked_to"] = replay.checked_to
        text = f"the first {replay.checked_to:,} values are right, which proves the period"
    else:
        found["why"] = text = replay.why
    if replay.heap is not None:
        found["heap"] = replay.heap
    click.echo(as_json(found) if json else f"{name}: {replay.verdict}\n  {text}")
    return {Verdict.PROVED: DONE, Verdict.REFUTED: REFUTED}.get(replay.verdict, UNKNOWN)
