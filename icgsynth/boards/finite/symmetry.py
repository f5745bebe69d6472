"""Symmetries of a game: automorphisms of its ground rules, found by nauty.

The graph has a vertex for each row of the circuit, each rule, each action and each player's move;
colours keep players, goals, the end and the initial facts in their places.  What its automorphisms
do to facts and actions is the group (McKay and Piperno 2014 for the search).

nauty cannot be interrupted, and a large graph may keep it for long; such a graph is looked at in a
process of its own, which is ended when its time is over.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from icgsynth import wings
from icgsynth.boards.finite.bit_sets import bits_of
from icgsynth.boards.finite.board import Board
from icgsynth.boards.finite.circuit import ALWAYS, NEVER
from icgsynth.boards.finite.least_image import ElementTree, tree_of
from icgsynth.digits.arrays import Words, pack, unpack
from icgsynth.errors import BudgetSpent
from icgsynth.process.worker import Worker

# --- automorphisms -------------------------------------------------------------------------------

_SMALL = 2_000  # vertices of a graph that nauty does in hundredths of a second


def generators(
    edges: Mapping[int, Sequence[int]],
    cells: Sequence[Sequence[int]],
    seconds: float = float("inf"),
) -> list[list[int]] | None:
    """Return permutations of vertices that generate the automorphism group of a coloured graph.

    ``edges`` lists neighbours; the ``cells`` hold the vertices 0, 1, ... by their colour.  None
    after ``seconds``, or without enough memory; :class:`~icgsynth.errors.InputError` without
    pynauty.
    """
    if find_spec("pynauty") is None:
        message = "symmetry needs pynauty, which is not installed"
        raise wings.lacking(message, "fft", "leave symmetry off")
    if sum(map(len, cells)) <= _SMALL:
        return _find(edges, cells)
    if seconds <= 0:
        return None
    with Worker() as worker:
        try:
            return worker.call(seconds, _find, dict(edges), list(cells))
        except BudgetSpent:
            return None


def _find(edges: Mapping[int, Sequence[int]], cells: Sequence[Sequence[int]]) -> list[list[int]]:
    from pynauty import Graph, autgrp

    graph = Graph(
        sum(map(len, cells)),
        adjacency_dict={vertex: list(joined) for vertex, joined in edges.items()},
        vertex_coloring=[set(cell) for cell in cells],
    )
    return [list(map(int, permutation)) for permutation in autgrp(graph)[0]]


# --- symmetry ------------------------------------------------------------------------------------

MAX_ORDER = 5_040  # symmetries: 7!, all permutations of seven objects
_MAX_VERTICES = 10_000  # vertices of a graph that nauty does in some seconds
_PATIENCE = 3  # generators refused for a too large group before the rest are left out


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A group of g permutations, identity first: ``facts`` (g, facts), ``actions`` (g, actions).

    Element e sends fact i to fact ``facts[e, i]``.  ``note`` says what was left out, if any.
    """

    facts: NDArray[np.int32]
    actions: NDArray[np.int32]
    note: str = ""

    @property
    def order(self) -> int:
        return len(self.facts)

    @cached_property
    def tree(self) -> ElementTree:
        """The prefix tree of the group's elements, by which least images are found."""
        return tree_of(self.facts)

    def images(self, states: Words) -> Iterator[Words]:
        """Yield all ``states`` (n, words) mapped by each element of the group in turn."""
        held = unpack(states, self.facts.shape[1])
        for element in self.facts:
            moved = np.zeros_like(held)
            moved[:, element] = held
            yield pack(moved)


def trivial(board: Board, note: str = "") -> Symmetry:
    """Return the group of the identity alone, for ``board``; ``note`` says why no more is known."""
    identity = (np.arange(len(board.facts)), np.arange(len(board.actions)))
    return Symmetry(
        identity[0][None, :].astype(np.int32), identity[1][None, :].astype(np.int32), note
    )


def symmetry_of(
    board: Board, max_order: int = MAX_ORDER, seconds: float = float("inf")
) -> Symmetry:
    """Return the symmetry group of ``board``, or a subgroup of at most ``max_order`` elements.
    Facts that no play changes stay in their places.  After ``seconds`` without an answer it is the
    identity alone.  :class:`~icgsynth.errors.InputError` where pynauty is not installed."""
    circuit = board.circuit
    least = circuit.rows + len(circuit.state.head) + len(circuit.move.head)
    if least > _MAX_VERTICES:
        return trivial(board, f"no symmetry is sought in a graph of {least:,} vertices and more")
    picture = _picture(board)
    found = generators(picture.edges, picture.cells(), seconds)
    if found is None:
        return trivial(board, "the search for symmetry was given up")
    facts, actions = len(board.facts), len(board.actions)
    # Vertices 2, 3, .. are the facts' rows; an automorphism permutes them, and the actions.
    points = [*range(2, 2 + facts), *picture.actions]
    place = {vertex: i for i, vertex in enumerate(points)}
    still, identity = _still(board), np.arange(len(points))
    kept: dict[bytes, NDArray[np.int32]] = {}
    for generator in found:
        moved = np.array([place[generator[vertex]] for vertex in points], np.int32)
        # A fact that never changes may be put back: play never tells its images apart.
        moved[still] = still
        if (moved != identity).any():
            kept[moved.tobytes()] = moved
    # Generators that move actions alone, such as two equivalent ones, fold no states: go last.
    useful = sorted(kept.values(), key=lambda moved: (moved[:facts] == identity[:facts]).all())
    elements, whole = _closure(useful, facts + actions, max_order)
    note = "" if whole else f"a subgroup of {len(elements):,} elements; the whole group is larger"
    return Symmetry(elements[:, :facts].copy(), elements[:, facts:] - facts, note)


