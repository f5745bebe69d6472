"""The inputs of every stage of a search: checked rules, a budget, and boxes of states.

Legal states may be far from 0, as between 10^20 and 10^20 + 40.  After a shift of the variables the
rules are about small numbers, for which states can be labelled and formulas learned.

The stages are functions from frozen values to frozen values.  If the search is stopped after
a stage, the method ``so_far`` of its value returns an answer of status "unknown" with all that is
known then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import inf, prod

from icgsynth.budget import Budget, Progress
from icgsynth.digits.int64 import spoken_count
from icgsynth.errors import Refused
from icgsynth.explicit.box import Box
from icgsynth.game.answers import Verdict
from icgsynth.game.game import Action, ParametricGame, PlayRule
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, conjuncts, free_names, rebuild, substitute
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.ranges import box_of, linear, ranges, sides_of
from icgsynth.logic.simplify import simplified, simplified_term
from icgsynth.prove.well_formed import RulesReport

# The verdicts on the parts of an answer before any formula is proved.
OPEN = {"winning": Verdict.UNKNOWN, "strategy": Verdict.UNKNOWN}


@dataclass(frozen=True)
class Run:
    """The settings and records of one search: rule of play, budget, progress, times, notes.
    ``seconds`` has the time that each part of the work took, ``notes`` what was tried in vain."""

    rule: PlayRule
    budget: Budget
    progress: Progress
    seconds: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @contextmanager
    def measure(self, part: str) -> Iterator[None]:
        """Add the seconds that the ``with`` block takes to the entry ``part`` of ``seconds``."""
        start = self.budget.runtime
        try:
            yield
        finally:
            spent = self.budget.runtime - start
            self.seconds[part] = self.seconds.get(part, 0.0) + spent

    def times(self) -> dict[str, float]:
        """Return the seconds that each part of the search took so far; "total" is all of it."""
        return {"total": self.budget.runtime, **self.seconds}


@dataclass(frozen=True)
class CheckedRules:
    """Checked rules of a game, with the report of proofs about them, under a rule of play."""

    rule: PlayRule
    report: RulesReport

    @property
    def game(self) -> ParametricGame:
        return self.report.game

    def proof(self) -> dict[str, Verdict]:
        """Return the verdicts on the claims "closure", "ending" and "termination" of the rules."""
        return {part: found.verdict for part, found in self.report.findings.items()}

    def so_far(self) -> Solution:
        return Solution(
            game=self.game,
            rule=self.rule,
            status="unknown",
            ranking=self.report.components,
            proof=self.proof() | OPEN,
            confirmed=self.report.confirmed,
            written=self.report.written,
            cycle=self.report.cycle or (),
        )


_LARGEST = (200, 5_000)  # largest constant that boxes reach past; the second for one variable
_MOVES = 100_000_000  # most moves in the first box of many variables: some 10 s to list
_APART = 100  # distance above the numbers of the rules, so that no formula fits by chance
_ENDLESS = 1_000_000  # numbers in the rules that no box reaches


def _whole(game: ParametricGame) -> list[tuple[int, int] | None]:
    """Return for each variable its range (low, high) if that is small, so that boxes hold all of
    it, or one legal number if the rules do not depend on it; None for other variables."""
    most = {1: 4_000, 2: 60, 3: 24}.get(len(game.variables), 10)
    sides = sides_of(game.legal, game.variables)
    small = [side if side and side[1] - side[0] <= most else None for side in sides]
    return [s or _alike(game, v) for v, s in zip(game.variables, small, strict=True)]


def _alike(game: ParametricGame, variable: str) -> tuple[int, int] | None:
    """Return (n, n), n a legal value of ``variable``, if no rule depends on it; else None."""
    effects = [effect for action in game.actions for effect in action.effects]
    read = [game.end, *(action.precondition for action in game.actions)]
    about = [part for part in conjuncts(game.legal) if variable in free_names(part)]
    if (
        any(v == variable and term != t.Name(variable) for v, term in effects)
        or any(variable in free_names(part) for part in read)
        or any(variable in free_names(term) for v, term in effects if v != variable)
        or any(free_names(part) != {variable} for part in about)
    ):
        return None
    first = _APART + max((n for n in game.integers if n < _ENDLESS), default=0)
    for number in range(first, first + _APART):
        for signed in (number, -number):
            if satisfies(conjunction(about), {variable: signed}):
                return signed, signed
    return None


def free(game: ParametricGame) -> list[int]:
    """Return the indices of the variables of large or infinite range, which boxes cut off."""
    return [i for i, side in enumerate(_whole(game)) if side is None]


def sides(game: ParametricGame, bound: int) -> tuple[tuple[int, int], ...]:
    """Return by variable its range (low, high) in a box: all of a small range, of a large or
    infinite one the part within ``[-bound, bound]``."""
    clipped = box_of(game.legal, game.variables, bound)
    return tuple(w or c for w, c in zip(_whole(game), clipped, strict=True))


def box_within(game: ParametricGame, bound: int, most: float = inf) -> Box:
    """Return the box of legal states to learn from, whose large ranges end at +-``bound`` (see
    :func:`sides`).  :class:`~icgsynth.errors.Refused` for more than ``most`` cells, and for a box
    far from 0: there the variables are shifted first (:func:`nearer`)."""
    box = Box(game.variables, sides(game, bound), game.legal)
    if box.is_far:
        raise Refused("the states are too far from 0 to learn from")
    if box.cells > most:
        raise Refused(f"{spoken_count(box.cells)} states are too many to label")
    return box


def bounds(game: ParametricGame) -> Iterator[int]:
    """Yield rising bounds b for boxes to learn formulas from: unbounded variables go from -b to b
    there.  Formulas are then checked in a box of twice the bound."""
    unbounded = len(free(game))
    if not unbounded:
        yield max(abs(end) for side in _whole(game) for end in side or (0,))
        return
    largest = min(_LARGEST[unbounded == 1], max(game.integers, default=0))
    start, grow = {1: (30, 4.0), 2: (30, 1.8), 3: (10, 1.6)}.get(unbounded, (6, 1.5))
    if unbounded == 1:
        start = max(start, 3 * largest + 10)
    elif unbounded == 2:
        start = min(60, max(start, largest + 6))
    if unbounded > 3 and _moves(game, 2 * start) > _MOVES:
        yield start // 2  # labelling the larger box may take all the time
    for _ in range(4 if unbounded == 2 else 3):
        yield start
        start = int(start * grow)


def _moves(game: ParametricGame, bound: int) -> int:
    """Return an estimate of the number of moves in the box of half-width ``bound``."""
    states = prod(hi - lo + 1 for lo, hi in sides(game, bound))
    counts = [len(action.parameters) for action in game.actions]
    return sum(states * bound**count // 2**count for count in counts)


# Numbers that no box of a search reaches, by the number of variables.
_FAR = {1: 15_000}
_FAR_OF_SEVERAL = 1_000  # number that no box of two or more variables reaches


@dataclass(frozen=True)
class Recounted:
    """A game with its variables shifted or reversed, and the terms to translate back.  ``terms``
    give the variables of ``game`` by variables of the original rules."""

    game: ParametricGame
    terms: Mapping[str, t.Term]

    @staticmethod
    def of(
        game: ParametricGame, terms: Mapping[str, t.Term], given: Mapping[str, t.Term]
    ) -> Recounted:
        """Return ``game`` rewritten in new variables: ``terms`` has for each new variable its term
        over the old ones, ``given`` for each old variable its term over the new ones."""
        there = game.mapped(lambda node: put(node, given))
        actions = tuple(_recount(action, terms) for action in there.actions)
        return Recounted(replace(there, actions=actions), terms)

    def back(self, node: t.Kind) -> t.Kind:
        """Return ``node``, a term or formula over the shifted variables, over the original ones."""
        return put(node, self.terms)


def nearer(game: ParametricGame) -> Recounted | None:
    """Return ``game`` with each variable whose values all are far from 0 shifted by a constant, so
    that its range begins or ends at 0; None if there is no such variable."""
    ends, far = dict[str, int](), _FAR.get(len(game.variables), _FAR_OF_SEVERAL)
    for name, (low, high) in ranges(game.legal, game.variables, {}).items():
        if isinstance(low, int) and low > far:
            ends[name] = low
        elif isinstance(high, int) and high < -far:
            ends[name] = low if isinstance(low, int) else high
    if not ends:
        return None
    terms = {name: t.Sum((t.Name(name), t.Int(-end))) for name, end in ends.items()}
    given = {name: t.Sum((t.Name(name), t.Int(end))) for name, end in ends.items()}
    return Recounted.of(game, terms, given)


def _recount(action: Action, terms: Mapping[str, t.Term]) -> Action:
    """Return ``action``, each effect ``x := e`` made ``x := terms[x]`` with e in place of x."""
    effects = [
        (name, put(substitute(terms[name], {name: term}), {}) if name in terms else term)
        for name, term in action.effects
    ]
    return replace(action, effects=tuple(effects))


def put(node: t.Kind, terms: Mapping[str, t.Term]) -> t.Kind:
    """Return the term or formula ``node`` with each name in ``terms`` replaced by its term there;
    like summands are collected, and a formula is simplified."""
    found = _collect(substitute(node, terms))
    return simplified(found) if isinstance(found, t.Formula) else found


def _collect(node: t.Kind) -> t.Kind:
    """Return ``node`` with like summands collected: ``(9 - a) - (9 - b)`` becomes ``b - a``."""
    # A constant under ``mod`` is reduced below the divisor, and a constant in a chain of
    # comparisons is subtracted from all its terms: ``9 <= a + 9 <= 12`` is ``0 <= a <= 3``.
    whole = rebuild(node, tuple([_collect(part) for part in t.children(node)]))
    if isinstance(whole, t.Compare) and len(whole.ops) > 1:
        more = next((f.constant for f in map(linear, whole.terms) if f.factors), 0)
        moved = [simplified_term(t.Sum((term, t.Int(-more)))) for term in whole.terms]
        return rebuild(whole, tuple(moved)) if more else whole
    if isinstance(whole, t.Mod) and isinstance(whole.divisor, t.Int):
        form, divisor = linear(whole.arg), whole.divisor.value
        less = abs(form.constant) // divisor * divisor if divisor > 0 else 0
        if less:
            fewer = t.Int(-less if form.constant > 0 else less)
            whole = replace(whole, arg=t.Sum((whole.arg, fewer)))
            return rebuild(whole, (simplified_term(whole.arg), whole.divisor))
    return simplified_term(whole) if isinstance(whole, t.Term) else whole
