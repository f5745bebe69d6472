"""What ``verify`` does with sums of games: each component of the file is proved again."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.output import as_json, watchdog
from icgsynth.cli.sum_answers import load_sum
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.game_sum import PartGame, SumGame
from icgsynth.game.heap_rows import HeapRows
from icgsynth.game.solution import Verdict, agreed
from icgsynth.spec.heap_file import read_period
from icgsynth.spec.json_text import Located
from icgsynth.spec.source import Source
from icgsynth.spec.sum_file import SumEntry, read_entries
from icgsynth.spec.value_file import read_moves, read_value

__all__ = ["verify_sum"]


class _Judged(NamedTuple):
    """How the claim on one component stands; ``why`` where it is not proved, else by whom."""

    verdict: Verdict
    why: str


def verify_sum(
    spec: str,
    source: Source,
    constants: tuple[tuple[str, int], ...],
    timeout: float,
    json: bool,
    quiet: bool,
) -> int:
    """Prove or refute the values of the components of a sum; the exit code.

    ``constants`` go before those of the file.
    """
    entries = read_entries(source)
    each = [entry.constants for entry in entries for _ in range(entry.times)]
    parts = load_sum(spec, constants, quiet, each)
    named = _matched(source, entries, parts)
    found: list[_Judged] = []

    def last_words() -> int:
        late = _Judged(Verdict.UNKNOWN, f"the budget of {timeout:g} s is spent")
        return _deliver(parts, named, [*found, *[late] * (len(named) - len(found))], json)

    budget = Budget(timeout)
    with watchdog(timeout, last_words):
        for index, (part, entry) in enumerate(named):
            share = budget.share(1 / (len(named) - index))
            found.append(_judged(part, entry.answer, share))
    return _deliver(parts, named, found, json)


def _matched(
    source: Source, entries: tuple[SumEntry, ...], parts: tuple[PartGame, ...]
) -> list[tuple[PartGame, SumEntry]]:
    """The game of each entry; InputError where the file is for another sum."""
    found, first = [], 0
    for entry in entries:
        games = parts[first : first + entry.times]
        if len(games) < entry.times or any(game != games[0] for game in games):
            break
        found.append((games[0], entry))
        first += entry.times
    if first != len(parts) or len(found) < len(entries):
        count = sum(entry.times for entry in entries)
        message = f"the file is for another sum, of {count} component{'s' * (count != 1)}"
        mend = f"it is to have those of {SumGame(parts).name}, in order"
        raise source.error(message, 0, mend)
    return found


def _judged(part: PartGame, place: Located, budget: Budget) -> _Judged:
    """Read and judged as the claim of a file of its own."""
    try:
        if isinstance(part, HeapRows):
            from icgsynth.prove.nim_claims import judge_period

            claim = read_period(place, part.code)
            if claim is None:
                return _Judged(Verdict.UNKNOWN, "the file claims no period")
            replay = judge_period(claim, budget)
            by = agreed(replay.by) if replay.by else f"a replay of {replay.checked_to:,} values"
            return _Judged(replay.verdict, by if not replay.why else replay.why)
        from icgsynth.cli.game_values import both_judged

        value = read_value(place, part)
        if value is None:
            return _Judged(Verdict.UNKNOWN, "the file claims no function")
        judged = both_judged(part, value, read_moves(place, part), budget)
        return _Judged(judged.verdict, judged.why or agreed(judged.by))
    except (BudgetSpent, Refused) as stopped:
        return _Judged(Verdict.UNKNOWN, str(stopped))


def _deliver(
    parts: tuple[PartGame, ...],
    named: list[tuple[PartGame, SumEntry]],
    found: list[_Judged],
    json: bool,
) -> int:
    verdicts = {judged.verdict for judged in found}
    order = (Verdict.REFUTED, Verdict.UNKNOWN, Verdict.PROVED)
    whole = next(verdict for verdict in order if verdict in verdicts)
    name = SumGame(parts).name
    shown: list[dict[str, Any]] = [
        {"name": part.name, "times": entry.times, "verdict": str(judged.verdict)}
        | {"by" if judged.verdict is Verdict.PROVED else "why": judged.why}
        for (part, entry), judged in zip(named, found, strict=True)
    ]
    if json:
        click.echo(as_json({"sum": name, "verdict": str(whole), "components": shown}))
    else:
        click.echo(f"{name}: {whole}")
        for entry in shown:
            why = entry.get("why") or f"by {entry['by']}"
            click.echo(f"  {entry['name']}: {entry['verdict']}, {why}")
    return {Verdict.PROVED: DONE, Verdict.REFUTED: REFUTED}.get(whole, UNKNOWN)
