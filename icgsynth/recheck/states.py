"""Legal states to check an answer at: of every magnitude, and next to every boundary.

A state begins as random numbers, many of them small or next to an integer of the rules or the
answer.  Then some comparisons are made just true or just false: each is solved for one of the
variables.  Comparisons that stand together in a conjunction are solved together, so that an
exception at ``a = 10^20 + 1 and b = 3`` is met.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from icgsynth.game import ParametricGame, State
from icgsynth.recheck.boundaries import Form, Limit, Reader, Scope, combine, required
from icgsynth.solution import Solution
from icgsynth.strategy import Rule
from icgsynth.term import And, Formula, Name, Node, Or, Quantified, Term, children

__all__ = ["Aims", "States"]

REACH = 10**30
_MOST_AIMS = 400  # comparisons, and conjunctions, that states are placed next to
_TOGETHER = 10  # comparisons solved at once
_ROUNDS = 8  # of narrowing the bounds of the variables
_ATTEMPTS = 6  # draws for each state wanted, at most
_PATIENCE = 1_500  # draws without a state, after which there seem to be no more
_WORDS = (2**31, 2**32, 2**53, 2**62, 2**63, 2**64, 10**18, 10**20)  # where machines go wrong


class Aims(Reader):
    """Collects comparisons to solve, and those that stand together.

    Unlike in a plain :class:`Reader`, a quotient is an unknown of its own, so that remainders are
    met exactly; so are quantified names and functions of digits.
    """

    def __init__(self) -> None:
        super().__init__()
        self.together: dict[tuple[Form, ...], None] = {}

    @staticmethod
    def of(game: ParametricGame, solution: Solution) -> Aims:
        """The comparisons of the rules and of the answer, moves and what they lead to included."""
        aims = Aims()
        variables = {v: [Form.of(Name(v))] for v in game.variables}
        aims.unknowns |= {Name(v) for v in game.variables}
        said = [claim.formula for claim in (solution.losing, solution.winning) if claim is not None]
        for formula in (game.legal, game.end, *said, *solution.cover):
            aims.formula(formula, variables)
        for rule in (*solution.strategy, *solution.tree):
            aims.formula(rule.when, variables)
            for _, term in rule.act.arguments if isinstance(rule, Rule) else ():
                aims.term(term, variables)
        for action in game.actions:
            scope = variables | {p: [aims.unknown(p)] for p in action.parameters}
            aims.formula(action.precondition, scope)
            for case in said[0].args if isinstance(said[0], Or) else said[:1]:
                aims.formula(And((action.precondition, case)), scope)
            after = variables | {v: aims.term(term, scope) for v, term in action.effects}
            for formula in (game.legal, *said[:1]):
                aims.formula(formula, after)
        return aims

    def divided(self, kind: str, forms: list[Form], divisor: int) -> list[Form]:
        quotient = self.unknown("quotient")
        rests = [combine([(1, form), (-divisor, quotient)]) for form in forms]
        self._note(combine([(1, rest), (1, Form.constant(1 - divisor, 0))]) for rest in rests)
        return rests if kind == "mod" else [quotient]

    def digits(self, node: Node, scope: Scope) -> list[Form]:
        for part in children(node):
            self.term(part, scope)  # type: ignore[arg-type]
        return [self.unknown("digits")]

    def quantified(self, node: Quantified, scope: Scope) -> None:
        bound = {name: [self.unknown(name)] for name in node.names}
        self.formula(node.body, {**scope, **bound})

    def formula(self, node: Formula, scope: Scope) -> None:
        if not isinstance(node, And | Or):
            super().formula(node, scope)
            return
        outer, self.found = self.found, {}
        super().formula(node, scope)
        inner, self.found = self.found, outer
        if len(inner) > 1 and len(self.together) < _MOST_AIMS:
            self.together[tuple(inner)] = None
        self._note(inner)

    def _note(self, forms: Iterable[Form]) -> None:
        for form in forms:
            if form.parts and len(self.found) < _MOST_AIMS:
                self.found[form] = None


@dataclass(frozen=True, slots=True)
class _Plane:
    """``sum of factor * number + constant = 0``; numbers by their place, the variables first."""

    items: tuple[tuple[int, int], ...]
    low: int
    high: int


class States:
    """Draws distinct legal states; deterministic from the seed of ``rng``."""

    def __init__(
        self,
        variables: Sequence[str],
        legal: Formula,
        is_legal: Callable[..., bool],
        aims: Aims,
        integers: Iterable[int],
        rng: random.Random,
    ) -> None:
        self.is_legal, self.rng = is_legal, rng
        self.width = len(variables)
        self.places: dict[Term, int] = {Name(v): i for i, v in enumerate(variables)}
        special = sorted({abs(i) for i in integers})
        self.reach = max([REACH, *(10 * i for i in special)])
        self.special = [*special, *_WORDS, self.reach]
        scope = {v: [Form.of(Name(v))] for v in variables}
        reader = Reader(unknowns=set(self.places))
        limits = list(required(legal, scope, reader.term))
        self.lows, self.highs = self._bounds(limits)
        self.needs = [(self._plane(limit.form), limit) for limit in limits]
        pairs = [
            combine([(1, scope[a][0]), (-1, scope[b][0])]) for a, b in combinations(variables, 2)
        ]
        self.single = list(dict.fromkeys(map(self._plane, [*aims.found, *pairs])))
        together = (tuple(map(self._plane, group)) for group in aims.together)
        self.together = list(dict.fromkeys(together))
        self.offered: list[State] = []

    def offer(self, state: State) -> None:
        """A legal state to be drawn soon."""
        self.offered.append(state)

    # --- drawing ------------------------------------------------------------------------

    def draw(self, count: int) -> Iterator[State]:
        """At most ``count`` states: all legal ones where the bounds leave few."""
        few = self._few(4 * count)
        if few is not None:
            yield from few
            return
        seen: set[State] = set()
        last = 0
        for attempt in range(_ATTEMPTS * count):
            if attempt - last > _PATIENCE:
                return
            if attempt % 4 == 3 and self.offered:
                state: State | None = self.offered.pop()
            else:
                state = self._drawn(attempt)
            if state is None or state in seen:
                continue
            seen.add(state)
            last = attempt
            yield state
            if len(seen) == count:
                return

    def _few(self, most: int) -> Iterator[State] | None:
        sides, size = [], 1
        for low, high in zip(self.lows, self.highs, strict=True):
            if low is None or high is None:
                return None
            sides.append(range(low, high + 1))
            size *= max(0, high - low + 1)
        if size > most:
            return None
        return (state for state in product(*sides) if self.is_legal(*state))

    def _drawn(self, attempt: int) -> State | None:
        numbers = {place: self._number(place) for place in range(self.width)}
        fixed: set[int] = set()
        turn, kind = divmod(attempt, 4)
        if kind == 1 and self.single:
            self._solve(self.single[turn % len(self.single)], numbers, fixed, self._step())
        elif kind > 1 and self.together:
            planes = self.together[(2 * turn + kind) % len(self.together)]
            for plane in self._some(planes):
                self._solve(plane, numbers, fixed, 0)
            if self.rng.random() < 0.3:
                self._solve(
                    planes[int(self.rng.random() * len(planes))], numbers, set(), self._step()
                )
        return self._repaired(numbers, fixed)

    def _repaired(self, numbers: dict[int, int], fixed: set[int]) -> State | None:
        """The state, perhaps after some of what a legal state needs has been solved for."""
        for _ in range(3):
            state = tuple(numbers[place] for place in range(self.width))
            if max(state) <= self.reach and min(state) >= -self.reach and self.is_legal(*state):
                return state
            if not self.needs:
                return None
            for plane, limit in self.needs:
                total = sum(factor * numbers[place] for place, factor in plane.items)
                above = limit.at_most and total + plane.low > 0
                if above or (limit.at_least and total + plane.high < 0):
                    self._solve(plane, numbers, fixed, 0)
        return None

    def _some(self, planes: Sequence[_Plane]) -> Sequence[_Plane]:
        """All of them, or some in a row; in either order."""
        if len(planes) > _TOGETHER:
            start = int(self.rng.random() * (len(planes) - _TOGETHER))
            planes = planes[start : start + _TOGETHER]
        return planes if self.rng.random() < 0.5 else planes[::-1]

    def _solve(self, plane: _Plane, numbers: dict[int, int], fixed: set[int], step: int) -> None:
        """Give one of the plane's numbers, preferably a variable, the value that puts it there."""
        free = [item for item in plane.items if item[0] not in fixed]
        inside = [item for item in free if item[0] < self.width] or free
        if not inside:
            return
        place, factor = inside[int(self.rng.random() * len(inside))]
        total = step + (plane.low if self.rng.random() < 0.5 else plane.high)
        for other, by in plane.items:
            if other != place:
                if other not in numbers:
                    numbers[other] = self._number(other)
                total += by * numbers[other]
        numbers[place] = -total // factor
        fixed.add(place)

    def _step(self) -> int:
        return (0, 0, 1, -1, 2, -2, 3, -3)[int(self.rng.random() * 8)]

    def _number(self, place: int) -> int:
        """A random number for a variable, within its bounds, or for anything else."""
        rng = self.rng
        low = self.lows[place] if place < self.width else None
        high = self.highs[place] if place < self.width else None
        kind = rng.random()
        if kind < 0.3:
            number = int(rng.random() * 9)
        elif kind < 0.5:
            number = self.special[int(rng.random() * len(self.special))] + self._step()
        else:
            number = rng.getrandbits(1 + int(rng.random() * 99))
        if low is None and high is None:
            return number if rng.random() < 0.5 else -number
        if low is not None and high is not None and number > high - low:
            number = int(rng.random() * (1 << 53)) * max(0, high - low + 1) >> 53
        if high is None or (low is not None and rng.random() < 0.5):
            assert low is not None
            return low + number
        return high - number

    # --- what is known from the start -----------------------------------------------------------

    def _plane(self, form: Form) -> _Plane:
        parts, low, high = form.cleared()
        items = sorted((self.places.setdefault(k, len(self.places)), c) for k, c in parts.items())
        return _Plane(tuple(items), low, high)

    def _bounds(self, limits: Sequence[Limit]) -> tuple[list[int | None], list[int | None]]:
        """Bounds of the variables, narrowed by what has to hold until nothing changes."""
        lows: list[int | None] = [None] * self.width
        highs: list[int | None] = [None] * self.width
        for _ in range(_ROUNDS):
            before = [*lows, *highs]
            for limit in limits:
                plane = self._plane(limit.form)
                if limit.at_most:
                    _narrow(plane.items, plane.low, lows, highs)
                if limit.at_least:
                    negative = tuple((place, -factor) for place, factor in plane.items)
                    _narrow(negative, -plane.high, lows, highs)
            if before == [*lows, *highs]:
                break
        return lows, highs


def _narrow(
    items: tuple[tuple[int, int], ...],
    constant: int,
    lows: list[int | None],
    highs: list[int | None],
) -> None:
    """Use that ``sum of items + constant <= 0``."""
    for place, factor in items:
        least = constant
        for other, by in items:
            if other == place:
                continue
            end = lows[other] if by > 0 else highs[other]
            if end is None:
                break
            least += by * end
        else:
            if factor > 0:
                bound, old = -least // factor, highs[place]
                highs[place] = bound if old is None else min(old, bound)
            else:
                bound, old = -(-least // -factor), lows[place]
                lows[place] = bound if old is None else max(old, bound)
