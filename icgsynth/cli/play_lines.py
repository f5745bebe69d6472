"""``icgsynth play`` of a game of lines, from any position, against a player who looks ahead."""

from __future__ import annotations

from typing import TypeAlias

import click

from icgsynth.cli.options import require_use
from icgsynth.errors import IllegalMove, InputError
from icgsynth.play.advice import Guide
from icgsynth.play.lines import DepthPlayer, LineSession
from icgsynth.play.match import Seat
from icgsynth.play.person import dialogue
from icgsynth.starts.lines import PRESETS, line_game

Board: TypeAlias = tuple[str | None, int | None, str, str | None]
"""Size, match length, lines that win and gravity, as :func:`line_game` takes them."""


def play_lines(
    spec: str, board: Board, start: str | None, opponent: int, first: str, seed: int
) -> int:
    """One game in the terminal; 0 however it ends.  ``first``: who moves now."""
    require_use(False, "a game that is played without --opponent", "rule")
    if spec not in PRESETS:
        mend = f"play {', '.join(PRESETS)}, or leave --opponent out"
        raise InputError(f"--opponent is not for {spec}", mend=mend)
    game = line_game(spec, *board)
    try:
        session = LineSession(game, None if start is None else game.read(start))
    except IllegalMove as illegal:
        raise InputError(str(illegal), mend="write it as in ..O/.XX/OXO") from None
    machine = DepthPlayer(opponent, seed)
    seat: Seat = session.seat if first == "you" else (1, 0)[session.seat]
    click.echo(f"{game.name}: you are {'XO'[seat]}, against {machine.name}.")
    dialogue(session, machine, seat, Guide(DepthPlayer(opponent), knows=False))
    return 0
