"""``best_do`` rules from decision points of a pruned tree, with constants lifted to variables.

A rule says: in this state (all of its facts) this move is best.  Constants of one *kind* (the
players, the piles of Nim) become variables with inequalities between them, where every renaming of
the kind's constants leads to states of the game in which the renamed move, where it is legal, is
optimal again; that is checked on all states, so a lifted rule is sound there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.bit_sets import bits_of, words_of
from icgsynth.boards.learn.kinds import MOST_RENAMINGS, Kind
from icgsynth.boards.learn.pruned import ByTable, Decision, PrunedTree, pruned_minimax
from icgsynth.boards.learn.stage import Stage
from icgsynth.boards.learn.terms import (
    Term,
    Var,
    Where,
    format_term,
    leaves,
    mapped,
    read_term,
    renamed,
    substituted,
    unify,
    variables_of,
)
from icgsynth.errors import OutOfReach

_LETTERS = "PQRSTUVWXYZABCD"  # more than there are kinds: 5,040 renamings are those of 13 at most


@dataclass(frozen=True)
class BestDo:
    """A rule ``best_do(role, action) :- facts``, with variables; ``distinct`` ones must differ."""

    role: Term
    action: Term
    facts: tuple[Term, ...]
    distinct: tuple[tuple[Var, ...], ...] = ()

    def __str__(self) -> str:
        return self.asp()

    def asp(self) -> str:
        """Return the rule in clingo's language, with conditions ``true(fact)``."""
        body = [f"true({format_term(fact)})" for fact in self.facts]
        for group in self.distinct:
            body += [f"{a.name} != {b.name}" for a, b in combinations(group, 2)]
        return f"best_do({format_term(self.role)},{format_term(self.action)}) :- {', '.join(body)}."

    @cached_property
    def ground(self) -> frozenset[Term]:
        """The rule's facts that have no variables."""
        return frozenset(fact for fact in self.facts if not any(variables_of(fact)))

    @cached_property
    def _open(self) -> tuple[Term, ...]:
        return tuple(fact for fact in self.facts if any(variables_of(fact)))

    def moves(self, facts: frozenset[Term]) -> set[tuple[str, str]]:
        """Return the moves (role, action) that the rule gives in the state with just ``facts``."""
        if len(facts) != len(self.facts) or not self.ground <= facts:
            return set()
        found = set()
        for values in self._matches(facts - self.ground):
            role, action = substituted(self.role, values), substituted(self.action, values)
            found.add((format_term(role), format_term(action)))
        return found

    def _matches(self, facts: frozenset[Term]) -> Iterator[dict[Var, Term]]:
        """Yield each dictionary of variables' values by which all facts with variables hold."""
        apart = {v: group for group in self.distinct for v in group}

        def extend(at: int, values: dict[Var, Term]) -> Iterator[dict[Var, Term]]:
            if at == len(self._open):
                yield dict(values)
                return
            for fact in facts:
                together = dict(values)
                if not unify(self._open[at], fact, together):
                    continue
                if any(
                    together[v] == together[w]
                    for v in together.keys() - values.keys()
                    for w in apart.get(v, ())
                    if w != v and w in together
                ):
                    continue
                yield from extend(at + 1, together)

        yield from extend(0, {})


class Index:
    """An index of rules by the shape of their states: facts with blanks in place of variables.

    A rule can only know states of its own shape, so few rules are tried on any state.
    """

    def __init__(self, rules: Sequence[BestDo]) -> None:
        self._open = {w for rule in rules for fact in rule.facts for w, v in leaves(fact)
                      if isinstance(v, Var)}  # fmt: skip
        self._blanks: dict[Term, Term] = {}
        self._rules: dict[frozenset[tuple[Term, int]], list[BestDo]] = {}
        for rule in rules:
            self._rules.setdefault(self._shape(rule.facts), []).append(rule)

    def moves(self, facts: frozenset[Term], role: str) -> set[str]:
        """Return the actions that the rules give ``role`` in the state with just ``facts``."""
        rules = self._rules.get(self._shape(facts), ())
        return {a for rule in rules for r, a in rule.moves(facts) if r == role}

    def _shape(self, facts: Iterable[Term]) -> frozenset[tuple[Term, int]]:
        return frozenset(Counter(map(self._blank, facts)).items())

    def _blank(self, fact: Term) -> Term:
        if fact not in self._blanks:
            self._blanks[fact] = mapped(fact, lambda at, leaf: "_" if at in self._open else leaf)
        return self._blanks[fact]


# --- renaming states, lifting rules --------------------------------------------------------------


