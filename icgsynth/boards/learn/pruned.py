"""Pruned minimax by optimised matches: Algorithms 2 and 3 of Hahn and Shankar (2020).

A match is optimised for one player and then *validated* from its end: at every state the best match
with another move is asked for; only where it is better for the player to move is it validated in
turn.  Where one move turns out better than another there is a *decision point*; with rules, every
decision point narrows the states that look the same (a renaming of constants) to the better move at
once, so that later matches obey it.

A node is a move made in a state, as in the authors' program; it is counted where it is scored.

An optimised match is, from a position, the play that ends best if both players help (section
3.2.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.datalog import components
from icgsynth.boards.learn.stage import Stage
from icgsynth.errors import Refused
from icgsynth.process.compiled import compiled

# --- matches -------------------------------------------------------------------------------------

_Ints: TypeAlias = "NDArray[np.signedinteger[Any]]"


class Finder(Protocol):
    """The interface of a search for optimised matches, in which moves of states can be narrowed."""

    def best(
        self, prefix: Sequence[int], banned: Iterable[int], maximise: bool
    ) -> list[int] | None:
        """Return the best match: moves from the start to an end, by their indices in the arena.  It
        begins with the moves ``prefix``, then one not in ``banned``.  Best is the greatest outcome
        for the main player if ``maximise``, else the least, if both help; None if none is left."""
        ...

    def narrow(self, state: int, moves: Sequence[int]) -> None:
        """Allow only ``moves`` in ``state`` from now on."""
        ...


def topological(stage: Stage) -> NDArray[np.int64]:
    """Return all states (rows), successors before predecessors; Refused if play has a cycle."""
    arena, order = stage.arena, []

    def after(state: int) -> list[int]:
        found: list[int] = arena.target[arena.first[state] : arena.first[state + 1]].tolist()
        return found

    for state, *others in components(after, range(len(arena.mover))):
        if others or state in after(state):
            raise Refused(f"{arena.name}: play can come back to a state: there is no game tree")
        order.append(state)
    return np.array(order, np.int64)


class ByTable:
    """A finder that reads optimised matches off a solved game; the first of equal moves."""

    def __init__(self, stage: Stage, main: int) -> None:
        arena = stage.arena
        self._stage = stage
        self._order = topological(stage)
        self._allowed = np.ones(len(arena.target), np.bool_)
        self._outcome = (arena.value if main == 0 else -arena.value).astype(np.int64)
        self._best = {sign: np.zeros(len(arena.mover), np.int64) for sign in (1, -1)}
        self._stale = {1, -1}

    def narrow(self, state: int, moves: Sequence[int]) -> None:
        span = self._stage.arena.moves_of(state)
        self._allowed[span.start : span.stop] = False
        self._allowed[list(moves)] = True
        self._stale = {1, -1}

    def best(
        self, prefix: Sequence[int], banned: Iterable[int], maximise: bool
    ) -> list[int] | None:
        arena, sign = self._stage.arena, 1 if maximise else -1
        # best[s] is the end that both players together can reach from s, cut to the moves left;
        # made anew after `narrow` took moves away.
        best = self._best[sign]
        if sign in self._stale:
            _outlook(
                self._order, arena.first, arena.target, self._allowed, self._outcome, sign, best
            )
            self._stale.discard(sign)
        state = int(arena.target[prefix[-1]]) if prefix else 0
        match, out = list(prefix), set(banned)
        while arena.mover[state] >= 0:
            open_moves = [
                m for m in self._stage.arena.moves_of(state) if self._allowed[m] and m not in out
            ]
            if not open_moves:
                return None
            move = max(open_moves, key=lambda m: int(best[arena.target[m]]))
            # -9: every play from there is cut off, so no match is left.
            if best[arena.target[move]] < -1:
                return None
            # Only the first move after the prefix is banned; later ones are free.
            match.append(move)
            state, out = int(arena.target[move]), set()
        return match


@compiled
def _outlook(
    order: _Ints,
    first: _Ints,
    target: _Ints,
    allowed: NDArray[np.bool_],
    outcome: _Ints,
    sign: int,
    best: _Ints,
) -> None:
    """Write to ``best`` (n,) the greatest ``sign * outcome`` that is reached if both players help.
    Only moves in the mask ``allowed`` (m,) are made; state s leads to
    ``target[first[s]:first[s + 1]]``; ``order`` has each state after its successors.  ``outcome``
    (n,) is read at ends; ``best`` is -9 where every play is cut off."""
    for s in order:
        if first[s] == first[s + 1]:
            best[s] = sign * outcome[s]
            continue
        top = -9
        for m in range(first[s], first[s + 1]):
            if allowed[m] and best[target[m]] > top:
                top = best[target[m]]
        best[s] = top


# --- pruned --------------------------------------------------------------------------------------


@dataclass(eq=False)
class Node:
    """A node of a pruned tree: ``move`` (of the arena) made in ``state``; None at root and ends.

    ``score`` is for the main player; None where the branch was found but not validated.
    """

    state: int
    move: int | None
    score: int | None = None
    parent: Node | None = field(default=None, repr=False)
    children: list[Node] = field(default_factory=list)

    def hang(self, child: Node) -> Node:
        """Append ``child`` to the node's children, and return the child."""
        child.parent = self
        self.children.append(child)
        return child

    def walk(self) -> Iterator[Node]:
        """Yield the node and all its descendants, parents first."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision point: in ``state`` the move ``good`` is better than ``bad`` for its player."""

    state: int
    good: int
    bad: int


