"""A game that may never end, its answers, and who wins it, computed by hand."""

from __future__ import annotations

from functools import cache

from store import stored

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.game.solution import Solution
from icgsynth.solve.search import solve

# A pile that is locked b times over: whoever unlocks it lets the other take all of it.
LOCKED = """game locked
var a, b
legal a >= 0 and b >= 0
action take(k)
  pre b = 0 and 1 <= k and k <= a
  eff a := a - k
action rattle
  pre b >= 1
  eff b := b
action unlock
  pre b >= 1
  eff b := 0
"""
WHO = {"normal": 1, "misere": 0}  # of a state without a move: 0 for won, 1 for lost


@cache
def answer(text: str, rule: str) -> Solution:
    def search() -> Solution:
        return solve(icg.loads(text).game, rule, Budget(60), finite_only=False)

    return stored(f"solve, also with draws {text} {rule}", search, "solve")


def played_out(rule: str, bound: int) -> dict[tuple[int, int], tuple[int, int | None]]:
    """Return by rounds of play the kind of each state (won 0, lost 1, drawn 2), and its length."""
    after = {
        (a, b): [(a, b), (a, 0)] if b else [(left, 0) for left in range(a)]
        for a in range(bound)
        for b in range(bound)
    }
    found: dict[tuple[int, int], tuple[int, int | None]] = {}
    for state, there in after.items():
        if not there:
            found[state] = (WHO[rule], 0)
    for level in range(1, 2 * bound):
        new = {}
        for state, there in after.items():
            known = [found[t][0] if t in found else 2 for t in there]
            if state not in found and 1 in known:
                new[state] = (0, level)
            elif state not in found and all(kind == 0 for kind in known):
                new[state] = (1, level)
        found |= new
    return {state: found.get(state, (2, None)) for state in after}
