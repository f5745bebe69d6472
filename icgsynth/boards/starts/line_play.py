"""The command ``icgsynth play`` for line games, against a player who looks a few rounds ahead."""

from __future__ import annotations

import click

from icgsynth.boards.starts.lines import PRESETS, line_game
from icgsynth.cli.options import require_use
from icgsynth.cli.playing import AskedPlay
from icgsynth.errors import IllegalMove, InputError


def play_match(asked: AskedPlay) -> int | None:
    """Play a line game with a person; return 0, or None if no opponent's depth is given and the
    game is to be played otherwise. InputError where the options do not fit."""
    board, spec = asked.board, asked.named.spec
    if board.opponent is not None:
        require_use(False, "a game that is played without --opponent", "rule")
        return _against(asked, board.opponent)
    require_use(False, "--opponent", "win")
    if board.size or board.length or board.gravity or (spec in PRESETS and spec != "tictactoe"):
        mend = "add --opponent K: how many rounds the machine looks ahead"
        raise InputError(f"{spec}: against whom?", mend=mend)
    return None


def _against(asked: AskedPlay, opponent: int) -> int:
    """Play a line game with a person, against a player who looks ``opponent`` rounds ahead; return
    0. InputError where the game is no line game, or the position to start from is wrong."""
    from icgsynth.boards.starts.line_match import DepthPlayer, LineSession
    from icgsynth.play.advice import Guide
    from icgsynth.play.person import dialogue

    spec, start, board = asked.named.spec, asked.start, asked.board
    if spec not in PRESETS:
        mend = f"play {', '.join(PRESETS)}, or leave --opponent out"
        raise InputError(f"--opponent is not for {spec}", mend=mend)
    game = line_game(spec, board.size, board.length, board.win, board.gravity)
    try:
        session = LineSession(game, None if start is None else game.read(start))
    except IllegalMove as illegal:
        raise InputError(str(illegal), mend="write it as in ..O/.XX/OXO") from None
    machine = DepthPlayer(opponent, asked.seed)
    seat = asked.seat_beside(session.seat)
    click.echo(f"{game.name}: you are {'XO'[seat]}, against {machine.name}.")
    dialogue(session, machine, seat, Guide(DepthPlayer(opponent), knows=False))
    return 0
