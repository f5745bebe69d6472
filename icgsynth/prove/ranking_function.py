"""Termination: a lexicographic linear ranking function, synthesised and proved.

Each component is a linear function of the variables (where they alone do not suffice, of
their absolute values and differences as well, or of their remainders) that is bounded below
wherever a move exists, never increases along the moves that all earlier components leave equal,
and decreases along some of them; when no such move is left, every play ends.

Weights come from linear programs over sampled moves: they decrease along as many of them as
possible, and of such weights the smallest are taken (Alias, Darte, Feautrier and Gonnord, SAS
2010).  The deciders prove a candidate or return a move that it fails on, which becomes a sample.
Where no weights decrease along any sample, the variables have no such function.  Once a candidate
has failed, moves from small states are looked at as well, before the deciders: they cost less."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import gcd, lcm, prod
from random import Random

from icgsynth.budget import Budget
from icgsynth.game.game import Action, Move, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, substitute, walk
from icgsynth.logic.evaluate import value
from icgsynth.logic.ranges import sides_of
from icgsynth.logic.simplify import linear_sum
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.deciders.smt import LinearRow, maximum

Weights = tuple[int, ...]
_ATTEMPTS = 200  # weight vectors put to the deciders for one component
_LARGEST = (4, 10_000)  # weights, where the smallest decrease is 1; the second if need be
_FAR = 1_000  # times as low as the rules explain: such a term has no lower bound
_DISTANCES = 12  # variables at most for their distances to be looked at, which are many
_REMAINDERS = 12  # that are looked at, at most
_CASES = 32  # of variables with few values, in a table
_SMALL = range(6)  # coordinates and parameters of sampled moves
_STATES, _MOVES = 40, 8  # sampled; moves are tried of each action


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking function: components in order of precedence, each bounded below if moves exist."""

    components: tuple[t.Term, ...]
    bounds: tuple[int, ...]

    def __str__(self) -> str:
        shown = [str(c) for c in self.components]
        return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"

    @property
    def claim(self) -> str:
        """Return the statement that the ranking makes about every move."""
        return "no action ever applies" if self == NO_MOVES else f"{self} decreases with every move"


# Where no action ever applies, a constant decreases with every move: there is none.
NO_MOVES = Ranking((t.Int(0),), (0,))


def find_ranking(game: ParametricGame, budget: Budget) -> Ranking | None:
    """Return a ranking function that is proved to fall with every move; None if none is found."""
    changed = {v for a in game.actions for v, term in game.after(a).items() if term != t.Name(v)}
    variables = [t.Name(v) for v in game.variables if v in changed]
    bases: list[tuple[list[t.Term], list[t.Term]]] = [([*variables], [])]
    if distances := _distances(game, changed):
        bases.append(([*variables], distances))
    if remainders := _remainders(game, variables):
        bases.append(([*variables, *remainders], []))
    if flags := _flags(game, changed):
        bases.append(([*variables], flags))
    for signed, more in bases:
        with suppress(_Unknown):
            found = _find(_Search(game, budget, signed, more))
            if found is not None:
                return found
    return None


def _remainders(game: ParametricGame, variables: Sequence[t.Term]) -> list[t.Term]:
    nodes = (node for formula in game.formulas() for node in walk(formula))
    divisors = {n.divisor for n in nodes if isinstance(n, t.Mod) and isinstance(n.divisor, t.Int)}
    found: list[t.Term] = [t.Mod(v, d) for v in variables for d in sorted(divisors, key=str)]
    return found if len(found) <= _REMAINDERS else []


