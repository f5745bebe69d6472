"""Turn a flaw of a tree into a line of play in real states, which any simulator can replay.

A game that is solved up to symmetry knows one state of each orbit, and moves between these.  The
line is walked again from the initial state by the rules themselves: in each state the image of the
move is made, under the symmetry that leads from the stored state to this one.
"""

from __future__ import annotations

from dataclasses import dataclass

from icgsynth.boards.fft.workshop import Flaw
from icgsynth.boards.finite.arena import Arena
from icgsynth.boards.finite.board import Board, in_order
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.game.game import Move


@dataclass(frozen=True)
class Counterexample:
    """A line of play from the initial state to a state in which a tree plays a wrong move.

    ``line`` holds who moves, and the action; ``state`` all facts that hold at its end.  There rule
    ``rule`` (an index; None where no rule applies) plays ``moves``; ``optimal`` are the good ones.
    """

    line: tuple[tuple[str, str], ...]
    state: tuple[str, ...]
    rule: int | None
    moves: tuple[str, ...]
    optimal: tuple[str, ...]


def replay(flaw: Flaw, arena: Arena, board: Board | None) -> Counterexample:
    """Return ``flaw`` as a line of play in real states, followed by the rules of ``board``. Without
    a board (None) the states of ``arena`` must be real ones, not up to symmetry."""
    game = None if board is None else FiniteGame(board)
    row, line = 0, []
    state = () if game is None else game.initial
    facts = arena.facts(row) if game is None else game.facts(state)
    image = arena.images_at(row, facts)
    for action, after in flaw.line:
        line.append((arena.mover_name(row), image[action]))
        state = state if game is None else game.result(state, Move(image[action]))
        row = after
        facts = arena.facts(row) if game is None else game.facts(state)
        image = arena.images_at(row, facts)
    moves = tuple(sorted((image[move] for move in flaw.moves), key=in_order))
    optimal = tuple(sorted((image[move] for move in flaw.optimal), key=in_order))
    return Counterexample(tuple(line), facts, flaw.rule, moves, optimal)
