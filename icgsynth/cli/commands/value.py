"""``icgsynth value``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from icgsynth.cli.options import (
    USUAL_HEAPS,
    SumRequest,
    json_option,
    output_option,
    quiet_option,
    rule_option,
    set_option,
    spec_argument,
    timeout_option,
    unused_seed_option,
)

if TYPE_CHECKING:
    from icgsynth.game.game import PlayRule

__all__ = ["value"]

_MOST = 1 << 25  # heaps: 128 MB of values, and a multiple of that to prove a period
_BOUND = 20  # of the states of a table
_DIGITS = 100  # of a heap that --at names


@click.command()
@spec_argument
@click.option(
    "--at",
    default=None,
    metavar="STATE",
    help="The value of this state alone; of heaps, of one or of a row, as in 12,5.",
)
@click.option(
    "--to",
    "most",
    type=click.IntRange(1, _MOST),
    default=None,
    metavar="N",
    help="Of a game of heaps: look for a period in N values at most, G(0) to G(N - 1).  "
    f"[default: {USUAL_HEAPS}]",
)
@rule_option(both=False)
@click.option(
    "--table",
    "drawing",
    is_flag=False,
    flag_value="-",
    default=None,
    metavar="FILE",
    help="The values of a box of states as well: a picture (.svg, .png) or data (.csv), told by "
    "the ending of FILE; without FILE, or with -, as text.",
)
@click.option(
    "-b",
    "--bound",
    type=click.IntRange(0, 1_000_000),
    default=None,
    help="For --table: the legal states with every coordinate between -N and N.  "
    f"[default: {_BOUND}]",
)
@set_option
@timeout_option(60)
@json_option
@output_option("Write the JSON there, also where nothing is proved.", "", ".json")
@quiet_option
@unused_seed_option
def value(
    spec: str,
    at: str | None,
    most: int | None,
    rule: PlayRule,
    drawing: str | None,
    bound: int | None,
    constants: tuple[tuple[str, int], ...],
    timeout: float,
    as_json: bool,
    output: str | None,
    quiet: bool,
) -> int:
    """Find the Grundy values of a game, as a function of its state, and prove them.

    SPEC may be a sum of games, as in 'nim2 + 2*chomp_2row + 0.77'.  STATE then has the states of
    the components in order, as in '3,7;5,1;4,2;12,5': of heaps a row of any length.

    SPEC may be the code of a game of heaps that split: d0.d1d2.., where the bits 1, 2, 4 and 8 of
    the digit d_k allow to take k and leave no heap, one, two or three; 4u splits a heap into two
    unequal ones.  The answer is the period of the values, as for a file that begins with "heaps".
    With --rule misere it is the misere
    quotient, as 'solve' finds it, or who wins the row of heaps that --at names.

    \b
    Try:  icgsynth value take_away --set n=5
          icgsynth value nim2 --table nim2.svg
          icgsynth value 0.77           Kayles: period 12
          icgsynth value 0.07 --at 1000
          icgsynth value 0.77 --rule misere --at 5,8,12
          icgsynth value 4u --to 10000  Grundy's game: no period is known
          icgsynth value 'nim2 + 0.77' --at '3,7;12,5'

    \b
    Exit codes: 0 proved; 2 bad usage or bad input; 3 the game may never end;
                4 unknown: what was seen is printed, and nothing is claimed.
    """
    from icgsynth.spec.heap_code import looks_like_code
    from icgsynth.spec.sum_text import looks_like_sum

    request = SumRequest(spec, constants, at, timeout, rule, as_json, output, quiet)
    of_sum = rule == "misere" or looks_like_sum(spec) or (looks_like_code(spec) and _is_row(at))
    if not (of_sum or looks_like_code(spec)):
        return _of_game(request, most, drawing, bound)
    if drawing is not None or bound is not None:
        raise click.UsageError("--table is for one game; of heaps, see icgsynth table CODE")
    if of_sum:
        if most is not None:
            raise click.UsageError("--to is for one game of heaps, as 0.77, in normal play")
        return _of_sum(request)
    if constants:
        raise click.UsageError("--set is not for games of heaps")
    from icgsynth.cli.heap_answers import value_of_heaps

    heap = None if at is None else _heap(at)
    return value_of_heaps(spec, most or USUAL_HEAPS, heap, timeout, as_json, output, quiet)


def _of_game(request: SumRequest, most: int | None, drawing: str | None, bound: int | None) -> int:
    """Of the game of a file or of the catalog, which may be one of heaps."""
    from icgsynth.cli.options import load_rules
    from icgsynth.game.heap_rules import HeapGame

    if bound is not None and drawing is None:
        raise click.UsageError("--bound is for --table")
    game = load_rules(request.spec, request.constants, request.quiet)
    if isinstance(game, HeapGame):
        from icgsynth.cli.heap_answers import value_of_heap_game

        if drawing is not None:
            raise click.UsageError("--table is for games that are not of heaps")
        return value_of_heap_game(game, request, most or USUAL_HEAPS)
    if most is not None:
        raise click.UsageError("--to is for games of heaps, as 0.77")
    from icgsynth.cli.game_values import value_of_game

    drawn = None if drawing is None else (drawing, _BOUND if bound is None else bound)
    return value_of_game(game, request, drawn)


def _of_sum(request: SumRequest) -> int:
    if request.rule == "misere":
        from icgsynth.cli.misere_answers import answered_misere

        return answered_misere(request)
    from icgsynth.cli.sum_answers import answered_sum

    return answered_sum(request)


def _is_row(at: str | None) -> bool:
    return at is not None and ("," in at or ";" in at)


def _heap(text: str) -> int:
    if re.fullmatch(rf"\s*[0-9]{{1,{_DIGITS}}}\s*", text) is None:
        raise click.BadParameter("a heap is a natural number, as in --at 1000", param_hint="--at")
    return int(text)
