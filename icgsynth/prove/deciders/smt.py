"""The only door to z3.

A query is a conjunction of formulas; the answer is ``unsat``, ``sat`` with a model, or
``unknown``, which is never taken for either of the others.

Each query has a context of z3 of its own.  In a shared one z3's way to an answer, and whether it
finds one within its steps, depends on all that it was asked before."""

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
    """The reply of a solver; if ``kind`` is "sat", ``model`` gives each asked name a value.

    ``by`` names the engines on which "unsat" rests, and what several of them read: if none of these
    is wrong, it is right."""

    kind: Literal["sat", "unsat", "unknown"]
    model: Mapping[str, int] | None = None
    by: frozenset[str] = frozenset()


def satisfy(
    parts: Iterable[t.Formula], names: Sequence[str], budget: Budget, steps: int = 0
) -> SolverReply:
    """Return whether the conjunction of ``parts`` has a model over the integers, by z3.

    A model gives numbers to ``names``, the free names.  At most ``steps`` of z3 are spent, some
    millions of which take a second; 0 is no limit.  Quantifiers are allowed, and make "unknown"
    more likely.  Without them a model is checked before it is returned; "unsat" is believed."""
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
    """An inequality: unknowns by place, times ``factors``, sum to at least ``least``."""

    factors: Mapping[int, int]
    least: int


def maximum(
    goal: Mapping[int, int], rows: Iterable[LinearRow], budget: Budget
) -> dict[int, Fraction] | None:
    """Return, by place, rational numbers x >= 0 that satisfy ``rows`` and make a sum the largest.

    The sum has the factor ``goal[place]`` at each unknown; ``rows`` must bound it.  None where
    there are no such numbers, or the budget is spent."""
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


class Labelled:
    """A solver of labelled formulas, asked which of them contradict each other.

    Each holds only where its label is asked for, but for those that ``always`` hold.  The same
    questions in the same order have the same answers where steps alone bound each."""

    def __init__(self, always: Iterable[t.Formula] = ()) -> None:
        import z3

        self._context = z3.Context()
        self._solver = z3.Solver(ctx=self._context)
        self._labels: list[Any] = []
        for part in always:
            self._solver.add(self._read(part))

    def limit(self, steps: int, budget: Budget | None = None) -> None:
        """Limit each later question to so many ``steps`` of z3, and to the time in ``budget``."""
        if budget is None:
            self._solver.set("rlimit", steps)
        else:
            _limit_steps(self._solver, budget, steps)

    def add(self, part: t.Formula) -> int:
        """Add the formula ``part``, and return its place among the added ones, counted from 0."""
        import z3

        label = z3.Bool(f"part {len(self._labels)}", self._context)
        self._solver.add(z3.Implies(label, self._read(part)))
        self._labels.append(label)
        return len(self._labels) - 1

    def contradict(self, places: Sequence[int]) -> bool:
        """Return whether z3 sees a contradiction among the added formulas at ``places``."""
        import z3

        # Asked by hand: Solver.check() takes longer to look at the labels than z3 to think.
        assumed = (z3.Ast * len(places))(*[self._labels[place].ast for place in places])
        solver, context = self._solver.solver, self._context.ref()
        found = z3.Z3_solver_check_assumptions(context, solver, len(places), assumed)
        return bool(found == z3.unsat.r)

    def core(self, least: bool = False) -> set[int]:
        """Return the places of added formulas on which the last contradiction rests.
        With ``least`` z3 leaves out formulas until the contradiction needs each of the others."""
        self._solver.set("core.minimize", least)
        kept = {label.get_id() for label in self._solver.unsat_core()}
        return {place for place, label in enumerate(self._labels) if label.get_id() in kept}

    def _read(self, part: t.Formula) -> Any:
        import z3

        env = {name: z3.Int(name, self._context) for name in sorted(free_names(part))}
        return _translate(part, env, self._context)


def find_core(
    parts: Sequence[t.Formula], facts: Sequence[t.Formula], budget: Budget, steps: int
) -> tuple[int, ...] | None:
    """Return the indices of ``facts`` that suffice to contradict ``parts``; None if none are found.

    ``steps`` bound the work of z3 on each question.  Not the fewest, but without each of them z3
    does not see the contradiction in a few steps.  One fact after the other is left out, because
    z3's own search for a least core has no bound."""
    if budget.is_spent:
        return None
    asked = Labelled(parts)
    asked.limit(steps, budget)
    places = [asked.add(fact) for fact in facts]

    def core(places: Sequence[int]) -> set[int] | None:
        return asked.core() if not budget.is_spent and asked.contradict(places) else None

    found = core(places)
    if found is None:
        return None
    asked.limit(min(steps, _TRIAL_STEPS), budget)
    return tuple(_least(sorted(found), core))


def _least(places: Sequence[int], core: Callable[[Sequence[int]], set[int] | None]) -> list[int]:
    """Return a part of ``places`` of which none can be left out; ``core`` returns those of some
    places that suffice, or None where it sees no contradiction."""
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


def _limit_steps(solver: Any, budget: Budget, steps: int) -> None:
    """Limit each question to ``solver`` to the time that ``budget`` has left and to ``steps`` of z3
    (0: no limit); to fewer steps if processor time is bounded."""
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
