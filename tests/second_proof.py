"""Check an automaton of losing states by the second proof alone, without an answer."""

from __future__ import annotations

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.game.answers import Finding
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.prove.recheck.answer_parts import attempt, relations_of, require_equal
from icgsynth.prove.recheck.formulas import Undecided
from icgsynth.prove.recheck.machine import Effort
from icgsynth.prove.recheck.positions import Positions
from icgsynth.prove.recheck.reading import read


def witness(found: Finding) -> State | None:
    """Return the state that refutes a claim; None where there is none."""
    return None if found.witness is None else tuple(found.witness.values())


def positions(game: ParametricGame, system: Numeration, effort: Effort) -> Positions:
    """Return the states of ``game`` in ``system``, which is proved to be a numeration system."""
    there = Positions(game, relations_of(system, effort))
    there.require_natural()
    return there


def recheck(
    game: ParametricGame,
    rule: PlayRule,
    losing: Automaton,
    budget: Budget,
    max_states: int = 50_000,
) -> Finding:
    """Return whether ``losing`` is the automaton of all losing states, by its equation."""
    effort = Effort(budget, max_states)

    def check() -> None:
        if sorted(losing.tracks) != sorted(game.variables):
            raise Undecided("the tracks of the automaton are not the variables of the game")
        there = positions(game, losing.system, effort)
        states = read(there.numbers, losing)
        require_equal(there, states, there.expect(states, rule), "the equation fails")

    return attempt(game, check)
