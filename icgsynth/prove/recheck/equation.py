"""That an automaton recognises exactly the losing states: one equation.

Let C be the legal states and Pre(P) those from which some action leads into P.  The losing
states under normal play satisfy ``P = C - Pre(P)``; under misère ``P = C - (Pre(P) u E)`` with
the ending states E (Mignoty, Renard, Rigo, Whiteland, Automatic proofs in combinatorial game
theory, IJGT 54, 2025).  Where every play is finite nothing else satisfies it; that plays are
finite is proved elsewhere, and taken for granted here.
"""

from __future__ import annotations

from collections.abc import Callable

from icgsynth.digits.numeration import Numeration
from icgsynth.errors import BudgetSpent, Refused, TooLarge, Unproved
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.prove.recheck.algebra import join
from icgsynth.prove.recheck.formulas import Undecided
from icgsynth.prove.recheck.independence import conflict
from icgsynth.prove.recheck.machine import Effort, Machine, difference
from icgsynth.prove.recheck.numbers import Numbers
from icgsynth.prove.recheck.positions import Positions
from icgsynth.prove.recheck.reading import Misread
from icgsynth.prove.recheck.relations import Relations
from icgsynth.prove.recheck.system import alternates, flaw


class Refuted(Exception):
    """A claim fails, perhaps at a state.

    Where the equation fails, what the losing set says of the state does not go with what the rules
    make of its answers for the states that it leads to.
    """

    def __init__(self, claim: str, witness: State | None = None) -> None:
        super().__init__(claim)
        self.claim = claim
        self.witness = witness


def relations_of(system: Numeration, effort: Effort) -> Relations:
    """Linear relations between numbers of ``system``, which is proved to be a numeration system.

    Raises :class:`Refuted` where it is none, and what :func:`attempt` takes for an open question.
    """
    if min(system.recurrence) < 0 and not alternates(system):
        raise Undecided(f"weights with differences in them, as those of {system}")
    if wrong := flaw(effort, system):
        raise Refuted(wrong)
    return Relations(Numbers(system, effort))


def require_independent(there: Positions, losing: Machine, rule: PlayRule) -> None:
    """Raise :class:`Refuted` where a losing state ended the game with a win, or has a move to
    another one; the relation of actions with steep bounds is not built."""
    claim = "no move leads from a losing state to a losing state"
    effort = there.numbers.effort
    require_equal(
        there, join(effort, losing, there.before(losing, there.narrow)), there.none, claim
    )
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


def attempt(game: ParametricGame, check: Callable[[], None]) -> Finding:
    """Proved if ``check`` raises nothing, refuted if it raises :class:`Refuted`."""
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
    except (Refused, TooLarge, Undecided, Unproved) as reason:
        claim = str(reason)
    return Finding(verdict, claim, None if witness is None else game.env(witness))
