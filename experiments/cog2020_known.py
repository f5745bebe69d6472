"""Strategies and numbers that Bolander and Pjetursson (CoG 2020) print, in names of specs/gdl.

Its Table IV, and the strategy of Newell and Simon for Tic-tac-toe as eight meta-rules.  The
forks are not in the paper; they were decoded from the authors' public tool, with its numbers
of rules and literals (41 and 123).
"""

from __future__ import annotations

from collections.abc import Sequence

from icgsynth.boards.finite.tree import Literal, Meta, Tree, TreeRule

__all__ = ["NEWELL_SIMON", "STATES", "TABLE_IV", "newell_simon"]

Cell = tuple[int, int]

# Table II, first column: reachable states before the end.
STATES = {"tictactoe": 4520, "nim": 342, "sim": 1_350_022}
# Rules and literals of the strategy below.
NEWELL_SIMON = (41, 123)

# Its heaps are a1 b2 c4 d5.
TABLE_IV = """
if heap(a,0) and heap(d,0): reduce(c,0)
if heap(c,0) and heap(a,0): reduce(d,0)
reduce(b,0)
if heap(c,1) and heap(a,0): reduce(d,1)
if heap(d,1) and heap(a,0): reduce(c,1)
if heap(d,1): reduce(c,0)
if heap(c,0): reduce(d,1)
if heap(c,1): reduce(d,0)
if heap(d,0): reduce(c,1)
if heap(c,2) and heap(a,0): reduce(d,2)
if heap(a,0) and heap(d,2): reduce(c,2)
if heap(a,1) and heap(d,3): reduce(c,2)
if heap(c,3) and heap(a,0): reduce(d,3)
if heap(c,3): reduce(d,2)
if heap(d,3): reduce(c,3)
if heap(d,2): reduce(c,3)
if heap(c,2): reduce(d,3)
reduce(d,4)
reduce(a,0)
"""
# Newell and Simon's forks in rules: own and enemy marks, blank cells, and the move.
FORKS: tuple[tuple[str, str, str, str], ...] = (
    ("11 23", "", "31 22", "21"),
    ("11 23", "", "33 12", "13"),
    ("11 23", "", "22 13", "33"),
    ("11 22", "33", "31 23", "21"),
)
BLOCKED: tuple[tuple[str, str, str, str], ...] = (
    ("", "23 11", "31 22", "21"),
    ("", "23 11", "33 12", "13"),
    ("", "23 11", "22 13", "33"),
    ("11", "22 33", "32 13", "31"),
    ("33", "22 11", "31 23", "21"),
    ("22", "11 33", "", "23"),
    ("22", "32 23", "31 13", "33"),
)


def newell_simon(own: str, enemy: str) -> Tree:
    """Their strategy as eight meta-rules, two of them empty and so left out: 41 rules."""

    def cell(at: Cell | str, mark: str, holds: bool = True) -> Literal:
        return Literal(f"cell({at[0]},{at[1]},{mark})", holds)

    def act(at: Cell | str) -> str:
        return f"mark({at[0]},{at[1]})"

    lines = [[(i, j) for j in (1, 2, 3)] for i in (1, 2, 3)]
    lines += [[(i, j) for i in (1, 2, 3)] for j in (1, 2, 3)]
    lines.append([(i, i) for i in (1, 2, 3)])

    def two(mark: str) -> tuple[TreeRule, ...]:
        pairs = [(a, b, c) for a, b, c in lines] + [(a, c, b) for a, b, c in lines]
        return tuple(TreeRule((cell(a, mark), cell(b, mark)), act(c)) for a, b, c in pairs)

    def forks(table: Sequence[tuple[str, str, str, str]]) -> tuple[TreeRule, ...]:
        return tuple(
            TreeRule(
                (
                    *(cell(at, own) for at in mine.split()),
                    *(cell(at, enemy) for at in theirs.split()),
                    *(cell(at, m, False) for at in blank.split() for m in (own, enemy)),
                ),
                act(move),
            )
            for mine, theirs, blank, move in table
        )

    return Tree(
        (
            Meta("Win", two(own)),
            Meta("Block", two(enemy)),
            Meta("Fork", forks(FORKS)),
            Meta("Block fork", forks(BLOCKED)),
            Meta("Centre", (TreeRule((), act("22")),)),
            Meta("Empty corner", (TreeRule((), act("11")),)),
        )
    )
