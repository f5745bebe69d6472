"""Reports on graph games: who wins from each node, and the nodes' values, as text and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from icgsynth.boards.finite.graph import GraphOutcomes, LoopyValue, Word
from icgsynth.export.report import Facts, Listing, Report, Title
from icgsynth.game.answers import SCHEMA
from icgsynth.game.position import Position, move_json
from icgsynth.logic.prose import wrapped

_ROWS = 40  # nodes that have a line each
_NAMED = 60  # nodes that one line of a long list names
_WIDTH = 10  # characters of the column of names
_WORDS: tuple[Word, ...] = ("lost", "won", "drawn")
_BY = "counted back from the nodes without a move"
_TWICE = "by the rule of Smith, Fraenkel and Yesha, and as the nodes that are lost, won and drawn"


@dataclass(frozen=True)
class At:
    """The result for one node of a graph, with the node's value where that was asked for."""

    outcomes: GraphOutcomes
    node: int
    value: LoopyValue | None = None


@dataclass(frozen=True)
class Values:
    """The values of all nodes of a graph.

    AssertionError where they contradict who wins, which was found by another method."""

    outcomes: GraphOutcomes
    values: Sequence[LoopyValue]

    def __post_init__(self) -> None:
        for node, value in enumerate(self.values):
            lost = value == 0 if isinstance(value, int) else False
            drawn = not isinstance(value, int) and 0 not in value
            if self.outcomes.word(node) != ("lost" if lost else "drawn" if drawn else "won"):
                raise AssertionError("a value contradicts who wins from its node")


# --- who wins ----------------------------------------------------------------------------------


def outcomes_report(found: GraphOutcomes) -> Report:
    """Return the report who wins from each node, by ``found``: a line a node if few, else lists."""
    graph = found.graph
    counts = ", ".join(f"{found.count(word):,} {word}" for word in _WORDS)
    title = Title(_title(found), f"{len(graph.nodes):,} nodes, {graph.edges:,} edges: {counts}")
    if len(graph.nodes) > _ROWS:
        return title, Listing(tuple(_lists(found)))
    width = max(map(len, graph.nodes))
    order = sorted(range(len(graph.nodes)), key=lambda i: (found.length[i] < 0, found.length[i], i))
    return title, Listing(tuple(f"  {graph.nodes[i]:<{width}}  {_say(found, i)}" for i in order))


def _title(found: GraphOutcomes) -> str:
    return f"{found.graph.name}, {found.rule} play on a graph"


def _say(found: GraphOutcomes, node: int) -> str:
    """Return who wins from a node, in how many moves, and by which moves, in words."""
    graph, word, length = found.graph, found.word(node), int(found.length[node])
    if not graph.after[node]:
        return f"{word}, no move"
    best = ", ".join(graph.nodes[to] for to in found.best(node)[:3])
    if word == "drawn":
        return f"drawn, by {best}"
    moves = f"in {length} move{'s' * (length != 1)}"
    return f"won {moves}, by {best}" if word == "won" else f"lost {moves}"


def _lists(found: GraphOutcomes) -> Iterator[str]:
    for word in _WORDS:
        names = (name for i, name in enumerate(found.graph.nodes) if found.word(i) == word)
        yield from _name(f"{word}: ", names)


def _name(head: str, names: Iterable[str]) -> Iterator[str]:
    listed = list(names)
    more = len(listed) - _NAMED
    said = " ".join(listed[:_NAMED]) + (f" and {more:,} more (--json has them)" * (more > 0))
    if listed:
        yield from wrapped(said, head, " " * len(head))


def node_report(found: At) -> Report:
    """Return the report on ``found``: who wins from one node, and the node's value if asked for."""
    outcomes, node = found.outcomes, found.node
    graph = outcomes.graph
    rows = [("at", graph.nodes[node]), ("outcome", _say(outcomes, node))]
    if found.value is not None:
        rows.append(("value", value_words(found.value)))
    moves = [graph.nodes[to] for to in graph.after[node]]
    rows.append(("moves", ", ".join(moves[:_NAMED]) or "none"))
    return Title(_title(outcomes), ""), Facts(tuple(rows), _WIDTH)


