"""What ``solve``, ``value``, ``play`` and ``verify`` do with sums of games.

``verify`` proves each component of the file again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import click

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.options import SumRequest
from icgsynth.cli.output import Progress, as_json, watchdog, write_file
from icgsynth.cli.screen import say
from icgsynth.errors import BudgetSpent, InputError, Refused
from icgsynth.export.report import as_text
from icgsynth.export.sum_report import position_json, position_report, sum_report
from icgsynth.game.game import Move, ParametricGame
from icgsynth.game.game_sum import Lowering, PartGame, Position, SumAnswer, SumGame
from icgsynth.game.heap_rows import HeapRows
from icgsynth.game.heap_rules import HeapGame
from icgsynth.game.solution import Verdict, agreed
from icgsynth.play.sum_play import read_position
from icgsynth.spec.heap_file import read_period
from icgsynth.spec.json_text import Located
from icgsynth.spec.source import Source
from icgsynth.spec.sum_text import SumEntry, read_entries, read_sum
from icgsynth.spec.value_file import read_moves, read_value
from icgsynth.values.sum_search import SumMover, SumSearch

__all__ = ["answered_sum", "load_sum", "require_normal", "rows_of", "verify_sum"]

# --- sum answers ---------------------------------------------------------------------------------

_CODE_SECONDS = 10.0  # to find the code of a game of heaps by rules


def require_normal(spec: str, rule: str) -> None:
    """:class:`~icgsynth.errors.InputError` for a sum under misère play."""
    if rule == "normal":
        return
    raise InputError(
        f"{spec}: values do not add under misere play; in 0.77 the heaps 1 and 8 have one value, "
        "but not the same outcome in every sum",
        mend="leave --rule out; under misere play a sum may have heaps of one code only",
    )


def answered_sum(request: SumRequest) -> int:
    """Solve the components of a sum; print what they come to, or what is known at one position.

    The exit code.
    """
    require_normal(request.spec, request.rule)
    parts = load_sum(request.spec, request.constants, request.quiet)
    position = None if request.at is None else read_position(SumGame(parts), request.at)
    progress = Progress(request.quiet)
    is_file = bool(request.output) or (request.json and position is None)
    search = SumSearch(parts, Budget(request.timeout), position, progress, is_file)

    def last_words() -> int:
        progress.clear()
        late = search.answer(f"the budget of {request.timeout:g} s is spent")
        return _deliver(late, position, request)

    try:
        with watchdog(request.timeout, last_words):
            answer = search.run()
    finally:
        progress.clear()
    return _deliver(answer, position, request)


def load_sum(
    spec: str,
    constants: tuple[tuple[str, int], ...],
    quiet: bool,
    each: Sequence[Mapping[str, int]] = (),
) -> tuple[PartGame, ...]:
    """The components that SUM names; their warnings go to stderr.

    Raises as :func:`~icgsynth.spec.sum_text.read_sum` does; and for a game of heaps by rules that
    is not shown to have a code.
    """
    parts = read_sum(spec, dict(constants), each)
    by_code = {part: rows_of(part, quiet) for part in parts if isinstance(part, HeapGame)}
    if not quiet:
        for part in dict.fromkeys(parts):
            for warning in part.warnings if isinstance(part, ParametricGame) else ():
                click.echo(f"warning: {part.name}: {warning}", err=True)
    return tuple(by_code[part] if isinstance(part, HeapGame) else part for part in parts)


def rows_of(game: HeapGame, quiet: bool) -> HeapRows:
    """The rows of heaps of the code that a game by rules is proved to have.

    :class:`~icgsynth.errors.InputError` where none is.
    """
    from icgsynth.prove.heap_play import check_heaps
    from icgsynth.values.heap_game_search import code_of

    budget = Budget(_CODE_SECONDS)
    try:
        check_heaps(game, budget)
        code = code_of(game, budget)
    except (BudgetSpent, Refused):
        code = None
    if code is None:
        message = f"{game.name}: its heaps are not shown to have the moves of a code"
        mend = "'icgsynth value' finds their values, and with --at and --rule misere who wins a row"
        raise InputError(message, mend=mend)
    if not quiet:
        click.echo(f"{game.name} is the game of the code {code.name}", err=True)
    return HeapRows(code)


def _deliver(answer: SumAnswer, position: Position | None, request: SumRequest) -> int:
    text = as_json(answer.to_json()) if request.output or request.json else ""
    if request.output:
        write_file(request.output, text + "\n")
    if position is None:
        say(text if request.json else as_text(sum_report(answer)), request.json, nl=request.json)
        is_known = answer.is_proved
    else:
        winning, why = _winning(answer, position)
        if request.json:
            click.echo(as_json(position_json(answer, position, winning)))
        else:
            say(as_text(position_report(answer, position, winning, why)), nl=False)
        is_known = answer.value(position) is not None
    if answer.may_never_end:
        return REFUTED
    return DONE if is_known else UNKNOWN


def _winning(answer: SumAnswer, position: Position) -> tuple[tuple[Lowering, Move] | None, str]:
    """A winning move, or why none is named."""
    try:
        return SumMover(answer).find(position), ""
    except Refused as refused:
        return None, str(refused)


# --- verify sums ---------------------------------------------------------------------------------


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
        return _say_verdicts(parts, named, [*found, *[late] * (len(named) - len(found))], json)

    budget = Budget(timeout)
    with watchdog(timeout, last_words):
        for index, (part, entry) in enumerate(named):
            share = budget.share(1 / (len(named) - index))
            found.append(_judged(part, entry.answer, share))
    return _say_verdicts(parts, named, found, json)


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


def _say_verdicts(
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
