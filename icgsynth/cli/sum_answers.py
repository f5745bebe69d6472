"""What ``solve``, ``value``, ``play`` and ``verify`` do with sums of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.options import SumRequest
from icgsynth.cli.output import Progress, as_json, watchdog, write_file
from icgsynth.cli.screen import say
from icgsynth.errors import BudgetSpent, InputError, Refused
from icgsynth.export.sum_report import position_json, position_report, sum_report
from icgsynth.game.game import Move, ParametricGame
from icgsynth.game.game_sum import PartGame, Position, SumGame
from icgsynth.game.heap_rows import HeapRows
from icgsynth.game.heap_rules import HeapGame
from icgsynth.game.sum_answer import Lowering, SumAnswer
from icgsynth.play.sum_play import read_position
from icgsynth.spec.sum_text import read_sum
from icgsynth.values.sum_search import SumMover, SumSearch

__all__ = ["answered_sum", "load_sum", "require_normal", "rows_of"]

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
        say(text if request.json else sum_report(answer), request.json, nl=request.json)
        is_known = answer.is_proved
    else:
        winning, why = _winning(answer, position)
        if request.json:
            click.echo(as_json(position_json(answer, position, winning)))
        else:
            say(position_report(answer, position, winning, why), nl=False)
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
