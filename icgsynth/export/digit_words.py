"""Sentences that explain functions of digits and automata in formulas, with examples."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.digits.transitions import in_words
from icgsynth.game.run_rule import RunRule
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import PRIME, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import walk

_LEAST = 11  # least number that serves as an example
_FEW = 64  # most states of an automaton that is tried on the number before


def notation(system: Numeration) -> str:
    """Return the name of ``system``: ``binary``, ``base 3``, ``Zeckendorf notation``."""
    named = {"base-2": "binary", "base-10": "decimal"}
    if system.name in named:
        return named[system.name]
    kind, _, rest = system.name.partition("-")
    if kind == "base":
        return f"base {rest}"
    return f"{kind.capitalize()}{f' {rest}' if rest else ''} notation"


def word(system: Numeration, number: int) -> str:
    """Return the digits of ``number`` in ``system`` as text; "0" for the empty word."""
    digits = system.representation(number) or (0,)
    return ("" if system.digits <= 10 else ".").join(map(str, digits))


def explanations(nodes: Iterable[t.Node]) -> list[str]:
    """Return a sentence for each function of digits and each automaton in formulas ``nodes``."""
    found = [n for node in nodes for n in walk(node) if isinstance(n, t.Digital | t.Recognised)]
    sentences: dict[str, None] = {}
    digital = [n for n in found if isinstance(n, t.Digital)]
    for system in dict.fromkeys(n.system for n in digital if n.kind != "nimsum"):
        sentences[_rep(system)] = None
    for term in dict.fromkeys((n.kind, n.system, n.modulus) for n in digital):
        sentences[_function(*term)] = None
    for formula in found:
        if isinstance(formula, t.Recognised):
            sentences[_set(formula.automaton, formula.name)] = None
    return list(sentences)


def meanings(solution: Solution) -> list[str]:
    """Return sentences that explain digits and automata in formulas and strategy of an answer."""
    return list(filter(None, [*explanations(solution.formulas()), primes(solution)]))


def primes(solution: Solution) -> str:
    """Return a sentence on names as ``a'`` (a after the move) in the strategy; "" without any."""
    aims = [rule for rule in solution.strategy if isinstance(rule, TargetRule)]
    runs = [rule for rule in aims if isinstance(rule, RunRule)]
    if runs:
        changed = dict.fromkeys(name for rule in runs for name in rule.changed)
        said = ", ".join(f"{n}{PRIME} is {n} after the move" for n in changed)
        return f"{said}; which multiple leads there is found by an automaton."
    names = list(dict.fromkeys(name for rule in aims for name in rule.changed))
    if not names:
        return ""
    if len(names) == 1:
        said = f"{names[0]}{PRIME} is {names[0]} after the move: the automaton of the rule"
        return f"{said} computes it, digit by digit."
    first, last = ", ".join(names[:-1]), names[-1]
    primed = ", ".join(n + PRIME for n in names[:-1])
    said = f"{primed} and {last}{PRIME} are {first} and {last} after the move: the automaton"
    return f"{said} of the rule computes them, digit by digit."


def _rep(system: Numeration) -> str:
    weights = ", ".join(map(str, system.weights(5)))
    number = _example(system)
    return (
        f"rep(n) is the word of n in {notation(system)} (sums of {weights}, ...), "
        f"for example rep({number}) = {word(system, number)}."
    )


def _function(kind: str, system: Numeration, modulus: int) -> str:
    number = _example(system)
    match kind:
        case "nimsum" if modulus == 2 and system.name == "base-2":
            return "xor adds binary digits without carry: 3 xor 5 = 6, for 011 + 101 = 110."
        case "nimsum":
            name = "xor" if modulus == 2 else f"nimsum_{modulus}"
            addends = (3, 5, 6)
            total = system.nim_sum(addends, modulus)
            shown = " xor ".join(map(str, addends))
            example = shown if modulus == 2 else f"{name}({', '.join(map(str, addends))})"
            words = ", ".join(word(system, n) for n in addends)
            return (
                f"{name} adds the digits in {notation(system)} column by column modulo {modulus}: "
                f"{example} = {total}, for the words {words}."
            )
        case "shift":
            after = system.shift(4)
            golden = (
                " For n >= 1, shift(n - 1) + 1 is phi * n rounded down, where phi = 1.618... is "
                "the golden ratio."
            )
            return (
                f"rep(shift(n)) is rep(n) with a 0 appended: shift(4) = {after}, "
                f"for rep(4) = {word(system, 4)} and rep({after}) = {word(system, after)}."
                f"{golden * (system.name == 'zeckendorf')}"
            )
        case "unshift":
            after = system.unshift(number)
            return (
                f"rep(unshift(n)) is rep(n) without its last digit: unshift({number}) = {after}, "
                f"for rep({number}) = {word(system, number)} and rep({after}) = "
                f"{word(system, after)}."
            )
        case "zeros":
            return f"zeros(n) is how many zeros rep(n) ends in: zeros({number}) = " + (
                f"{system.zeros(number)}."
            )
        case _:
            return (
                "lowpart(n) is the weight of the last digit of rep(n) that is not 0: "
                f"lowpart({number}) = {system.low_part(number)}."
            )


