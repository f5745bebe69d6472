"""What ``value`` does with a parametric game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.options import load_game
from icgsynth.cli.output import Progress, as_json, watchdog, write_file
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.export.value_report import value_report
from icgsynth.game.game import State
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import Verdict, agreed
from icgsynth.play.parametric import read_state
from icgsynth.prove.values import JudgedValue, judge_value
from icgsynth.spec.solution_file import file_constants
from icgsynth.spec.source import Source
from icgsynth.spec.value_file import read_value
from icgsynth.values.grundy_search import grundy, nothing_known

__all__ = ["value_of_game", "verify_value_of_game"]


def value_of_game(
    spec: str,
    constants: tuple[tuple[str, int], ...],
    at: str | None,
    timeout: float,
    json: bool,
    output: str | None,
    quiet: bool,
) -> int:
    """Find the Grundy function of a game, and print it or its value ``at`` a state; the code."""
    game = load_game(spec, constants, quiet)
    state = None if at is None else read_state(game, at)
    progress = Progress(quiet)

    def last_words() -> int:
        progress.clear()
        late = nothing_known(game, f"the budget of {timeout:g} s is spent")
        return _deliver(replace(late, seconds={"total": timeout}), state, json, output)

    try:
        with watchdog(timeout, last_words):
            answer = grundy(game, Budget(timeout), progress)
    finally:
        progress.clear()
    return _deliver(answer, state, json, output)


def _deliver(answer: GrundyAnswer, state: State | None, json: bool, output: str | None) -> int:
    if output:
        write_file(output, as_json(answer.to_json()) + "\n")
    if state is not None:
        value = answer.at(state) if answer.is_proved else None
        found = {"state": list(state), "value": value, "proved": answer.is_proved}
        shown = f"g({', '.join(map(str, state))})"
        why = "; ".join(answer.notes)
        text = f"{shown} = {value}" if value is not None else f"{shown} is unknown: {why}"
        click.echo(as_json(found) if json else text)
    else:
        click.echo(as_json(answer.to_json()) if json else value_report(answer), nl=json)
    if answer.is_proved:
        return DONE
    return REFUTED if answer.proof["termination"] == "refuted" else UNKNOWN


def verify_value_of_game(
    spec: str,
    source: Source,
    constants: tuple[tuple[str, int], ...],
    timeout: float,
    json: bool,
    quiet: bool,
) -> int:
    """Prove or refute the Grundy function of a file; the exit code.

    ``constants`` go before those of the file.
    """
    given = file_constants(source) | dict(constants)
    game = load_game(spec, tuple(given.items()), quiet)
    value = read_value(source, game)
    late = JudgedValue(Verdict.UNKNOWN, why=f"the budget of {timeout:g} s is spent")

    def last_words() -> int:
        return _judged(game.name, late, json)

    if value is None:
        return _judged(game.name, JudgedValue(Verdict.UNKNOWN, why="the file claims none"), json)
    with watchdog(timeout, last_words):
        try:
            judged = judge_value(game, value, Budget(timeout))
        except (BudgetSpent, Refused) as stopped:
            judged = JudgedValue(Verdict.UNKNOWN, why=str(stopped))
    return _judged(game.name, judged, json)


def _judged(name: str, judged: JudgedValue, json: bool) -> int:
    found: dict[str, Any] = {"game": name, "verdict": str(judged.verdict)}
    if judged.verdict is Verdict.PROVED:
        found["by"] = list(judged.by)
        text = f"it is the Grundy function, for all states, by {agreed(judged.by)}"
    else:
        found["why"] = text = judged.why
    click.echo(as_json(found) if json else f"{name}: {judged.verdict}\n  {text}")
    return {Verdict.PROVED: DONE, Verdict.REFUTED: REFUTED}.get(judged.verdict, UNKNOWN)
