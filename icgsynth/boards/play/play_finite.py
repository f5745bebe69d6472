"""The command ``icgsynth play`` for finite games, against a tree, learned rules or perfect play."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

import click

from icgsynth.boards.fft.tiers import strategy_of
from icgsynth.boards.finite.arena import Arena
from icgsynth.boards.finite.arena_table import Lookup
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.boards.finite.whole import SolvingTable
from icgsynth.boards.learn.saved import read_learned
from icgsynth.boards.learn.stage import stage_of
from icgsynth.boards.play.finite import FiniteSession, PerfectPlayer, TierPlayer, TwoPlayerSession
from icgsynth.boards.rules.openspiel import OpenSpielGame, played_out, told_apart
from icgsynth.boards.rules.tree import parse_tree
from icgsynth.budget import Budget, Progress
from icgsynth.cli.asking import wait_for
from icgsynth.cli.options import answer_source, require_use
from icgsynth.cli.playing import AskedPlay
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.play.advice import Guide
from icgsynth.play.match import Player
from icgsynth.play.person import dialogue
from icgsynth.spec.answer_file import kind_of
from icgsynth.spec.source import Source
from icgsynth.subjects import find_subject
from icgsynth.subjects.question import Work


class _Match(NamedTuple):
    """A match ready to begin: its session, the program's player, and a perfect player for hints."""

    session: TwoPlayerSession[Any]
    machine: Player[Any]
    guide: Guide[Any]


def play_match(asked: AskedPlay) -> int:
    """Play one match with a person in the terminal, in the finite game and with the options that
    were ``asked`` for; return 0, the exit code, however the match ends."""
    found = find_subject(asked.named)
    game = found.game
    require_use(False, "an impartial game", "rule")
    mend = "leave it out: its rules say the start"
    asked.require_plain({"--start": asked.start}, found.what, mend)
    both = asked.tree and asked.solution
    asked.require_plain({"--solution": both}, "a game with --strategy", "leave it out")
    file = asked.tree or asked.solution
    source = None if file is None else answer_source(file)

    def search(budget: Budget, progress: Progress) -> Work[_Match]:
        table = None if isinstance(game, OpenSpielGame) else SolvingTable(game, budget, progress)
        steps = WorkSteps(game.name) if table is None else table.steps

        def give_up(why: str) -> NoReturn:
            raise BudgetSpent(steps.too_large(why))

        def prepare() -> _Match:
            if table is not None:
                return _of_rules(table, source, asked.seed)
            arena = told_apart(played_out(game, (), budget, steps).arena)
            return _of_arena(TwoPlayerSession(game), arena, source, asked.seed)

        return Work(prepare, give_up)

    session, machine, guide = wait_for(search, asked.delivery)
    roles, seat = session.game.roles, asked.seat_beside(session.seat)
    name = session.game.name
    click.echo(f"{name}: you are {roles[seat]}, {machine.name} is {roles[1 - seat]}.")
    dialogue(session, machine, seat, guide)
    return 0


def _of_rules(table: SolvingTable, source: Source | None, seed: int) -> _Match:
    """Return a match of the game whose rules ``table`` has, against the answer in the file
    ``source``, or perfect play if None; InputError where the answer is for an impartial game."""
    board = table.board()
    session = FiniteSession(FiniteGame(board).for_two())
    kind = "tree" if source is None else kind_of(source, "tree")
    if source is not None and kind in ("strategy", "family"):
        message = f"{source.name} is an answer for an impartial game, and {board.name} a finite one"
        raise InputError(message, mend="give what 'fft synth' or 'learn' wrote")
    if source is None or kind != "learned":
        return _of_arena(session, table.arena(board), source, seed)
    stage = stage_of(table.rules, progress=table.progress)
    machine = TierPlayer(read_learned(source, stage).strategy, seed, "the learned strategy")
    return _Match(session, machine, Guide(PerfectPlayer(Lookup(stage.arena)), True))


def _of_arena(
    session: TwoPlayerSession[Any], arena: Arena, tree: Source | None, seed: int
) -> _Match:
    """Return a match against the decision tree in the file ``tree``, or perfect play if None."""
    perfect = PerfectPlayer[Any](Lookup(arena), seed)
    machine: Player[Any] = perfect
    if tree is not None:
        read = parse_tree(tree, arena.literals, arena.actions)
        machine = TierPlayer(strategy_of(read, arena), seed)
    return _Match(session, machine, Guide(perfect, True))
