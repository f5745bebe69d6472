"""Judges answers with drawn states, for the referee: the box says what is won, lost and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.referee_labels import Graph, label
from experiments.referee_rules import Rules, State, plain
from icgsynth.game.solution import Solution
from icgsynth.logic.evaluate import satisfies

__all__ = ["fault", "outcomes"]


def outcomes(graph: Graph, rule: str) -> Mapping[State, str]:
    """Won, lost or drawn for the states where the box determines it.

    What is neither won nor lost is drawn where no way leads to a state with moves out of the box.
    """
    wins = label(graph, rule)
    found = {state: "won" if won else "lost" for state, won in wins.items()}
    doubtful = {i for i, state in enumerate(graph.states) if graph.open[i] and state not in found}
    while True:
        more = {
            i
            for i, state in enumerate(graph.states)
            if state not in found and i not in doubtful and doubtful.intersection(graph.after[i])
        }
        if not more:
            break
        doubtful |= more
    left = (s for i, s in enumerate(graph.states) if s not in found and i not in doubtful)
    return found | dict.fromkeys(left, "drawn")


def fault(rules: Rules, graph: Graph, solution: Solution) -> tuple[int, str]:
    """How many states were compared, and what is wrong; empty where nothing is."""
    sides = dict(zip(("won", "lost", "drawn"), solution.three_sides(), strict=True))
    known = outcomes(graph, solution.rule)

    def called(state: State) -> list[str]:
        env = solution.game.env(state)
        return [name for name, formula in sides.items() if satisfies(formula, env)]

    if tuple(map(plain, solution.game.variables)) != rules.variables:
        return 0, f"the variables are {rules.variables}"
    final = dict(zip(graph.states, graph.final, strict=True))
    for state in graph.states:
        said = called(state)
        if len(said) != 1 or said[0] != known.get(state, said[0]):
            return len(known), f"{state} is called {said}, should be {known.get(state)}"
        if said[0] == "lost" or final[state]:
            continue
        after = _after(rules, solution, state)
        wanted = "lost" if said[0] == "won" else "drawn"
        if after is None or called(after) != [wanted]:
            return len(known), f"the move from {state}, which is {said[0]}, leads to {after}"
    return len(known), ""


def _after(rules: Rules, solution: Solution, state: State) -> State | None:
    """Where the answer's move leads by the referee's own rules; None where there is none."""
    chosen: Any = solution.plan.choose(solution.game, state)
    if chosen is None:
        return None
    move = chosen.move
    action = next((a for a in rules.actions if a.name == plain(move.action)), None)
    if action is None:
        return None
    given = {plain(name): number for name, number in move.arguments}
    return action.result(*state, *(given[parameter] for parameter in action.parameters))
