"""``icgsynth fft verify`` of a solution: its tree on a bounded instance of the game."""

from __future__ import annotations

from typing import Any

import click

from icgsynth.cli.codes import DONE, REFUTED
from icgsynth.cli.finite_spec import FiniteSpec
from icgsynth.cli.output import as_json as json_text
from icgsynth.cli.screen import say
from icgsynth.errors import InputError
from icgsynth.finite.bounded import BoundedVerdict, follow
from icgsynth.game.solution import Solution
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source

__all__ = ["verify_solution"]


def verify_solution(game: FiniteSpec, source: Source, as_json: bool) -> int:
    """Play the tree of a solution, or its strategy, in every won state of the box."""
    if game.parametric is None:
        message = f"{source.name} is a solution of an impartial game, and {game.name} is another"
        raise InputError(message, mend="give a tree: one rule a line")
    solution = read_solution(source, game.parametric, game.rule)
    rules = solution.tree or solution.strategy
    if not rules:
        raise InputError(
            f"{source.name} has neither a tree nor a strategy", mend="solve the game again"
        )
    found = follow(game.parametric, rules, game.bound, game.rule)
    kind = "tree" if solution.tree else "strategy"
    if as_json:
        click.echo(json_text(_value(game, solution, kind, len(rules), found)))
    else:
        say("\n".join(_lines(game, solution, kind, [str(r) for r in rules], found)))
    return DONE if found.is_optimal else REFUTED


def _lines(
    game: FiniteSpec, solution: Solution, kind: str, rules: list[str], found: BoundedVerdict
) -> list[str]:
    assert game.parametric is not None
    says = "optimal" if found.is_optimal else "not optimal"
    many = f"{len(rules)} rule{'s' * (len(rules) != 1)}"
    lines = [
        f"{game.parametric.name}, {game.rule}: the {kind} is {says} in the box, {many}",
        f"  box       {found.states:,} states, every variable from 0 to {found.bound}; "
        f"{found.won:,} are won by a move",
        f"  proof     {_agreement(solution, found)}",
    ]
    if found.flaw is None:
        return lines
    state = game.parametric.show(found.flaw)
    if found.tier is None:
        lines.append(f"  in {state} no rule applies")
    else:
        lines.append(f"  in {state} rule {found.tier}, {rules[found.tier - 1]}, plays {found.move}")
    return [*lines, f"  winning there: {', '.join(found.winning)}"]


def _agreement(solution: Solution, found: BoundedVerdict) -> str:
    if str(solution.proof.get("strategy")) != "proved":
        return "the solution says that its strategy is not proved"
    return "the solution says proved: " + ("the box agrees" if found.is_optimal else "IT IS WRONG")


def _value(
    game: FiniteSpec, solution: Solution, kind: str, rules: int, found: BoundedVerdict
) -> dict[str, Any]:
    assert game.parametric is not None
    flaw = None
    if found.flaw is not None:
        flaw = {
            "state": list(found.flaw),
            "rule": found.tier,
            "move": None if found.move is None else str(found.move),
            "winning": list(found.winning),
        }
    return {
        "game": game.parametric.name,
        "rule": game.rule,
        "checked": kind,
        "rules": rules,
        "bound": found.bound,
        "states": found.states,
        "won": found.won,
        "strongly_optimal": found.is_optimal,
        "proof": str(solution.proof.get("strategy", "unknown")),
        "counterexample": flaw,
    }
