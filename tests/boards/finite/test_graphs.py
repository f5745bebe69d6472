"""Graphs as games: against brute force on the graph, and on the graph beside a heap of Nim.

Faults it sees: a wrong outcome, length or value; an infinite value with wrong nimbers (the sum with
a heap of n is won just where n is among them, else drawn); an edge that is lost in reading.
"""

from __future__ import annotations

import json
import random

import pytest
from commands import call, refused

from icgsynth.boards.finite.graph import GraphGame, _obeys_definition, loopy_values, outcomes
from icgsynth.boards.rules.edges import read_graph
from icgsynth.errors import InputError
from icgsynth.spec.source import Source

HEAP = 6


def random_graph(seed):
    lot = random.Random(seed)
    count, dense = lot.randint(2, 7), lot.choice([0.2, 0.3, 0.5])
    pairs = [(a, b) for a in range(count) for b in range(count) if lot.random() < dense]
    return GraphGame.of("g", [str(i) for i in range(count)], pairs)


def labels(moves, ends):
    """Round by round: {state: (worth to the player to move, moves to the end)}; draws are left out.

    A state is won in round k by a state that was lost before, and lost where all moves are won.
    """
    known = {state: (ends, 0) for state, after in moves.items() if not after}
    for plies in range(1, 2 * len(moves) + 2):
        new = {}
        for state, after in moves.items():
            if state in known or not after:
                continue
            if any(known.get(to, (0, 0))[0] == -1 for to in after):
                new[state] = (1, plies)
            elif all(known.get(to, (0, 0))[0] == 1 for to in after):
                new[state] = (-1, plies)
        known |= new
    return known


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("rule", "ends"), [("normal", -1), ("misere", 1)])
def test_outcomes_and_lengths_are_those_of_play(seed, rule, ends):
    graph = random_graph(seed)
    found = outcomes(graph, rule)
    plain = labels(dict(enumerate(graph.after)), ends)
    for node in range(len(graph.nodes)):
        assert (int(found.won[node]), int(found.length[node])) == plain.get(node, (0, -1))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_a_changed_outcome_contradicts_the_definition(seed, rule):
    """Fault it sees: a second look that lets a wrong winner, draw or length pass."""
    graph = random_graph(seed)
    found = outcomes(graph, rule)
    right = list(zip(found.won.tolist(), found.length.tolist(), strict=True))
    for node, (won, length) in enumerate(right):
        for other in {(-1, length), (0, -1), (1, length), (won, length + 1)} - {(won, length)}:
            changed = [*right[:node], other, *right[node + 1 :]]
            assert not _obeys_definition(graph, rule, *zip(*changed, strict=True))


@pytest.mark.parametrize("seed", range(12))
def test_values_say_who_wins_beside_a_heap_of_nim(seed):
    graph = random_graph(seed)
    values = loopy_values(graph)
    heaps = range(HEAP + 1)
    moves = {
        (node, heap): [(to, heap) for to in after] + [(node, less) for less in range(heap)]
        for node, after in enumerate(graph.after)
        for heap in heaps
    }
    plain = labels(moves, -1)
    for node, value in enumerate(values):
        for heap in heaps:
            worth = plain.get((node, heap), (0, 0))[0]
            if isinstance(value, int):
                assert worth == (-1 if value == heap else 1)
            else:
                assert worth == (1 if heap in value else 0)


def test_the_values_of_a_published_graph():
    """Eight nodes of the JACoBIAN tracker's issue 1907, with values by hand from the sinks."""
    text = "4: 0\n7: 0 4\n2: 7 0\n5: 2 4 7\n1: 5 2 0 4\n6: 1 5\n3: 6 2 4\n"
    graph = read_graph(Source("dag.edges", text))
    values = dict(zip(graph.nodes, loopy_values(graph), strict=True))
    assert [values[str(i)] for i in range(8)] == [0, 2, 1, 0, 1, 0, 1, 2]


EDGES = {("a", "b"), ("b", "c d"), ("c d", "a"), ("a", "e")}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.edges", '# a comment\na b\nb "c d"\n"c d" -> a\na, e  % here too\na b\n'),
        ("g.edges", 'a: b e\nb: "c d"\n"c d" a\n'),
        ("g.csv", 'from,to\na,b\nb,"c d"\nc d,a\na,e\n'),
        ("g.csv", 'Source,Target,Weight\na,b,1\nb,"c d",2\nc d,a,,\na,e\n'),
        ("g.tsv", "a\tb\nb\tc d\nc d\ta\na\te\n"),
        ("g.dot", 'digraph { a -> b -> "c d" -> a [label="x -> y"]; a -> e; node [shape=box] }'),
        (
            "text",
            '// DOT\ndigraph "G" { rankdir=LR; subgraph s { a -> {b e} } b -> "c d" "c d"->a }',
        ),
    ],
)
def test_formats_are_read_into_the_same_edges(name, text):
    assert edges_of(name, text) == EDGES


def edges_of(name, text):
    graph = read_graph(Source(name, text))
    pairs = [(graph.nodes[a], graph.nodes[b]) for a, after in enumerate(graph.after) for b in after]
    assert graph.edges == len(pairs)
    return set(pairs)


