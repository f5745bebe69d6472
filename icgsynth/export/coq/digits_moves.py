"""The moves of an action as conditions on numbers side by side, for automata.

The numbers are those of the state, then the unknown ones: what the move changes, parameters that
do not follow from that, and quotients.  Only integers that are linear in these are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from icgsynth.errors import Refused
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, rebuild, substitute
from icgsynth.logic.comparisons import SWAPPED
from icgsynth.logic.normal import Unsupported, normal
from icgsynth.logic.ranges import linear
from icgsynth.prove.automata.game_automata import solved

__all__ = ["MoveUnknowns", "Quotients", "conditions", "is_sure", "unknowns"]


@dataclass(frozen=True)
class MoveUnknowns:
    """``values`` are the unknown numbers of a move by its state and parameters, ``parameters`` the
    reverse; ``after`` names the numbers of the next state, and ``parts`` hold of all of them."""

    action: Action
    values: Mapping[str, t.Term]
    parameters: Mapping[str, t.Term]
    after: tuple[str, ...]
    parts: tuple[t.Formula, ...]


def conditions(formulas: Sequence[t.Formula]) -> list[t.Formula]:
    """Their normal form; :class:`~icgsynth.errors.Refused` where it is not linear."""
    try:
        return normal([_of_each(formula) for formula in formulas])
    except Unsupported as cause:
        raise Refused(f"the exporter to Coq cannot put this into digits: {cause}") from None


def _of_each(node: t.Node) -> Any:
    """``node`` with ``max(a, b) > c`` as ``a > c or b > c``, and so on.

    It has fewer cases than what the greater of two numbers is, which matters where five are nested.
    """
    if isinstance(node, t.Compare) and len(node.ops) == 1:
        (left, right), (op,) = node.terms, node.ops
        if isinstance(right, t.Max | t.Min):
            left, right, op = right, left, SWAPPED[op]
        if isinstance(left, t.Max | t.Min) and op in ("<", "<=", ">", ">="):
            join = t.Or if isinstance(left, t.Max) == (op in (">", ">=")) else t.And
            sides = (left.left, left.right)
            return join(tuple(_of_each(t.Compare((side, right), (op,))) for side in sides))
    return rebuild(node, tuple([_of_each(child) for child in t.children(node)]))


def unknowns(game: ParametricGame, action: Action) -> MoveUnknowns:
    """What the moves of an action are about."""
    fresh = (f"y'{i}" for i in range(1, 1000))  # a name that no game has
    effects = [(v, term) for v, term in action.effects if term != t.Name(v)]
    then = {v: next(fresh) for v, _ in effects}
    values: dict[str, t.Term] = {then[v]: term for v, term in effects}
    equations: list[tuple[str, t.Term]] = [(then[v], term) for v, term in effects]
    given: dict[str, t.Term] = {}
    parts: list[t.Formula] = [game.applicable(action)]
    for parameter in action.parameters:
        found = solved(parameter, equations)
        if found is None:
            name = next(fresh)
            value: t.Term = t.Name(name)
            values[name] = t.Name(parameter)
        else:
            index, value = found
            del equations[index]
        by = {parameter: value}
        parts = [fold(substitute(p, by)) for p in parts]
        equations = [(n, fold(substitute(term, by))) for n, term in equations]
        given = {p: fold(substitute(term, by)) for p, term in given.items()} | {parameter: value}
    parts += [t.Compare((t.Name(n), term), ("=",)) for n, term in equations]
    quotients = Quotients(values, fresh)
    for part in conditions(parts):
        said = [quotients.free(a) for a in (part.args if isinstance(part, t.And) else (part,))]
        quotients.parts.extend(said)
    after = tuple(then.get(v, v) for v in game.variables)
    return MoveUnknowns(action, values, given, after, tuple(quotients.parts))


@dataclass
class Quotients:
    """Remainders and quotients by a number become linear: each quotient is one more unknown.

    ``values`` are the unknowns with what they are, ``parts`` what holds of the quotients.
    Where they ``stay_natural``, the unknown is 0 for a quotient that may be negative.
    """

    values: dict[str, t.Term]
    fresh: Iterator[str]
    stay_natural: bool = False
    parts: list[t.Formula] = field(default_factory=list)
    _names: dict[tuple[t.Term, int], str] = field(default_factory=dict)

    def free(self, formula: t.Formula) -> t.Formula:
        """The formula without them; what the new unknowns are goes to ``parts``."""
        match formula:
            case t.And(args):
                return t.And(tuple(map(self.free, args)))
            case t.Or(args):
                return t.Or(tuple(map(self.free, args)))
            case t.Compare(terms, ops):
                return t.Compare(tuple(map(self._linear, terms)), ops)
        return formula

    def _linear(self, term: t.Term) -> t.Term:
        match term:
            case t.Mod(arg, t.Int(divisor)) | t.Div(arg, t.Int(divisor)):
                inner = self._linear(arg)
                quotient = t.Name(self._quotient(inner, divisor))
                if isinstance(term, t.Div):
                    return quotient
                return t.Sum((inner, t.Mul(t.Int(-divisor), quotient)))
            case t.Sum(args):
                return t.Sum(tuple(map(self._linear, args)))
            case t.Neg(arg):
                return t.Neg(self._linear(arg))
            case t.Mul(left, right):
                return t.Mul(self._linear(left), self._linear(right))
        return term

    def _quotient(self, term: t.Term, divisor: int) -> str:
        known = self._names.get((term, divisor))
        if known is not None:
            return known
        name = self._names[term, divisor] = next(self.fresh)
        self.values[name] = t.Div(substitute(term, self.values), t.Int(divisor))
        rest = t.Sum((term, t.Mul(t.Int(-divisor), t.Name(name))))
        right: tuple[t.Formula, ...]
        right = (t.Compare((rest, t.Int(0)), (">=",)), t.Compare((rest, t.Int(divisor)), ("<",)))
        if self.stay_natural and not is_sure(t.Compare((term, t.Int(0)), (">=",))):
            self.values[name] = t.Max(t.Int(0), self.values[name])
            below = t.And(
                (t.Compare((term, t.Int(0)), ("<",)), t.Compare((t.Name(name), t.Int(0)), ("=",)))
            )
            right = (t.Or((below, t.And(right))),)
        self.parts.extend(right)
        return name


def is_sure(part: t.Formula) -> bool:
    """Whether a comparison says no more than that natural numbers are not negative."""
    match part:
        case t.Compare((left, right), ("<=" | ">=" | "<" | ">" as op,)):
            small, large = (left, right) if op in ("<=", "<") else (right, left)
            form = linear(t.Sum((small, t.Neg(large))))
            return (
                form.constant <= -(op in ("<", ">")) and max(form.factors.values(), default=0) <= 0
            )
    return False
