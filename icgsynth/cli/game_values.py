"""What ``value`` does with a parametric game."""

from __future__ import annotations

from dataclasses import replace

import click

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.options import load_game
from icgsynth.cli.output import Progress, as_json, watchdog, write_file
from icgsynth.export.value_report import value_report
from icgsynth.game.game import State
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.play.parametric import read_state
from icgsynth.values.grundy_search import grundy, nothing_known

__all__ = ["value_of_game"]


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
