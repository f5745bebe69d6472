"""Actions that take a multiple of a variable: one step, repeated.

``action take_a(k) pre 1 <= k and k * b <= a and b >= 1 eff a := a - k * b`` is k times the step
``a := a - b``.  A product of two unknowns is beyond linear arithmetic and automata; the step is
not.  Let L be a set of states, and R the states from which the action leads into L.  Then a state
is in R exactly where the step applies and leads into L or R.  As play is shorter after each step,
no other set R obeys this equation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import prod

from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import (
    conjunction,
    conjuncts,
    fold,
    free_names,
    links,
    rebuild,
    substitute,
    walk,
)
from icgsynth.logic.ranges import ends_of, is_product, ranges

_Monomials = Mapping[tuple[str, ...], int]  # factors of products of names, the names in order

_MOST_VALUES = 16  # of a parameter whose products are written out, a case for each
_MOST_CHOICES = 256  # of all such parameters of an action

_LESS = {"<=": 0, "<": 1}


@lru_cache(maxsize=256)
def steps_of_multiples(game: ParametricGame) -> Mapping[str, Action]:
    """Return {action: step} for the actions of ``game`` that make one step k times, k their
    parameter. A step is itself an action, without parameters.  Of a family, in which constants are
    variables, there may be other products."""
    return {a.name: _times(a, 1) for a in game.actions if products(a) and _is_repeated(game, a)}


def stepwise(game: ParametricGame) -> ParametricGame:
    """Return ``game`` in which each action that repeats a step makes that step once; ``game``
    itself if it has none.  Both have moves in the same states, and what every move of the new game
    keeps or decreases, every move of ``game`` does."""
    steps = steps_of_multiples(game)
    if not steps:
        return game
    return replace(game, actions=tuple(steps.get(a.name, a) for a in game.actions))


def most_times(holds: Callable[[int], bool]) -> int:
    """Return the last of 1, 2, .. up to which ``holds`` is true; 0 where it fails for 1."""
    fails = 1
    while holds(fails):
        fails *= 2
    least = fails // 2  # the last that is known to hold, if it is not 0
    while fails - least > 1:
        middle = (least + fails) // 2
        least, fails = (middle, fails) if holds(middle) else (least, middle)
    return least


def products(action: Action) -> tuple[t.Mul | t.Mod | t.Div, ...]:
    """Return the products of two terms that are not constant, and ``mod`` and ``div`` by such a
    term, in ``action``, outermost first."""
    return products_of((action.precondition, *(term for _, term in action.effects)))


def products_of(parts: Iterable[t.Node]) -> tuple[t.Mul | t.Mod | t.Div, ...]:
    """Return the products of two terms that are not constant, and ``mod`` and ``div`` by such a
    term, in ``parts``, outermost first."""
    nodes = (node for part in parts for node in walk(part))
    return tuple(n for n in nodes if isinstance(n, t.Mul | t.Mod | t.Div) and is_product(n))


def by_value(game: ParametricGame, action: Action) -> Action:
    """Return ``action`` with products ``k * b`` of a parameter of few values split into cases.
    With ``2 <= k <= 3`` that is ``if k = 2 then 2 * b else 3 * b``: linear, and equal wherever the
    action of ``game`` applies.  ``b mod k`` and ``b div k`` likewise for k >= 1.  Other products
    stay."""
    given = game.legal, action.precondition
    few = few_values(game.variables, action.parameters, given, products(action))

    def put(node: t.Kind) -> t.Kind:
        name = next((name for name in few if name in free_names(node)), "")
        if not name or not isinstance(node, t.Mul | t.Mod | t.Div) or not is_product(node):
            return rebuild(node, tuple([put(part) for part in t.children(node)]))
        numbers = {n: t.Int(n) for n in few[name]}
        cases = [(n, put(fold(substitute(node, {name: number})))) for n, number in numbers.items()]
        is_left = any(is_open(part) for _, case in cases for part in walk(case))
        return node if is_left else _case_by_case(name, cases)

    return action.mapped(put)


def products_last(game: ParametricGame, action: Action) -> Action | None:
    """Return ``action`` with those conditions last that have a product or quotient of unknowns.
    None unless, by the legal states of ``game`` and the other conditions, all divisors are at least
    1: so who reads the conditions in order, and stops where one is false, divides by no 0."""
    parts = list(conjuncts(action.precondition))
    plain = [part for part in parts if not products_of((part,))]
    known = [game.legal, *plain]
    for divisor in (part.divisor for part in products(action) if not isinstance(part, t.Mul)):
        least = ends_of(divisor, known)[0]
        if not isinstance(least, int) or least < 1:
            return None
    others = [part for part in parts if part not in plain]
    return replace(action, precondition=conjunction([*plain, *others]))


def few_values(
    variables: Sequence[str],
    parameters: Sequence[str],
    given: Iterable[t.Formula],
    spoken: Iterable[t.Term],
) -> dict[str, range]:
    """Return {name: range of its values} for those of ``parameters`` in the products ``spoken``
    that have at most 16 values, by bounds read off the formulas without products of ``given``, over
    ``variables`` and ``parameters``.  Empty for more than 256 choices of all of them together."""
    plain = [part for part in links(*given) if not products_of((part,))]
    known = ranges(conjunction(plain), (*variables, *parameters), {})
    used = frozenset[str]().union(*map(free_names, spoken))
    found: dict[str, range] = {}
    for name in filter(used.__contains__, parameters):
        low, high = known[name]
        if isinstance(low, int) and isinstance(high, int) and low <= high < low + _MOST_VALUES:
            found[name] = range(low, high + 1)
    return found if prod(map(len, found.values())) <= _MOST_CHOICES else {}


def is_open(term: t.Node) -> bool:
    """Return whether ``term`` is a product of two terms that are not constant, or a ``mod`` or
    ``div`` by such a term, or by a number that is not positive."""
    match term:
        case t.Mod(_, t.Int(divisor)) | t.Div(_, t.Int(divisor)):
            return divisor < 1
    return is_product(term)


def _case_by_case(name: str, cases: Sequence[tuple[int, t.Term]]) -> t.Term:
    *others, (_, last) = cases
    for number, case in reversed(others):
        last = t.If(t.compare(t.Name(name), "=", number), case, last)
    return last


def _times(action: Action, number: int) -> Action:
    by = {parameter: t.Int(number) for parameter in action.parameters}
    done = action.mapped(lambda node: fold(substitute(node, by)))
    return replace(done, parameters=())


# --- whether an action is a repeated step --------------------------------------------------------


def _is_repeated(game: ParametricGame, action: Action) -> bool:
    """Return whether a sufficient test shows that ``action``, with parameter k, is its step,
    ``action`` with parameter 1, made k times."""
    # Its one parameter is at least 1 and has no other bound but those that fall, by as much as they
    # are compared with, with every step.  All else is about variables that the action does not
    # change; of those that it does, legal states are told by linear inequalities, so that what lies
    # between two legal states on a line is legal.  Where the game has ended no step applies.
    if len(action.parameters) != 1:
        return False
    (count,) = action.parameters
    changes: dict[str, _Monomials] = {}  # of one step
    for variable, term in action.effects:
        if term != t.Name(variable):
            added = _expanded(t.Sum((term, t.Neg(t.Name(variable)))))
            changes[variable] = {} if added is None else _per_step(added, count)
    used = {name for step in changes.values() for (name,) in step}
    if not all(changes.values()) or not used.isdisjoint(changes):
        return False
    open_ = _keeps_between(game, changes) and _bounds(game, action, count, changes)
    return open_ and _is_never((game.legal, game.end, _times(action, 1).precondition))


def _per_step(parts: _Monomials, count: str) -> _Monomials:
    """Return the polynomial ``parts`` divided by ``count``, where each of its monomials is
    ``count`` times one variable; {} otherwise."""
    if not all(names.count(count) == 1 and len(names) == 2 for names in parts):
        return {}
    return {tuple(n for n in names if n != count): factor for names, factor in parts.items()}


def _keeps_between(game: ParametricGame, changes: Mapping[str, _Monomials]) -> bool:
    for link in links(game.legal):
        if free_names(link).isdisjoint(changes):
            continue
        if not isinstance(link, t.Compare) or "!=" in link.ops:
            return False
        parts = _expanded(t.Sum((link.terms[0], t.Neg(link.terms[1]))))
        if parts is None or any(len(names) > 1 for names in parts):
            return False
    return True


def _bounds(
    game: ParametricGame, action: Action, count: str, changes: Mapping[str, _Monomials]
) -> bool:
    """Return whether the precondition bounds ``count`` by ``count >= 1``, and else only by
    inequalities that say that what ``count`` steps take is there.  ``changes`` maps a variable to
    the polynomial that one step adds to it."""
    parts = list(links(action.precondition))
    others = [part for part in parts if count not in free_names(part)]
    if any(not free_names(part).isdisjoint(changes) for part in others):
        return False
    rooms = [_room(part) for part in parts if count in free_names(part)]
    from_one: _Monomials = {(count,): 1, (): -1}
    falls = [_fall(room or {}, count, changes) for room in rooms if room != from_one]
    where = conjunction((game.legal, *others))
    is_bounded = 0 < len(falls) < len(rooms)
    return is_bounded and all(fall and _is_positive(fall, where) for fall in falls)


def _fall(room: _Monomials, count: str, changes: Mapping[str, _Monomials]) -> _Monomials:
    """Return by how much the polynomial ``room``, which has to stay >= 0, falls for each unit of
    ``count``, if a step lowers the rest of it by as much; else {}.  ``changes`` maps a variable to
    the polynomial that a step adds to it."""
    taken = {names: -factor for names, factor in room.items() if count in names}
    rest = {names: factor for names, factor in room.items() if count not in names}
    step = _per_step(taken, count)
    fall: Counter[tuple[str, ...]] = Counter()
    for names, factor in rest.items():
        for name in names:
            for added, by in changes.get(name, {}).items():
                fall[added] -= factor * by
    is_linear = all(len(names) < 2 for names in rest)
    return step if is_linear and {n: f for n, f in fall.items() if f} == step else {}


def _is_positive(step: _Monomials, where: t.Formula) -> bool:
    """Return whether ``step``, a linear sum, has positive factors only, and where ``where`` holds
    its variables are seen to be at least 0, one of them at least 1."""
    names = [name for (name,) in step]
    known = ranges(where, sorted({*names, *free_names(where)}), {})
    lows = [known[name][0] for name in names]
    return (
        min(step.values()) >= 1
        and all(isinstance(low, int) and low >= 0 for low in lows)
        and any(isinstance(low, int) and low >= 1 for low in lows)
    )


def _is_never(formulas: tuple[t.Formula, ...]) -> bool:
    """Return whether interval bounds of names show that ``formulas`` never hold all together."""
    whole = conjunction(formulas)
    names = sorted(free_names(whole))
    return whole == t.FALSE or (0, -1) in ranges(whole, names, {}).values()


def _room(link: t.Formula) -> _Monomials | None:
    """Return the polynomial that the inequality ``link`` says is at least 0, as b - a for
    ``a <= b``; None if ``link`` is no inequality, or not of polynomials."""
    if not isinstance(link, t.Compare):
        return None
    (left, right), (op,) = link.terms, link.ops
    if op in (">", ">="):
        left, right, op = right, left, {">": "<", ">=": "<="}[op]
    if op not in _LESS:
        return None
    return _expanded(t.Sum((right, t.Neg(left), t.Int(-_LESS[op]))))


def _expanded(term: t.Term) -> _Monomials | None:
    """Return ``term`` as a polynomial, {sorted names of a monomial: coefficient}, or None."""
    match term:
        case t.Int(number):
            return {(): number} if number else {}
        case t.Name(name):
            return {(name,): 1}
        case t.Neg(arg):
            return _product({(): -1}, _expanded(arg))
        case t.Mul(left, right):
            return _product(_expanded(left), _expanded(right))
        case t.Sum(args):
            total: Counter[tuple[str, ...]] = Counter()
            for part in map(_expanded, args):
                if part is None:
                    return None
                total.update(part)
            return {names: factor for names, factor in total.items() if factor}
    return None


def _product(one: _Monomials | None, other: _Monomials | None) -> _Monomials | None:
    if one is None or other is None:
        return None
    total: Counter[tuple[str, ...]] = Counter()
    for (a, x), (b, y) in product(one.items(), other.items()):
        total[tuple(sorted((*a, *b)))] += x * y
    return {names: factor for names, factor in total.items() if factor}