@dataclass(frozen=True, eq=False)
class PrunedTree:
    """A pruned minimax tree, its value for the main player, and its decision points in order."""

    root: Node
    value: int
    match: tuple[int, ...]
    decisions: tuple[Decision, ...]
    calls: int

    @property
    def scored(self) -> int:
        """The number of moves in the tree that have a score: the paper's number of nodes."""
        return sum(n.move is not None and n.score is not None for n in self.root.walk())

    @property
    def found(self) -> int:
        """The number of all moves in the tree, also in branches that were not validated."""
        return sum(n.move is not None for n in self.root.walk())


Images = Callable[[int, int], Iterable[tuple[int, int]]]
"""A function that gives, for a state and a move, all pairs that are renamings of them."""


def pruned_minimax(
    stage: Stage, finder: Finder, main: int, images: Images | None = None
) -> PrunedTree:
    """Build the pruned minimax tree for the player ``main`` from the matches that ``finder`` gives.
    With ``images`` each decision holds in all renamings of its state from then on."""
    run = _Run(stage, finder, main, images)
    return run.tree()


class _Run:
    def __init__(self, stage: Stage, finder: Finder, main: int, images: Images | None) -> None:
        self.stage, self.finder, self.main, self.images = stage, finder, main, images
        self.decisions: list[Decision] = []
        self.best: dict[int, list[int]] = {}
        self.calls = 0

    def tree(self) -> PrunedTree:
        match = self._ask([], (), True)
        assert match is not None
        root = Node(0, None)
        top = root.hang(self._chain(match, 0))
        match = self._validate(match, top, 0, {})
        root.score = self._worth(match)
        return PrunedTree(root, root.score, tuple(match), tuple(self.decisions), self.calls)

    def _ask(self, prefix: list[int], banned: Iterable[int], maximise: bool) -> list[int] | None:
        self.calls += 1
        return self.finder.best(prefix, banned, maximise)

    def _worth(self, match: list[int]) -> int:
        arena = self.stage.arena
        value = int(arena.value[arena.target[match[-1]] if match else 0])
        return value if self.main == 0 else -value

    def _chain(self, match: list[int], start: int) -> Node:
        """Return the first of a chain of nodes, each the child of the one before: for the moves of
        ``match`` from index ``start`` on, then for the end."""
        source, target = self.stage.source, self.stage.arena.target
        if start == len(match):
            return Node(int(target[match[-1]]) if match else 0, None)
        top = node = Node(int(source[match[start]]), match[start])
        for move in match[start + 1 :]:
            node = node.hang(Node(int(source[move]), move))
        node.hang(Node(int(target[match[-1]]), None))
        return top

    def _validate(
        self, match: list[int], top: Node, start: int, banned: dict[int, set[int]]
    ) -> list[int]:
        """Return ``match`` (moves), or one found better for its mover at a step from ``start`` on.

        From the last step back the best match with another move there is asked for; one that is
        better is validated in turn.  ``top`` is the node of the step ``start``, below which the
        tree grows; ``banned`` has, by step, the moves that were tried there before.
        """
        # The nodes of the match's branch, from step `start` to its end.
        nodes = [top]
        while nodes[-1].children:
            nodes.append(nodes[-1].children[0])
        result = match
        for step in range(len(match) - 1, start - 1, -1):
            node = nodes[step - start]
            state = int(self.stage.source[match[step]])
            maximise = int(self.stage.arena.mover[state]) == self.main
            out = banned.get(step, set()) | {match[step]}
            # From the end back: is there a match that differs in this move and is better for
            # whoever moves here? If so it is validated in its turn, and only then it counts.
            worth = self._worth(result)
            other = self._ask(match[:step], out, maximise)
            node.score = worth
            if other is None:
                continue
            assert node.parent is not None
            branch = node.parent.hang(self._chain(other, step))
            gain = self._gain(other, worth, maximise)
            # A match that looks better is one where the other helps; validated it may be worse.
            if gain > 0:
                other = self._validate(other, branch, step, {**banned, step: out})
                gain = self._gain(other, worth, maximise)
            if gain < 0:
                self._decide(state, match[step], other[step])
            elif gain > 0:
                self._decide(state, other[step], match[step])
                node.parent.score = self._worth(other)
                result = other
        return result

    def _gain(self, other: list[int], worth: int, maximise: bool) -> int:
        """Return how much better the end of the match ``other`` is than ``worth``: for the main
        player if ``maximise``, else for the other one."""
        return (self._worth(other) - worth) * (1 if maximise else -1)

    def _decide(self, state: int, good: int, bad: int) -> None:
        self.decisions.append(Decision(state, good, bad))
        if self.images is None:
            return
        for like, move in self.images(state, good):
            known = self.best.setdefault(like, [])
            if move not in known:
                known.append(move)
                self.finder.narrow(like, known)
