"""``icgsynth play`` of a finite game: against a tree, or against perfect play."""

from __future__ import annotations

import click

from icgsynth.cli.options import answer_source
from icgsynth.cli.output import Progress, watchdog
from icgsynth.errors import InputError
from icgsynth.fft.tiers import strategy_of
from icgsynth.finite.arena import arena_of_board
from icgsynth.finite.board import Board, board_of
from icgsynth.finite.datalog import Rulebook
from icgsynth.finite.encoding import Encoding
from icgsynth.finite.game import FiniteGame
from icgsynth.finite.grounder import ground
from icgsynth.finite.worth import Lookup
from icgsynth.learn.saved import read_learned
from icgsynth.learn.stage import stage_of
from icgsynth.play.advice import Guide
from icgsynth.play.finite import FiniteSession, PerfectPlayer, TierPlayer
from icgsynth.play.match import Player, Seat
from icgsynth.play.person import dialogue
from icgsynth.spec.answer_file import kind_of
from icgsynth.spec.source import Source
from icgsynth.spec.tree import parse_tree


def play_finite(
    rules: Rulebook | Encoding,
    tree: str | None,
    first: str,
    seed: int,
    timeout: float,
    quiet: bool,
) -> int:
    """One game in the terminal, against a tree or what was learned; 0 however it ends.

    Without a file in ``tree`` perfect play is the machine, which is ready within ``timeout``.
    """
    source = None if tree is None else answer_source(tree)
    kind = "tree" if source is None else kind_of(source, "tree")
    with watchdog(timeout), Progress(quiet, timeout) as progress:
        board = board_of(ground(rules))
        game = FiniteGame(board).for_two()
        if source is not None and kind in ("strategy", "family"):
            message = f"{tree} is an answer for an impartial game, and {game.name} a finite one"
            raise InputError(message, mend="give what 'fft synth' or 'learn' wrote")
        if source is not None and kind == "learned":
            machine, guide = _learned(rules, source, seed, progress)
        else:
            machine, guide = _machine(board, source, seed, progress)
    session = FiniteSession(game)
    seat: Seat = session.seat if first == "you" else (1, 0)[session.seat]
    click.echo(
        f"{game.name}: you are {game.roles[seat]}, {machine.name} is {game.roles[1 - seat]}."
    )
    dialogue(session, machine, seat, guide)
    return 0


def _machine(
    board: Board, tree: Source | None, seed: int, progress: Progress
) -> tuple[Player[FiniteGame], Guide[FiniteGame]]:
    """A fast-and-frugal tree, or perfect play; and who knows better."""
    arena = arena_of_board(board, progress=progress)
    perfect = PerfectPlayer[FiniteGame](Lookup(arena), seed)
    if tree is None:
        return perfect, Guide(perfect, True)
    read = parse_tree(tree, arena.literals, arena.actions)
    return TierPlayer(strategy_of(read, arena), seed), Guide(perfect, True)


def _learned(
    rules: Rulebook | Encoding, source: Source, seed: int, progress: Progress
) -> tuple[Player[FiniteGame], Guide[FiniteGame]]:
    """What ``icgsynth learn`` wrote; and who knows better."""
    stage = stage_of(rules, progress=progress)
    machine = TierPlayer(read_learned(source, stage).strategy, seed, "the learned strategy")
    return machine, Guide(PerfectPlayer(Lookup(stage.arena)), True)
