"""``icgsynth play`` of rows of heaps under misère play, against a player who knows the quotient."""

from __future__ import annotations

import random

import click

from icgsynth.cli.codes import DONE, UNKNOWN
from icgsynth.cli.options import SumRequest
from icgsynth.game.game_sum import Position, SumGame
from icgsynth.game.heap_rows import HeapRows
from icgsynth.play.advice import Guide
from icgsynth.play.match import Seat
from icgsynth.play.person import dialogue
from icgsynth.play.sum_play import MiserePlayer, MisereSession, SumManner, read_position, row_of
from icgsynth.subjects.sums_subject import code_of_parts, load_sum, quotient

_LARGEST = 20  # heap of a position that nobody has asked for


def play_misere(request: SumRequest, seat: Seat, seed: int) -> int:
    """One game in the terminal, the person in ``seat``; the exit code.

    4, and no game, where no quotient of the heaps is proved.
    """
    parts, _ = load_sum(request.spec, dict(request.constants))
    code, count = code_of_parts(request.spec, parts)
    game = SumGame((HeapRows(code),) * count)
    position = _some_rows(game, seed) if request.at is None else read_position(game, request.at)
    answer = quotient(code, row_of(position)).answer(request.timeout)
    found = answer.quotient
    if found is None or not all(map(found.knows, row_of(position))):
        click.echo(f"{game.parts[0].name}: no misere quotient is proved: {answer.why}", err=True)
        return UNKNOWN
    click.echo(f"{game.name}: a move is made in one heap; who cannot move wins.")
    machine = MiserePlayer(found)
    table, guide = MisereSession(game, position), Guide(machine, True)
    dialogue(table, SumManner(), machine, seat, guide, "\nNo move is left.")
    return DONE


def _some_rows(game: SumGame, seed: int) -> Position:
    """One heap for each component."""
    rng = random.Random(seed)
    return tuple((rng.randint(_LARGEST // 4, _LARGEST),) for _ in game.parts)
