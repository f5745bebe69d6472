"""List the lost states of a game with some hundreds of states, where no short formula is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import groupby, permutations
from typing import Any

import numpy as np

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, label
from icgsynth.export import report as doc
from icgsynth.export.sentences import call_game
from icgsynth.game.answers import Verdict
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.ranges import bound_of_box
from icgsynth.prove.deciders.quantifiers import plain_rules
from icgsynth.prove.recheck.definition import outcomes
from icgsynth.spec.state_text import format_state

_NEAR = 700  # most states of a box whose lost states are listed, where there is no formula
_FARTHEST = 30  # largest coordinate in that box
_WIDER = 3  # factor of a wider box that is labelled where moves leave that box
_MANY = 4  # least number of neighbours written as first and last
_SECONDS = 0.5  # time to play the states out, each time: the search has used its own


def list_report(solution: Solution, worth: Mapping[State, int]) -> doc.Report:
    """Return a report listing lost states; ``worth`` has 1, 0, -1 for won, drawn, lost states."""
    game, seconds = solution.game, solution.seconds.get("total", 0.0)
    numbers = [*worth.values()]
    said = f"{numbers.count(-1):,} are lost and {numbers.count(1):,} won for the player to move"
    said += f", and {drawn:,} drawn" if (drawn := numbers.count(0)) else ""
    rows = _rows([state for state, found in sorted(worth.items()) if found < 0])
    more = "'icgsynth solve .. --at STATE' names a move"
    more += "; --json holds formulas and all moves." if solution.is_proved else "."
    return (
        doc.Title(call_game(game), f"{solution.rule} play, played out in {seconds:.2f} s"),
        doc.notes(f"Of the {len(worth):,} legal states {said}."),
        doc.notes(f"Lost are, as {', '.join(game.variables)}:", *rows),
        *_formulas(solution),
        doc.notes(doc.Note("all play from all states was followed, twice.", "Proved: "), more),
    )


def _rows(states: list[State]) -> list[doc.Note]:
    """Return notes that list ``states``, with states that begin with equal numbers in one row."""
    if not states:
        return [doc.Note("none", "  ")]
    of_row = len(states[0]) // 2
    found = []
    for _, row in groupby(states, key=lambda state: state[:of_row]):
        found.append(doc.Note("  ".join(_runs([*row])), "  "))
    return found


def _runs(row: list[State]) -> Iterator[str]:
    """Yield the states of a row as text, with runs of neighbours joined: ``4,0..3``."""
    beside = groupby(enumerate(row), key=lambda each: (each[1][:-1], each[1][-1] - each[0]))
    for _, run in beside:
        some = [state for _, state in run]
        texts = [format_state(state) for state in some]
        yield from [f"{texts[0]}..{some[-1][-1]}"] if len(some) >= _MANY else texts


def _formulas(solution: Solution) -> tuple[doc.Part, ...]:
    """Return parts with the full formulas, shown with ``--all``; () unless they are proved."""
    sides = (("loses", solution.losing), ("wins", solution.winning))
    said = [(word, t.spell(claim.formula)) for word, claim in sides if claim is not None]
    if not solution.is_proved or not said:
        return ()
    lead = doc.Note("In one formula, the player to move", detail="all")
    return (doc.notes(lead, *(doc.Note(f, f"  {w}  iff  ", detail="all") for w, f in said)),)


def list_value(solution: Solution, worth: Mapping[State, int]) -> dict[str, Any]:
    """Return the answer as JSON with its lost and drawn states; ``worth`` is 1, 0, -1 by state.
    Formulas that are not proved are left out: the list is what is solved."""
    if not solution.is_proved:
        solution = Solution(solution.game, solution.rule, "solved", seconds=solution.seconds)
    table = {
        word: [list(state) for state, found in sorted(worth.items()) if found == number]
        for word, number in (("losing", -1), ("drawn", 0))
    }
    return solution.to_json() | {"table": table}


def is_known(solution: Solution) -> bool:
    """Return whether it is proved that play ends and who wins, with or without a strategy."""
    return all(solution.proof.get(p) == Verdict.PROVED for p in ("termination", "winning"))


def _label_near(game: ParametricGame, rule: PlayRule, bound: int) -> dict[State, bool]:
    """Return whether each state with numbers up to ``bound`` is lost; unknown ones are left out."""
    labels = label(game, Box.of(game, bound), rule, budget=Budget(_SECONDS))
    if not labels.known.all():
        # Moves that leave the box, as to "three times what was taken", stay in a wider one.
        with suppress(Refused, BudgetSpent):
            labels = label(game, Box.of(game, _WIDER * bound), rule, budget=Budget(_SECONDS))
    is_near = labels.known & (np.abs(labels.states) <= bound).all(axis=1)
    lost = labels.outcome[is_near] == LOSING
    states = [tuple(state) for state in labels.states[is_near].tolist()]
    return dict(zip(states, lost.tolist(), strict=True))


def lost_rows(solution: Solution) -> doc.Report:
    """Return a report of the lost states of a small box, played out twice; () if a formula is
    known. Also () for one variable, for blocking games, and where play takes too long."""
    game, told = plain_rules(solution.game), solution.losing
    is_told = is_known(solution) and told and not isinstance(told.formula, t.Recognised)
    if is_told or game.block or len(game.variables) == 1 or solution.draws is not None:
        return ()
    bound = bound_of_box(game.legal, game.variables, _FARTHEST, _NEAR)
    try:
        known = _label_near(game, solution.rule, bound)
        worth = outcomes(game, solution.rule, [*known], Budget(_SECONDS))
    except (Refused, BudgetSpent):
        return ()
    states, lost = [*known], [state for state in known if worth[state] < 0]
    if not lost or lost != [state for state, is_lost in known.items() if is_lost]:
        return ()
    is_any = {*lost}.issuperset(each for state in lost for each in permutations(state))
    kept = [state for state in lost if not is_any or sorted(state) == [*state]]
    order = ", in any order" if is_any else ""
    lead = f"All {len(states):,} states with numbers up to {bound} were played out, twice. Lost are"
    return (doc.notes(f"{lead} these ({', '.join(game.variables)}){order}:", *_rows(kept)),)
