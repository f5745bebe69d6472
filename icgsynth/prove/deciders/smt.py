"""The only door to z3.

A query is a conjunction of formulas; the answer is ``unsat``, ``sat`` with a model, or
``unknown``, which is never taken for either of the others.

Each query has a context of z3 of its own.  In a shared one z3's way to an answer, and whether it
finds one within its steps, depends on all that it was asked before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from icgsynth.budget import Budget, on_the_clock
from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, walk
from icgsynth.logic.evaluate import Algebra, evaluate, satisfies

NAME = "z3"
_LONGEST = 2_000_000_000  # milliseconds, or steps; z3 wants a 32-bit number
_TRIAL_STEPS = 1_000_000  # of z3 to see whether one fact can be spared
_STEPS_A_SECOND = 10_000_000  # as measured, with an idle machine


@dataclass(frozen=True, slots=True)
class SolverReply:
    """``model`` gives every asked name a value where ``kind`` is "sat".

    ``by`` names the engines on which "unsat" rests, and what several of them read: if none of these
    is wrong, it is right.
    """

    kind: Literal["sat", "unsat", "unknown"]
    model: Mapping[str, int] | None = None
    by: frozenset[str] = frozenset()


def satisfy(
    parts: Iterable[t.Formula], names: Sequence[str], budget: Budget, steps: int = 0
) -> SolverReply:
    """Whether the conjunction of ``parts`` has a model over the integers.

    At most so many ``steps`` of z3, some millions of which take a second; 0 is no limit.
    ``names`` are the free names that a model must give.  Quantifiers are allowed, and
    make ``unknown`` more likely.  Without them a model is checked before it is returned, so
    that only "unsat" is believed.
    """
    import z3

    if budget.is_spent:
        return SolverReply("unknown")
    given = tuple(parts)
    is_quantified = any(isinstance(node, t.Quantified) for part in given for node in walk(part))
    context = z3.Context()
    env = {name: z3.Int(name, context) for name in names}
    # For quantifiers z3 has a procedure of its own, which it must be asked for.
    solver = z3.SolverFor("LIA", ctx=context) if is_quantified else z3.Solver(ctx=context)
    _limit_steps(solver, budget, steps)
    try:
        for part in given:
            solver.add(_translate(part, env, context))
    except Refused:  # z3 knows no digits
        return SolverReply("unknown")
    result = solver.check()
    if result == z3.unsat:
        return SolverReply("unsat", by=frozenset((NAME,)))
    if result == z3.unknown:
        return SolverReply("unknown")
    model = solver.model()
    values = {n: model.eval(env[n], model_completion=True).as_long() for n in names}
    if is_quantified or all(satisfies(part, values) for part in given):
        return SolverReply("sat", values)
    return SolverReply("unknown")


class LinearRow(NamedTuple):
    """The row of an inequality: unknowns by place, times factors, sum to at least ``least``."""

    factors: Mapping[int, int]
    least: int


def maximum(
    goal: Mapping[int, int], rows: Iterable[LinearRow], budget: Budget
) -> dict[int, Fraction] | None:
    """Numbers of at least 0 that satisfy ``rows`` and make the sum ``goal`` as large as possible.

    ``rows`` bound that sum.  None where there are no such numbers, or the budget is spent.
    """
    import z3

    context = z3.Context()
    optimize = z3.Optimize(ctx=context)
    _limit_steps(optimize, budget, 0)
    unknowns: dict[int, Any] = {}

    def total(factors: Mapping[int, int]) -> Any:
        for place in factors:
            if place not in unknowns:
                unknowns[place] = z3.Real(f"x{place}", context)
                optimize.add(unknowns[place] >= 0)
        return z3.Sum([unknowns[place] * f for place, f in factors.items() if f])

    for row in rows:
        optimize.add(total(row.factors) >= row.least)
    optimize.maximize(total(goal))
    if optimize.check() != z3.sat:
        return None
    model = optimize.model()
    values = {p: model.eval(x, model_completion=True) for p, x in unknowns.items()}
    return {p: Fraction(v.as_fraction()) for p, v in values.items()}


def find_core(
    parts: Sequence[t.Formula],
    facts: Sequence[t.Formula],
    names: Sequence[str],
    budget: Budget,
    steps: int,
) -> tuple[int, ...] | None:
    """Return the places of ``facts`` that suffice to contradict ``parts``; None if none are found.

    ``names`` are the free names; ``steps`` bound the work of z3 on each question.  Not the fewest,
    but without each of them z3 does not see the contradiction in a few steps.  One fact after the
    other is left out, because z3's own search for a least core has no bound.
    """
    import z3

    if budget.is_spent:
        return None
    context = z3.Context()
    env = {name: z3.Int(name, context) for name in names}
    solver = z3.Solver(ctx=context)
    _limit_steps(solver, budget, steps)
    for part in parts:
        solver.add(_translate(part, env, context))
    labels = [z3.Bool(f"fact {i}", context) for i in range(len(facts))]
    for label, fact in zip(labels, facts, strict=True):
        solver.add(z3.Implies(label, _translate(fact, env, context)))

    def core(places: Sequence[int]) -> set[int] | None:
        if budget.is_spent or solver.check(*(labels[i] for i in places)) != z3.unsat:
            return None
        return _core_places(solver, labels)

    found = core(range(len(facts)))
    if found is None:
        return None
    _limit_steps(solver, budget, min(steps, _TRIAL_STEPS))
    return tuple(_least(sorted(found), core))


def _core_places(solver: Any, labels: Sequence[Any]) -> set[int]:
    """Return which of the ``labels`` the contradiction that was found last rests on."""
    kept = {label.get_id() for label in solver.unsat_core()}
    return {i for i, label in enumerate(labels) if label.get_id() in kept}


def _least(places: Sequence[int], core: Callable[[Sequence[int]], set[int] | None]) -> list[int]:
    """Minimise an unsatisfiable core: return ``places`` none of which can be left out."""
    # ``core`` says which of some places suffice, or None where it sees no contradiction.
    sure: list[int] = []
    rest = list(places)
    while rest:
        place, *others = rest
        found = core([*sure, *others])
        if found is None:
            sure, rest = [*sure, place], others
        else:
            sure = [i for i in sure if i in found]
            rest = [i for i in others if i in found]
    return sure


class Contradictions:
    """Asks again and again whether some of many formulas contradict each other.

    ``steps`` of z3's own bound each search, and not seconds, so that the same questions in the same
    order have the same answers.  A formula that was asked about before costs little.
    """

    def __init__(self, steps: int = 2_000_000) -> None:
        import z3

        self._context = z3.Context()
        self._solver = z3.Solver(ctx=self._context)
        self._solver.set("rlimit", steps)
        self._labels: dict[t.Formula, Any] = {}
        self._unsat = z3.unsat

    def core(self, parts: Sequence[t.Formula], *, least: bool = True) -> tuple[int, ...] | None:
        """The places of a few ``parts`` that contradict each other; None where z3 finds none.

        Without any of the ``least`` ones z3 does not see the contradiction.
        """
        if not self.holds(parts):
            return None
        self._solver.set("core.minimize", least)
        return tuple(sorted(_core_places(self._solver, list(map(self._label, parts)))))

    def holds(self, parts: Sequence[t.Formula]) -> bool:
        """Whether z3 sees that ``parts`` contradict each other; cheaper than :meth:`core`."""
        import z3

        # Asked by hand: Solver.check() takes longer to look at the labels than z3 to think.
        labels = [self._label(part) for part in parts]
        assumed = (z3.Ast * len(labels))(*[label.ast for label in labels])
        solver, context = self._solver.solver, self._context.ref()
        found = z3.Z3_solver_check_assumptions(context, solver, len(labels), assumed)
        return bool(found == self._unsat.r)

    def _label(self, part: t.Formula) -> Any:
        import z3

        known = self._labels.get(part)
        if known is None:
            known = self._labels[part] = z3.Bool(f"part {len(self._labels)}", self._context)
            env = {name: z3.Int(name, self._context) for name in sorted(free_names(part))}
            self._solver.add(z3.Implies(known, _translate(part, env, self._context)))
        return known


def _limit_steps(solver: Any, budget: Budget, steps: int) -> None:
    """Limit z3 by steps where processor time is bounded, for its own clock is on the wall."""
    left = budget.remaining()
    if budget.counts_work:
        most = max(1, int(min(left * _STEPS_A_SECOND, _LONGEST)))
        steps = min(steps or most, most)
        left = budget.seconds - budget.runtime
    solver.set("timeout", max(1, int(min(on_the_clock(left) * 1000, _LONGEST))))
    solver.set("rlimit", steps)


def _translate(part: t.Formula, env: Mapping[str, Any], context: Any) -> Any:
    import z3

    def lift(formula: Any) -> Any:
        return z3.BoolVal(formula, context) if isinstance(formula, bool) else formula

    def quantify(formula: t.Quantified, env: Mapping[str, Any]) -> Any:
        bound = [z3.FreshInt(name, context) for name in formula.names]
        inner = dict(env) | dict(zip(formula.names, bound, strict=True))
        body = lift(evaluate(formula.body, inner, algebra))
        return (z3.Exists if formula.kind == "exists" else z3.ForAll)(bound, body)

    algebra = Algebra(
        constant=lambda number: z3.IntVal(number, context),
        truth=lift,
        conjunction=lambda parts: z3.And(*map(lift, parts), context),
        disjunction=lambda parts: z3.Or(*map(lift, parts), context),
        negation=lambda part: z3.Not(lift(part)),
        minimum=lambda a, b: z3.If(a <= b, a, b),
        maximum=lambda a, b: z3.If(a >= b, a, b),
        absolute=lambda a: z3.If(a >= 0, a, -a),
        choose=lambda condition, a, b: z3.If(lift(condition), a, b),
        # z3's integer division is Euclidean: with a positive divisor that is the floor.
        div=lambda a, b: a / b,
        quantify=quantify,
    )
    return lift(evaluate(part, env, algebra))
