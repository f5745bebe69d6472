"""Actions that take from both of two variables within a cone: ``0 < k <= l < s k + t``.

The relation of such an action has four numbers, and automata of it explode.  But the move sees a
state only through few linear forms: for ``l < s k + t`` with ``k = x - x'`` and ``l = y - y'`` it
is enough to know ``s x - y`` before and after.  A :class:`Cone` is one case of the precondition,
as inequalities between the parameters alone.

Moves along a :class:`~icgsynth.game.line.Line`, without their four numbers side by side.

An automaton of such moves knows one variable after the move, and what the line's term is then.
The other variable is a linear term of these, after the move and before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice, product
from operator import itemgetter

from icgsynth.digits.dfa import DFA, nothing
from icgsynth.digits.minimise import Flags, Table
from icgsynth.explicit.steps import primed
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.line import Line
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, substitute
from icgsynth.logic.normal import Unsupported, normal
from icgsynth.logic.ranges import linear
from icgsynth.logic.simplify import collect_atoms
from icgsynth.prove.automata.compiler import Compiler

# --- lines ---------------------------------------------------------------------------------------

_AFTER = "~"  # no name of the language, nor are these; the last of all names
_NAME, _GIVEN, _THEN = "?n", "?o", "?t"  # both variables, and the first one after the move
_TRACK, _BEFORE = "?d", "?e"  # a line's term after the move, and before it
_TAKEN_ON_LINE = "?u"

# States by the moves that begin in them: the search, the strategy and the proof ask for the same.
_known: dict[object, tuple[Table, Flags]] = {}
_MOST_KNOWN = 64  # automata that are kept


@dataclass(frozen=True, eq=False)
class Along:
    """Moves that follow ``line``, in a game with two ``variables``.
    ``aims`` has two tracks: the line's, and the variable that it does not give, primed."""

    compiler: Compiler
    variables: tuple[str, str]
    line: Line
    aims: DFA

    @property
    def _name(self) -> str:
        x, y = self.variables
        return y if self.line.gives == x else x

    def sources(self, among: DFA) -> DFA:
        """Return the states ``among`` from which a move along the line leads to a target, which is
        a pair that ``aims`` accepts."""
        names = {self.line.track: _TRACK, primed(self._name): _THEN}
        line = self.line.renamed({self._name: _NAME, self.line.gives: _GIVEN})
        found = _lead(self.compiler, self.aims.renamed(names), line)
        return found.renamed({_NAME: self._name, _GIVEN: self.line.gives}) & among

    def is_right(self, cones: Iterable[Cone], losing: DFA) -> bool:
        """Return whether all targets, what ``aims`` accepts, are states in ``losing``, and all
        moves along the line are moves in ``cones``."""
        if not self._lead_into(losing):
            return False
        falls = range(self.line.least, self.line.most + 1)
        given = tuple(cones)
        return all(self._is_move(fall, given) for fall in falls)

    def _is_move(self, fall: int, cones: tuple[Cone, ...]) -> bool:
        """Return whether each way to lower the line's term by ``fall`` is a move in ``cones``."""
        # What is taken is a form of what is taken from the first variable, which has a track.
        if self.line.takes < 0:
            return False
        left, name = t.Name(self.line.track), self._name
        before = self._state(t.Sum((left, t.Int(fall))), {name: t.Name(_TAKEN_ON_LINE)})
        after = self._state(left, {name: t.Int(0)})
        found = self.compiler.formula(t.compare(t.Name(_TAKEN_ON_LINE), ">=", self.line.takes))
        x, y = self.variables
        for cone in cones:
            inside = conjunction(cone.where((before[x], before[y]), (after[x], after[y])))
            found = found - self.compiler.formula(inside)
        return found.is_empty

    def _state(self, left: t.Term, others: dict[str, t.Term]) -> dict[str, t.Term]:
        """Return a term for each variable, by name, where the line's term is ``left``; ``others``
        has those of the variables that the line does not give."""
        return {**others, self.line.gives: self.line.solve(left, others)}

    def _lead_into(self, losing: DFA) -> bool:
        """Return whether each target, as a state after a move, is natural and in ``losing``."""
        then = {self._name: primed(self._name), self.line.gives: _AFTER}
        left, there = t.Name(self.line.track), {v: t.Name(name) for v, name in then.items()}
        after = t.compare(substitute(self.line.term, there), "=", left)
        states = self.aims & self.compiler.formula(after)
        here = {self._name: there[self._name]}
        natural = t.compare(self.line.solve(left, here), ">=", 0)
        is_state = (self.aims - self.compiler.formula(natural)).is_empty
        return is_state and (states - losing.renamed(then)).is_empty