def by_first_digit(automaton: Automaton) -> str:
    """Return in words what ``automaton`` accepts, if the first digit, or a remainder of the number
    of digits, of a number or of the number before it decides; "" where that is not seen.

    An example is ``the first digit of n in base 6 is 3 to 5, or n = 0``."""
    if len(automaton.tracks) != 1 or len(automaton.system.recurrence) != 1:
        return ""
    (number,) = automaton.tracks
    if said := _by_first_digit(automaton, number, 0):
        return said
    # The number before 0 is -1, which has no digits.
    if automaton.accepts((0,)) or len(automaton) > _FEW:
        return ""
    return _by_first_digit(_of_numbers_before(automaton), f"{number} - 1", 1)


def _of_numbers_before(automaton: Automaton) -> Automaton:
    """Return an automaton that accepts m exactly where ``automaton`` accepts m + 1."""
    from icgsynth.digits.dfa import DFA
    from icgsynth.digits.equations import linear, plain

    (number,) = automaton.tracks
    before = f"before {number}"  # no other name is like it
    one_less = linear(plain(automaton.system, {number: 1, before: -1}), "=", 1)
    return (DFA.of(automaton) & one_less).without((number,)).automaton()


def _by_first_digit(automaton: Automaton, number: str, nought: int) -> str:
    """Return in words which ``number`` is accepted, if its first digit or length decides; else "".

    ``number`` is text, the variable or "n - 1"; ``nought`` is the variable's value where it is 0.
    """
    start, *rows = automaton.transitions
    steps = {q: {*row} for q, row in enumerate(rows, 1)}
    others = list(dict.fromkeys(start[1:]))
    # Only a leading 0 may lead to the start state: there the next digit counts as the first.
    if start[0] != 0 or 0 in {*others}.union(*rows):
        return ""
    if any(len(into) > 1 for into in steps.values()):
        return ""
    here, accepts = notation(automaton.system), automaton.accepting
    if all(steps[q] == {q} for q in others):
        digits = [d for d, q in enumerate(start) if d and accepts[q]]
        if not digits:
            return ""
        whole = len(digits) > 1 and digits == list(range(digits[0], digits[-1] + 1))
        told = f"{digits[0]} to {digits[-1]}" if whole else " or ".join(map(str, digits))
        if accepts[0]:
            told += f", or {number.partition(' ')[0]} = {nought}"
        return f"the first digit of {number} in {here} is {told}"
    around = [others[0]]  # the states after one digit, two digits, ..
    while (then := min(steps[around[-1]])) != around[0] and len(around) <= len(accepts):
        around.append(then)
    rests = sorted((i + 1) % len(around) for i, q in enumerate(around) if accepts[q])
    if len(others) > 1 or then != around[0] or accepts[0] != (0 in rests):
        return ""
    told = " or ".join(map(str, rests))
    return (
        f"the number of digits of {number} in {here}, which 0 has none of, leaves the remainder "
        f"{told} by {len(around)}"
    )


def _set(automaton: Automaton, name: str) -> str:
    tracks = automaton.tracks
    if decides := by_first_digit(automaton):
        return f"{tracks[0]} is in {name} iff {decides}."
    if len(tracks) == 1:
        numbers = read = tracks[0]
    else:
        read = f"{', '.join(tracks[:-1])} and {tracks[-1]} side by side"
        numbers = f"({', '.join(tracks)})"
    return (
        f"{numbers} is in {name} iff {in_words(automaton)} accepts it, "
        f"which reads {read} in {notation(automaton.system)}, from the left."
    )


def _example(system: Numeration) -> int:
    """Return a number whose word in ``system`` ends in 0 and has two or more other digits."""
    return next(
        number
        for number in count(_LEAST)
        if system.zeros(number) and sum(map(bool, system.representation(number))) > 1
    )