class Lifting:
    """The renamings of constants of some kinds, applied to the states and moves of a game."""

    def __init__(self, stage: Stage, kinds: Sequence[Kind]) -> None:
        self.stage, self.kinds = stage, tuple(kinds)
        size = math.prod(math.factorial(len(kind.constants)) for kind in kinds)
        if size > MOST_RENAMINGS:
            raise OutOfReach(f"{stage.arena.name}: {size:,} renamings are too many to lift over")

    @cached_property
    def _elements(self) -> list[tuple[NDArray[np.int64], NDArray[np.int64], dict[Term, Term]]]:
        """The images of facts and of actions (index to index, -1 for none) under each renaming,
        with the images of the roles; the identity is the first renaming."""
        board = self.stage.board
        facts = [read_term(fact) for fact in board.facts]
        actions = [read_term(action) for action in board.actions]
        fact_place = {fact: i for i, fact in enumerate(facts)}
        action_place = {action: i for i, action in enumerate(actions)}
        found = []
        for images in product(*(permutations(kind.constants) for kind in self.kinds)):
            renaming, roles = self._by_place(images)
            moved = [fact_place.get(renamed(f, renaming), -1) for f in facts]
            acted = [action_place.get(renamed(a, renaming), -1) for a in actions]
            found.append((np.array(moved, np.int64), np.array(acted, np.int64), roles))
        return found

    def _by_place(
        self, images: Sequence[Sequence[Term]]
    ) -> tuple[dict[Where, dict[Term, Term]], dict[Term, Term]]:
        """Return a renaming of constants by place in a term, and its part that renames the roles.
        ``images`` has for each kind what its constants are renamed to."""
        renaming: dict[Where, dict[Term, Term]] = {}
        roles: dict[Term, Term] = {}
        for kind, image in zip(self.kinds, images, strict=True):
            table = dict(zip(kind.constants, image, strict=True))
            renaming |= dict.fromkeys(kind.places, table)
            if set(map(str, kind.constants)) == set(self.stage.board.roles):
                roles = table
        return renaming, roles

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.stage.board.actions)}

    def images(self, state: int, move: int) -> Iterator[tuple[int, int]]:
        """Yield (state, move), as indices, for each image of the given pair under a renaming."""
        stage = self.stage
        words = stage.states.shape[1]
        held = np.array(bits_of(stage.states[state]), np.int64)
        action = self._place[stage.arena.action_name(move)]
        role = stage.arena.mover_name(state)
        done: set[tuple[int, int]] = set()
        for moved, acted, roles in self._elements:
            # Where a fact is sent to one that the game does not have, there is no image of the
            # state.
            to = moved[held]
            if acted[action] < 0 or (to < 0).any():
                continue
            like = stage.row.get(tuple(words_of(to.tolist(), words).tolist()))
            if like is None or stage.arena.mover[like] < 0:
                continue
            if stage.arena.mover_name(like) != str(roles.get(role, role)):
                continue
            name = stage.board.actions[int(acted[action])]
            for other in stage.arena.moves_of(like):
                if stage.arena.action_name(other) == name and (like, other) not in done:
                    done.add((like, other))
                    yield like, other

    def is_sound(self, state: int, move: int) -> bool:
        """Return whether all images of ``move`` in ``state`` by renamings are optimal moves."""
        return all(bool(self.stage.arena.optimal[m]) for _, m in self.images(state, move))

    def rule(self, state: int, move: int) -> BestDo:
        """Return the rule "play ``move`` in ``state``" (indices of the arena), in which the
        constants of the lifting's kinds are replaced by variables."""
        stage = self.stage
        names = [
            [Var(f"{letter}{i}") for i in range(1, len(kind.constants) + 1)]
            for kind, letter in zip(self.kinds, _LETTERS, strict=False)
        ]
        table, roles = self._by_place(names)
        facts = tuple(renamed(read_term(fact), table) for fact in sorted(stage.facts(state)))
        role: Term = stage.arena.mover_name(state)
        action = renamed(read_term(stage.arena.action_name(move)), table)
        used = {v for fact in facts for v in variables_of(fact)}
        distinct = tuple(
            group
            for variables in names
            if len(group := tuple(v for v in variables if v in used)) > 1
        )
        head = roles.get(role, role)
        if isinstance(head, Var) and head not in used:
            head = role
        return BestDo(head, action, facts, distinct)


@dataclass(frozen=True)
class RuleSet:
    """The rules learned from a game's decision points, right in every state of that game.

    ``plain`` of them kept their constants, because a renaming would be wrong.  ``wrong`` counts
    the decision points that gave no rule: Algorithm 3 compares what is left after it has ruled
    moves out, so its better move need not be a best one.
    """

    rules: tuple[BestDo, ...]
    plain: int
    wrong: int


def pruned_tree(stage: Stage, main: int, kinds: Sequence[Kind] | None = None) -> PrunedTree:
    """Return the pruned minimax tree for the player ``main`` (0 or 1) of the game on ``stage``.

    With ``kinds`` of constants a better move is played in all renamings of its state from then on.
    """
    images = None if kinds is None else Lifting(stage, kinds).images
    return pruned_minimax(stage, ByTable(stage, main), main, images)


def lift_rules(stage: Stage, kinds: Sequence[Kind], decisions: Iterable[Decision]) -> RuleSet:
    """Return a rule "make this move in this state" for each of ``decisions`` with an optimal move.
    Constants of ``kinds`` become variables in it where all renamings are optimal."""
    lifting, plain = Lifting(stage, kinds), Lifting(stage, ())
    rules: dict[BestDo, None] = {}
    covered: set[tuple[int, int]] = set()
    kept = wrong = 0
    for decision in decisions:
        state, move = decision.state, decision.good
        if (state, move) in covered:
            continue
        covered.add((state, move))
        if not stage.arena.optimal[move]:
            wrong += 1
            continue
        # Lift constants to variables only if every renaming of the move is optimal too.
        use = lifting if lifting.is_sound(state, move) else plain
        kept += use is plain
        # States and moves that the new rule covers need no rule of their own.
        covered.update(use.images(state, move))
        rules.setdefault(use.rule(state, move))
    return RuleSet(tuple(rules), kept, wrong)


def written_rules(rules: Sequence[BestDo]) -> str:
    """Return ``rules`` as a clingo program that, beside the game's, plays a best move if known."""
    lines = [rule.asp() for rule in rules]
    lines += [
        "known :- best_do(P,A), legal(P,A).",
        ":- known, does(P,A), not best_do(P,A).",
    ]
    return "\n".join(lines) + "\n"
