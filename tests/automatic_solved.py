"""Solutions with automata, written by hand, and theorems that say who loses."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from itertools import product
from math import isqrt

from hand_solved import NIM2, game

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration, base, ostrowski
from icgsynth.game.answers import BoxCheck, Verdict
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import PARTS, Claim, Solution
from icgsynth.game.strategy import PRIME, Rule, SemiGroundAction, Strategy, TargetRule
from icgsynth.logic.build import negation
from icgsynth.logic.term import TRUE, Name, Recognised
from icgsynth.spec.icg import parse_formula, parse_term

NIM3 = """
game nim3 "Nim on three piles"
var a, b, c
legal a >= 0 and b >= 0 and c >= 0
action take_a(k)  pre 1 <= k <= a  eff a := a - k
action take_b(k)  pre 1 <= k <= b  eff b := b - k
action take_c(k)  pre 1 <= k <= c  eff c := c - k
"""
WYTHOFF = NIM2.replace("two_pile_nim", "wythoff").replace("Two-pile Nim", "Wythoff's game")
WYTHOFF += """
action take_both(k)  pre 1 <= k <= a and k <= b  eff a := a - k, b := b - k
"""
MARK = """
game mark "Mark: take one, or halve"
var n
legal n >= 0
action dec  pre n >= 1  eff n := n - 1
action half  pre n >= 1  eff n := n div 2
"""


def build(
    system: Numeration,
    tracks: tuple[str, ...],
    start: Hashable,
    step: Callable[[Hashable, tuple[int, ...]], Hashable],
    accepts: Callable[[Hashable], bool],
) -> Automaton:
    """Return the automaton whose states are all that ``step`` reaches from ``start``."""
    numbers, rows, todo = {start: 0}, [], deque([start])
    while todo:
        state = todo.popleft()
        row = []
        for column in product(range(system.digits), repeat=len(tracks)):
            after = step(state, column)
            if after not in numbers:
                numbers[after] = len(numbers)
                todo.append(after)
            row.append(numbers[after])
        rows.append(tuple(row))
    return Automaton(system, tracks, tuple(rows), tuple(map(accepts, numbers)))


def nim_set(variables: tuple[str, ...]) -> Automaton:
    """Return the automaton of the lost states of Nim: digit columns have even sums."""
    return build(
        base(2), variables, True, lambda q, column: q and sum(column) % 2 == 0, lambda q: bool(q)
    )


def nim_target(variables: tuple[str, ...], changed: str) -> Automaton:
    """Return the automaton of winning moves in one pile: ``changed'`` is less, columns are even."""
    at = variables.index(changed)

    def step(state, column):
        *before, new = column
        if state == "dead" or (sum(before) - before[at] + new) % 2:
            return "dead"
        if state == "same" and new != before[at]:
            return "less" if new < before[at] else "dead"
        return state

    return build(base(2), (*variables, changed + PRIME), "same", step, lambda q: q == "less")


def answer(of: ParametricGame, losing, strategy, automaton: Automaton, **more) -> Solution:
    return Solution(
        game=of,
        rule="normal",
        status="solved",
        winning=Claim(negation(losing)),
        losing=Claim(losing),
        strategy=Strategy(tuple(strategy)),
        proof=dict.fromkeys(PARTS, Verdict.PROVED),
        explicit=BoxCheck(20, 9261, 0),
        seconds={"total": 0.75},
        ranking=(parse_term(" + ".join(of.variables), of.variables),),
        logic=automaton.system.name,
        automaton=automaton,
        **more,
    )


def nim3() -> Solution:
    """Return an answer for Nim with three piles, in xor and with rules."""
    of, two = game(NIM3), base(2)
    rules = []
    for pile, x, y in (("a", "b", "c"), ("b", "a", "c"), ("c", "a", "b")):
        when = parse_formula(f"{pile} > {x} xor {y}", of.variables, system=two)
        take = parse_term(f"{pile} - ({x} xor {y})", of.variables, system=two)
        rules.append(Rule(when, SemiGroundAction(f"take_{pile}", (("k", take),))))
    losing = parse_formula("a xor b xor c = 0", of.variables, system=two)
    return answer(of, losing, tuple(rules), nim_set(of.variables))


def nim3_by_automata() -> Solution:
    """Return an answer for Nim with three piles whose losing formula names an automaton."""
    of = game(NIM3)
    aims = tuple(TargetRule(TRUE, f"take_{v}", nim_target(of.variables, v)) for v in of.variables)
    automaton = nim_set(of.variables)
    return answer(of, Recognised(automaton, tuple(map(Name, of.variables))), aims, automaton)


