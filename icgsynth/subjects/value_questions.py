"""Questions for the Grundy values of an impartial game, and for a table of who wins in a box."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from icgsynth import wings
from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, InputError, OutOfReach, Refused
from icgsynth.explicit.box import MAX_CELLS, TABLE, Box
from icgsynth.explicit.grundy_box import BoxValues, box_values
from icgsynth.explicit.labels import endless_moves, label
from icgsynth.export import export
from icgsynth.export.panels import UNKNOWN, Table, require_drawable
from icgsynth.export.report import Report, as_text
from icgsynth.export.table import draw_table, table_text, table_value, values_text
from icgsynth.export.value_report import value_report
from icgsynth.game.answers import Verdict, name_engines
from icgsynth.game.game import Move, ParametricGame, State, without_digits
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.position import Position
from icgsynth.game.solution import Solution
from icgsynth.logic.ranges import bound_of_box
from icgsynth.prove.boxcheck import box_or_all
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers, plain_rules
from icgsynth.prove.ranking_function import find_ranking
from icgsynth.prove.value_strategy import both_judged
from icgsynth.spec.resolve import Named, load_spec
from icgsynth.spec.solution_file import file_constants
from icgsynth.spec.source import Source
from icgsynth.spec.state_text import parse_state
from icgsynth.spec.value_file import read_moves, read_value, read_value_answer
from icgsynth.subjects import AskedTable, AskedValue, AskedVerdict, remarks_on
from icgsynth.subjects.position_questions import move_of
from icgsynth.subjects.question import (
    Judgement,
    Question,
    Searching,
    Told,
    Work,
    verdict_of,
    verification,
)
from icgsynth.synth.values.game_mover import move_to_zero
from icgsynth.synth.values.grundy_search import grundy, nothing_known
from icgsynth.synth.values.state_values import known_at

_MEND = "a proved answer may know them, which --solve asks"
_DRAWINGS = (".svg", ".png", ".csv")


# --- values -----------------------------------------------------------------------------------


def to_value(game: ParametricGame, asked: AskedValue) -> Question[GrundyAnswer]:
    """Return the question for the Grundy function of ``game``, or its value at one state.

    A table of a box may be asked too.  Raises :class:`~icgsynth.errors.InputError` for a state that
    is not legal, or a file of the table with an unknown ending.
    """
    path = asked.table
    if path is None and asked.bound is not None:
        raise InputError("--bound is for --table", mend="leave --bound out")
    if path not in (None, "-") and not path.lower().endswith(_DRAWINGS):
        mend = f"end its name in {', '.join(_DRAWINGS)}"
        raise InputError(f"{path}: its ending is none that is written here", mend=mend)
    state = None if asked.at is None else parse_state(plain_rules(game), asked.at)

    boxes: list[BoxValues] = []
    moves: list[Move | None] = []

    def search(budget: Budget, progress: Progress) -> Searching[GrundyAnswer]:
        def run() -> GrundyAnswer:
            if path is not None:
                boxes.append(value_box(game, asked, budget))
            found = None
            if state is not None and not asked.for_file and path is None:
                found = known_at(plain_rules(game), [state], budget)
            found = found or grundy(game, budget, progress)
            moves.append(None if state is None else move_to_zero(found, state, budget))
            return found

        def unknown(why: str) -> GrundyAnswer:
            return replace(nothing_known(game, why), seconds={"total": budget.runtime})

        return Work(run, unknown)

    def show(function: GrundyAnswer) -> Told:
        table = value_table(game, boxes[0], function) if boxes else None
        return _tell(function, table, state, next(iter(moves), None), asked)

    return Question(search, show, remarks_on(game))


def value_box(game: ParametricGame, asked: AskedValue, budget: Budget) -> BoxValues:
    """Return the Grundy values of legal states up to the bound in ``asked``, by definition (mex).

    Raises Refused where the box is too large, OutOfReach where ``asked`` has no bound.
    """
    plain = eliminate_quantifiers(game, budget)
    box = _box(plain, asked.bound)
    box.require(MAX_CELLS)
    if asked.table is None or not asked.table.lower().endswith(".csv"):
        require_drawable(box.states)  # before the work
    try:
        return box_values(plain, box, budget)
    except Refused as refused:
        if asked.bound is not None:
            raise
        raise OutOfReach(f"{refused}; or give --bound") from None  # nobody asked for this box


def value_table(game: ParametricGame, found: BoxValues, function: GrundyAnswer) -> Table:
    """Return a table of the values ``found``, completed by ``function`` where it is proved.

    Without a proved function, states that depend on states outside the box are unknown.
    """
    states, values = found.box.states, found.values.copy()
    how = "proved for all states" if function.is_proved else "by definition, in this box alone"
    if function.is_proved:
        for row in np.flatnonzero(values == UNKNOWN).tolist():
            values[row] = function(tuple(states[row].tolist()))
    return Table.of_values(game, states, values, how)


def _tell(
    function: GrundyAnswer,
    table: Table | None,
    state: State | None,
    move: Move | None,
    asked: AskedValue,
) -> Told:
    path = asked.table
    verdict = verdict_of(function.is_proved or (state is not None and state in function.known))
    if verdict is not Verdict.PROVED and function.proof["termination"] == "refuted":
        verdict = Verdict.REFUTED

    def report() -> Report | str:
        said = value_report(function) if state is None else _at(function, state, move)
        if state is None and not function.is_proved and (lists := wings.find("list", "values")):
            said = (*value_report(function), *lists.value_rows(function))
        if table is None:
            return said
        said = said if isinstance(said, str) else as_text(said)
        drawn = values_text(table, asked.width) if path == "-" else f"{path}: {_count(table)}"
        return said.removesuffix("\n") + "\n" * (1 + (path == "-")) + drawn

    def value() -> dict[str, Any]:
        if state is None:
            return function.to_json()
        there, rules = function.known_at(state), function.game
        why = _why_not(function) if there is None else ""
        made = None if move is None else move_of(rules, state, move)
        is_endless, constants = verdict is Verdict.REFUTED, dict(rules.constants)
        found = Position.of_value(rules.name, state, there, move=made, why=why)
        return replace(found, constants=constants, may_never_end=is_endless).to_json()

    def drawings() -> Mapping[str, str | bytes]:
        return {} if table is None or path in (None, "-") else {path: draw_table(table, path)}

    return Told(verdict, report, value, function.to_json, drawings)


def _at(function: GrundyAnswer, state: State, move: Move | None) -> str:
    value, shown = function.known_at(state), f"g({', '.join(map(str, state))})"
    if value is not None:
        if move is None:
            return f"{shown} = {value}"
        after = function.game.show(function.game.result(state, move))
        return f"{shown} = {value}\n  {move} leads to {after}, which has the value 0"
    return f"{shown} is unknown: {_why_not(function)}"


def _why_not(function: GrundyAnswer) -> str:
    return endless_moves(function.game) or "; ".join(function.notes)


def _count(table: Table) -> str:
    there = table.outcome[table.outcome != UNKNOWN]
    said = f"{len(there):,} values, the largest {there.max()}" if len(there) else "no value"
    return f"{said}; {len(table.outcome) - len(there):,} unknown"


# --- who wins in a box ------------------------------------------------------------------------


def to_table(
    game: ParametricGame, asked: AskedTable, solving: Question[Solution] | None = None
) -> Question[Table]:
    """Return the question which states up to the bound in ``asked`` are lost, won or unknown.

    ``solving`` finds an answer which, if proved, decides states that depend on states outside the
    box.  Raises BudgetSpent where time ends before the box is labelled.
    """
    bound = _choose_bound(game, asked.bound)

    def label_box(budget: Budget) -> Table:
        plain = eliminate_quantifiers(game, budget)
        box = _box(plain, asked.bound)
        box.require(MAX_CELLS)
        is_text = not (asked.as_json or asked.output)
        if (asked.where is None and is_text) or asked.ending in (".svg", ".png"):
            require_drawable(box.states)  # before the work
        # A ranking is only an order to label in: the labels are checked without it.
        ranking = find_ranking(without_digits(plain), budget.share(0.5))
        components = ranking.components if ranking is not None else None
        labels = label(plain, box, asked.rule, components, budget=budget)
        table = Table.of(plain, asked.rule, labels)
        if asked.where is None:
            return table
        shown: Table = wings.require("list", "where").restrict_table(game, table, asked.where)
        return shown

    def search(budget: Budget, progress: Progress) -> Searching[Table]:
        known: list[Table] = []

        def run() -> Table:
            known.append(label_box(budget))
            if solving is None or not known[0].counts["unknown"]:
                return known[0]
            return known[0].completed(solving.search(budget, progress).run())

        def unknown(why: str) -> Table:
            if not known:
                raise BudgetSpent(why)
            return known[0]

        return Work(run, unknown)

    def show(found: Table) -> Told:
        head = {"game": game.name, "rule": asked.rule, "bound": bound}
        told = asked.present(
            text=lambda: table_text(found, width=asked.width),
            summary=", ".join(f"{n:,} {kind}" for kind, n in found.counts.items() if n),
            value=lambda: head | table_value(found),
            draw=lambda path: draw_table(found, path),
        )
        if not (unknown := found.counts["unknown"]):
            return told
        mend = _MEND if solving is None else "no proved answer says who wins there"
        outside = "they depend on states outside the box, or play may not end there"
        endless = endless_moves(game) or f"{outside}; {mend}"
        said = f"{unknown:,} states are unknown: {endless}"
        return replace(told, warnings=(said,))

    return Question(search, show, remarks_on(game))


def _box(game: ParametricGame, asked: int | None) -> Box:
    """Return the box of states up to ``asked``; if None, one that is labelled quickly."""
    bound = _choose_bound(game, asked)
    return box_or_all(game, bound) if asked is None else Box.of(game, bound)


def _choose_bound(game: ParametricGame, asked: int | None) -> int:
    """Return ``asked``; if None, a bound such that the box of states is labelled quickly."""
    if asked is not None:
        return asked
    return bound_of_box(game.legal, game.variables, TABLE.farthest, TABLE.states)


# --- the values of a file ---------------------------------------------------------------------


def _false_key(answer: GrundyAnswer, source: Source) -> str | None:
    """Return the first key of the period in ``source`` that contradicts ``answer``, or None."""
    told, derived = json.loads(source.text), answer.to_json()
    keys = ("preperiod", "period", "saltus", "values", "periods")
    return next((key for key in keys if key in told and told[key] != derived.get(key)), None)


def of_value(named: Named, source: Source, asked: AskedVerdict) -> Question[Judgement]:
    """Return the question whether ``source`` has the values of game ``named``, and right moves."""
    asked.require_plain("value", coq=True)
    game = load_spec(named.source, {**file_constants(source), **named.constants})
    value, moves = read_value(source, game), read_moves(source, game)
    nothing = Judgement({"game": game.name}, game.name, said="the file claims none")

    def judge(budget: Budget) -> Judgement:
        if value is None:
            return nothing
        judged = both_judged(game, value, moves, budget)
        if not judged.is_proved:
            return nothing.of(judged, "")
        if (key := _false_key(read_value_answer(source, game), source)) is not None:
            why = f"it is the Grundy function, but '{key}' in the file is not that of its values"
            return replace(nothing, verdict=Verdict.REFUTED, said=why)
        said = f"it is the Grundy function, for all states, by {name_engines(judged.by)}"
        if moves:
            said += "\n  and the strategy leads to each smaller value"
        return nothing.of(judged, said)

    def theorem() -> str:
        return export(replace(read_value_answer(source, game), status="solved"), "coq")

    asks_coq = asked.coq and value is not None
    return verification(nothing, judge, theorem if asks_coq else None, remarks_on(game))
