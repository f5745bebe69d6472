"""Solutions written by hand, for tests of exports and play, and formulas as Python text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from icgsynth.formats.python import python_module
from icgsynth.game.answers import BoxCheck, Verdict
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.game.solution import PARTS, Claim, Solution
from icgsynth.game.strategy import Rule, SemiGroundAction, Strategy
from icgsynth.spec.icg import parse, parse_formula, parse_term
from icgsynth.spec.source import Source

NIM2 = """
game two_pile_nim "Two-pile Nim"
var a, b
legal a >= 0 and b >= 0
action take_a(k)  pre 1 <= k <= a  eff a := a - k
action take_b(k)  pre 1 <= k <= b  eff b := b - k
"""
TAKE_AWAY = """
game take_away "Take-away: 1 to n counters"
const n = 3
var v
legal v >= 0
action take(k)  pre 1 <= k <= n and k <= v  eff v := v - k
"""
CHOMP = """
game chomp_2row "Chomp on two rows"
var a, b
legal a >= 1 and 0 <= b <= a
end a = 1 and b = 0
action eat1(k)  pre 2 <= k <= a  eff a := k - 1, b := min(b, k - 1)
action eat2(k)  pre 1 <= k <= b  eff b := k - 1
"""


def as_python(text: str) -> str:
    """Return a term or formula of the language in Python, without the project's own reader."""
    text = text.replace(" mod ", " % ").replace(" div ", " // ")
    return re.sub(r"(?<![<>!:])=", "==", text)


def game(text: str, **constants: int) -> ParametricGame:
    return parse(Source("test.icg", text)).game(constants)


def loaded(solution: Solution) -> dict[str, Any]:
    """Return the names that the exported Python module of a solution defines, executed."""
    space = {"__name__": "exported"}
    exec(compile(python_module(solution), "exported", "exec"), space)
    return space


def loser_of(of: ParametricGame, rule: PlayRule) -> Callable[[State], bool]:
    """Return a function: whether the player to move loses, by recursion over all plays."""

    @cache
    def loses(state: State) -> bool:
        after = [of.result(state, move) for move in of.moves(state)]
        return not any(map(loses, after)) and (bool(after) or rule == "normal")

    return loses


def rules(of: ParametricGame, *lines: tuple[str, str, str]) -> tuple[Rule, ...]:
    """Return rules from ``(condition, action, argument)``, for actions with one parameter."""
    return tuple(
        Rule(
            parse_formula(when, of.variables),
            SemiGroundAction(
                action, ((of.action(action).parameters[0], parse_term(argument, of.variables)),)
            ),
        )
        for when, action, argument in lines
    )


def solved(
    of: ParametricGame,
    rule: PlayRule,
    winning: str,
    losing: str,
    *lines: tuple[str, str, str],
    tree: tuple[tuple[str, str, str], ...] = (),
    ended: str = "",
) -> Solution:
    """Return a solution; its cover has the conditions and ``ended``, states won without a move."""
    cells = [when for when, _, _ in lines] + [ended] * bool(ended)
    return Solution(
        game=of,
        rule=rule,
        status="solved",
        winning=Claim(parse_formula(winning, of.variables), True, 8),
        losing=Claim(parse_formula(losing, of.variables), True, 8),
        cover=tuple(parse_formula(cell, of.variables) for cell in cells),
        strategy=Strategy(rules(of, *lines)),
        tree=Strategy(rules(of, *tree)),
        proof=dict.fromkeys(PARTS, Verdict.PROVED),
        explicit=BoxCheck(40, 1681, 0),
        seconds={"total": 0.05, "label": 0.01},
        ranking=(parse_term(" + ".join(of.variables), of.variables),),
    )


def nim2() -> Solution:
    return solved(
        game(NIM2),
        "normal",
        "a != b",
        "a = b",
        ("a > b", "take_a", "a - b"),
        ("a < b", "take_b", "b - a"),
        tree=(("true", "take_a", "a - b"), ("true", "take_b", "b - a")),
    )


def nim2_misere() -> Solution:
    return solved(
        game(NIM2),
        "misere",
        "not ((a = b and a >= 2) or a + b = 1)",
        "(a = b and a >= 2) or a + b = 1",
        ("a >= 2 and b = 0", "take_a", "a - 1"),
        ("a = 0 and b >= 2", "take_b", "b - 1"),
        ("a >= 1 and b = 1", "take_a", "a"),
        ("a = 1 and b >= 2", "take_b", "b"),
        ("a > b and b >= 2", "take_a", "a - b"),
        ("b > a and a >= 2", "take_b", "b - a"),
        ended="a = 0 and b = 0",
    )


def take_away(n: int = 3) -> Solution:
    return solved(
        game(TAKE_AWAY, n=n),
        "normal",
        f"v mod {n + 1} != 0",
        f"v mod {n + 1} = 0",
        (f"v mod {n + 1} != 0", "take", f"v mod {n + 1}"),
    )


def take_away_misere(n: int = 3) -> Solution:
    return solved(
        game(TAKE_AWAY, n=n),
        "misere",
        f"v mod {n + 1} != 1",
        f"v mod {n + 1} = 1",
        (f"v >= 2 and v mod {n + 1} != 1", "take", f"(v - 1) mod {n + 1}"),
        ended="v = 0",
    )


def chomp() -> Solution:
    return solved(
        game(CHOMP),
        "normal",
        "a != b + 1",
        "a = b + 1",
        ("a > b + 1", "eat1", "b + 2"),
        ("a = b", "eat2", "b"),
    )


def chomp_misere() -> Solution:
    return solved(
        game(CHOMP),
        "misere",
        "a + b != 2",
        "a + b = 2",
        ("b >= 1 and a >= 2", "eat1", "2"),
        ("b = 0 and a >= 3", "eat1", "3"),
        ended="a = 1 and b = 0",
    )


ALL = (nim2, nim2_misere, take_away, take_away_misere, chomp, chomp_misere)