def _still(board: Board) -> NDArray[np.int64]:
    """Return the indices of the facts that never change from the initial state on."""
    # Automorphisms permute those that are equally true, which is no symmetry of play.
    sole: dict[int, int] = {}  # a row that one rule with one positive condition derives -> that
    seen: set[int] = set()
    for program in (board.circuit.state, board.circuit.move):
        # A row that is derived by one rule with one positive condition is a copy of that
        # condition's row; a second rule for it makes it more than that.
        for rule, head in enumerate(program.head.tolist()):
            body = program.body[program.first[rule] : program.first[rule + 1]].tolist()
            if head not in seen and len(body) == 1 and not body[0] & 1:
                sole[head] = body[0] >> 1
            else:
                sole.pop(head, None)
            seen.add(head)
    initial = set(bits_of(board.initial))
    rows = board.next_rows.tolist()
    return np.array(
        [
            fact
            for fact, row in enumerate(rows)
            # Carried over: its next value is itself, or it is false now and can never become true.
            if 2 + fact in (row, sole.get(row)) or (row == NEVER and fact not in initial)
        ],
        np.int64,
    )


def _closure(
    generators: list[NDArray[np.int32]], points: int, limit: int
) -> tuple[NDArray[np.int32], bool]:
    """Return the elements (g, points) of the group that ``generators`` span, identity first, and
    True; with False a subgroup of ``limit`` elements at most, if the group has more."""
    elements = np.arange(points, dtype=np.int32)[None, :]
    whole, refused = True, 0
    used: list[NDArray[np.int32]] = []
    for generator in generators:
        # A generator that makes the group larger than the limit is left out; the rest still
        # generate a subgroup, and any subgroup folds states rightly, though less.
        grown = _generate([*used, generator], points, limit)
        if grown is None:
            whole = False
            refused += 1
            if refused == _PATIENCE:
                break
            continue
        used.append(generator)
        elements = grown
    return elements, whole


def _generate(
    generators: list[NDArray[np.int32]], points: int, limit: int
) -> NDArray[np.int32] | None:
    identity = np.arange(points, dtype=np.int32)
    seen = {identity.tobytes()}
    elements = [identity]
    # Breadth first over products: all elements are products of generators; inverses are powers.
    for element in elements:  # grows while it is walked
        for generator in generators:
            product = generator[element]
            if (key := product.tobytes()) not in seen:
                if len(elements) == limit:
                    return None
                seen.add(key)
                elements.append(product)
    return np.array(elements)


class _Picture:
    """A coloured graph of a game's rules, under construction; first come the circuit's rows."""

    def __init__(self, rows: int) -> None:
        self.colours: list[Hashable] = ["derived"] * rows
        self.edges: dict[int, list[int]] = {}
        self.actions: list[int] = []
        self._negated: dict[int, int] = {}

    @property
    def size(self) -> int:
        return len(self.colours)

    def vertex(self, colour: Hashable, joined: Iterable[int] = ()) -> int:
        self.colours.append(colour)
        new = len(self.colours) - 1
        self.edges[new] = [int(other) for other in joined]
        return new

    def negate(self, row: int) -> int:
        if row not in self._negated:
            self._negated[row] = self.vertex("not", [row])
        return self._negated[row]

    def cells(self) -> list[list[int]]:
        """Return the vertices grouped by colour."""
        cells: dict[Hashable, list[int]] = {}
        for vertex, colour in enumerate(self.colours):
            cells.setdefault(colour, []).append(vertex)
        return [cells[colour] for colour in sorted(cells, key=repr)]


def _picture(board: Board) -> _Picture:
    circuit = board.circuit
    picture = _Picture(circuit.rows)
    colours = picture.colours
    # An automorphism of this graph maps rules to rules and keeps colours: facts to facts that are
    # as true in the initial state, moves to moves of the same role, goals to goals of the same
    # worth. So it is a symmetry of the rules; there may be others, which only fold less.
    colours[ALWAYS], colours[NEVER] = "always", "never"
    initial = set(bits_of(board.initial))
    for fact in range(len(board.facts)):
        colours[2 + fact] = "initial" if fact in initial else "fact"
        # The vertex between gives the edge a direction: from a fact to the row of its next value.
        picture.vertex("next", [2 + fact, picture.vertex("next row", [board.next_rows[fact]])])
    picture.actions = [picture.vertex("action") for _ in board.actions]
    for role in range(len(board.roles)):
        for action, legal, does in zip(
            board.moves[role], board.legal[role], board.does[role], strict=True
        ):
            joined = [picture.actions[action], picture.vertex("legal", [legal])]
            if does > NEVER:
                colours[does] = ("does", role)
                joined.append(does)
            picture.vertex(("move", role), joined)
        for value, row in board.goals[role]:
            picture.vertex(("goal", role, value), [row])
    picture.vertex("terminal", [board.terminal])
    # A rule is a vertex joined to its conditions, negated ones by a vertex "not", and to its head.
    heads: dict[int, int] = {}  # a row -> the vertex that its rules lead to
    for program in (circuit.state, circuit.move):
        for rule in range(len(program.head)):
            body = program.body[program.first[rule] : program.first[rule + 1]].tolist()
            joined = [picture.negate(p >> 1) if p & 1 else p >> 1 for p in body]
            head = int(program.head[rule])
            if head not in heads:
                heads[head] = picture.vertex("head", [head])
            picture.vertex("rule", [*joined, heads[head]])
    return picture
