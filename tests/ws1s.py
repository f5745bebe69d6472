"""Write an automaton as a predicate of WS1S, which MONA decides.

A number is the set of the positions, counted from the right, whose digit is 1.  The run of the
automaton, which reads from the left, is guessed: the bits of its state after it has read position i
are whether i is in Q0, Q1, ...
"""

from __future__ import annotations

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.transitions import columns, live
from icgsynth.formats.dot import edges


def predicate(automaton: Automaton, name: str) -> str:
    """Return ``pred name(var2 A, ...)``: the automaton accepts the numbers, leading zeros aside."""
    numbers, digits = letters(len(automaton.tracks)), columns(automaton)
    states = live(automaton)
    head = f"pred {name}({', '.join(f'var2 {n}' for n in numbers)}) ="
    if not states:
        return f"{head} false;\n"
    number = {state: index for index, state in enumerate(states)}
    bits = max(1, (len(states) - 1).bit_length())
    runs = [f"Q{bit}" for bit in range(bits)]

    def at(state: int, place: str) -> str:
        return " & ".join(
            f"{place} {'in' if number[state] >> bit & 1 else 'notin'} {run}"
            for bit, run in enumerate(runs)
        )

    def reads(symbol: int) -> str:
        return " & ".join(
            f"i {'in' if digit else 'notin'} {n}"
            for n, digit in zip(numbers, digits[symbol], strict=True)
        )

    steps = []
    # Infinitely many zeros lead: state 0 is to read them all, which changes no answer.
    waits = [] if automaton.transitions[0][0] == 0 else [(0, 0, (0,))]
    for state, after, symbols in [*waits, *edges(automaton)]:
        columns_read = " | ".join(f"({reads(symbol)})" for symbol in symbols)
        steps.append(f"({at(state, 'i+1')} & {at(after, 'i')} & ({columns_read}))")
    accepting = [f"({at(q, '0')})" for q in states if automaton.accepting[q]]
    joined = "\n    | ".join(steps) or "false"
    return (
        f"{head}\n  ex2 {', '.join(runs)}:\n  (all1 i:\n      {joined})\n"
        f"  & ({' | '.join(accepting) or 'false'});\n"
    )


def letters(count: int) -> list[str]:
    """Return names for variables: A, B, C, ...; none of them is Q0, Q1, ..."""
    letters = "ABCDEFGHIJKLMNOP"
    return [letters[i] if i < len(letters) else f"X{i}" for i in range(count)]