def _lead(compiler: Compiler, aims: DFA, line: Line) -> DFA:
    """Return the states, pairs of numbers, from which the term of ``line`` may fall to a target.
    ``aims`` has the targets: pairs of the line's term and the other variable, after a move."""
    table = aims.delta.tobytes(), aims.accepting.tobytes()
    key = (aims.system, *table, collect_atoms(line.term), line.least, line.most, line.takes)
    if key in _known:
        return DFA(aims.system, (_NAME, _GIVEN), *_known[key])
    gap = t.compare(t.Sum((t.Name(_NAME), t.Neg(t.Name(_THEN)))), ">=", line.takes)
    known = (aims & compiler.formula(gap)).without((_THEN,))
    found = nothing(compiler.system, (_NAME, _GIVEN))
    for sign in (1, -1):  # the term before may be negative, what a track holds may not
        before = sign_track(_BEFORE, sign)
        falls = t.Sum((before, t.Neg(t.Name(_TRACK))))
        allowed = t.Compare((t.Int(line.least), falls, t.Int(line.most)), ("<=", "<="))
        seen = (known & compiler.formula(allowed)).without((_TRACK,))
        if not seen.is_empty:
            here = compiler.formula(t.compare(line.term, "=", before))
            found = found | (here & seen).without((_BEFORE,))
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[key] = found.delta, found.accepting
    return found


def sign_track(track: str, sign: int) -> t.Term:
    """Return the integer on ``track``: its natural number n, or -1 - n if ``sign`` is negative."""
    return t.Name(track) if sign > 0 else t.Sum((t.Int(-1), t.Neg(t.Name(track))))


# --- cones ---------------------------------------------------------------------------------------

_MOST_CASES = 64  # of one precondition
_MOST_FACES = 40  # values of one inequality
_TAKEN = ("?k", "?l")  # no names of the language


@dataclass(frozen=True)
class Face:
    """The moves of a cone for which ``a x + b y + c`` is in ``values``, x and y the parameters,
    and the parameter at ``place`` is at least ``least``."""

    a: int
    b: int
    c: int
    values: range
    place: int
    least: int


