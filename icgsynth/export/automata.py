"""Automata as files for other programs: read by Walnut, decided by MONA.

Walnut's format is described by Mousavi, Automatic theorem proving in Walnut (arXiv 1603.06017).
Saved as ``Automata Library/losing.txt``, the file is ``$losing(a, b)`` in Walnut's formulas.

For MONA the losing states are a predicate of WS1S.  A number is the set of the positions, counted
from the right, whose digit is 1.  The run of the automaton, which reads from the left, is guessed:
the bits of its state after it has read position i are whether i is in Q0, Q1, ...
"""

from __future__ import annotations

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.digits.transitions import Edge, columns, edges, live
from icgsynth.errors import InputError
from icgsynth.export.digit_words import notation
from icgsynth.export.header import header, losing_automaton
from icgsynth.game.solution import Solution

# --- walnut --------------------------------------------------------------------------------------

_KNOWN = {"zeckendorf": "msd_fib", "tribonacci": "msd_trib", "ostrowski-2-2": "msd_pell"}


def walnut(solution: Solution) -> str:
    """The text of the file; :class:`~icgsynth.errors.InputError` without an automaton.

    Walnut takes a transition that is not listed for one to a state without a way out.
    """
    automaton = losing_automaton(solution, "walnut")
    name, known = _walnut_name(automaton.system)
    lines = [f"# {line}" for line in header(solution)]
    lines.append(f"# tracks:   {', '.join(automaton.tracks)}, in this order")
    if not known:
        lines += [f"# {line}" for line in _own_system(automaton.system, name)]
    lines += ["", " ".join([name] * len(automaton.tracks))]
    alive, digits = live(automaton), columns(automaton)
    numbers = {state: number for number, state in enumerate(alive)}
    for state in alive:
        lines += ["", f"{numbers[state]} {int(automaton.accepting[state])}"]
        for symbol, after in enumerate(automaton.transitions[state]):
            if after in numbers:
                lines.append(f"{' '.join(map(str, digits[symbol]))} -> {numbers[after]}")
    return "\n".join(lines if alive else [*lines, "", "0 0"]) + "\n"


def _walnut_name(system: Numeration) -> tuple[str, bool]:
    """What Walnut calls the system, and whether it knows it by itself."""
    if system.name in _KNOWN:
        return _KNOWN[system.name], True
    kind, _, number = system.name.partition("-")
    if kind == "base":
        return f"msd_{number}", True
    return f"msd_{system.name.replace('-', '_')}", False


def _own_system(system: Numeration, name: str) -> list[str]:
    weights = ", ".join(map(str, system.weights(6)))
    terms = " + ".join(
        f"{c} U(i-{i})" if c > 1 else f"U(i-{i})" for i, c in enumerate(system.recurrence, 1) if c
    )
    return [
        f"{name} is {notation(system)}, a custom base for Walnut: weights {weights}, ...",
        f"by U(i) = {terms}, digits 0 to {system.digits - 1}, greedy representations.",
        f"It needs Custom Bases/{name}.txt and {name}_addition.txt.",
    ]


# --- mona ----------------------------------------------------------------------------------------


def mona(solution: Solution) -> str:
    """The predicate and a question; :class:`~icgsynth.errors.InputError` without an automaton.

    Only for systems with the digits 0 and 1.
    """
    automaton = losing_automaton(solution, "mona")
    if automaton.system.digits != 2:
        raise InputError(
            f"{automaton.system} has the digits 0 to {automaton.system.digits - 1}, and a set "
            "of MONA says 0 or 1",
            mend="export to walnut, dot or json instead",
        )
    numbers = _names(len(automaton.tracks))
    meant = ", ".join(f"{n} for {v}" for n, v in zip(numbers, automaton.tracks, strict=True))
    weights = ", ".join(map(str, automaton.system.weights(6)))
    listed = ", ".join(numbers)
    return "\n".join(
        [
            *(f"# {line}" for line in header(solution)),
            f"# sets:     {meant}; i is in a set iff digit i from the right is 1",
            f"# digits:   {notation(automaton.system)}, weights {weights}, ...",
            "",
            "ws1s;",
            "",
            predicate(automaton, "losing"),
            "# Is any state losing?  MONA answers with one.",
            f"var2 {listed};",
            f"losing({listed});\n",
        ]
    )


def predicate(automaton: Automaton, name: str) -> str:
    """``pred name(var2 A, ...)``: the automaton accepts the numbers, however many zeros lead."""
    numbers, digits = _names(len(automaton.tracks)), columns(automaton)
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
    waits: list[Edge] = [] if automaton.transitions[0][0] == 0 else [(0, 0, (0,))]
    for state, after, symbols in [*waits, *edges(automaton)]:
        columns_read = " | ".join(f"({reads(symbol)})" for symbol in symbols)
        steps.append(f"({at(state, 'i+1')} & {at(after, 'i')} & ({columns_read}))")
    accepting = [f"({at(q, '0')})" for q in states if automaton.accepting[q]]
    joined = "\n    | ".join(steps) or "false"
    return (
        f"{head}\n  ex2 {', '.join(runs)}:\n  (all1 i:\n      {joined})\n"
        f"  & ({' | '.join(accepting) or 'false'});\n"
    )


def _names(count: int) -> list[str]:
    """A, B, C, ...; none of them is Q0, Q1, ..."""
    letters = "ABCDEFGHIJKLMNOP"
    return [letters[i] if i < len(letters) else f"X{i}" for i in range(count)]