def outcomes_value(found: GraphOutcomes) -> dict[str, Any]:
    """Return ``found`` as JSON: who wins from each node, and how many are lost, won and drawn."""
    graph = found.graph
    nodes = {name: _outcome_value(found, i) for i, name in enumerate(graph.nodes)}
    counts = {word: found.count(word) for word in _WORDS}
    return _head(found) | counts | {"nodes": nodes, "why": _BY, "proved": True}


def node_value(found: At) -> dict[str, Any]:
    """Return ``found`` as JSON: who wins from one node, and the node's value if asked for."""
    outcomes, node = found.outcomes, found.node
    graph, word = outcomes.graph, outcomes.word(node)
    best = [graph.nodes[to] for to in outcomes.best(node)] if word != "lost" else []
    length = int(outcomes.length[node])
    more = {} if found.value is None else value_value(found.value)
    more |= {"moves": best, "length": length if length >= 0 else None, "edges": graph.edges}
    return Position(
        graph.name,
        outcomes.rule,
        [graph.nodes[node]],
        {"won": "winning", "lost": "losing", "drawn": "drawn"}[word],
        move_json(best[:1], best[0]) if best else None,
        by=_BY if found.value is None else _TWICE,
        is_proved=True,
        more=more,
    ).to_json()


def _outcome_value(found: GraphOutcomes, node: int) -> dict[str, Any]:
    word, length = found.word(node), int(found.length[node])
    value: dict[str, Any] = {"outcome": word, "length": length if length >= 0 else None}
    if word != "lost" and (best := found.best(node)):
        value["move"] = found.graph.nodes[best[0]]
    return value


def _head(found: GraphOutcomes) -> dict[str, Any]:
    graph = found.graph
    said = {"schema": SCHEMA, "kind": "graph", "game": graph.name, "rule": found.rule}
    return said | {"status": "solved", "edges": graph.edges}


# --- values --------------------------------------------------------------------------------------


def value_words(value: LoopyValue) -> str:
    """Return a node's value as text: a nimber, or infinity with its successors' nimbers."""
    if isinstance(value, int):
        return str(value)
    return f"infinity {{{', '.join(map(str, sorted(value)))}}}"


def value_value(value: LoopyValue) -> dict[str, Any]:
    """Return, for JSON, ``value``: a nimber, or null with ``infinity``: its successors' nimbers."""
    if isinstance(value, int):
        return {"value": value}
    return {"value": None, "infinity": sorted(value)}


def values_report(found: Values) -> Report:
    """Return the report that lists the nodes of each value of the graph in ``found``."""
    graph = found.outcomes.graph
    groups: dict[str, list[str]] = {}
    for value in sorted(set(found.values), key=_order):
        groups[value_words(value)] = []
    for name, value in zip(graph.nodes, found.values, strict=True):
        groups[value_words(value)].append(name)
    endless = sum(not isinstance(value, int) for value in found.values)
    loops = f"; {endless:,} without a nimber, for play may go on for ever there" * bool(endless)
    title = Title(
        f"{graph.name}, values of a graph",
        f"{len(graph.nodes):,} nodes, {graph.edges:,} edges{loops}",
    )
    lines = [line for said, names in groups.items() for line in _name(f"{said}: ", names)]
    return title, Listing(tuple(lines))


def _order(value: LoopyValue) -> tuple[int, list[int]]:
    return (value, []) if isinstance(value, int) else (1 << 30, sorted(value))


def values_value(found: Values) -> dict[str, Any]:
    """Return the values of all nodes in ``found`` as JSON."""
    names = found.outcomes.graph.nodes
    nodes = {name: value_value(value) for name, value in zip(names, found.values, strict=True)}
    return _head(found.outcomes) | {"nodes": nodes, "why": _TWICE, "proved": True}
