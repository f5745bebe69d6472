"""``best_do`` rules from decision points, constants lifted to variables where that is sound.

A rule says: in this state (all of its facts) this move is best.  Constants of one *kind* (the
players, the piles of Nim) become variables with inequalities between them, where every
renaming of the kind's constants leads to states of the game in which the renamed move, where
it is legal, is optimal again; that is checked on all states, so a lifted rule is sound there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import Refused
from icgsynth.finite import clingo as asp
from icgsynth.finite.arena import arena_of_board
from icgsynth.finite.encoding import Encoding
from icgsynth.learn.stage import Stage
from icgsynth.learn.terms import Term, Var, read_term, shown, substituted
from icgsynth.logic.bits import bits_of, words_of

__all__ = [
    "BestDo",
    "Index",
    "Kind",
    "Lifting",
    "RuleSet",
    "kinds_of",
    "lifted",
    "sound_kinds",
    "written_rules",
]

Where = tuple[str, tuple[int, ...]]
"""A place: the function at the root of a fact or an action, and the way to an argument."""
_MOST_ELEMENTS = 5_040
_SAMPLE = 6  # states on which a kind is tried; every rule is checked by itself too


@dataclass(frozen=True)
class Kind:
    """Constants that stand at the same places: ``places`` name them, ``constants`` are they."""

    places: frozenset[Where]
    constants: tuple[Term, ...]

    def __str__(self) -> str:
        return "{" + ", ".join(map(shown, self.constants)) + "}"


@dataclass(frozen=True)
class BestDo:
    """``best_do(role, action) :- facts``, with variables; ``distinct`` must differ pairwise."""

    role: Term
    action: Term
    facts: tuple[Term, ...]
    distinct: tuple[tuple[Var, ...], ...] = ()

    def __str__(self) -> str:
        return self.asp()

    def asp(self) -> str:
        """The rule in clingo's language, over ``true/1``."""
        body = [f"true({shown(fact)})" for fact in self.facts]
        for group in self.distinct:
            body += [f"{a.name} != {b.name}" for a, b in combinations(group, 2)]
        return f"best_do({shown(self.role)},{shown(self.action)}) :- {', '.join(body)}."

    @cached_property
    def ground(self) -> frozenset[Term]:
        """The facts without variables."""
        return frozenset(fact for fact in self.facts if not _has_variable(fact))

    @cached_property
    def _open(self) -> tuple[Term, ...]:
        return tuple(fact for fact in self.facts if _has_variable(fact))

    def moves(self, facts: frozenset[Term]) -> set[tuple[str, str]]:
        """The moves (role, action) that the rule names where exactly ``facts`` hold."""
        if len(facts) != len(self.facts) or not self.ground <= facts:
            return set()
        found = set()
        for values in self._matches(facts - self.ground):
            role, action = substituted(self.role, values), substituted(self.action, values)
            found.add((shown(role), shown(action)))
        return found

    def _matches(self, facts: frozenset[Term]) -> Iterator[dict[Var, Term]]:
        """Substitutions that make the open facts true, by backtracking."""
        apart = {v: group for group in self.distinct for v in group}

        def extend(at: int, values: dict[Var, Term]) -> Iterator[dict[Var, Term]]:
            if at == len(self._open):
                yield dict(values)
                return
            for fact in facts:
                new: dict[Var, Term] = {}
                if not _unify(self._open[at], fact, values, new):
                    continue
                together = values | new
                if any(
                    together[v] == together[w]
                    for v in new
                    for w in apart.get(v, ())
                    if w != v and w in together
                ):
                    continue
                yield from extend(at + 1, together)

        yield from extend(0, {})


