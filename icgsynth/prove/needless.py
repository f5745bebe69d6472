"""What an answer from a file may be called: rules may have been deleted from it, or changed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import inf

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, InputError, Refused
from icgsynth.explicit.box import NEED, NEED_OF_VALUES, Box
from icgsynth.explicit.grundy_box import box_values
from icgsynth.explicit.labels import label
from icgsynth.game.answers import Verdict
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.boxcheck import wrong_parts
from icgsynth.prove.deciders.smt import satisfy

_STEPS = 20_000_000  # of z3 for one action: some seconds, and the same on every machine
_BOUNDS = (60, 12, 6, 3, 1)  # of each variable: the first whose box is small enough
_WORK = 5.0  # seconds of the processor for an automaton: a few hundredths do


def without_false_need(solution: Solution) -> Solution:
    """The answer; where it has no rules, calls that proved, and some winning state has a move, or
    that is not known, it does not call its strategy proved.

    So is a file whose rules were deleted.
    """
    if not solution.needs_no_move or _is_needless(solution):
        return solution
    proof = {part: verdict for part, verdict in solution.proof.items() if part != "strategy"}
    status = "conditional" if solution.is_proved else solution.status
    return replace(solution, proof=proof, status=status)


def without_false_parts(solution: Solution) -> Solution:
    """The answer; what play of small states shows to be false in it, it does not call proved.

    So is a file of whose rules some were deleted.  What only larger states show, ``verify`` finds.
    """
    box = next(
        (b for b in map(partial(Box.of, solution.game), _BOUNDS) if b.cells <= NEED.states), None
    )
    if box is None or solution.draws is not None or not solution.is_proved:
        return solution
    try:
        labels = label(solution.game, box, solution.rule, budget=Budget(inf, work=_WORK))
        wrong = {part for part, rows in wrong_parts(solution, labels).items() if rows.any()}
    except (BudgetSpent, Refused):
        return solution
    if not solution.strategy:
        wrong.discard("strategy")  # none is stated
    if not wrong:
        return solution
    false = {"strategy" if part == "fft" else part for part in wrong}
    proof = {p: Verdict.UNKNOWN if p in false else v for p, v in solution.proof.items()}
    return replace(solution, proof=proof, status="conditional")


def require_true_moves(answer: GrundyAnswer) -> None:
    """Raise :class:`~icgsynth.errors.InputError` where play of small states refutes the moves.

    From a state of the value v a move of ``answer.strategy`` has to lead to each smaller value.
    """
    bounds = map(partial(Box.of, answer.game), _BOUNDS)
    box = next((b for b in bounds if b.cells <= NEED_OF_VALUES.states), None)
    if box is None or not answer.strategy:
        return
    try:
        found = box_values(answer.game, box, Budget(inf, work=_WORK))
    except (BudgetSpent, Refused):
        return
    states = map(tuple, found.box.states[found.known].tolist())
    known = dict(zip(states, found.values[found.known].tolist(), strict=True))
    for state, value in known.items():
        for smaller in range(value):
            move = answer.mover(state, smaller)
            after = None if move is None else answer.game.result(state, move)
            if after is None or known.get(after, smaller) != smaller:
                at = answer.game.show(state)
                raise InputError(
                    f"the moves in the file do not lead from {at} to the value {smaller}",
                    mend="rules are missing or changed; 'icgsynth verify' tells more",
                )


def _is_needless(solution: Solution) -> bool:
    game = solution.game
    winning = solution.outcomes[0]
    return all(
        _is_empty(
            solution,
            (*game.variables, *action.parameters),
            (game.legal, winning, game.applicable(action)),
        )
        for action in game.actions
    )


def _is_empty(solution: Solution, names: tuple[str, ...], parts: tuple[t.Formula, ...]) -> bool:
    """Whether no integers satisfy all parts; False also where that is not known."""
    if solution.is_linear:
        return satisfy(parts, names, Budget(inf), _STEPS).kind == "unsat"
    system = next(solution.systems())
    try:
        compiler = Compiler(system, Budget(inf, work=_WORK))
        found = compiler.formula(t.Quantified("exists", names, conjunction(parts)))
        return found.automaton().complete({}) is None
    except (BudgetSpent, InputError, Refused):
        return False
