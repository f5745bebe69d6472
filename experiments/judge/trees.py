"""Trees of rules judged by playing them, and the smallest ones found by trying all.

A rule is a pair of literals and an action, a literal a fact with whether it holds.  A symmetry
is a pair of maps, of facts and of actions.  A rule fires all its images: those whose condition
holds and whose action is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import and_
from typing import TypeAlias

from experiments.judge.gdl import Board
from experiments.judge.meaning import Undecided

__all__ = ["Bench", "Fired", "Literals", "Rule", "Symmetry", "defaults", "faulty_symmetry"]
__all__ += ["smallest", "varying"]

Literals: TypeAlias = Sequence[tuple[str, bool]]
Rule: TypeAlias = tuple[Literals, str]
Symmetry: TypeAlias = tuple[Mapping[str, str], Mapping[str, str]]
Fired: TypeAlias = Mapping[str, int]
"""The moves that a rule plays, each with the states where it does, as bits of a bench."""
Places: TypeAlias = tuple[int, ...]
"""Where the images of a condition hold, one under each symmetry, as bits of a bench."""


# --- symmetries and facts -----------------------------------------------------------------------


def faulty_symmetry(board: Board, symmetries: Iterable[Symmetry]) -> str:
    """What is wrong with a map that is said to be a symmetry; empty if nothing.

    Facts and actions that a map does not name stay.
    """
    place = {facts: state for state, facts in enumerate(board.facts)}
    for facts, actions in symmetries:
        at = [place.get(frozenset(facts.get(f, f) for f in held)) for held in board.facts]
        if at[0] != 0:
            return "it moves the first state"
        for state, image in enumerate(at):
            if image is None:
                return f"it leads from {sorted(board.facts[state])} to no state"
            here = board.mover[state], board.worth[state] if board.mover[state] < 0 else None
            there = board.mover[image], board.worth[image] if board.mover[image] < 0 else None
            moved = {actions.get(a, a): at[to] for a, to in board.moves[state].items()}
            if here != there or moved != board.moves[image]:
                return f"it changes the game in {sorted(board.facts[state])}"
    return ""


def varying(board: Board, player: int) -> set[str]:
    """The facts that hold in some states of a player and not in others."""
    held = [board.facts[state] for state in board.of_player(player)]
    return set().union(*held) - frozenset.intersection(*held) if held else set()


def defaults(board: Board) -> set[str]:
    """The facts that follow from others, such as "the cell is blank".

    Facts that differ in one argument are a group, and groups that differ in the others are of one
    kind.  Where of each group of a kind exactly one fact holds before the end, and all groups (at
    least two, of two facts and more) begin with one value, that value's facts follow.
    """
    live = [held for state, held in enumerate(board.facts) if board.mover[state] >= 0]
    known = set().union(*board.facts) - frozenset.intersection(*board.facts)
    groups: dict[tuple[str, int, int], dict[tuple[str, ...], dict[str, str]]] = {}
    for fact in known:
        name, _, rest = fact.partition("(")
        parts = tuple(rest.removesuffix(")").split(",")) if rest else ()
        for hole in range(len(parts)):
            kind = groups.setdefault((name, len(parts), hole), {})
            kind.setdefault(parts[:hole] + parts[hole + 1 :], {})[fact] = parts[hole]
    found: set[str] = set()
    for kind in groups.values():
        exact = all(len(held & group.keys()) == 1 for group in kind.values() for held in live)
        if exact and len(kind) > 1 and min(map(len, kind.values())) > 1:
            first = [(f, v) for group in kind.values() for f, v in group.items() if f in live[0]]
            if len({value for _, value in first}) == 1:
                found.update(fact for fact, _ in first)
    return found


# --- play ---------------------------------------------------------------------------------------


class Bench:
    """The states of a player that are reached while it plays good moves, as bits of integers.

    A tree that plays a bad move plays its first one in one of them.
    """

    def __init__(self, board: Board, player: int, symmetries: Iterable[Symmetry]) -> None:
        self.board, self.player, self.symmetries = board, player, list(symmetries)
        self.states = [s for s in self._reached() if board.mover[s] == player]
        self.bit = {state: 1 << i for i, state in enumerate(self.states)}
        self.all = (1 << len(self.states)) - 1
        self.legal: dict[str, int] = {}
        self.bad: dict[str, int] = {}
        self._held: dict[str, int] = {}
        for state, bit in self.bit.items():
            for move in board.moves[state]:
                self.legal[move] = self.legal.get(move, 0) | bit
                if move not in board.good(state):
                    self.bad[move] = self.bad.get(move, 0) | bit
            for fact in board.facts[state]:
                self._held[fact] = self._held.get(fact, 0) | bit

    def _reached(self) -> list[int]:
        order, seen = [0], {0}
        for state in order:  # grows while it is walked
            moves: Iterable[str] = self.board.moves[state]
            if self.board.mover[state] == self.player:
                moves = self.board.good(state)
            new = [self.board.moves[state][move] for move in moves]
            order += [after for after in dict.fromkeys(new) if after not in seen]
            seen.update(new)
        return order

    @property
    def everywhere(self) -> Places:
        """Where the condition without a literal holds."""
        return tuple(self.all for _ in self.symmetries)

    def places(self, atom: str, holds: bool) -> Places:
        """Where a literal holds."""
        held = [self._held.get(facts.get(atom, atom), 0) for facts, _ in self.symmetries]
        return tuple(mask if holds else self.all & ~mask for mask in held)

    def played(self, places: Places, action: str) -> Fired:
        """What a rule plays, with all its images, whose condition holds in ``places``."""
        found: dict[str, int] = {}
        for mask, (_, actions) in zip(places, self.symmetries, strict=True):
            act = actions.get(action, action)
            if there := mask & self.legal.get(act, 0):
                found[act] = found.get(act, 0) | there
        return found

    def fired(self, rule: Rule) -> Fired:
        """What a rule plays, with all its images."""
        literals, action = rule
        places = self.everywhere
        for atom, holds in literals:
            places = tuple(map(and_, places, self.places(atom, holds)))
        return self.played(places, action)

    def is_optimal(self, tree: Sequence[Fired], strong: bool = True) -> bool:
        """Whether all moves of a tree are good wherever play with it leads.

        Where no rule fires, all moves are played; if not ``strong``, the good ones.
        """
        return self.outcome(tree, strong)[0]

    def outcome(self, tree: Sequence[Fired], strong: bool | None) -> tuple[bool, int]:
        """Whether no move that is played is bad, and the states reached where no rule fires.

        ``strong`` None: play does not go on from these.
        """
        board, silent = self.board, 0
        seen, todo = {0}, [0]
        while todo:
            state = todo.pop()
            moves: Iterable[str] = board.moves[state]
            if board.mover[state] == self.player:
                bit = self.bit[state]
                chosen = next((c for r in tree if (c := [a for a in r if r[a] & bit])), None)
                if chosen is None:
                    silent |= bit
                    if strong is None:
                        continue
                    chosen = list(moves if strong else board.good(state))
                if any(self.bad.get(move, 0) & bit for move in chosen):
                    return False, silent
                moves = chosen
            for move in moves:
                if (after := board.moves[state][move]) not in seen:
                    seen.add(after)
                    todo.append(after)
        return True, silent


# --- the smallest tree --------------------------------------------------------------------------

_MOST = 300_000  # trees that are tried, some seconds


def smallest(
    bench: Bench,
    atoms: Iterable[str],
    most: tuple[int, int],
    signs: Sequence[bool] = (True, False),
) -> tuple[int, int]:
    """The figure (rules, literals) of a smallest strongly optimal tree, ``most`` if none is less.

    All lists of rules are tried whose literals are ``atoms`` with one of ``signs``; of rules that
    play the same wherever it matters, one with the fewest literals.
    :class:`~experiments.judge.meaning.Undecided` where they are too many.
    """
    known: dict[tuple[tuple[str, int], ...], tuple[int, Fired]] = {}
    for places, literals in _conditions(bench, sorted(atoms), signs).items():
        for action in bench.legal:
            plays = bench.played(places, action)
            key = tuple(sorted(plays.items()))
            if plays and key not in known:  # the shorter conditions come first
                known[key] = literals, plays
    rules = sorted(known.values(), key=lambda rule: rule[0])
    left = [_MOST]
    for many in range(most[0] + 1):
        bound = most[1] if many == most[0] else 10**6
        least = _fewest(bench, rules, [], many, bound, left)
        if least is not None:
            return many, least
    return most


def _conditions(bench: Bench, atoms: Sequence[str], signs: Sequence[bool]) -> dict[Places, int]:
    """Where conditions hold, each with the fewest literals that say so, the shorter ones first."""
    literals = [bench.places(atom, holds) for atom in atoms for holds in signs]
    known = {bench.everywhere: 0}
    for places, many in (todo := list(known.items())):  # grows while it is walked
        for literal in literals:
            both = tuple(map(and_, places, literal))
            if any(both) and both not in known:
                known[both] = many + 1
                todo.append((both, many + 1))
        if len(known) > _MOST:
            raise Undecided("there are too many conditions")
    return known


def _fewest(
    bench: Bench,
    rules: Sequence[tuple[int, Fired]],
    begun: list[Fired],
    more: int,
    bound: int,
    left: list[int],
) -> int | None:
    """The fewest literals, below ``bound``, of ``more`` rules that make the tree optimal.

    ``left`` counts the trees that may still be tried.
    """
    if bound <= 0:
        return None
    left[0] -= 1
    if left[0] < 0:
        raise Undecided("there are too many trees")
    if more == 0:
        return 0 if bench.is_optimal(begun) else None
    if not bench.outcome(begun, None)[0]:
        return None
    best = None
    for literals, rule in rules:
        if literals >= bound:
            break
        rest = _fewest(bench, rules, [*begun, rule], more - 1, bound - literals, left)
        if rest is not None:
            best = bound = literals + rest
    return best
