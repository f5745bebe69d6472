"""Judges answers of a sweep against brute force that shares no code with icgsynth.

The rules are read from the benchmark file by a reader of the referee's own, and the states of a
small box labelled.  What is judged is the Python module that ``icgsynth export --to python``
makes of the answer.  Where the box determines who wins, ``is_winning`` has to say so; where the
answer is called solved, play in the box must not come back to a state, ``move`` has to name a
legal move that does not lead to a winning state, or None where none wins, and ``result`` has to
make that move as the rules do.  Of an answer with drawn states the three formulas and the moves are
judged instead (:mod:`experiments.referee_draws`).  That a game is endless is confirmed where play
in the box comes back to a state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from experiments.referee_draws import fault
from experiments.referee_labels import Graph, explore, label, on_a_cycle
from experiments.referee_rules import Rules, State, plain, read
from experiments.referee_text import Unreadable
from icgsynth.errors import Refused
from icgsynth.export import export
from icgsynth.game.solution import Solution
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source

__all__ = ["Judgement", "judge", "judge_file"]

_JUDGED = ("solved", "conditional", "endless")
Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Judgement:
    """``states`` were compared; ``wrong`` says what is wrong, ``skipped`` why nothing was judged.

    Both are empty where the answer stands, or where it is that the game is endless and the box
    confirms it.
    """

    file: str
    rule: str
    status: str
    states: int = 0
    wrong: str = ""
    skipped: str = ""


class _Wrong(Exception):
    """What is wrong, with the state."""


def judge_file(records: Iterable[Record]) -> list[Judgement]:
    """The judgements of the answers among the records of one file, whose moves are listed once."""
    answers = [record for record in records if record["status"] in _JUDGED]
    if not answers:
        return []
    try:
        rules = read(Path(answers[0]["file"]).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, Unreadable, SyntaxError, RecursionError) as error:
        # The last two: nested more deeply than Python's own reader bears.
        return [replace(_blank(each), skipped=str(error)) for each in answers]
    graph = explore(rules)
    return [judge(rules, graph, record) for record in answers]


def judge(rules: Rules, graph: Graph, record: Record) -> Judgement:
    """The judgement of one answer."""
    blank = _blank(record)
    if record["status"] == "endless":
        unseen = "play does not come back to a state in the box"
        return replace(blank, skipped="" if on_a_cycle(graph) else unseen)
    if "drawn" in (record.get("solution") or {}):
        compared, wrong = fault(rules, graph, _read(record))
        return replace(blank, states=compared, wrong=wrong)
    try:
        module = _exported(record)
    except Refused as refused:
        return replace(blank, skipped=str(refused))
    except Exception as error:
        return replace(blank, wrong=f"no module can be made: {error!r}")
    labels = label(graph, record["rule"])
    judged = replace(blank, states=len(labels))
    try:
        _names(rules, module)
        _legal(rules, graph, module)
        for state, wins in labels.items():
            _same("is_winning", state, _call(module["is_winning"], state), wins)
        if record["status"] == "solved":
            _Strategy(rules, graph, labels, module, record["strategy"] > 0).check()
    except _Wrong as error:
        return replace(judged, wrong=str(error))
    return judged


def _blank(record: Record) -> Judgement:
    return Judgement(record["file"], record["rule"], record["status"])


def _read(record: Record) -> Solution:
    return read_solution(Source(record["file"], json.dumps(record["solution"])))


def _exported(record: Record) -> dict[str, Any]:
    solution = _read(record)
    module: dict[str, Any] = {"__name__": "answer"}
    exec(compile(export(solution, "python"), "answer", "exec"), module)
    return module


def _names(rules: Rules, module: Mapping[str, Any]) -> None:
    named = tuple(map(plain, module["VARIABLES"]))
    if named != rules.variables:
        raise _Wrong(f"the variables are {rules.variables}, not {named}")


def _legal(rules: Rules, graph: Graph, module: Mapping[str, Any]) -> None:
    for state in graph.box:
        _same("is_legal", state, _call(module["is_legal"], state), bool(rules.legal(*state)))


def _call(function: Callable[..., Any], state: State) -> Any:
    try:
        return function(*state)
    except Exception as error:
        name = getattr(function, "__name__", "result")
        raise _Wrong(f"{name}{_shown(state)} raises {error!r}") from error


def _same(what: str, state: State, said: Any, true: Any) -> None:
    if said != true:
        raise _Wrong(f"{what}{_shown(state)} is {said}, should be {true}")


def _shown(state: State) -> str:
    return f"({', '.join(map(str, state))})"


@dataclass(frozen=True, slots=True)
class _Strategy:
    """What only an answer that is proved in full has to stand."""

    rules: Rules
    graph: Graph
    labels: Mapping[State, bool]
    module: Mapping[str, Any]
    has_moves: bool

    def check(self) -> None:
        endless = on_a_cycle(self.graph)
        if endless is not None:
            raise _Wrong(f"play from {_shown(endless)} may never end")
        if self.has_moves:
            for state, final in zip(self.graph.states, self.graph.final, strict=True):
                self._check_move(state, final)

    def _check_move(self, state: State, final: bool) -> None:
        wins = self.labels.get(state)
        move = _call(self.module["move"], state)
        if move is None:
            if wins and not final:
                raise _Wrong(f"move{_shown(state)} is None, and a move wins there")
            return
        if final or wins is False:
            why = "play is over" if final else "no move wins"
            raise _Wrong(f"move{_shown(state)} is {_said(move)}, and {why} there")
        after = self._after(state, move)
        if self.labels.get(after):
            raise _Wrong(f"move{_shown(state)} is {_said(move)}, to {_shown(after)}, which wins")

    def _after(self, state: State, move: Any) -> State:
        """The state after a move, which has to apply; also where no label is known."""
        name, chosen = move
        action = next((a for a in self.rules.actions if a.name == plain(name)), None)
        given = {plain(parameter): value for parameter, value in chosen.items()}
        if action is None or set(given) != set(action.parameters):
            raise _Wrong(f"move{_shown(state)} is {_said(move)}, which is none of the actions")
        after = action.result(*state, *(given[parameter] for parameter in action.parameters))
        if after is None:
            raise _Wrong(f"move{_shown(state)} is {_said(move)}, which does not apply")
        said = _call(partial(self.module["result"], name, chosen), state)
        _same(f"the result of {_said(move)} in ", state, said, after)
        return after


def _said(move: Any) -> str:
    name, chosen = move
    return f"{name}({', '.join(f'{key} = {value}' for key, value in chosen.items())})"
