"""Write automata as files for the prover Walnut.

The format is described by Mousavi, Automatic theorem proving in Walnut (arXiv 1603.06017).  Saved
as ``Automata Library/losing.txt``, the file is ``$losing(a, b)`` in Walnut's formulas.
"""

from __future__ import annotations

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.digits.transitions import columns, live
from icgsynth.errors import InputError
from icgsynth.export.digit_words import notation
from icgsynth.export.header import header
from icgsynth.game.solution import Solution

_KNOWN = {"zeckendorf": "msd_fib", "tribonacci": "msd_trib", "ostrowski-2-2": "msd_pell"}


def walnut(solution: Solution) -> str:
    """Return the automaton that accepts ``solution``'s losing states, as text for Walnut. Walnut
    takes a transition that is not listed as one to a dead state. InputError if the answer has no
    automaton."""
    automaton = _losing_automaton(solution)
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


def _losing_automaton(solution: Solution) -> Automaton:
    if solution.automaton is None:
        message = f"the answer for {solution.game.name} has no automaton, and walnut shows one"
        mend = "export to python, html, fft, smt2, latex, asp, dot, coq or json instead"
        raise InputError(message, mend=mend)
    return solution.automaton


def _walnut_name(system: Numeration) -> tuple[str, bool]:
    """Return (name, known): what Walnut calls ``system``, and whether Walnut has it built in."""
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
