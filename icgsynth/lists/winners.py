"""Report who wins by Grundy values, where no formula says it, with the first lost states."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations, product

from icgsynth.export import report as doc
from icgsynth.export.sentences import call_game
from icgsynth.export.solution_report import list_states
from icgsynth.export.value_report import function_lines, proof_notes
from icgsynth.game.game import State
from icgsynth.game.grundy import GrundyAnswer

_SHOWN = 16  # lost states that are listed
_LOOKED = 60  # lost states that are searched, to see whether the order of numbers matters
_FARTHEST = {1: 5_000, 2: 60, 3: 15}  # largest coordinate searched, by number of variables
_OF_MANY = 6  # largest coordinate searched for more variables


def winner_report(answer: GrundyAnswer, spec: str) -> doc.Report:
    """Return the report on who wins by Grundy values; ``spec`` names the game in a command."""
    shown = f"g({', '.join(answer.game.variables)})"
    lead = f"The player to move loses iff {shown} = 0, and wins iff {shown} != 0, where"
    lost, order = _first_lost(answer)
    first = doc.Note(list_states(lost), f"The first lost states{order}: ")
    move = f"'icgsynth solve {spec} --at STATE' names a move."
    return (
        doc.Title(call_game(answer.game), "normal play, solved and proved by Grundy values"),
        doc.notes(lead),
        doc.Listing(tuple(function_lines(answer))),
        doc.notes(*[first] * bool(lost), move),
        doc.notes(*proof_notes(answer)),
    )


def _first_lost(answer: GrundyAnswer) -> tuple[list[State], str]:
    """Return (lost states, ""), or, if the order of the numbers in a state does not matter, (lost
    states with sorted numbers, ", in any order")."""
    found = [*islice(lost_states(answer), _LOOKED)]
    whole = {state for state in found if max(state) < max(found[-1])}  # all lost ones that far
    if len(answer.game.variables) > 1 and all(whole.issuperset(permutations(s)) for s in whole):
        found = [state for state in found if state in whole and sorted(state) == [*state]]
        return found[:_SHOWN], ", in any order"
    return found[:_SHOWN], ""


def lost_states(answer: GrundyAnswer) -> Iterator[State]:
    """Yield the legal states of value 0 in a small box, in the order of largest coordinates."""
    game = answer.game
    count = len(game.variables)
    for largest in range(_FARTHEST.get(count, _OF_MANY) + 1):
        for state in product(range(largest + 1), repeat=count) if count > 1 else [(largest,)]:
            if max(state) == largest and game.is_legal(state) and answer.known_at(state) == 0:
                yield state
