"""``icgsynth value``."""

from __future__ import annotations

import re

import click

from icgsynth.cli.options import (
    json_option,
    output_option,
    quiet_option,
    set_option,
    timeout_option,
    unused_seed_option,
)

__all__ = ["value"]

_MOST = 1 << 25  # heaps: 128 MB of values, and a multiple of that to prove a period
_USUAL = 1 << 20
_DIGITS = 100  # of a heap that --at names


@click.command()
@click.argument("spec", metavar="SPEC")
@click.option(
    "--at", default=None, metavar="STATE", help="The value of this state, or heap, alone."
)
@click.option(
    "--to",
    "most",
    type=click.IntRange(1, _MOST),
    default=None,
    metavar="N",
    help="Of a game of heaps: look for a period in N values at most, G(0) to G(N - 1).  "
    f"[default: {_USUAL}]",
)
@set_option
@timeout_option(60)
@json_option
@output_option("Write the JSON there, also where nothing is proved.")
@quiet_option
@unused_seed_option
def value(
    spec: str,
    at: str | None,
    most: int | None,
    constants: tuple[tuple[str, int], ...],
    timeout: float,
    as_json: bool,
    output: str | None,
    quiet: bool,
) -> int:
    """Find the Grundy values of a game, as a function of its state, and prove them.

    SPEC may be the code of a game of heaps that split: d0.d1d2.., where the bits 1, 2, 4 and 8 of
    the digit d_k allow to take k and leave no heap, one, two or three; 4u splits a heap into two
    unequal ones.  The answer is the period of the values.

    \b
    Try:  icgsynth value take_away --set n=5
          icgsynth value 0.77           Kayles: period 12
          icgsynth value 0.07 --at 1000
          icgsynth value 4u --to 10000  Grundy's game: no period is known

    \b
    Exit codes: 0 proved; 2 bad usage or bad input; 3 the game may never end;
                4 unknown: what was seen is printed, and nothing is claimed.
    """
    from icgsynth.spec.heap_code import looks_like_code

    if not looks_like_code(spec):
        if most is not None:
            raise click.UsageError("--to is for games of heaps, as 0.77")
        from icgsynth.cli.game_values import value_of_game

        return value_of_game(spec, constants, at, timeout, as_json, output, quiet)
    if constants:
        raise click.UsageError("--set is not for games of heaps")
    from icgsynth.cli.heap_answers import value_of_heaps

    heap = None if at is None else _heap(at)
    return value_of_heaps(spec, most or _USUAL, heap, timeout, as_json, output, quiet)


def _heap(text: str) -> int:
    if re.fullmatch(rf"\s*[0-9]{{1,{_DIGITS}}}\s*", text) is None:
        raise click.BadParameter("a heap is a natural number, as in --at 1000", param_hint="--at")
    return int(text)
