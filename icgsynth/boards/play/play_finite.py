"""``icgsynth play`` of a finite game: against a tree, or against perfect play."""

from __future__ import annotations

from typing import NoReturn

import click

from icgsynth.boards.fft.tiers import strategy_of
from icgsynth.boards.finite.arena_table import Lookup
from icgsynth.boards.finite.board import Board
from icgsynth.boards.finite.datalog import Rulebook
from icgsynth.boards.finite.encoding import Encoding
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.whole import SolvingTable
from icgsynth.boards.learn.saved import read_learned
from icgsynth.boards.learn.stage import stage_of
from icgsynth.boards.play.finite import FiniteSession, PerfectPlayer, TierPlayer
from icgsynth.boards.rules.tree import parse_tree
from icgsynth.budget import Budget
from icgsynth.cli.options import answer_source
from icgsynth.cli.output import Progress, watchdog
from icgsynth.cli.playing import AskedPlay
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.play.advice import Guide
from icgsynth.play.match import Player, Seat
from icgsynth.play.person import dialogue
from icgsynth.spec.answer_file import kind_of
from icgsynth.spec.source import Source


def play_finite(rules: Rulebook | Encoding, asked: AskedPlay, timeout: float, quiet: bool) -> int:
    """One game in the terminal, against a tree or what was learned; 0 however it ends.

    Without a file in ``tree`` perfect play is the machine, which is ready within ``timeout``.
    """
    tree, seed = asked.tree or asked.solution, asked.seed
    source = None if tree is None else answer_source(tree)
    kind = "tree" if source is None else kind_of(source, "tree")
    table = SolvingTable(rules, Budget(timeout))

    def give_up() -> NoReturn:
        why = f"the budget of {timeout:g} s is spent"
        raise BudgetSpent(table.steps.too_large(why))

    with watchdog(timeout, give_up), Progress(quiet, timeout) as progress:
        table.progress = progress
        board = table.board()
        game = FiniteGame(board).for_two()
        if source is not None and kind in ("strategy", "family"):
            message = f"{tree} is an answer for an impartial game, and {game.name} a finite one"
            raise InputError(message, mend="give what 'fft synth' or 'learn' wrote")
        if source is not None and kind == "learned":
            machine, guide = _read_learned(rules, source, seed, progress)
        else:
            machine, guide = _machine(table, board, source, seed)
    session = FiniteSession(game)
    seat: Seat = session.seat if asked.seat == 0 else (1, 0)[session.seat]
    click.echo(
        f"{game.name}: you are {game.roles[seat]}, {machine.name} is {game.roles[1 - seat]}."
    )
    dialogue(session, machine, seat, guide)
    return 0


def _machine(
    table: SolvingTable, board: Board, tree: Source | None, seed: int
) -> tuple[Player[FiniteGame], Guide[FiniteGame]]:
    """A fast-and-frugal tree, or perfect play; and who knows better."""
    arena = table.arena(board)
    perfect = PerfectPlayer[FiniteGame](Lookup(arena), seed)
    if tree is None:
        return perfect, Guide(perfect, True)
    read = parse_tree(tree, arena.literals, arena.actions)
    return TierPlayer(strategy_of(read, arena), seed), Guide(perfect, True)


def _read_learned(
    rules: Rulebook | Encoding, source: Source, seed: int, progress: Progress
) -> tuple[Player[FiniteGame], Guide[FiniteGame]]:
    """What ``icgsynth learn`` wrote; and who knows better."""
    stage = stage_of(rules, progress=progress)
    machine = TierPlayer(read_learned(source, stage).strategy, seed, "the learned strategy")
    return machine, Guide(PerfectPlayer(Lookup(stage.arena)), True)