class Index:
    """Rules by the shape of their states: facts with a blank wherever some rule has a variable.

    A rule can only know states of its own shape, so few rules are tried on any state.
    """

    def __init__(self, rules: Sequence[BestDo]) -> None:
        self._open = {w for rule in rules for fact in rule.facts for w, v in _leaves(fact)
                      if isinstance(v, Var)}  # fmt: skip
        self._blanks: dict[Term, Term] = {}
        self._rules: dict[frozenset[tuple[Term, int]], list[BestDo]] = {}
        for rule in rules:
            self._rules.setdefault(self._shape(rule.facts), []).append(rule)

    def moves(self, facts: frozenset[Term], role: str) -> set[str]:
        """The actions that the rules name for ``role`` where exactly ``facts`` hold."""
        rules = self._rules.get(self._shape(facts), ())
        return {a for rule in rules for r, a in rule.moves(facts) if r == role}

    def _shape(self, facts: Iterable[Term]) -> frozenset[tuple[Term, int]]:
        return frozenset(Counter(map(self._blank, facts)).items())

    def _blank(self, fact: Term) -> Term:
        if fact not in self._blanks:
            renaming = dict.fromkeys(self._open, _Anything())
            self._blanks[fact] = _renamed(fact, renaming)  # type: ignore[arg-type]
        return self._blanks[fact]


class _Anything(dict[Term, Term]):
    """A renaming of everything to a blank."""

    def get(self, key: Term, default: Any = None) -> Term:
        return "_"


def _has_variable(term: Term) -> bool:
    if isinstance(term, Var):
        return True
    return isinstance(term, tuple) and any(map(_has_variable, term[1:]))


def _unify(pattern: Term, term: Term, values: dict[Var, Term], new: dict[Var, Term]) -> bool:
    if isinstance(pattern, Var):
        known = values.get(pattern, new.get(pattern))
        if known is None:
            new[pattern] = term
            return True
        return known == term
    if isinstance(pattern, tuple):
        return (
            isinstance(term, tuple)
            and len(term) == len(pattern)
            and term[0] == pattern[0]
            and all(_unify(p, t, values, new) for p, t in zip(pattern[1:], term[1:], strict=True))
        )
    return pattern == term


# --- which constants may be renamed ---------------------------------------------------------


def kinds_of(stage: Stage) -> tuple[Kind, ...]:
    """The kinds of constants: places that share a variable in some rule hold the same kind.

    The players come first.  Only kinds of 2 to 7 constants are given.
    """
    joined = _Places()
    if isinstance(stage.book, Encoding):
        for _ in range(2):  # once more: what was joined late may stand inside what was early
            _join_encoding(stage.book, joined)
    constants: dict[Where, set[Term]] = {}
    texts = [*(("true", fact) for fact in stage.board.facts)]
    texts += [("does", action) for action in stage.board.actions]
    for _, text in texts:
        for where, leaf in _leaves(read_term(text)):
            constants.setdefault(joined.root(where), set()).add(leaf)
            joined.members.setdefault(joined.root(where), set()).add(where)
    roles: set[Term] = set(stage.board.roles)
    kinds = []
    players: set[Where] = set()
    for root, found in constants.items():
        if found <= roles:
            players |= joined.members[root]
        elif 2 <= len(found) <= 7:
            kinds.append(Kind(frozenset(joined.members[root]), _sorted(found)))
    kinds.sort(key=lambda kind: (len(kind.constants), str(kind)))
    return (Kind(frozenset(players), tuple(sorted(map(str, roles)))), *kinds)


def _sorted(terms: Iterable[Term]) -> tuple[Term, ...]:
    return tuple(sorted(terms, key=lambda t: (not isinstance(t, int), shown(t).zfill(12))))


class _Places:
    """Places joined by the variables they share (union-find)."""

    def __init__(self) -> None:
        self._above: dict[Where, Where] = {}
        self.members: dict[Where, set[Where]] = {}

    def root(self, where: Where) -> Where:
        """The name of a place; what stands inside joined places is joined with them."""
        name, way = where
        found: Where = (name, ())
        for step in way:
            found = (found[0], (*found[1], step))
            while self._above.get(found, found) != found:
                found = self._above[found]
        return found

    def join(self, one: Where, two: Where) -> None:
        above, below = self.root(two), self.root(one)
        if above != below and above[1][: len(below[1])] != below[1]:
            self._above[below] = above