def wythoff_set() -> Automaton:
    """Return the automaton of Wythoff's lost states: in Zeckendorf notation the larger pile is the
    smaller one with a 0 appended, and the smaller one ends in an even number of zeros."""

    def step(state, column):
        if state == "dead":
            return "dead"
        larger, last, odd = state  # which pile (0: none yet), its last digit, zeros of the other
        if not larger:
            return {(0, 0): state, (1, 0): (1, 1, 0), (0, 1): (2, 1, 0)}.get(column, "dead")
        big, small = column if larger == 1 else column[::-1]
        if small != last or (big and last):
            return "dead"
        return (larger, big, 0 if small else 1 - odd)

    def accepts(state):
        return state != "dead" and (state[0] == 0 or state[1:] == (0, 0))

    return build(ostrowski(1), ("a", "b"), (0, 0, 0), step, accepts)


def wythoff_target(changed: str) -> Automaton:
    """Return the automaton of moves to a lost state of Wythoff's game in the pile ``changed``."""
    losing, at = wythoff_set(), "ab".index(changed)

    def step(state, column):
        *after, new = column
        old, after[at] = after[at], new
        order, q = state
        if order == "same" and new != old:
            order = "less" if new < old else "dead"
        return (order, losing.transitions[q][2 * after[0] + after[1]])

    def accepts(state):
        return state[0] == "less" and losing.accepting[state[1]]

    return build(losing.system, ("a", "b", changed + PRIME), ("same", 0), step, accepts)


def wythoff() -> Solution:
    """Return an answer for Wythoff's game without a formula and without moves on both piles."""
    of, automaton = game(WYTHOFF), wythoff_set()
    aims = tuple(TargetRule(TRUE, f"take_{v}", wythoff_target(v)) for v in "ab")
    solution = answer(of, Recognised(automaton, (Name("a"), Name("b"))), aims, automaton)
    return replace(
        solution, status="conditional", proof={**solution.proof, "strategy": Verdict.UNKNOWN}
    )


def wythoff_in_words() -> Solution:
    """Return an answer for Wythoff's game whose formula has functions of digits."""
    of = wythoff().game
    text = "zeros(a) mod 2 = 0 and b = shift(a) or zeros(b) mod 2 = 0 and a = shift(b)"
    losing = parse_formula(text, of.variables, system=ostrowski(1))
    return replace(wythoff(), losing=Claim(losing), winning=Claim(negation(losing)))


def mark() -> Solution:
    """Return an answer for Mark (n - 1 or half of n): lost iff 0 or with an odd number of zeros."""
    of, two = game(MARK), base(2)
    losing = parse_formula("n = 0 or zeros(n) mod 2 = 1", of.variables, system=two)
    rules = tuple(
        Rule(parse_formula(f"zeros({to}) mod 2 = 1 or {to} = 0", ("n",), system=two), act)
        for to, act in (("n - 1", SemiGroundAction("dec")), ("n div 2", SemiGroundAction("half")))
    )
    automaton = build(
        two,
        ("n",),
        "zero",
        lambda q, column: "even" if column[0] else {"even": "odd", "odd": "even"}.get(q, q),
        lambda q: q != "even",
    )
    return answer(of, losing, rules, automaton)


ALL = [nim3, nim3_by_automata, wythoff, wythoff_in_words, mark]


# --- who loses, by theorems that others proved -----------------------------------------------


def wythoff_pair(n: int) -> tuple[int, int]:
    """Return the n-th pair of Wythoff (1907): floor(n phi), floor(n phi^2), exactly."""
    low = (n + isqrt(5 * n * n)) // 2
    return low, low + n


def wythoff_lost(a: int, b: int) -> bool:
    return wythoff_pair(abs(a - b)) == (min(a, b), max(a, b))


def wythoff_misere_lost(a: int, b: int) -> bool:
    pair = (min(a, b), max(a, b))
    return pair in ((0, 1), (2, 2)) or (pair[1] > 2 and wythoff_lost(a, b))


FIBONACCI = [1, 2]
while FIBONACCI[-1] < 10**45:
    FIBONACCI.append(FIBONACCI[-1] + FIBONACCI[-2])


def least_part(n: int) -> int:
    """Return the least Fibonacci number in the Zeckendorf representation of n > 0."""
    for weight in reversed(FIBONACCI):
        if weight == n:
            return n
        if weight < n:
            n -= weight
    raise ValueError


def is_representation(system: Numeration, word: Iterable[int]) -> bool:
    """Return whether the automaton of ``system`` accepts ``word``, perhaps with leading zeros."""
    state = 0
    for digit in word:
        state = system.transitions[state][digit]
    return system.accepting[state]
