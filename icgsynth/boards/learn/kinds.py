"""Kinds of constants: sets that a game treats alike, so that learned rules may rename them.

Constants that stand at joined places are of one *kind* (the players, the piles of Nim).  A kind is
*sound* where swapping two of its constants sends optimal moves to optimal moves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from icgsynth.boards.finite import clingo as asp
from icgsynth.boards.finite.arena import arena_of_board
from icgsynth.boards.finite.bit_sets import words_of
from icgsynth.boards.finite.encoding import Encoding
from icgsynth.boards.learn.stage import Stage
from icgsynth.boards.learn.terms import (
    Term,
    Var,
    Where,
    format_term,
    leaves,
    read_term,
    renamed,
    signature_of,
)

MOST_RENAMINGS = 5_040
"""The most renamings of constants to try: all permutations of seven constants."""
_SAMPLE = 6  # states on which a kind is tested; each rule is tested by itself too


@dataclass(frozen=True)
class Kind:
    """A set of interchangeable constants, and the places of facts and actions where they stand."""

    places: frozenset[Where]
    constants: tuple[Term, ...]

    def __str__(self) -> str:
        return "{" + ", ".join(map(format_term, self.constants)) + "}"


def kinds_of(stage: Stage) -> tuple[Kind, ...]:
    """Return the kinds of constants of a game: the constants at places of facts and actions that
    share a variable in a rule.  The players come first; other kinds have 2 to 7 constants."""
    joined = _Places()
    if isinstance(stage.book, Encoding):
        for _ in range(2):  # once more: what was joined late may stand inside what was early
            _join_encoding(stage.book, joined)
    constants: dict[Where, set[Term]] = {}
    texts = [*(("true", fact) for fact in stage.board.facts)]
    texts += [("does", action) for action in stage.board.actions]
    for _, text in texts:
        for where, leaf in leaves(read_term(text)):
            constants.setdefault(joined.root(where), set()).add(leaf)
            joined.members.setdefault(joined.root(where), set()).add(where)
    roles: set[Term] = set(stage.board.roles)
    kinds = []
    players: set[Where] = set()
    for root, found in constants.items():
        if found <= roles:
            players |= joined.members[root]
        elif 2 <= len(found) <= 7:
            kinds.append(Kind(frozenset(joined.members[root]), _sort_terms(found)))
    kinds.sort(key=lambda kind: (len(kind.constants), str(kind)))
    return (Kind(frozenset(players), tuple(sorted(map(str, roles)))), *kinds)


def _sort_terms(terms: Iterable[Term]) -> tuple[Term, ...]:
    return tuple(sorted(terms, key=lambda t: (not isinstance(t, int), format_term(t).zfill(12))))


class _Places:
    """Groups of places joined because a rule has one variable at both (a union-find structure)."""

    def __init__(self) -> None:
        self._above: dict[Where, Where] = {}
        self.members: dict[Where, set[Where]] = {}

    def root(self, where: Where) -> Where:
        """Return the representative of ``where``; places inside joined places are joined too."""
        name, way = where
        found: Where = (name, ())
        for step in way:
            found = (found[0], (*found[1], step))
            # From the predicate inwards: a place inside a joined place is found inside its root.
            while self._above.get(found, found) != found:
                found = self._above[found]
        return found

    def join(self, one: Where, two: Where) -> None:
        above, below = self.root(two), self.root(one)
        # A place is not joined with one inside it: a term would be joined with its own part.
        if above != below and above[1][: len(below[1])] != below[1]:
            self._above[below] = above


_WRAPPERS = {"true": 0, "next": 0, "init": 0, "base": 0, "does": 1, "legal": 1, "input": 1}


def _join_encoding(book: Encoding, joined: _Places) -> None:
    """Join in ``joined`` (a union-find structure) the places, in facts, actions and predicates,
    where a rule of ``book`` has one variable."""
    for statement in book.statements:
        for tree in asp.parse_statements(statement.text)[0]:
            seen: dict[str, Where] = {}
            for symbol in asp.symbols_of(tree):
                for where, name in _variables(_term(symbol)):
                    # Two places with one variable hold the same constants in each instance.
                    if name in seen:
                        joined.join(where, seen[name])
                    seen[name] = where


def _term(node: Any) -> Term:
    """Return the term of a syntax tree of clingo's; what is no variable or function becomes ""."""
    kind = asp.syntax().ASTType
    if node.ast_type == kind.Variable:
        return Var(node.name)
    if node.ast_type == kind.Function and node.arguments:
        return (node.name, *map(_term, node.arguments))
    return ""


def _variables(atom: Term) -> Iterator[tuple[Where, str]]:
    """Yield (place, name) of each variable in ``atom``; ``true(F)``, ``does(R,F)`` count as F."""
    wrapped = _WRAPPERS.get(signature_of(atom)[0])
    if wrapped is not None and isinstance(atom, tuple) and len(atom) > wrapped + 1:
        if wrapped and isinstance(atom[1], Var):
            yield ("role", (1,)), atom[1].name
        yield from _variables(atom[wrapped + 1])
        return
    for where, leaf in leaves(atom):
        if isinstance(leaf, Var) and leaf.name != "_":
            yield where, leaf.name


def sound_kinds(stage: Stage, kinds: Sequence[Kind]) -> tuple[Kind, ...]:
    """Return those ``kinds`` in which every swap of two constants keeps optimal moves optimal.
    Tried on states spread over the game; a renamed state need not be one that play reaches, so the
    game is solved from it.  A kind whose renamings are no states of the game is left out."""
    arena = stage.arena
    live = np.flatnonzero(arena.mover >= 0)
    sample = live[:: max(1, len(live) // _SAMPLE)]
    chosen: list[Kind] = []
    for kind in kinds:
        if math.factorial(len(kind.constants)) > MOST_RENAMINGS:
            continue
        size = math.prod(math.factorial(len(k.constants)) for k in chosen)
        if size * math.factorial(len(kind.constants)) > MOST_RENAMINGS:
            continue
        # Swaps of two constants generate all renamings of a kind, so these are tried alone.
        verdicts = [
            _swap_keeps(stage, kind, pair, int(state))
            for pair in combinations(kind.constants, 2)
            for state in sample
        ]
        if any(verdicts) and False not in verdicts:
            chosen.append(kind)
    return tuple(chosen)


def _swap_keeps(stage: Stage, kind: Kind, pair: tuple[Term, ...], state: int) -> bool | None:
    """Return whether swapping the constants ``pair`` of ``kind`` keeps optimal moves of the row
    ``state`` optimal; None where the swapped state or moves are none of the game."""
    board, arena = stage.board, stage.arena
    table: dict[Term, Term] = {pair[0]: pair[1], pair[1]: pair[0]}
    renaming = dict.fromkeys(kind.places, table)
    facts = {read_term(fact): i for i, fact in enumerate(board.facts)}
    images = [facts.get(renamed(read_term(fact), renaming)) for fact in stage.facts(state)]
    known_images = [image for image in images if image is not None]
    if len(known_images) < len(images):
        return None
    initial = words_of(known_images, board.words)
    # The swapped state may lie outside of all play from the start: so it is solved by itself.
    there = arena_of_board(replace(board, initial=initial), False)
    if there.mover[0] < 0:
        return False
    best = {
        renamed(read_term(stage.arena.action_name(m)), renaming)
        for m in stage.arena.moves_of(state)
        if arena.optimal[m]
    }
    known = [m for m in there.moves_of(0) if read_term(there.action_name(m)) in best]
    return all(bool(there.optimal[m]) for m in known) if known else None