def _join_encoding(book: Encoding, joined: _Places) -> None:
    """Join the places of facts, actions and other predicates that share a variable."""
    ast = asp.syntax()
    for statement in book.statements:
        trees, _ = asp.parsed(statement.text)
        for tree in trees:
            if tree.ast_type != ast.ASTType.Rule:
                continue
            seen: dict[str, Where] = {}

            class Look(ast.Transformer):  # type: ignore[misc,name-defined]
                def visit_SymbolicAtom(self, node: object) -> object:
                    symbol = node.symbol  # type: ignore[attr-defined]
                    for where, name in _symbol_places(ast, symbol):
                        if name in seen:  # noqa: B023
                            joined.join(where, seen[name])  # noqa: B023
                        seen[name] = where  # noqa: B023
                    return node

            Look().visit(tree)


_WRAPPERS = {"true": 0, "next": 0, "init": 0, "base": 0, "does": 1, "legal": 1, "input": 1}


def _symbol_places(ast: object, symbol: object) -> Iterator[tuple[Where, str]]:
    """The variables of an atom with their places; ``true(F)`` counts as F itself."""
    kind = ast.ASTType  # type: ignore[attr-defined]
    if symbol.ast_type != kind.Function:  # type: ignore[attr-defined]
        return
    name, arguments = symbol.name, list(symbol.arguments)  # type: ignore[attr-defined]
    if name in _WRAPPERS and len(arguments) > _WRAPPERS[name]:
        if _WRAPPERS[name] == 1 and arguments[0].ast_type == kind.Variable:
            yield ("role", (1,)), arguments[0].name
        inner = arguments[_WRAPPERS[name]]
        if inner.ast_type == kind.Function:
            yield from _symbol_places(ast, inner)
        return

    def walk(node: object, way: tuple[int, ...]) -> Iterator[tuple[Where, str]]:
        if node.ast_type == kind.Variable:  # type: ignore[attr-defined]
            if node.name != "_":  # type: ignore[attr-defined]
                yield (name, way), node.name  # type: ignore[attr-defined]
        elif node.ast_type == kind.Function:  # type: ignore[attr-defined]
            for i, part in enumerate(node.arguments, start=1):  # type: ignore[attr-defined]
                yield from walk(part, (*way, i))

    for i, part in enumerate(arguments, start=1):
        yield from walk(part, (i,))


def _leaves(term: Term, way: tuple[int, ...] = (), root: str = "") -> Iterator[tuple[Where, Term]]:
    if isinstance(term, tuple):
        root = root or str(term[0])
        for i, part in enumerate(term[1:], start=1):
            yield from _leaves(part, (*way, i), root)
    elif way:
        yield (root, way), term


# --- renaming states, lifting rules --------------------------------------------------------------