def _flags(game: ParametricGame, changed: set[str]) -> list[t.Term]:
    """Return terms that are 1 in one case and else 0: a case is one choice of values for those of
    the ``changed`` variables (those that moves change) that have few values."""
    ends = zip(game.variables, sides_of(game.legal, game.variables), strict=True)
    small = [(v, *s) for v, s in ends if s and v in changed and s[1] - s[0] < _CASES]
    few = sorted(((t.Name(v), range(lo, hi + 1)) for v, lo, hi in small), key=lambda f: len(f[1]))
    while prod(len(side) for _, side in few) > _CASES:
        few.pop()  # the one with the most values
    each = product(*([t.compare(v, "=", n) for n in side] for v, side in few))
    return [t.If(conjunction(case), t.Int(1), t.Int(0)) for case in each if case]


def _distances(game: ParametricGame, changed: set[str]) -> list[t.Term]:
    """Return |v| and |v - w| for the variables v that moves change (``changed``); [] for many."""
    if len(game.variables) > _DISTANCES:
        return []
    pairs = combinations(game.variables, 2)
    return [
        *(t.Abs(t.Name(v)) for v in game.variables if v in changed),
        *(t.Abs(t.Sum((t.Name(v), t.Neg(t.Name(w))))) for v, w in pairs if changed & {v, w}),
    ]


def _find(search: _Search) -> Ranking | None:
    components: list[t.Term] = []
    bounds: list[int] = []
    while search.samples:
        found = search.component()
        if found is None:
            return None
        components.append(found[0])
        bounds.append(found[1])
    return Ranking(tuple(components), tuple(bounds)) if components else NO_MOVES


