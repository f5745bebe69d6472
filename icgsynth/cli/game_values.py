"""What ``value`` does with a parametric game, and ``export`` with a file of Grundy values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from icgsynth.budget import Budget
from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.kernel import code_with, opinion_of
from icgsynth.cli.options import SumRequest, load_rules
from icgsynth.cli.output import Progress, as_json, watchdog, write_file
from icgsynth.cli.screen import say
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.export import export
from icgsynth.export.heap_table import TERMS, bfile
from icgsynth.export.report import as_text
from icgsynth.export.value_report import value_report
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.game_sum import part_value
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heap_rows import HeapGameAnswer
from icgsynth.game.heap_rules import HeapGame
from icgsynth.game.heaps import HeapAnswer
from icgsynth.game.solution import Verdict, agreed
from icgsynth.game.value_forms import Value
from icgsynth.play.parametric import read_state
from icgsynth.prove.kernel_opinion import KernelOpinion
from icgsynth.prove.twice import JudgedValue
from icgsynth.prove.value_strategy import Moves, judge_strategy
from icgsynth.prove.values import judge_value
from icgsynth.spec.json_text import read_json
from icgsynth.spec.solution_file import file_constants
from icgsynth.spec.source import Source
from icgsynth.spec.value_answer import (
    own_heaps,
    read_heap_answer,
    read_heap_game_answer,
    read_value_answer,
)
from icgsynth.spec.value_file import read_moves, read_value
from icgsynth.values.grundy_search import grundy, nothing_known
from icgsynth.values.state_values import known_at

if TYPE_CHECKING:
    from icgsynth.cli.value_tables import ValueTable

__all__ = ["both_judged", "exported_values", "value_of_game", "verify_value_of_game"]

# --- game values ---------------------------------------------------------------------------------


def value_of_game(
    game: ParametricGame, request: SumRequest, drawn: tuple[str, int] | None = None
) -> int:
    """Find the Grundy function of a game, and print it or its value at a state; the exit code.

    ``drawn``: the file of a table of values, ``-`` for stdout, and the bound of its states.
    """
    state = None if request.at is None else read_state(game, request.at)
    progress, budget = Progress(request.quiet), Budget(request.timeout)
    table = None if drawn is None else _table(game, *drawn, budget)

    def last_words() -> int:
        progress.clear()
        late = nothing_known(game, f"the budget of {request.timeout:g} s is spent")
        late = replace(late, seconds={"total": request.timeout})
        return _deliver(late, state, request, table)

    try:
        with watchdog(request.timeout, last_words):
            known = None
            if state is not None and not request.output and table is None:
                known = known_at(game, [state], budget)
            answer = known or grundy(game, budget, progress)
    finally:
        progress.clear()
    return _deliver(answer, state, request, table)


def _table(game: ParametricGame, path: str, bound: int, budget: Budget) -> ValueTable:
    from icgsynth.cli.value_tables import ValueTable

    return ValueTable(game, path, bound, budget)


def _deliver(
    answer: GrundyAnswer, state: State | None, request: SumRequest, table: ValueTable | None
) -> int:
    json = request.json
    if request.output:
        write_file(request.output, as_json(answer.to_json()) + "\n")
    if state is not None:
        value = part_value(answer, state)
        found = {"state": list(state), "value": value, "proved": value is not None}
        shown = f"g({', '.join(map(str, state))})"
        why = "; ".join(answer.notes)
        text = f"{shown} = {value}" if value is not None else f"{shown} is unknown: {why}"
        say(as_json(found) if json else text, json)
    else:
        say(as_json(answer.to_json()) if json else as_text(value_report(answer)), json, nl=json)
    if table is not None:
        table.deliver(answer, is_text=not json)
    if answer.is_proved or (state is not None and state in answer.known):
        return DONE
    return REFUTED if answer.proof["termination"] == "refuted" else UNKNOWN


def verify_value_of_game(
    game: ParametricGame, source: Source, timeout: float, json: bool, kernel: bool = False
) -> int:
    """Prove or refute the Grundy function of a file; the exit code.

    With ``kernel`` Coq is asked as well.
    """
    opinion = None
    value, moves = read_value(source, game), read_moves(source, game)
    late = JudgedValue(Verdict.UNKNOWN, why=f"the budget of {timeout:g} s is spent")

    def last_words() -> int:
        return _judged(game.name, late, json)

    if value is None:
        return _judged(game.name, JudgedValue(Verdict.UNKNOWN, why="the file claims none"), json)
    with watchdog(timeout, last_words):
        budget = Budget(timeout)
        try:
            judged = both_judged(game, value, moves, budget)
        except (BudgetSpent, Refused) as stopped:
            judged = JudgedValue(Verdict.UNKNOWN, why=str(stopped))
        if kernel:
            answer = replace(read_value_answer(source, game), status="solved")
            is_proved = judged.verdict is Verdict.PROVED
            opinion = opinion_of(lambda: export(answer, "coq"), is_proved, budget)
    return _judged(game.name, judged, json, bool(moves), opinion)


def both_judged(game: ParametricGame, value: Value, moves: Moves, budget: Budget) -> JudgedValue:
    """How the value stands; where it is proved, the moves to smaller values if there are any."""
    judged = judge_value(game, value, budget)
    if judged.verdict is not Verdict.PROVED or not moves:
        return judged
    of_moves = judge_strategy(game, value, moves, budget)
    if of_moves.verdict is Verdict.PROVED:
        return judged
    return replace(of_moves, why=f"the value is proved, and not the strategy: {of_moves.why}")


def _judged(
    name: str,
    judged: JudgedValue,
    json: bool,
    has_moves: bool = False,
    kernel: KernelOpinion | None = None,
) -> int:
    found: dict[str, Any] = {"game": name, "verdict": str(judged.verdict)}
    if judged.verdict is Verdict.PROVED:
        found["by"] = list(judged.by)
        text = f"it is the Grundy function, for all states, by {agreed(judged.by)}"
        if has_moves:
            text += "\n  and the strategy leads to each smaller value"
    else:
        found["why"] = text = judged.why
    if kernel is not None:
        found, text = found | {"coq": kernel.value}, f"{text}\n{kernel.line}"
    say(as_json(found) if json else f"{name}: {judged.verdict}\n  {text}", json)
    code = {Verdict.PROVED: DONE, Verdict.REFUTED: REFUTED}.get(judged.verdict, UNKNOWN)
    return code_with(code, kernel)


# --- value exports -------------------------------------------------------------------------------


def exported_values(source: Source, spec: str | None, fmt: str, terms: int | None) -> str:
    """The values of a file in another format; ``terms`` of them where it is a b-file."""
    answer: GrundyAnswer | HeapAnswer | HeapGameAnswer
    top = read_json(source)
    if top.get("code") is not None and top.get("quotient") is None:
        answer = read_heap_answer(source)
    else:
        constants = tuple(file_constants(source).items())
        game = own_heaps(source) if spec is None else load_rules(spec, constants, quiet=True)
        if isinstance(game, HeapGame):
            answer = read_heap_game_answer(source, game)
        else:
            answer = read_value_answer(source, game)
    return bfile(answer, terms or TERMS) if fmt == "bfile" else export(answer, fmt)
