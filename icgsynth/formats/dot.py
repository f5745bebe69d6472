"""Draw a strategy as a Graphviz graph: a chain of questions, each with a move to the side.

If an answer has an automaton, the automaton is drawn instead.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from textwrap import wrap

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.transitions import columns, live, number_states
from icgsynth.export.digit_words import notation
from icgsynth.export.header import rules as rules_of
from icgsynth.export.sentences import title
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, TargetRule
from icgsynth.logic import term as t

_STYLE = """\
  graph [rankdir=TB, splines=true, nodesep=0.6, ranksep=0.4, fontname="Helvetica", labelloc=t];
  node [fontname="Helvetica", fontsize=12, style=filled, color="#44546a", fillcolor="#ffffff"];
  edge [fontname="Helvetica", fontsize=10, color="#44546a"];
"""
_QUESTION = 'shape=box, style="rounded,filled", fillcolor="#e8eef5"'
_MOVE = 'shape=box, fillcolor="#1b3a5c", fontcolor="#ffffff"'
_END = 'shape=box, style="rounded,dashed", color="#8a8f98"'


def dot(solution: Solution) -> str:
    """Return as a DOT graph the automaton of ``solution``, or else its tree, or else its
    strategy."""
    if solution.automaton is not None:
        shown = f"{title(solution)}: the losing states"
        return automaton_dot(solution.automaton, solution.game.name, shown)
    rules = solution.tree or rules_of(solution)
    winning, _ = solution.sides()
    lines = [f"digraph {_quoted(solution.game.name)} {{", _STYLE.rstrip()]
    lines.append(f"  label={_quoted(title(solution))};")
    lines.append(_node("start", f"winning: {winning}?", _QUESTION))
    lines.append(_node("lost", "losing: every move\nleads to a winning state", _END))
    lines += [_edge("start", "lost", "no"), _edge("start", "rule1", "yes"), _row("start", "lost")]
    last = _outcome(solution)
    for number, rule in enumerate(rules, start=1):
        here, move = f"rule{number}", f"move{number}"
        lines.append(_node(here, _question(rule, in_tree=rules is solution.tree), _QUESTION))
        lines.append(_node(move, _act(rule), _MOVE))
        lines += [_edge(here, move, "yes"), _row(here, move)]
        if number < len(rules):
            lines.append(_edge(here, f"rule{number + 1}", "no"))
        elif last:
            lines += [_node("end", last, _END), _edge(here, "end", "no")]
    return "\n".join([*lines, "}"]) + "\n"


def _act(rule: Rule | TargetRule) -> str:
    return str(replace(rule, when=t.TRUE))


def _question(rule: Rule | TargetRule, in_tree: bool) -> str:
    if rule.when == t.TRUE:
        return f"does {_act(rule)} apply?"
    return f"{rule.when}, and {_act(rule)} applies?" if in_tree else f"{rule.when}?"


def _outcome(solution: Solution) -> str:
    """Return the label for winning states without a rule; "" where a proof excludes these."""
    if solution.rule == "misere":
        return "no move is left:\nwho is to move has won"
    return "" if solution.is_proved else "no rule applies"


def _node(name: str, label: str, style: str) -> str:
    return f"  {name} [label={_quoted(_break_lines(label))}, {style}];"


def _break_lines(label: str) -> str:
    lines = (part for line in label.split("\n") for part in wrap(line, 44) or [""])
    return "\n".join(lines)


def _edge(tail: str, head: str, label: str) -> str:
    return f"  {tail} -> {head} [label={_quoted(label)}];"


def _row(*names: str) -> str:
    return f"  {{rank=same; {'; '.join(names)}}}"


def _quoted(text: str) -> str:
    r"""Return ``text`` as a double-quoted DOT string; a line break becomes ``\n``."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n") + '"'


# --- automaton dot -------------------------------------------------------------------------------

_AUTOMATON_STYLE = """\
  graph [rankdir=LR, fontname="Helvetica", labelloc=t];
  node [fontname="Helvetica", fontsize=12, shape=circle, color="#44546a"];
  edge [fontname="Helvetica", fontsize=10, color="#44546a"];"""
_ACCEPTING = ', shape=doublecircle, style=filled, fillcolor="#dbe6f1"'
_A_LINE = 4  # most symbols on a line of a label


def edges(automaton: Automaton) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return the transitions between live states, each as (from, to, all symbols that lead
    there)."""
    kept = live(automaton)
    alive = set(kept)
    found: list[tuple[int, int, tuple[int, ...]]] = []
    for state in kept:
        row = automaton.transitions[state]
        ways = sorted((after, symbol) for symbol, after in enumerate(row) if after in alive)
        for after, group in groupby(ways, key=lambda way: way[0]):
            found.append((state, after, tuple(symbol for _, symbol in group)))
    return found


def automaton_dot(automaton: Automaton, name: str, title: str) -> str:
    """Return a DOT graph, called ``name``, of the automaton's live states, below a ``title``.
    Accepting states have a double ring; an arrow marks the initial state. An edge is labelled with
    the columns of digits that it reads, separated by blanks, with commas between digits; edges to
    the dead state are left out."""
    tracks = ", ".join(automaton.tracks)
    read = f"reads ({tracks}) in {notation(automaton.system)}, the leftmost digits first"
    signs = "a word is accepted where it ends in a double ring, and refused where no arrow is left"
    shown = columns(automaton)
    lines = [
        f"digraph {_quoted(name)} {{",
        _AUTOMATON_STYLE,
        f"  label={_quoted(chr(10).join((title, read, signs)))};",
        '  start [shape=point, label=""];',
    ]
    names = number_states(automaton)
    lines += [
        f"  {name} [label={_quoted(str(name))}{_ACCEPTING if automaton.accepting[q] else ''}];"
        for q, name in names.items()
    ]
    if names:
        lines.append("  start -> 0;")
    for state, after, symbols in edges(automaton):
        words = [",".join(map(str, shown[symbol])) for symbol in symbols]
        parts = [" ".join(words[i : i + _A_LINE]) for i in range(0, len(words), _A_LINE)]
        lines.append(f"  {names[state]} -> {names[after]} [label={_quoted(chr(10).join(parts))}];")
    return "\n".join([*lines, "}"]) + "\n"