@dataclass
class _Search:
    """The search for components: the moves still to be ranked, equal under all earlier ones.

    Of each action that has such moves, ``samples`` holds how much some of them make the basis
    drop, in lowest terms.  ``rays`` are directions in which a candidate falls without end."""

    game: ParametricGame
    budget: Budget
    variables: Sequence[t.Term]  # with weights of either sign
    distances: Sequence[t.Term]  # with weights of at least 0
    chosen: list[Weights] = field(default_factory=list)
    equal: dict[str, list[t.Formula]] = field(default_factory=dict)
    samples: dict[str, list[Weights]] = field(default_factory=dict)
    rays: list[Weights] = field(default_factory=list)
    has_failed: bool = False

    def __post_init__(self) -> None:
        self.basis = (*self.variables, *self.distances)
        for action in self.game.actions:
            self.equal[action.name] = []
            self.samples[action.name] = []
            self._sample_again(action)

    def component(self) -> tuple[t.Term, int] | None:
        """Return the next component, (term, lower bound); None if none is found.
        It rises along no open move, that is, no move that leaves all earlier components equal."""
        for _ in range(_ATTEMPTS):
            weights = self._best()
            if weights is None:
                return None
            if self.has_failed and self._increases_nearby(weights):
                continue
            term = linear_sum(dict(zip(self.basis, weights, strict=True)))
            self.has_failed = self._increases(term, weights)
            bound = None if self.has_failed else self._lower_bound(term, weights)
            if bound is not None:
                self._leave_equal(term, weights)
                return term, bound
        return None

    # --- candidates ---------------------------------------------------------------------------

    def _best(self) -> Weights | None:
        """Return small weights with which the basis falls along most samples; None without any."""
        drops = sorted({drop for found in self.samples.values() for drop in found})
        if not all(map(any, drops)):
            return None  # a move that changes nothing
        plain = (1,) * len(self.variables) + (0,) * len(self.distances)
        if not (self.chosen or self.rays) and all(_dot(plain, drop) > 0 for drop in drops):
            return plain
        for largest in _LARGEST:
            strict = self._most_strict(drops, max(largest, len(self.basis)))
            if strict:
                return self._smallest(drops, strict)
        return None

    def _most_strict(self, drops: Sequence[Weights], largest: int) -> set[Weights]:
        """Return as many of ``drops`` as possible along which one weighted sum falls by 1 or more.
        A drop says how much each term of the basis falls along a move.  The weights are at most
        ``largest`` in size, and their sum rises along no drop."""
        width = len(self.basis) + len(self.variables)
        places = {drop: width + i for i, drop in enumerate(drops)}
        rows = [LinearRow({i: -1}, -largest) for i in range(width)]
        for drop, place in places.items():
            rows.append(LinearRow(self._columns(drop) | {place: -1}, 0))
            rows.append(LinearRow({place: -1}, -1))
        goal = dict.fromkeys(places.values(), 1)
        found = maximum(goal, (*rows, *self._list_bounds()), self.budget)
        return {drop for drop, place in places.items() if found and found[place] == 1}

    def _smallest(self, drops: Sequence[Weights], strict: set[Weights]) -> Weights | None:
        """Return the smallest integer weights with which the sum of the basis falls along each drop
        in ``strict`` and rises along none of ``drops``; None without any.  A drop says how much
        each term of the basis falls along a move."""
        count, signed = len(self.basis), len(self.variables)
        rows = [LinearRow(self._columns(drop), int(drop in strict)) for drop in drops]
        # Of two that are as small, the one with more variables and fewer negative weights.
        cost = {i: -101 if i >= signed else -100 for i in range(count + signed)}
        found = maximum(cost, (*rows, *self._list_bounds()), self.budget)
        if found is None:
            return None
        weights = [found[i] - found.get(count + i, 0) for i in range(count)]
        common = lcm(*(w.denominator for w in weights))
        return _lowest_terms(int(w * common) for w in weights)

    def _columns(self, values: Weights) -> dict[int, int]:
        """Return the coefficients, by column of a linear program, of a weighted sum of ``values``;
        a weight of either sign is the difference of two columns."""
        count, signed = len(self.basis), len(self.variables)
        negative = {count + i: -value for i, value in enumerate(values[:signed])}
        return dict(enumerate(values)) | negative

    def _list_bounds(self) -> Iterator[LinearRow]:
        """Yield a linear inequality for each ray: the weighted sum must not fall along it."""
        return (LinearRow(self._columns(ray), 0) for ray in self.rays)

    # --- moves --------------------------------------------------------------------------------

    def _increases_nearby(self, weights: Weights) -> bool:
        """Return whether the sum with ``weights`` rises along an open move of :attr:`walks`; the
        moves by which it rises most become samples."""
        found = False
        for name, drops in self.samples.items():
            walks = [d for d in self.walks[name] if not any(_dot(w, d) for w in self.chosen)]
            worst = min(walks, key=lambda d: _dot(weights, d), default=weights)
            if _dot(weights, worst) < 0:
                drops.append(worst)
                found = True
        return found

    @cached_property
    def walks(self) -> dict[str, list[Weights]]:
        """Return by action how much each basis term drops along some moves from small states."""
        rng, found = Random(0), {action.name: set[Weights]() for action in self.game.actions}
        for _ in range(_STATES):
            here = tuple(rng.choices(_SMALL, k=len(self.game.variables)))
            # Quantifiers, and what is divided by 0, have no value: such rules give no samples.
            with suppress(ValueError, ZeroDivisionError):
                if self.budget.is_spent or not self.game.is_legal(here):
                    continue
                for action in self.game.actions * _MOVES:
                    move = Move(
                        action.name, tuple((p, rng.choice(_SMALL)) for p in action.parameters)
                    )
                    if self.game.applies(here, move):
                        states = map(self.game.env, (here, self.game.result(here, move)))
                        found[action.name].add(self._drops(*states))
        return {name: sorted(drops) for name, drops in found.items()}

    def _drop(self, term: t.Term, action: Action) -> t.Term:
        there = substitute(term, self.game.after(action))
        return t.Sum((term, t.Neg(there)))

    def _open_move(self, action: Action, *more: t.Formula) -> dict[str, int] | None:
        """Return numbers by name, of variables and parameters, at which an open move of ``action``
        and ``more`` holds; None if there are none.  Raises _Unknown if that is not decided."""
        parts = (self.game.legal, self.game.applicable(action), *self.equal[action.name], *more)
        names = (*self.game.variables, *action.parameters)
        answer = decide(parts, names, self.budget)
        if answer.kind == "unknown":
            raise _Unknown
        return dict(answer.model) if answer.model is not None else None

    def _sample_again(self, action: Action) -> None:
        """Add an open move of ``action`` to the samples; without one, drop ``action`` from them."""
        model = self._open_move(action)
        if model is None:
            del self.equal[action.name], self.samples[action.name]
        else:
            self._sample(action, model)

    def _sample(self, action: Action, model: dict[str, int]) -> None:
        after = {v: value(term, model) for v, term in self.game.after(action).items()}
        self.samples[action.name].append(self._drops(model, after))

    def _drops(self, here: Mapping[str, int], there: Mapping[str, int]) -> Weights:
        """Return how much each term of the basis falls between two states, in lowest terms."""
        return _lowest_terms(value(b, here) - value(b, there) for b in self.basis)

    def _changes(self, action: Action, term: t.Term) -> bool:
        after = self.game.after(action)
        return any(after[name] != t.Name(name) for name in free_names(term))

    def _increases(self, term: t.Term, weights: Weights) -> bool:
        """Return whether ``term``, the basis with ``weights``, rises along an open move.  For each
        action such a move becomes a sample."""
        found = False
        much = _FAR * sum(map(abs, weights))
        for action in map(self.game.action, self.equal):
            if not self._changes(action, term):
                continue
            drop = self._drop(term, action)
            model = self._open_move(action, t.compare(drop, "<", 0))
            if model is None:
                continue
            found = True
            with suppress(_Unknown):
                # Where a move may add any number, larger and larger weights are not tried.
                model = self._open_move(action, t.compare(drop, "<", -much)) or model
            self._sample(action, model)
        return found

    def _lower_bound(self, term: t.Term, weights: Weights) -> int | None:
        """Return b with ``term`` >= b in each state with an open move (see :meth:`component`);
        None if none of a few b tried is proved.  Then a far state, where ``term`` (the basis
        terms, weighted by ``weights``) is very low, gives a new direction in ``rays``."""
        size = sum(map(abs, weights))
        depth = 4 * sum(self.game.integers) + 1_000
        lowest: dict[str, int] = {}
        for bound in (0, -16, -depth * size, -_FAR * depth * size):
            below = self._below(term, bound)
            if below is None:
                return bound
            lowest = below
        far = (value(b, lowest) for b in self.basis)
        self.rays.append(tuple(int(Fraction(x, depth)) for x in far))
        return None

    def _below(self, term: t.Term, bound: int) -> dict[str, int] | None:
        """Return an open move, numbers by name, from a state with ``term < bound``; else None."""
        lower = t.compare(term, "<", bound)
        if decide((self.game.legal, lower), self.game.variables, self.budget).kind == "unsat":
            return None
        for action in map(self.game.action, self.equal):
            model = self._open_move(action, lower)
            if model is not None:
                return model
        return None

    def _leave_equal(self, term: t.Term, weights: Weights) -> None:
        """Make ``term``, of these ``weights``, a component; open stay moves that leave it equal."""
        self.chosen.append(weights)
        for action in map(self.game.action, list(self.equal)):
            if self._changes(action, term):
                self.equal[action.name].append(t.compare(self._drop(term, action), "=", 0))
                kept = [d for d in self.samples[action.name] if not _dot(weights, d)]
                self.samples[action.name] = kept
                if not kept:
                    self._sample_again(action)


class _Unknown(Exception):
    """Raised where the solver could not decide."""


def _dot(weights: Weights, values: Weights) -> int:
    return sum(w * x for w, x in zip(weights, values, strict=True))


def _lowest_terms(numbers: Iterable[int]) -> Weights:
    given = tuple(numbers)
    common = gcd(*given) or 1
    return tuple(n // common for n in given)
