"""An automaton as a Graphviz drawing."""

from __future__ import annotations

from icgsynth.digits.automaton import Automaton
from icgsynth.export.digit_words import notation
from icgsynth.export.transitions import columns, edges, numbered

__all__ = ["automaton_dot"]

_STYLE = """\
  graph [rankdir=LR, fontname="Helvetica", labelloc=t];
  node [fontname="Helvetica", fontsize=12, shape=circle, color="#44546a"];
  edge [fontname="Helvetica", fontsize=10, color="#44546a"];"""
_ACCEPTING = ', shape=doublecircle, style=filled, fillcolor="#dbe6f1"'
_A_LINE = 4  # symbols on a line of a label


def automaton_dot(automaton: Automaton, name: str, title: str) -> str:
    """The live states, the first marked by an arrow; accepting ones have a double ring.

    An edge is labelled with the digits that it reads, those of one column joined by a
    comma, columns separated by blanks; edges to the dead state are left out.
    """
    tracks = ", ".join(automaton.tracks)
    read = f"reads ({tracks}) in {notation(automaton.system)}, the leftmost digits first"
    signs = "a word is accepted where it ends in a double ring, and refused where no arrow is left"
    shown = columns(automaton)
    lines = [
        f"digraph {_quoted(name)} {{",
        _STYLE,
        f"  label={_quoted(chr(10).join((title, read, signs)))};",
        '  start [shape=point, label=""];',
    ]
    names = numbered(automaton)
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


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n") + '"'
