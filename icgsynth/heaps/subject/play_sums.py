"""``icgsynth play`` of a sum of games, and of rows of heaps under misère play.

The machine knows the values of the components, or the quotient of the heaps.
"""

from __future__ import annotations

import random

import click

from icgsynth.budget import Budget, Progress
from icgsynth.cli.asking import wait_for
from icgsynth.cli.output import DONE, REFUTED, UNKNOWN, say
from icgsynth.cli.playing import AskedPlay
from icgsynth.errors import Refused
from icgsynth.explicit.openings import some_state
from icgsynth.game.game import ParametricGame, State
from icgsynth.heaps.rules.game_sum import PartGame, SumGame, SumState
from icgsynth.heaps.rules.position_text import parse_position
from icgsynth.heaps.search.sum_search import SumMover, SumSearch
from icgsynth.heaps.subject.sum_play import MiserePlayer, SumPlayer, SumSession, row_of
from icgsynth.heaps.subject.sums_subject import (
    Components,
    OneCode,
    heaps_of_one_code,
    load_sum,
    quotient,
)
from icgsynth.play.advice import Guide
from icgsynth.play.match import Player, Seat
from icgsynth.play.person import dialogue

_LARGEST = 20  # the largest heap of a position that is drawn at random


def play_match(asked: AskedPlay) -> int:
    """Play one match of a sum or of heaps; return the exit code, 3 or 4 without a proved answer."""
    files = {"--solution": asked.solution, "--strategy": asked.tree}
    asked.require_plain(files, "a sum", "leave it out")
    spec = asked.named.spec
    found = load_sum(spec, asked.named.constants)
    heaps = heaps_of_one_code(spec, found) if asked.rule == "misere" else None
    for remark in () if asked.delivery.quiet else (heaps or found).remarks:
        say(remark, err=True)
    return _by_values(found, asked) if heaps is None else _by_quotient(heaps, asked)


def _by_values(found: Components, asked: AskedPlay) -> int:
    game, parts = SumGame(found.parts), found.parts
    if any(isinstance(part, ParametricGame) and part.is_quantified for part in parts):
        raise Refused(f"{game.name} has a rule with a quantifier: it cannot be played")
    if asked.start is None:
        position = tuple(_some_state(part, asked.seed + i) for i, part in enumerate(parts))
    else:
        position = parse_position(game, asked.start)

    def search(budget: Budget, progress: Progress) -> SumSearch:
        return SumSearch(parts, budget, position, progress)

    answer = wait_for(search, asked.delivery)
    if answer.known_at(position) is None:
        for name, why in answer.missing.items():
            click.echo(f"{name}: no values are proved{': ' if why else ''}{why}", err=True)
        return REFUTED if answer.may_never_end else UNKNOWN
    click.echo(f"{game.name}: a move is made in one component; who cannot move loses.")
    machine = SumPlayer(answer, SumMover(answer).find)
    return _play(SumSession(game, position), machine, asked.seat)


def _by_quotient(heaps: OneCode, asked: AskedPlay) -> int:
    game = heaps.rows
    if asked.start is None:
        position = _some_rows(game, asked.seed)
    else:
        position = parse_position(game, asked.start)
    answer = wait_for(quotient(heaps.code, row_of(position)).search, asked.delivery)
    known = answer.quotient
    if known is None or not all(map(known.knows, row_of(position))):
        click.echo(f"{game.parts[0].name}: no misere quotient is proved: {answer.why}", err=True)
        return UNKNOWN
    click.echo(f"{game.name}: a move is made in one heap; who cannot move wins.")
    return _play(SumSession(game, position, "misere"), MiserePlayer(known), asked.seat)


def _play(session: SumSession, machine: Player[SumGame], seat: Seat) -> int:
    dialogue(session, machine, seat, Guide(machine, True), "\nNo move is left.")
    return DONE


def _some_rows(game: SumGame, seed: int) -> SumState:
    rng = random.Random(seed)
    return tuple((rng.randint(_LARGEST // 4, _LARGEST),) for _ in game.parts)


def _some_state(part: PartGame, seed: int) -> State:
    if isinstance(part, ParametricGame):
        return some_state(part, seed)
    heaps = list(range(_LARGEST // 4, _LARGEST + 1))
    random.Random(seed).shuffle(heaps)
    return next(((n,) for n in heaps if part.some_move((n,)) is not None), (_LARGEST,))
