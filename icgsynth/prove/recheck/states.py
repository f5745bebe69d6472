"""Legal states to check an answer at: of every magnitude, and next to every boundary.

A state begins as random numbers, many of them small or next to an integer of the rules or the
answer.  Then some comparisons are made just true or just false: each is solved for one of the
variables.  Comparisons that stand together in a conjunction are solved together, so that an
exception at ``a = 10^20 + 1 and b = 3`` is met."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from icgsynth.budget import Budget
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.prove.recheck.boundaries import Form, Limit, Reader, Scope, TooHard, combine, require

REACH = 10**30  # coordinates of states: far past what machine integers hold
_FEW = 9  # small numbers to begin with
_MORE = 64  # draws after which there is one more
_REPEATS = 4  # draws of states that were there before, after which there is one more as well
_MOST_AIMS = 400  # comparisons, and conjunctions, that states are placed next to
_MOST_CASES = 6  # of a disjunction that are combined two by two
_TOGETHER = 2  # comparisons solved at once, besides one for each variable
_ROUNDS = 8  # of narrowing the bounds of the variables
_ATTEMPTS = 6  # draws for each state wanted, at most
_VISITS = 80  # draws next to each comparison or conjunction, after which others are better
_PAUSE = 16  # draws between two looks at the clock
_PATIENCE = 1_500  # draws without a state, after which there seem to be no more
_UNBOUNDED = (None, None)
_NATURAL = 0.75  # share of quotients and parameters above 0, where all variables are
_WORDS = (2**31, 2**32, 2**53, 2**62, 2**63, 2**64, 10**18, 10**20)  # where machines go wrong


class Aims(Reader):
    """A reader that collects comparisons to solve, and those that stand together.

    Unlike in a plain :class:`Reader`, a quotient is an unknown of its own, so that remainders are
    met exactly; so are quantified names, functions of digits, and products of unknowns."""

    def __init__(self) -> None:
        super().__init__()
        self.together: dict[tuple[Form, ...], None] = {}
        self.moves: dict[tuple[Form, ...], None] = {}
        self.alone: dict[Form, None] = {}

    @staticmethod
    def of(game: ParametricGame, solution: Solution) -> Aims:
        """Return the comparisons that far states are to be placed next to: those of the rules,
        before and after a move, and of ``solution``."""
        aims = Aims()
        variables = {v: [Form.of(t.Name(v))] for v in game.variables}
        aims.unknowns |= {t.Name(v) for v in game.variables}
        said = [claim.formula for claim in (solution.losing, solution.winning) if claim is not None]
        for formula in (game.legal, game.end, *said, *solution.cover):
            aims.formula(formula, variables)
        for rule in (*solution.strategy, *solution.tree):
            aims.formula(rule.when, variables)
            for _, term in rule.act.arguments if isinstance(rule, Rule) else ():
                aims.term(term, variables)
        cases = _cases(said[0]) if said else []
        for action in game.actions:
            scope = variables | {p: [aims.unknown(p)] for p in action.parameters}
            aims.formula(action.precondition, scope)
            after = variables | {v: aims.term(term, scope) for v, term in action.effects}
            aims.formula(game.legal, after)
            for here, there in product(cases, cases):
                aims.move(((action.precondition, scope), (here, variables), (there, after)))
        return aims

    def move(self, parts: Sequence[tuple[t.Formula, Scope]]) -> None:
        """Add to ``moves`` all comparisons in ``parts``: a losing state, a move, a losing one.
        A part is (formula, forms by name)."""
        outer, together, self.found = self.found, dict(self.together), {}
        for formula, scope in parts:
            self.formula(formula, scope)
        inner, self.found, self.together = self.found, outer, together
        if len(inner) > 1 and len(self.moves) < _MOST_AIMS:
            self.moves[tuple(inner)] = None

    def divided(self, kind: str, forms: list[Form], divisor: int) -> list[Form]:
        quotient = self.unknown("quotient")
        rests = [combine([(1, form), (-divisor, quotient)]) for form in forms]
        links = [combine([(1, rest), (1, Form.constant(1 - divisor, 0))]) for rest in rests]
        if kind == "mod":
            self.alone |= dict.fromkeys(links)
            return rests
        self._note(links)
        return [quotient]

    def digits(self, terms: Sequence[t.Term], scope: Scope) -> list[Form]:
        for term in terms:
            self.term(term, scope)
        return [self.unknown("digits")]

    def product(self, node: t.Term) -> list[Form]:
        return [self.unknown("product")]

    def quantifier(self, node: t.Quantified, scope: Scope) -> None:
        bound = {name: [self.unknown(name)] for name in node.names}
        self.formula(node.body, {**scope, **bound})

    def formula(self, node: t.Formula, scope: Scope) -> None:
        if not isinstance(node, t.And | t.Or):
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


def _cases(formula: t.Formula) -> list[t.Formula]:
    parts: list[t.Formula] = list(formula.args) if isinstance(formula, t.Or) else [formula]
    return parts if len(parts) <= _MOST_CASES else [formula]


@dataclass(frozen=True, slots=True)
class _Plane:
    """A plane ``sum(factor * number) + constant = 0``; numbers by place, variables first."""

    items: tuple[tuple[int, int], ...]
    low: int
    high: int


class States:
    """Distinct legal states, drawn by chance; deterministic from the seed of ``rng``."""

    def __init__(
        self,
        variables: Sequence[str],
        legal: t.Formula,
        is_legal: Callable[..., bool],
        aims: Aims,
        integers: Iterable[int],
        rng: random.Random,
    ) -> None:
        self.legal, self.rng, self.random = is_legal, rng, rng.random
        self.width = len(variables)
        self.places: dict[t.Term, int] = {t.Name(v): i for i, v in enumerate(variables)}
        special = sorted({abs(i) for i in integers})
        self.reach = max([REACH, *(10 * i for i in special)])
        self.special = [*special, *_WORDS, self.reach]
        scope = {v: [Form.of(t.Name(v))] for v in variables}
        reader = Reader(unknowns=set(self.places))
        limits = list(require(legal, scope, reader.term))
        self.lows, self.highs = self._bounds(limits)
        self.ends = list(zip(self.lows, self.highs, strict=True))
        self.wide = {place for place, ends in enumerate(self.ends) if None in ends}
        natural = all(low is not None and low >= 0 for low in self.lows)
        self.positive = _NATURAL if natural else 0.5
        self.needs = [(self._plane(limit.form), limit) for limit in limits]
        self.pairs = [
            self._plane(combine([(1, scope[a][0]), (-1, scope[b][0])]))
            for a, b in combinations(variables, 2)
        ]
        self.single = list(
            dict.fromkeys([*map(self._plane, [*aims.found, *aims.alone]), *self.pairs])
        )
        self.together = self._groups(aims.together)
        self.moves = self._groups(aims.moves)
        self.few = _FEW
        self.offered: list[State] = []
        self.hits = self.repeats = 0

    def offer(self, state: State) -> None:
        """Add the legal ``state`` to those that :meth:`draw` yields soon."""
        self.offered.append(state)

    # --- drawing ------------------------------------------------------------------------

    def draw(self, count: int, budget: Budget) -> Iterator[State]:
        """Yield at most ``count`` legal states, until time is spent; all if bounds leave few."""
        few = self._box(4 * count)
        states = self._random(count) if few is None else map(self._if_legal, few)
        for index, state in enumerate(states):
            if index % _PAUSE == 0 and budget.is_spent:
                return
            if state is not None:
                yield state

    def every(self, most: int) -> Iterator[State] | None:
        """Return an iterator of all legal states; None where bounds leave more than ``most``.
        It may raise :class:`TooHard`, where it is too hard to tell whether a state is legal."""
        few = self._box(most)
        return None if few is None else (state for state in few if self.legal(*state))

    def _random(self, count: int) -> Iterator[State | None]:
        """Yield at most ``count`` distinct legal states; None for each draw without a new one."""
        seen: set[State] = set()
        last = 0
        for attempt in range(_ATTEMPTS * count):
            offered = attempt % 8 == 3 and self.offered
            state = self.offered.pop() if offered else self._draw(attempt)
            if state in seen:
                state = None
                self.repeats += 1
            if state is not None:
                seen.add(state)
                last = attempt
            yield state
            if len(seen) == count or attempt - last > _PATIENCE:
                return

    def _box(self, most: int) -> Iterator[State] | None:
        """Return all points within the variables' bounds; None if endless or more than ``most``."""
        sides, size = [], 1
        for low, high in zip(self.lows, self.highs, strict=True):
            if low is None or high is None:
                return None
            sides.append(range(low, high + 1))
            size *= max(0, high - low + 1)
        return product(*sides) if size <= most else None

    def _if_legal(self, state: State) -> State | None:
        try:
            return state if self.legal(*state) else None
        except TooHard:
            return None

    def _draw(self, attempt: int) -> State | None:
        # The smallest have been drawn by and by.
        self.few = _FEW + attempt // _MORE + self.repeats // _REPEATS
        numbers = {place: self._number(place) for place in range(self.width)}
        turn, kind = divmod(attempt, 4)
        # Where few random numbers are a legal state, only solving finds more.
        visits = turn / _VISITS if 2 * self.hits >= turn else 0
        planes: Sequence[_Plane] = ()
        if kind == 1 and visits < len(self.single):
            planes = (self.single[turn % len(self.single)],)
            if turn % 2:
                others = self.pairs if self.pairs and turn % 4 == 1 else self.single
                planes = (*planes, others[int(self.random() * len(others))])
        elif kind == 2 and visits < len(self.together):
            planes = self._some(self.together[turn % len(self.together)])
        elif kind == 3 and turn % 2 and visits < len(self.moves):
            planes = self._some(self.moves[turn // 2 % len(self.moves)])
        fixed = self._solve(planes, numbers) if planes else set()
        state = self._repaired(numbers, fixed)
        self.hits += kind == 0 and state is not None
        return state

    def _repaired(self, numbers: dict[int, int], fixed: set[int]) -> State | None:
        """Return the state of ``numbers``, by place, changed to be legal; None if that fails.
        Numbers at places in ``fixed`` stay."""
        for _ in range(3):
            state = tuple(numbers.values())[: self.width]  # the first that were put in
            if max(state) <= self.reach and min(state) >= -self.reach and self._if_legal(state):
                return state
            moved = False
            for plane, limit in self.needs:
                total = sum(factor * numbers[place] for place, factor in plane.items)
                above = limit.at_most and total + plane.low > 0
                if above or (limit.at_least and total + plane.high < 0):
                    moved |= self._meet(plane, numbers, fixed)
            if not moved:
                return None
        return None

    def _meet(self, plane: _Plane, numbers: dict[int, int], fixed: set[int]) -> bool:
        """Change one of ``numbers`` to solve the equation ``plane``, and add its place to
        ``fixed``.  Return False, with nothing changed, if all places of the plane are ``fixed``."""
        free = [item for item in plane.items if item[0] not in fixed]
        free = [item for item in free if item[0] < self.width] or free
        if not free:
            return False
        place, factor = free[int(self.random() * len(free))]
        rest = plane.low if self.random() < 0.5 else plane.high
        for other, by in plane.items:
            if other != place:
                if other not in numbers:
                    numbers[other] = self._number(other)
                rest += by * numbers[other]
        numbers[place] = -rest // factor
        fixed.add(place)
        return True

    def _some(self, planes: Sequence[_Plane]) -> Sequence[_Plane]:
        count = min(self.width + _TOGETHER, len(planes))
        if self.random() < 0.5:
            count = 1 + int(self.random() * count)
        return self.rng.sample(planes, count)

    def _solve(self, planes: Sequence[_Plane], numbers: dict[int, int]) -> set[int]:
        """Change ``numbers``, by place, to solve the equations ``planes``, one perhaps not quite;
        return the places changed."""
        # One number is computed from each plane, preferably a variable without a bound on some
        # side; Gauss's elimination puts it into the planes after it.
        solved: list[tuple[int, dict[int, int], int]] = []
        beside = int(self.random() * 2 * len(planes))
        for index, plane in enumerate(planes):
            items = dict(plane.items)
            constant = plane.low if self.random() < 0.5 else plane.high
            if index == beside:
                constant += self._step()
            for place, others, other in solved:
                if by := items.pop(place, 0):
                    factor = others[place]
                    constant = constant * factor - other * by
                    items = {
                        k: items.get(k, 0) * factor - others.get(k, 0) * by for k in items | others
                    }
                    del items[place]
            free = [k for k, c in items.items() if c]
            # A number between two near bounds would hardly be met, nor a multiple exactly.
            wide = [k for k in free if k in self.wide and abs(items[k]) == 1]
            free = wide or [k for k in free if k < self.width] or free
            if free:
                solved.append((free[int(self.random() * len(free))], items, constant))
        for place, items, constant in reversed(solved):
            factor = items.pop(place)
            for other, by in items.items():
                if other not in numbers:
                    numbers[other] = self._number(other)
                constant += by * numbers[other]
            numbers[place] = -constant // factor
        return {place for place, _, _ in solved}

    def _step(self) -> int:
        return (0, 0, 1, -1, 2, -2, 3, -3)[int(self.random() * 8)]

    def _number(self, place: int) -> int:
        """Return a random number for the unknown at ``place``, within its bounds if a variable."""
        low, high = self.ends[place] if place < self.width else _UNBOUNDED
        positive = 0.5 if place < self.width else self.positive
        draw = self.random
        kind = draw()
        if kind < 0.25:
            number = int(draw() * self.few)
        elif kind < 0.45:
            number = self.special[int(draw() * len(self.special))] + self._step()
        else:
            number = self.rng.getrandbits(1 + int(draw() * 99))
        if low is None:
            sign = 1 if high is None and draw() < positive else -1
            return sign * number + (high or 0)
        if high is None:
            return low + number
        if number > high - low:
            number = int(self.random() * (1 << 53)) * max(0, high - low + 1) >> 53
        return low + number if self.random() < 0.5 else high - number

    # --- what is known from the start -----------------------------------------------------------

    def _groups(self, groups: Iterable[tuple[Form, ...]]) -> list[tuple[_Plane, ...]]:
        return list(dict.fromkeys(tuple(map(self._plane, group)) for group in groups))

    def _plane(self, form: Form) -> _Plane:
        parts, low, high = form.clear()
        items = sorted((self.places.setdefault(k, len(self.places)), c) for k, c in parts.items())
        return _Plane(tuple(items), low, high)

    def _bounds(self, limits: Sequence[Limit]) -> tuple[list[int | None], list[int | None]]:
        """Return (least, largest) values of the variables by ``limits``; None for no bound."""
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
    """Narrow in place the bounds by place ``lows`` and ``highs``, None being no bound, by
    sum(factor * number) + ``constant`` <= 0 over the (place, factor) in ``items``."""
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