class Lifting:
    """The renamings of some kinds, acting on the states and moves of a stage."""

    def __init__(self, stage: Stage, kinds: Sequence[Kind]) -> None:
        self.stage, self.kinds = stage, tuple(kinds)
        size = math.prod(_factorial(len(kind.constants)) for kind in kinds)
        if size > _MOST_ELEMENTS:
            raise Refused(f"{stage.name}: {size:,} renamings are too many to lift over")

    @cached_property
    def _elements(self) -> list[tuple[NDArray[np.int64], NDArray[np.int64], dict[Term, Term]]]:
        """Fact and action images (-1 where there is none) of each renaming, identity first."""
        board = self.stage.board
        facts = [read_term(fact) for fact in board.facts]
        actions = [read_term(action) for action in board.actions]
        fact_place = {fact: i for i, fact in enumerate(facts)}
        action_place = {action: i for i, action in enumerate(actions)}
        found = []
        players = set(map(str, board.roles))
        for images in product(*(permutations(kind.constants) for kind in self.kinds)):
            renaming: dict[Where, dict[Term, Term]] = {}
            roles: dict[Term, Term] = {}
            for kind, image in zip(self.kinds, images, strict=True):
                table = dict(zip(kind.constants, image, strict=True))
                renaming.update(dict.fromkeys(kind.places, table))
                if set(map(str, kind.constants)) == players:
                    roles = table
            moved = [fact_place.get(_renamed(f, renaming), -1) for f in facts]
            acted = [action_place.get(_renamed(a, renaming), -1) for a in actions]
            found.append((np.array(moved, np.int64), np.array(acted, np.int64), roles))
        return found

    def images(self, state: int, move: int) -> Iterator[tuple[int, int]]:
        """The pairs (state, move) of the game that are renamings of this one."""
        stage = self.stage
        words = stage.states.shape[1]
        held = np.array(bits_of(stage.states[state]), np.int64)
        action = int(stage.board_action[stage.arena.action[move]])
        role = stage.mover_name(state)
        done: set[tuple[int, int]] = set()
        for moved, acted, roles in self._elements:
            to = moved[held]
            if acted[action] < 0 or (to < 0).any():
                continue
            like = stage.row.get(tuple(words_of(to.tolist(), words).tolist()))
            if like is None or stage.arena.mover[like] < 0:
                continue
            if stage.mover_name(like) != str(roles.get(role, role)):
                continue
            name = stage.board.actions[int(acted[action])]
            for other in stage.moves_of(like):
                if stage.action_name(other) == name and (like, other) not in done:
                    done.add((like, other))
                    yield like, other

    def is_sound(self, state: int, move: int) -> bool:
        """Whether every renaming that the game knows is an optimal move."""
        return all(bool(self.stage.arena.optimal[m]) for _, m in self.images(state, move))

    def rule(self, state: int, move: int) -> BestDo:
        """The lifted rule of a move in a state."""
        stage = self.stage
        table: dict[Where, dict[Term, Var]] = {}
        names: list[dict[Term, Var]] = []
        players = set(map(str, stage.board.roles))
        role_table: dict[Term, Var] = {}
        for kind, letter in zip(self.kinds, "PQRSTUV", strict=False):
            variables = {c: Var(f"{letter}{i}") for i, c in enumerate(kind.constants, start=1)}
            names.append(variables)
            for place in kind.places:
                table[place] = variables
            if set(map(str, kind.constants)) == players:
                role_table = variables
        facts = tuple(_lifted(read_term(fact), table) for fact in sorted(stage.facts(state)))
        role: Term = stage.mover_name(state)
        action = _lifted(read_term(stage.action_name(move)), table)
        used = {v for fact in facts for v in _all_variables(fact)}
        distinct = tuple(
            group
            for variables in names
            if len(group := tuple(v for v in variables.values() if v in used)) > 1
        )
        head = role_table.get(role, role)
        if isinstance(head, Var) and head not in used:
            head = role
        return BestDo(head, action, facts, distinct)


