"""``icgsynth fft synth`` of an impartial game: the strategy that is proved for all states."""

from __future__ import annotations

from pathlib import Path

import click

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE
from icgsynth.cli.finite_spec import FiniteSpec
from icgsynth.cli.output import Progress, write_file
from icgsynth.cli.output import as_json as json_text
from icgsynth.cli.screen import say
from icgsynth.errors import InputError, Refused
from icgsynth.finite.bounded import BoundedVerdict, follow
from icgsynth.game.solution import Solution
from icgsynth.synth.search import solve

__all__ = ["proved_strategy", "say_proved"]


def proved_strategy(game: FiniteSpec, seconds: float, quiet: bool) -> Solution | None:
    """A solution with a strategy, all proved, within ``seconds``; None where none is found."""
    assert game.parametric is not None
    progress = Progress(quiet)
    try:
        solution = solve(game.parametric, game.rule, Budget(seconds), progress)
    finally:
        progress.clear()
    return solution if solution.is_proved and (solution.tree or solution.strategy) else None


def say_proved(game: FiniteSpec, solution: Solution, as_json: bool, output: str | None) -> int:
    """Print the rules, with what a box of states says of them, and write the file; the exit code.

    :class:`AssertionError` where the box contradicts the proof.
    """
    assert game.parametric is not None
    rules = [str(rule) for rule in solution.tree or solution.strategy]
    if output:
        ending = Path(output).suffix.lower()
        if ending == ".svg":
            mend = "write the rules (.txt) or the solution (.json); --bound N draws a tree"
            raise InputError(f"{output}: a strategy for all states has no picture", mend=mend)
        text = json_text(solution.to_json()) if ending == ".json" else "\n".join(rules)
        write_file(output, text + "\n")
    try:
        box = follow(game.parametric, solution.tree or solution.strategy, game.bound, game.rule)
    except Refused:
        box = None
    if box is not None and not box.is_optimal:
        raise AssertionError("a proved strategy is not optimal in a box")
    if as_json:
        click.echo(json_text(_value(game, solution, rules, box)))
    else:
        say("\n".join(_lines(game, rules, box, solution.seconds["total"])))
    return DONE


def _lines(
    game: FiniteSpec, rules: list[str], box: BoundedVerdict | None, spent: float
) -> list[str]:
    assert game.parametric is not None
    many = f"{len(rules)} rule{'s' * (len(rules) != 1)}"
    known = f"proved for all states, {game.rule} play"
    lines = [f"{game.parametric.name}: {many}, {known}; {spent:.1f} s"]
    if box is not None:
        lines.append(
            f"  checked   optimal in {box.states:,} states, every variable from 0 to {box.bound}; "
            f"{box.won:,} are won by a move"
        )
    lines.append("  also      --bound N finds rules for the single states of a box instead")
    width = max(map(len, rules))
    return [*lines, "", *(f"{rule:<{width}}  # {i}" for i, rule in enumerate(rules, 1))]


def _value(
    game: FiniteSpec, solution: Solution, rules: list[str], box: BoundedVerdict | None
) -> dict[str, object]:
    assert game.parametric is not None
    return {
        "game": game.parametric.name,
        "rule": game.rule,
        "rules": len(rules),
        "literals": None,
        "strongly_optimal": True,
        "certified_minimal": False,
        "bound": None if box is None else box.bound,
        "states": None if box is None else box.states,
        "tree": solution.to_json(),
        "text": "\n".join(rules),
    }
