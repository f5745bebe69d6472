"""``icgsynth play`` of rows of heaps under misère play, against a player who knows the quotient."""

from __future__ import annotations

import random

import click

from icgsynth.cli.codes import DONE, UNKNOWN
from icgsynth.cli.misere_answers import found_quotient, one_code
from icgsynth.cli.options import SumRequest
from icgsynth.game.game_sum import Position, SumGame
from icgsynth.play.advice import Guide
from icgsynth.play.match import Seat
from icgsynth.play.person import dialogue
from icgsynth.play.sum_play import MiserePlayer, MisereSession, SumManner, read_position, row_of

__all__ = ["play_misere"]

_LARGEST = 20  # heap of a position that nobody has asked for


def play_misere(request: SumRequest, seat: Seat, seed: int) -> int:
    """One game in the terminal, the person in ``seat``; the exit code.

    4, and no game, where no quotient of the heaps is proved.
    """
    game = one_code(request)
    position = _some_rows(game, seed) if request.at is None else read_position(game, request.at)
    answer = found_quotient(game, position, request)
    quotient = answer.quotient
    if quotient is None or not all(map(quotient.knows, row_of(position))):
        click.echo(f"{game.parts[0].name}: no misere quotient is proved: {answer.why}", err=True)
        return UNKNOWN
    click.echo(f"{game.name}: a move is made in one heap; who cannot move wins.")
    machine = MiserePlayer(quotient)
    table, guide = MisereSession(game, position), Guide(machine, True)
    dialogue(table, SumManner(), machine, seat, guide, "\nNo move is left.")
    return DONE


def _some_rows(game: SumGame, seed: int) -> Position:
    """One heap for each component."""
    rng = random.Random(seed)
    return tuple((rng.randint(_LARGEST // 4, _LARGEST),) for _ in game.parts)