def sound_kinds(stage: Stage, kinds: Sequence[Kind]) -> tuple[Kind, ...]:
    """Of ``kinds`` those whose swaps of two constants send optimal moves to optimal moves.

    Tried on states spread over the game; a renamed state need not be one that play reaches, so
    the game is solved from it.  A kind whose renamings are no states of the game is left out.
    """
    arena = stage.arena
    live = np.flatnonzero(arena.mover >= 0)
    sample = live[:: max(1, len(live) // _SAMPLE)]
    chosen: list[Kind] = []
    for kind in kinds:
        if _factorial(len(kind.constants)) > _MOST_ELEMENTS:
            continue
        size = math.prod(_factorial(len(k.constants)) for k in chosen)
        if size * _factorial(len(kind.constants)) > _MOST_ELEMENTS:
            continue
        verdicts = [
            _swap_keeps(stage, kind, pair, int(state))
            for pair in combinations(kind.constants, 2)
            for state in sample
        ]
        if any(verdicts) and False not in verdicts:
            chosen.append(kind)
    return tuple(chosen)


def _swap_keeps(stage: Stage, kind: Kind, pair: tuple[Term, ...], state: int) -> bool | None:
    """Whether swapping two constants keeps the optimal moves of a state; None for no image."""
    board, arena = stage.board, stage.arena
    table: dict[Term, Term] = {pair[0]: pair[1], pair[1]: pair[0]}
    renaming = dict.fromkeys(kind.places, table)
    facts = {read_term(fact): i for i, fact in enumerate(board.facts)}
    images = [facts.get(_renamed(read_term(fact), renaming)) for fact in stage.facts(state)]
    known_images = [image for image in images if image is not None]
    if len(known_images) < len(images):
        return None
    initial = words_of(known_images, board.words)
    there = arena_of_board(replace(board, initial=initial), False)
    if there.mover[0] < 0:
        return False
    best = {
        _renamed(read_term(stage.action_name(m)), renaming)
        for m in stage.moves_of(state)
        if arena.optimal[m]
    }
    legal = range(int(there.first[0]), int(there.first[1]))
    known = [m for m in legal if read_term(there.actions[int(there.action[m])]) in best]
    return all(bool(there.optimal[m]) for m in known) if known else None


def _factorial(n: int) -> int:
    return n * _factorial(n - 1) if n > 1 else 1


def _renamed(term: Term, renaming: dict[Where, dict[Term, Term]]) -> Term:
    def walk(part: Term, way: tuple[int, ...], root: str) -> Term:
        if isinstance(part, tuple):
            inner = enumerate(part[1:], start=1)
            return (part[0], *(walk(p, (*way, i), root or str(part[0])) for i, p in inner))
        return renaming.get((root, way), {}).get(part, part)

    return walk(term, (), "")


def _lifted(term: Term, table: dict[Where, dict[Term, Var]]) -> Term:
    return _renamed(term, table)  # type: ignore[arg-type]


def _all_variables(term: Term) -> Iterator[Var]:
    if isinstance(term, Var):
        yield term
    elif isinstance(term, tuple):
        for part in term[1:]:
            yield from _all_variables(part)


@dataclass(frozen=True)
class RuleSet:
    """Rules that are right in every state of the game they were learned on.

    ``plain`` of them kept their constants, because a renaming would be wrong.  ``wrong`` counts
    the decision points that gave no rule: Algorithm 3 compares what is left after it has ruled
    moves out, so its better move need not be a best one.
    """

    rules: tuple[BestDo, ...]
    plain: int
    wrong: int


def lifted(stage: Stage, kinds: Sequence[Kind], points: Iterable[tuple[int, int]]) -> RuleSet:
    """The rules of decision points (state, better move), each once, lifted where that is sound."""
    lifting, plain = Lifting(stage, kinds), Lifting(stage, ())
    rules: dict[BestDo, None] = {}
    covered: set[tuple[int, int]] = set()
    kept = wrong = 0
    for state, move in points:
        if (state, move) in covered:
            continue
        covered.add((state, move))
        if not stage.arena.optimal[move]:
            wrong += 1
            continue
        use = lifting if lifting.is_sound(state, move) else plain
        kept += use is plain
        covered.update(use.images(state, move))
        rules.setdefault(use.rule(state, move))
    return RuleSet(tuple(rules), kept, wrong)


def written_rules(rules: Sequence[BestDo]) -> str:
    """Rules as a program to run beside the game: the best move is made where one is known."""
    lines = [rule.asp() for rule in rules]
    lines += [
        "known :- best_do(P,A), legal(P,A).",
        ":- known, does(P,A), not best_do(P,A).",
    ]
    return "\n".join(lines) + "\n"
