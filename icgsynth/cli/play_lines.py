"""``icgsynth play`` of a game of lines, from any position, against a player who looks ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from icgsynth.cli.keyboard import Quit, ask

if TYPE_CHECKING:
    from icgsynth.game.game import State
    from icgsynth.play import Choice
    from icgsynth.play.match import Player
    from icgsynth.starts.lines import LineGame

__all__ = ["play_lines"]


def play_lines(game: LineGame, start: str | None, opponent: int, first: str, seed: int) -> int:
    """One game in the terminal; 0 however it ends.  ``first``: who moves now."""
    from icgsynth.errors import IllegalMove, InputError
    from icgsynth.play.lines import DepthPlayer, LineSession
    from icgsynth.play.match import match

    try:
        session = LineSession(game, None if start is None else game.read(start))
    except IllegalMove as illegal:
        raise InputError(str(illegal), mend="write it as in ..O/.XX/OXO") from None
    people, machine = _Person(), DepthPlayer(opponent, seed)
    seat = session.seat if first == "you" else 1 - session.seat
    players: tuple[Player[LineGame], Player[LineGame]]
    players = (people, machine) if seat == 0 else (machine, people)
    click.echo(f"{game.name}: you are {'XO'[seat]}, against {machine.name}.")
    try:
        for turn in match(session, players):
            if turn.seat != seat:
                click.echo(f"machine: {turn.choice.move}   [{turn.choice.reason}]")
    except Quit:
        click.echo("Good-bye.")
        return 0
    _look(game, session.state)
    won = session.winner
    click.echo("A draw." if won is None else "You win." if won == seat else "The machine wins.")
    return 0


def _look(game: LineGame, state: State) -> None:
    """The board with its columns named, row 1 at the bottom."""
    x, o = state
    rows = game.grid((x, o))
    lines = [f"{len(rows) - i:>2} {' '.join(row)}" for i, row in enumerate(rows)]
    letters = " ".join(chr(ord("a") + column) for column in range(game.columns))
    click.echo("\n" + "\n".join([*lines, f"   {letters}"]))


class _Person:
    """Whoever sits at the keyboard."""

    name = "you"

    def choose(self, game: LineGame, state: State) -> Choice:
        from icgsynth.errors import IllegalMove
        from icgsynth.play.lines import read_line_move
        from icgsynth.play.match import Choice

        _look(game, state)
        while True:
            text = ask("your move> ")
            if text in ("help", "h", "?", ""):
                x, o = state
                click.echo("  " + " ".join(str(move) for move in game.moves((x, o))))
                continue
            try:
                return Choice(read_line_move(game, state, text), "")
            except IllegalMove as illegal:
                click.echo(f"  {illegal}")