@dataclass(frozen=True)
class Cone:
    """Moves by ``action`` that take k and l, at least ``least``, from the game's two variables.
    Each of ``bounds``, (a, b, c), asks for ``a k + b l + c >= 0``."""

    action: str
    least: tuple[int, int]
    bounds: tuple[tuple[int, int, int], ...]

    @property
    def lines(self) -> tuple[tuple[int, int, int], ...]:
        """Return the bounds (a, b, c) on ``a k + b l + c >= 0`` in which neither a nor b is 0."""
        return tuple(bound for bound in self.bounds if bound[0] and bound[1])

    @property
    def is_steep(self) -> bool:
        """Return whether automata of the moves explode: some bound has a factor above 1, and no two
        bounds are parallel, the moves between them."""
        slopes = {(a, b) for a, b, _ in self.lines}
        parallel = any((-a, -b) in slopes for a, b in slopes)
        return not parallel and any(abs(a) > 1 or abs(b) > 1 for a, b in slopes)

    @property
    def mirrored(self) -> Cone:
        """Return the cone with the two variables exchanged."""
        bounds = sorted((b, a, c) for a, b, c in self.bounds)
        return Cone(self.action, (self.least[1], self.least[0]), tuple(bounds))

    def faces(self) -> Iterator[Face]:
        """Yield faces: moves that take k and l for which ``a k + b l + c``, the form of a bound,
        has small values, grouped by the least parameter that they need."""
        for a, b, c in self.lines:
            for place in (0, 1):
                slope, unit = (a, b) if place == 0 else (b, a)
                if abs(unit) == 1:
                    yield from self._near((a, b, c), place, slope, unit)

    def _near(
        self, bound: tuple[int, int, int], place: int, slope: int, unit: int
    ) -> Iterator[Face]:
        """Yield faces, where the form of ``bound`` is small, by the least parameter needed for it.
        ``slope`` is the form's factor at the parameter number ``place``, ``unit`` at the other."""
        a, b, c = bound
        needs: list[int] = []
        for r in range(min(_MOST_FACES, 2 * (abs(slope) + abs(c)) + 1)):
            least = self._find_needed(place, -unit * slope, unit * (r - c))
            if least is None:
                break
            needs.append(least)
        for least, group in groupby(enumerate(needs), key=itemgetter(1)):
            values = [r for r, _ in group]
            yield Face(a, b, c, range(values[0], values[-1] + 1), place, least)

    def _find_needed(self, place: int, factor: int, constant: int) -> int | None:
        """Return the least n such that p at ``place`` and ``factor * p + constant`` for the other
        parameter are in the cone for all p >= n; None if there is none."""
        # With q = factor p + constant for the other, a bound reads: grows p + rest >= 0.
        found = self.least[place]
        other = 1 - place
        axis = (1, 0) if other == 0 else (0, 1)
        for a, b, c in (*self.bounds, (*axis, -self.least[other])):
            ours, theirs = (a, b) if place == 0 else (b, a)
            grows, rest = ours + theirs * factor, theirs * constant + c
            if grows < 0 or (grows == 0 and rest < 0):
                return None
            if grows > 0:  # p >= -rest / grows, rounded up
                found = max(found, -(rest // grows))
        return found

    def where(
        self, before: tuple[t.Term, t.Term], after: tuple[t.Term, t.Term]
    ) -> Iterator[t.Formula]:
        """Yield formulas that hold together iff a move of the cone leads from the numbers
        ``before`` (terms for both variables) to ``after``."""
        taken = [_sum(1, x, -1, y, 0) for x, y in zip(before, after, strict=True)]
        for part, least in zip(taken, self.least, strict=True):
            yield t.compare(part, ">=", least)
        for a, b, c in self.bounds:
            yield t.compare(_sum(a, taken[0], b, taken[1], c), ">=", 0)


def _sum(a: int, x: t.Term, b: int, y: t.Term, c: int) -> t.Term:
    return collect_atoms(t.Sum((t.Mul(t.Int(a), x), t.Mul(t.Int(b), y), t.Int(c))))


def cones(game: ParametricGame, action: Action) -> tuple[Cone, ...] | None:
    """Return the cases of ``action`` as cones, linear inequalities between its two parameters; None
    if it has none, or an exact relation will do, and in a blocking game, where moves count."""
    if game.block or len(game.variables) != 2 or len(action.parameters) != 2:
        return None
    taken = dict(taken_from(game, action))
    if sorted(taken) != sorted(action.parameters):
        return None
    # In terms of the parameters and the state after the move, for that is natural.
    order = [next(p for p, v in taken.items() if v == variable) for variable in game.variables]
    names = {p: t.Name(k) for p, k in zip(order, _TAKEN, strict=True)}
    before = {v: t.Sum((t.Name(v), t.Name(k))) for v, k in zip(game.variables, _TAKEN, strict=True)}
    try:
        (guard,) = normal((substitute(game.applicable(action), {**names, **before}),))
        found = [_cone(action.name, case) for case in cases(guard)]
    except Unsupported:
        return None
    kept = tuple(dict.fromkeys(cone for cone in found if cone is not None))
    return kept if any(cone.is_steep for cone in kept) else None


def steepness(game: ParametricGame) -> tuple[tuple[int, int], ...]:
    """Return (s, t) for each bound ``l < s k + t``, s > 1, of parameters of actions in ``game``."""
    found = [
        (slope, c + 1)
        for action in game.actions
        for cone in cones(game, action) or ()
        for a, b, c in cone.lines
        for slope, other in ((a, b), (b, a))
        if slope > 1 and other == -1 and c >= 0
    ]
    return tuple(dict.fromkeys(found))


def cases(formula: t.Formula) -> list[tuple[t.Compare, ...]]:
    """Return the disjunctive normal form of ``formula``: each case as the comparisons in it.

    :class:`~icgsynth.logic.normal.Unsupported` for too many cases, or what ``normal`` never makes.
    """
    found = list(islice(_cases(formula), _MOST_CASES + 1))
    if len(found) > _MOST_CASES:
        raise Unsupported("too many cases")
    return found


def taken_from(game: ParametricGame, action: Action) -> Iterator[tuple[str, str]]:
    """Yield (parameter, variable) for each effect ``variable - parameter`` of ``action``."""
    for variable, term in action.effects:
        form = linear(term)
        for parameter in action.parameters:
            if form.constant == 0 and form.factors == {t.Name(variable): 1, t.Name(parameter): -1}:
                yield parameter, variable


def _cases(guard: t.Formula) -> Iterator[tuple[t.Compare, ...]]:
    match guard:
        case t.Truth(value):
            if value:
                yield ()
        case t.Or(args):
            for arg in args:
                yield from _cases(arg)
        case t.And(args):
            for chosen in product(*(cases(arg) for arg in args)):
                yield tuple(link for part in chosen for link in part)
        case t.Compare((left, right), ("!=",)):
            yield (t.compare(left, "<", right),)
            yield (t.compare(left, ">", right),)
        case t.Compare():
            yield (guard,)
        case _:
            raise Unsupported(str(guard))


def _cone(action: str, links: tuple[t.Compare, ...]) -> Cone | None:
    """Return the cone of moves by ``action`` for which all of ``links`` hold; None if there are
    none.  Raises Unsupported where these are not bounds on the two parameters alone."""
    forms = [form for link in links for form in _forms(link)]
    least = _least(forms)
    if min(least.values()) < 0:
        # A case that no move is in has bounds that exclude each other.
        states = [form for form in forms if not form[0].keys() & set(_TAKEN)]
        if any(_never(factors, c, {}) for factors, c in states):
            return None
        raise Unsupported("a parameter that may be negative")
    bounds_left = []
    for factors, c in forms:
        if _never(factors, c, least):
            return None
        if _always(factors, c, least):
            continue
        if not factors.keys() <= set(_TAKEN):
            raise Unsupported("a cone that depends on where it begins")
        bounds_left.append((factors.get(_TAKEN[0], 0), factors.get(_TAKEN[1], 0), c))
    return Cone(action, (least[_TAKEN[0]], least[_TAKEN[1]]), tuple(sorted(set(bounds_left))))


def _least(forms: list[tuple[dict[str, int], int]]) -> dict[str, int]:
    """Return by name the least k and l for which the ``forms`` (factors, constant) may all be at
    least 0; -1 for one that may be negative."""
    found = dict.fromkeys(_TAKEN, -1)
    for _ in _TAKEN:  # twice: the least of one may follow from that of the other
        for factors, c in forms:
            for name, other in (_TAKEN, _TAKEN[::-1]):
                rest = {n: f for n, f in factors.items() if n != name}
                if factors.get(name) == 1 and not rest:
                    found[name] = max(found[name], -c)
                elif factors.get(name) == 1 and rest == {other: -1} and found[other] >= 0:
                    found[name] = max(found[name], found[other] - c)
    return found


def _forms(link: t.Compare) -> Iterator[tuple[dict[str, int], int]]:
    """Yield linear forms (factors by name, constant) that are all at least 0 iff ``link`` holds."""
    left, right = link.terms
    form, op = linear(t.Sum((left, t.Neg(right)))), link.ops[0]
    factors: dict[str, int] = {}
    for atom, factor in form.factors.items():
        if not isinstance(atom, t.Name):
            raise Unsupported(str(atom))
        factors[atom.name] = factor
    opposite = {name: -factor for name, factor in factors.items()}
    if op in (">=", ">", "="):
        yield factors, form.constant - (op == ">")  # of integers, f > 0 is f - 1 >= 0
    if op in ("<=", "<", "="):
        yield opposite, -form.constant - (op == "<")


def _always(factors: dict[str, int], c: int, least: dict[str, int]) -> bool:
    return min(factors.values(), default=0) >= 0 and _at_bounds(factors, c, least) >= 0


def _never(factors: dict[str, int], c: int, least: dict[str, int]) -> bool:
    return max(factors.values(), default=0) <= 0 and _at_bounds(factors, c, least) < 0


def _at_bounds(factors: dict[str, int], c: int, least: dict[str, int]) -> int:
    return c + sum(factor * least.get(name, 0) for name, factor in factors.items())
