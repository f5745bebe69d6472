"""That an automaton recognises exactly the losing states: one equation.

Let C be the legal states and Pre(P) those from which some action leads into P.  The losing
states under normal play satisfy ``P = C - Pre(P)``; under misère ``P = C - (Pre(P) u E)`` with
the ending states E (Mignoty, Renard, Rigo, Whiteland, Automatic proofs in combinatorial game
theory, IJGT 54, 2025).  Where every play is finite nothing else satisfies it; that plays are
finite is proved elsewhere, and taken for granted here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import BudgetSpent
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.game.solution import Verdict
from icgsynth.prove.recheck.algebra import join
from icgsynth.prove.recheck.formulas import Undecided
from icgsynth.prove.recheck.independence import conflict
from icgsynth.prove.recheck.machine import Effort, Machine, TooLarge, difference
from icgsynth.prove.recheck.numbers import Numbers
from icgsynth.prove.recheck.positions import Positions
from icgsynth.prove.recheck.reading import Misread, read
from icgsynth.prove.recheck.relations import Relations, Unproved
from icgsynth.prove.recheck.system import alternates, flaw


@dataclass(frozen=True)
class Recheck:
    """How a part of a certificate stands.

    ``claim`` is what does not hold or could not be decided, and ``witness`` a state where it
    does not hold.  Where the equation fails, what the losing set says of the witness does not go
    with what the rules make of its answers for the states that the witness leads to.
    ``operations`` automata were built, the largest with ``largest`` states.
    """

    verdict: Verdict
    claim: str = ""
    witness: State | None = None
    operations: int = 0
    largest: int = 0


class Refuted(Exception):
    """A claim fails, perhaps at a state."""

    def __init__(self, claim: str, witness: State | None = None) -> None:
        super().__init__(claim)
        self.claim = claim
        self.witness = witness


def recheck(
    game: ParametricGame,
    rule: PlayRule,
    losing: Automaton,
    budget: Budget,
    max_states: int = 50_000,
) -> Recheck:
    """Prove or refute, for all states, that ``losing`` is the solution of the equation.

    Trusted are the operations on automata, the meaning that
    :mod:`~icgsynth.prove.recheck.formulas` gives to the rules, and that play is finite.  The
    numeration system, addition and congruences are proved; all else is derived from them.
    """
    effort = Effort(budget, max_states)

    def check() -> None:
        if sorted(losing.tracks) != sorted(game.variables):
            raise Undecided("the tracks of the automaton are not the variables of the game")
        there = positions(game, losing.system, effort)
        require_solution(there, read(there.numbers, losing), rule)

    return attempt(game, effort, check)


def positions(game: ParametricGame, system: Numeration, effort: Effort) -> Positions:
    """The states of ``game`` in ``system``, which is proved to be a numeration system.

    Raises :class:`Refuted` where it is none, and what :func:`attempt` takes for an open question.
    """
    if min(system.recurrence) < 0 and not alternates(system):
        raise Undecided(f"weights with differences in them, as those of {system}")
    if wrong := flaw(effort, system):
        raise Refuted(wrong)
    found = Positions(game, Relations(Numbers(system, effort)))
    found.require_natural()
    return found


def require_solution(there: Positions, losing: Machine, rule: PlayRule) -> None:
    """Raise :class:`Refuted` unless ``losing`` is the solution of the equation."""
    require_equal(there, losing, there.expected(losing, rule), f"the equation of {rule} play fails")


def require_independent(there: Positions, losing: Machine, rule: PlayRule) -> None:
    """Raise :class:`Refuted` where a losing state ended the game with a win, or has a move to
    another one; the relation of actions with steep bounds is not built."""
    claim = "no move leads from a losing state to a losing state"
    effort = there.numbers.effort
    require_equal(there, join(effort, losing, there.into(losing)), there.none, claim)
    for cases in there.cones.values():
        state = conflict(there.relations, there.game.variables, losing, cases)
        if state is not None:
            raise Refuted(claim, state)
    if rule == "misere":
        claim = "a state where no move is left is won"
        require_equal(there, join(effort, losing, there.ending), there.none, claim)


def require_equal(there: Positions, left: Machine, right: Machine, claim: str) -> None:
    """Raise :class:`Refuted` with ``claim`` at a state that only one of the sets has."""
    word = difference(left, right)
    if word is not None:
        raise Refuted(claim, there.state(left, word))


def attempt(game: ParametricGame, effort: Effort, check: Callable[[], None]) -> Recheck:
    """Proved if ``check`` raises nothing, refuted if it raises :class:`Refuted`."""
    before, effort.largest = effort.operations, 0
    verdict, claim, witness = Verdict.UNKNOWN, "", None
    try:
        check()
        verdict = Verdict.PROVED
    except Refuted as found:
        verdict, claim, witness = Verdict.REFUTED, found.claim, found.witness
    except Misread as found:
        verdict, claim = Verdict.REFUTED, str(found)
        if found.numbers.keys() >= set(game.variables):
            witness = tuple(found.numbers[v] for v in game.variables)
    except BudgetSpent:
        claim = "the budget is spent"
    except RecursionError:
        claim = "the rules are nested too deeply"
    except (TooLarge, Undecided, Unproved) as reason:
        claim = str(reason)
    return Recheck(verdict, claim, witness, effort.operations - before, effort.largest)
