"""The only door to z3.

A query is a conjunction of formulas; the answer is ``unsat``, ``sat`` with a model, or
``unknown``, which is never taken for either of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.evaluate import Algebra, evaluate
from icgsynth.game import Action, ParametricGame
from icgsynth.term import (
    FALSE,
    TRUE,
    Compare,
    Div,
    Formula,
    If,
    Iff,
    Implies,
    Int,
    Mod,
    Mul,
    Name,
    Neg,
    Node,
    Not,
    Quantified,
    Sum,
    children,
    conjunction,
    disjunction,
    fold,
    free_names,
    rebuild,
)

__all__ = ["Answer", "eliminate_quantifiers", "satisfy", "without_quantifiers"]

_LONGEST = 2_000_000_000  # milliseconds; z3 wants a 32-bit number


@dataclass(frozen=True, slots=True)
class Answer:
    """``model`` gives every asked name a value where ``kind`` is "sat"."""

    kind: Literal["sat", "unsat", "unknown"]
    model: Mapping[str, int] | None = None


def satisfy(parts: Iterable[Formula], names: Sequence[str], budget: Budget) -> Answer:
    """Whether the conjunction of ``parts`` has a model over the integers.

    ``names`` are the free names that a model must give.  Quantifiers are allowed, and
    make ``unknown`` more likely.
    """
    import z3

    if budget.is_spent:
        return Answer("unknown")
    env = {name: z3.Int(name) for name in names}
    solver = z3.Solver()
    solver.set("timeout", _milliseconds(budget))
    for part in parts:
        solver.add(_lift(evaluate(part, env, _algebra())))
    result = solver.check()
    if result == z3.unsat:
        return Answer("unsat")
    if result == z3.unknown:
        return Answer("unknown")
    model = solver.model()
    values = {n: model.eval(env[n], model_completion=True).as_long() for n in names}
    return Answer("sat", values)


def _milliseconds(budget: Budget) -> int:
    return max(1, int(min(budget.remaining() * 1000, _LONGEST)))


def _lift(formula: Any) -> Any:
    import z3

    return z3.BoolVal(formula) if isinstance(formula, bool) else formula


@cache
def _algebra() -> Algebra:
    import z3

    def quantify(formula: Quantified, env: Mapping[str, Any]) -> Any:
        bound = [z3.FreshInt(name) for name in formula.names]
        inner = dict(env) | dict(zip(formula.names, bound, strict=True))
        body = _lift(evaluate(formula.body, inner, _algebra()))
        return (z3.Exists if formula.kind == "exists" else z3.ForAll)(bound, body)

    return Algebra(
        constant=z3.IntVal,
        truth=z3.BoolVal,
        conjunction=lambda parts: z3.And([_lift(p) for p in parts]),
        disjunction=lambda parts: z3.Or([_lift(p) for p in parts]),
        negation=lambda part: z3.Not(_lift(part)),
        minimum=lambda a, b: z3.If(a <= b, a, b),
        maximum=lambda a, b: z3.If(a >= b, a, b),
        absolute=lambda a: z3.If(a >= 0, a, -a),
        choose=lambda condition, a, b: z3.If(_lift(condition), a, b),
        # z3's integer division is Euclidean: with a positive divisor that is the floor.
        div=lambda a, b: a / b,
        quantify=quantify,
    )


# --- quantifiers -------------------------------------------------------------------


def eliminate_quantifiers(game: ParametricGame, budget: Budget) -> ParametricGame:
    """The same game with quantifier-free rules.

    Raises :class:`~icgsynth.errors.BudgetSpent` where z3's elimination does not finish or
    leaves the logic.
    """
    if not game.is_quantified:
        return game
    actions = tuple(
        Action(
            a.name,
            a.parameters,
            without_quantifiers(a.precondition, budget),
            tuple((name, without_quantifiers(term, budget)) for name, term in a.effects),
        )
        for a in game.actions
    )
    return replace(
        game,
        actions=actions,
        legal=without_quantifiers(game.legal, budget),
        end=without_quantifiers(game.end, budget),
    )


def without_quantifiers(node: Any, budget: Budget) -> Any:
    """A term or formula with each outermost quantified subformula replaced.

    Raises like :func:`eliminate_quantifiers`.
    """
    if isinstance(node, Quantified):
        return _eliminate_one(node, budget)
    return rebuild(node, tuple(without_quantifiers(c, budget) for c in children(node)))


def _eliminate_one(formula: Quantified, budget: Budget) -> Formula:
    import z3

    env = {name: z3.Int(name) for name in free_names(formula)}
    goal = z3.Goal()
    goal.add(evaluate(formula, env, _algebra()))
    tactic = z3.TryFor(z3.Then("simplify", "qe", "simplify"), _milliseconds(budget))
    try:
        return fold(_read(tactic(goal).as_expr()))  # type: ignore[return-value]
    except (z3.Z3Exception, _NotRead) as error:
        raise BudgetSpent(f"could not eliminate the quantifier in '{formula}'") from error


class _NotRead(Exception):
    pass


def _read(expression: Any) -> Any:
    """A z3 expression as one of ours."""
    import z3

    if z3.is_int_value(expression):
        return Int(expression.as_long())
    if z3.is_quantifier(expression) or z3.is_var(expression):
        raise _NotRead(str(expression))
    kind = expression.decl().kind()
    parts: list[Node] = [_read(c) for c in expression.children()]
    if kind == z3.Z3_OP_UNINTERPRETED and not parts:
        return Name(expression.decl().name())
    builder = _builders().get(kind)
    if builder is None:
        raise _NotRead(str(expression))
    return builder(parts)


@cache
def _builders() -> dict[int, Any]:
    import z3

    def compare(op: str) -> Any:
        return lambda p: Compare(tuple(p), (op,))

    def equal(p: list[Any]) -> Formula:
        if isinstance(p[0], _TERMS):
            return Compare((p[0], p[1]), ("=",))
        return Iff(p[0], p[1])

    return {
        z3.Z3_OP_TRUE: lambda p: TRUE,
        z3.Z3_OP_FALSE: lambda p: FALSE,
        z3.Z3_OP_AND: conjunction,
        z3.Z3_OP_OR: disjunction,
        z3.Z3_OP_NOT: lambda p: Not(p[0]),
        z3.Z3_OP_IMPLIES: lambda p: Implies(p[0], p[1]),
        z3.Z3_OP_EQ: equal,
        z3.Z3_OP_DISTINCT: lambda p: Not(equal(p)),
        z3.Z3_OP_LE: compare("<="),
        z3.Z3_OP_GE: compare(">="),
        z3.Z3_OP_LT: compare("<"),
        z3.Z3_OP_GT: compare(">"),
        z3.Z3_OP_ADD: lambda p: Sum(tuple(p)),
        z3.Z3_OP_SUB: lambda p: Sum((p[0], *(Neg(x) for x in p[1:]))),
        z3.Z3_OP_UMINUS: lambda p: Neg(p[0]),
        z3.Z3_OP_MUL: lambda p: Mul(p[0], p[1]),
        z3.Z3_OP_MOD: lambda p: Mod(p[0], p[1]),
        z3.Z3_OP_IDIV: lambda p: Div(p[0], p[1]),
        z3.Z3_OP_ITE: lambda p: If(p[0], p[1], p[2]),
    }


_TERMS = (Int, Name, Sum, Neg, Mul, Mod, Div, If)
