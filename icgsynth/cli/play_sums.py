"""``icgsynth play`` of a sum of games, against a player who knows the values."""

from __future__ import annotations

import random

import click

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.options import SumRequest
from icgsynth.cli.output import Progress
from icgsynth.cli.screen import say
from icgsynth.errors import Refused
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.game_sum import PartGame, SumGame
from icgsynth.play.advice import Guide
from icgsynth.play.match import Seat
from icgsynth.play.parametric import some_state
from icgsynth.play.person import dialogue
from icgsynth.play.sum_play import SumManner, SumPlayer, SumSession, read_position
from icgsynth.subjects.sums_subject import load_sum, require_normal
from icgsynth.values.sum_search import SumMover, SumSearch

_LARGEST = 20  # heap of a position that nobody has asked for


def play_sum(request: SumRequest, seat: Seat, seed: int) -> int:
    """One game in the terminal, the person in ``seat``; the exit code.

    3 or 4, and no game, where a component has no proved values.
    """
    require_normal(request.spec, request.rule)
    parts, remarks = load_sum(request.spec, dict(request.constants))
    for remark in () if request.quiet else remarks:
        say(remark, err=True)
    game = SumGame(parts)
    if any(isinstance(part, ParametricGame) and part.is_quantified for part in parts):
        raise Refused(f"{game.name} has a rule with a quantifier: it cannot be played")
    if request.at is None:
        position = tuple(_some_state(part, seed + i) for i, part in enumerate(parts))
    else:
        position = read_position(game, request.at)
    progress = Progress(request.quiet)
    answer = SumSearch(parts, Budget(request.timeout), position, progress).run()
    progress.clear()
    if answer.value(position) is None:
        for name, why in answer.missing.items():
            click.echo(f"{name}: no values are proved: {why}", err=True)
        return REFUTED if answer.may_never_end else UNKNOWN
    click.echo(f"{game.name}: a move is made in one component; who cannot move loses.")
    machine = SumPlayer(answer, SumMover(answer).find)
    table, guide = SumSession(game, position), Guide(machine, True)
    dialogue(table, SumManner(), machine, seat, guide, "\nNo move is left.")
    return DONE


def _some_state(part: PartGame, seed: int) -> State:
    if isinstance(part, ParametricGame):
        return some_state(part, seed)
    heaps = list(range(_LARGEST // 4, _LARGEST + 1))
    random.Random(seed).shuffle(heaps)
    return next(((n,) for n in heaps if part.some_move((n,)) is not None), (_LARGEST,))