@pytest.mark.parametrize(
    ("body", "edges"),
    [
        ("a -> subgraph s { b } b -> c", "ab bc"),
        ("a -> subgraph s { b c }", "ab ac"),
        ("subgraph s { a } -> b subgraph cluster { c }", "ab"),
        ("a -> subgraph { b; subgraph t { c } } -> d", "ab ac bd cd"),
        ("{a b} -> {c d}", "ac ad bc bd"),
        ("subgraph s { a } subgraph s { b } -> c", "ac bc"),
        ('a:n -> b:"p":s [label=<<b>]</b>>, shape="]"] c=d subgraph s { a -> e }', "ab ae"),
        ("\n# c -> d\n/* e -> f */ a -> b // -> c", "ab"),
    ],
)
def test_an_edge_of_a_subgraph_is_one_of_each_of_its_nodes(body, edges):
    """The name of a subgraph was a node, and the edges to its members were lost."""
    assert edges_of("g.dot", f"digraph {{ {body}\n}}") == {(a, b) for a, b in edges.split()}


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ('"a # b" c', ("a # b", "c")),
        ('"win 50 % off" "end" # "', ("win 50 % off", "end")),
        ('"a // b" "c -> d"', ("a // b", "c -> d")),
        ('"x: y": "a\\"b"', ("x: y", 'a"b')),
        ('a ""', ("a", "")),
    ],
)
def test_signs_in_quotes_are_a_part_of_a_name(text, edge):
    """A comment, an arrow or a colon began within quotes, and the rest of the name was lost."""
    assert edges_of("g.edges", text) == {edge}


def test_an_edge_without_direction_leads_both_ways():
    graph = read_graph(Source("g.dot", "graph { a -- b; c }"))
    assert graph.nodes == ("a", "b", "c") and graph.after == ((1,), (0,), ())


@pytest.mark.parametrize(
    ("name", "text", "message", "line"),
    [
        ("g.edges", "a b\na b c\n", "3 names in a line", 2),
        ("g.edges", "# nothing\n", "no edge", 1),
        ("g.csv", "a,b\n,c\n", "first cell is empty", 2),
        ("g.csv", "u,v\nv,w\n", "edge or names of columns", 1),
        ("matrix.csv", "0,1,0\n0,0,1\n0,0,0\n", "more than two cells in a row", 1),
        ("g.edges", "a b\nx: y: z", "unexpected ':'", 2),
        ("g.edges", "a b\na ->\n", "unexpected '->'", 2),
        ("g.edges", 'a b\n"c d\n', "unexpected '\"'", 2),
        ("g.csv", 'a,b\nc,"d\ne,f\n', "no table", 3),
        ("g.dot", "digraph { a -> b", "'{' is never closed", 1),
        ("g.dot", "digraph {\na -> b; edge -> a }", "'edge' is a word of DOT", 2),
        ("g.dot", "digraph {\na -> subgraph s }", "'{' is missing", 2),
        ("g.dot", "digraph {a -> b}\nDigraph {b -> c}", "'Digraph' after the graph", 2),
        ("g.dot", "digraph {\na [label=x; b -> c [y=z] }", "unexpected '->'", 2),
        ("g.dot", "digraph {\na -> b [color=#ff0000]; b -> c }", "unexpected '#'", 2),
        ("g.dot", "graph {\na -> b }", "unexpected '->'", 2),
        ("g.dot", "digraph {a -> b;\n1.5.2 -> a }", "'1.5.2' is no name", 2),
        ("g.dot", "digraph " + "{" * 9_000, "within each other", 1),
        ("g.dot", "digraph\n", "'{' is missing", 1),
    ],
)
def test_bad_graphs_say_where(name, text, message, line):
    with pytest.raises(InputError) as caught:
        read_graph(Source(name, text))
    assert message in str(caught.value) and caught.value.span.line == line and caught.value.mend


def test_commands_tell_of_all_nodes_and_of_one(capfd, tmp_path):
    path = tmp_path / "g.edges"
    path.write_text("a b\nb a\nb c\nd d\n")  # b takes c, and a has b alone
    code, out, _ = call(capfd, "solve", path)
    assert code == 0 and "2 lost, 1 won, 1 drawn" in out
    value = json.loads(call(capfd, "solve", path, "--json")[1])
    assert value["nodes"]["b"] == {"outcome": "won", "length": 1, "move": "c"}
    assert value["nodes"]["a"] == {"outcome": "lost", "length": 2}
    at = json.loads(call(capfd, "value", path, "--at", "d", "--json")[1])
    assert (at["kind"], at["value"], at["infinity"], at["drawn"]) == ("position", None, [], True)
    at = json.loads(call(capfd, "solve", path, "--at", "b", "--rule", "misere", "--json")[1])
    assert at["winning"] is False
    assert "has no node x" in refused(capfd, "solve", path, "--at", "x")
    assert "normal play" in refused(capfd, "value", path, "--rule", "misere")
    assert call(capfd, "solve", path, "--finite-only").returncode == 3
