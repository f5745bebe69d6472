"""The live part of an automaton, as tables and drawings show it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from icgsynth.digits.automaton import Automaton


def live(automaton: Automaton) -> list[int]:
    """Return the states that can be reached and from which some word is accepted, ascending."""
    reached, todo = {0}, [0]
    while todo:
        for state in automaton.transitions[todo.pop()]:
            if state not in reached:
                reached.add(state)
                todo.append(state)
    return sorted(reached & automaton.useful)


def number_states(automaton: Automaton) -> dict[int, int]:
    """Return {state: shown number} of the states that :func:`live` lists: 0, 1, 2, .. in order."""
    return {state: number for number, state in enumerate(live(automaton))}


def in_words(automaton: Automaton) -> str:
    """Return the text ``an automaton of 22 states``; states that :func:`live` lists are counted."""
    count = len(live(automaton))
    return f"an automaton of {count:,} state{'s' * (count != 1)}"


def columns(automaton: Automaton) -> list[tuple[int, ...]]:
    """Return for each symbol of ``automaton``, in order, its digits, one for each track."""
    return list(product(range(automaton.system.digits), repeat=len(automaton.tracks)))


def table(automaton: Automaton) -> list[str]:
    """Return the transition table as lines: a row for each live state (it can be reached, and some
    word is accepted from it), and a column for each symbol.  The digits of a symbol stand one above
    the other, the track's name before them; ``*`` marks the accepting states, ``.`` any state not
    live."""
    names, digits = number_states(automaton), columns(automaton)
    rows = automaton.transitions
    used = [s for s in range(len(digits)) if any(rows[q][s] in names for q in names)]
    cell = max(len(str(n)) for n in (len(names), automaton.system.digits - 1))
    margin = max(len(str(len(names))) + 2, *map(len, automaton.tracks))

    def line(head: str, cells: Iterable[object]) -> str:
        return f"{head:>{margin}}  " + " ".join(f"{c!s:>{cell}}" for c in cells)

    lines = [line(track, (digits[s][i] for s in used)) for i, track in enumerate(automaton.tracks)]
    for state, name in names.items():
        head = f"{name} {'*' if automaton.accepting[state] else ' '}"
        afters = (rows[state][s] for s in used)
        lines.append(line(head, (names.get(q, ".") for q in afters)))
    return lines
