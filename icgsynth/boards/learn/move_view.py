"""Evaluate literals on moves: the game's and background rules, for many moves at once.

A condition of a learned rule may read the position (``true``), the move (``does``), the state after
it (``next``) and whatever background rules derive from these.  clingo grounds game and background
together; the circuit of the ground rules is evaluated 64 moves to a machine word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite import board_kernels
from icgsynth.boards.finite.board import Board
from icgsynth.boards.finite.circuit import ALWAYS, NEVER, Circuit, circuit_of
from icgsynth.boards.finite.clingo import parse_statements, syntax
from icgsynth.boards.finite.datalog import Rulebook
from icgsynth.boards.finite.encoding import Encoding, Statement
from icgsynth.boards.finite.grounder import TRUE, Ground, ground
from icgsynth.boards.learn.terms import Term, read_term, signature_of
from icgsynth.errors import InputError, Refused, Span

_BATCH = 1 << 15  # moves evaluated at once, to save memory
_KEYWORDS = frozenset({"role", "base", "init", "true", "does", "next", "legal", "goal", "terminal"})
_SEEN = (("true", 1), ("next", 1), ("does", 2))  # predicates that literals of KIF may use


@dataclass(frozen=True, eq=False)
class MoveView:
    """The ground atoms that may hold of a move, and a circuit that computes which ones do.

    ``atoms`` in a fixed order; ``rows`` (atoms,) of the circuit, :data:`ALWAYS` for certain ones.
    """

    circuit: Circuit
    atoms: tuple[Term, ...]
    rows: NDArray[np.int64]
    does: dict[tuple[str, str], int]  # rows of the moves, by role and action

    @cached_property
    def by_signature(self) -> dict[tuple[str, int], list[int]]:
        """The indices of the atoms of each predicate (name, arity)."""
        found: dict[tuple[str, int], list[int]] = {}
        for i, atom in enumerate(self.atoms):
            found.setdefault(signature_of(atom), []).append(i)
        return found

    @cached_property
    def certain(self) -> NDArray[np.bool_]:
        """A mask of the atoms (atoms,) that hold of every move."""
        return np.asarray(self.rows == ALWAYS)

    def truth(
        self, states: NDArray[np.uint64], moves: list[tuple[str, str]], chosen: NDArray[np.int64]
    ) -> NDArray[np.uint64]:
        """Return which atoms hold of each move (atoms, w): bit b of word j is for move 64 j + b.
        Move i is made in ``states[i]`` (k, words) and is ``moves[chosen[i]]``: role and action."""
        count = len(states)
        out = np.zeros((len(self.atoms), (count + 63) // 64), np.uint64)
        rows = np.array([self.does.get(move, NEVER) for move in moves], np.int64)
        for start in range(0, count, _BATCH):
            part = slice(start, min(start + _BATCH, count))
            size = part.stop - start
            # 64 pairs of a state and a move at once, as a board evaluates its successors.
            slices = self.circuit.slices(size)
            board_kernels.write_facts(np.ascontiguousarray(states[part]), slices, 2)
            board_kernels.set_moves(slices, rows, chosen[part].astype(np.int32))
            self.circuit.state.run(slices)
            out[:, start // 64 : start // 64 + slices.shape[1]] = slices[self.rows]
        return out


class RuledGame(Protocol):
    """The interface of a finite game with its rules as written, whether solved or not."""

    @property
    def name(self) -> str: ...

    @property
    def book(self) -> Rulebook | Encoding: ...

    @property
    def board(self) -> Board: ...


def view_of(game: RuledGame, background: str, signatures: tuple[tuple[str, int], ...]) -> MoveView:
    """Return the ground atoms of predicates that may hold of moves of ``game``, with a circuit.

    ``signatures`` are the predicates (name, arity); ``background`` are rules in clingo's language
    for some.  :class:`~icgsynth.errors.InputError` where it is more than rules about moves;
    :class:`~icgsynth.errors.Refused` for a game that is not an encoding where that needs one.
    """
    book, board = game.book, game.board
    if isinstance(book, Encoding):
        if fault := no_background(background):
            raise InputError(f"the background of a strategy has {fault[0]}", mend=fault[1])
        shows = [_show(name, arity) for name, arity in signatures]
        found = ground(_with_background(book, "\n".join([background, *shows])))
    elif background.strip():
        raise Refused(f"{board.name}: background rules need a game in clingo's language (.lp)")
    elif hidden := [f"{n}/{k}" for n, k in signatures if (n, k) not in _SEEN]:
        raise Refused(
            f"{board.name}: nothing is known of {hidden[0]}; the literals of a game in KIF have "
            "true(F), next(F) or does(R,A)"
        )
    else:
        found = board.ground
    return _view(board, found, signatures)


def no_background(text: str) -> tuple[str, str] | None:
    """Return what in ``text`` is no normal rule about moves, and how to mend it; None if all is.  A
    choice has more answers than one, a constraint none, and a rule for one of the game's keywords
    would change the game."""
    trees, errors = parse_statements(text)
    if errors:
        return errors[0][2], "see clingo's language: rules end in '.'"
    kind = syntax().ASTType
    for tree in trees:
        if tree.ast_type in (kind.Program, kind.Definition, getattr(kind, "Comment", None)):
            continue
        symbol = None
        if tree.ast_type == kind.Rule and tree.head.ast_type == kind.Literal:
            symbol = getattr(tree.head.atom, "symbol", None)
        if symbol is None or tree.head.sign or symbol.ast_type not in (kind.Function, kind.Pool):
            return f"no normal rule: {str(tree)[:70]}", "write rules with an atom as their head"
        if getattr(symbol, "name", "") in _KEYWORDS:
            return f"a rule of the game: {str(tree)[:70]}", "give the head another name"
    return None


def _with_background(book: Encoding, background: str) -> Encoding:
    lines = [line for line in background.split("\n") if line.strip()]
    extra = tuple(
        Statement(line, Span("background", i + 1, 1, line)) for i, line in enumerate(lines)
    )
    return replace(book, statements=book.statements + extra)


def _show(name: str, arity: int) -> str:
    inner = ",".join(f"X{i}" for i in range(arity))
    atom = f"{name}({inner})" if arity else name
    return f"#show g_view({atom}) : {atom}."


def _view(board: Board, found: Ground, signatures: tuple[tuple[str, int], ...]) -> MoveView:
    named = dict(found.view)
    if not named:
        named = {f"true({fact})": atom for fact, atom in found.true.items()}
        named |= {f"next({fact})": atom for fact, atom in found.next.items()}
        named |= {f"does({r},{a})": atom for (r, a), atom in found.does.items()}
    wanted = set(signatures)
    atoms: list[tuple[Term, int]] = []
    for text, atom in sorted(named.items()):
        term = read_term(text)
        if signature_of(term) in wanted:
            atoms.append((term, atom))
    # A circuit of its own, with states and moves as inputs: its outputs are the atoms that
    # constraints may read, before and after the move.
    acts = sorted(found.does)
    inputs = [*(found.true[fact] for fact in board.facts), *(found.does[act] for act in acts)]
    circuit = circuit_of(found.bodies(), inputs, [], [atom for _, atom in atoms], board.name)
    row = circuit.row | {TRUE: ALWAYS}
    kept = [(term, row[atom]) for term, atom in atoms if row.get(atom, NEVER) != NEVER]
    return MoveView(
        circuit,
        tuple(term for term, _ in kept),
        np.array([at for _, at in kept], np.int64),
        {act: row[found.does[act]] for act in acts},
    )
