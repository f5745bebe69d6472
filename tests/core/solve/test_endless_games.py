"""Small games that need never end: who wins against play by hand, and words as short as a person's.

Moves are written here once more, in Python, and played out by a loop of a few lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product

import pytest
from speed import sampled
from store import stored

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.game.solution import Solution
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.solve.search import solve

WON, LOST, DRAWN = range(3)
State = tuple[int, ...]


@dataclass(frozen=True)
class Game:
    """``rules``, their ``moves``, and the sizes in which a person says who has won, lost, drawn.

    No move leads out of the states whose sum is at most ``side``.
    """

    rules: str
    moves: Callable[..., Iterable[State]]
    normal: tuple[int, int, int]
    misere: tuple[int, int, int]
    side: int = 12


def taking(most: int, *numbers: int) -> Iterable[State]:
    """The first number falls by 1, 2, .., ``most``."""
    first, *rest = numbers
    return [(first - k, *rest) for k in range(1, min(most, first) + 1)]


TAKE = "action take(k) pre 1 <= k <= {} and k <= v eff v := v - k "
ONE_PILE = "var v legal v >= 0 "
GAMES = {
    # 1, 2, 3 are taken; from 4 on each move but to wait lets the other take all.
    "waiting with three or more": Game(
        ONE_PILE + TAKE.format(3) + "action wait pre v >= 3 eff v := v",
        lambda v: [*taking(3, v), *[(v,)] * (v >= 3)],
        (3, 2, 2),  # 1 <= v <= 3, v = 0, v > 3
        (6, 2, 2),  # v = 0 or 2 <= v <= 4, v = 1, v > 4
    ),
    # Two hands of which one may take any number; both may pass while none is empty.
    "passing in Nim": Game(
        "var a, b legal a >= 0 and b >= 0 action take_a(k) pre 1 <= k <= a eff a := a - k "
        "action take_b(k) pre 1 <= k <= b eff b := b - k "
        "action pass pre a >= 1 and b >= 1 eff a := a",
        lambda a, b: [
            *((i, b) for i in range(a)),
            *((a, i) for i in range(b)),
            *[(a, b)] * (a > 0 and b > 0),
        ],
        (7, 3, 5),  # min(a, b) = 0 and max(a, b) > 0, a + b = 0, a > 0 and b > 0
        (9, 3, 5),  # a + b != 1 and (a <= 1 or b <= 1), a + b = 1, a > 1 and b > 1
        10,
    ),
    # Who has an odd number may keep it.
    "staying on odd numbers": Game(
        ONE_PILE + TAKE.format(2) + "action stay pre v mod 2 = 1 eff v := v",
        lambda v: [*taking(2, v), *[(v,)] * (v % 2)],
        (3, 2, 2),  # v in {1, 2}, v = 0, v > 2
        (2, 0, 2),  # v = 0, none, v > 0
    ),
    # Who would lose may rest for ever; there is one number where that is, or each fourth.
    "resting where one would lose": Game(
        ONE_PILE + TAKE.format(3) + "action rest pre v mod 4 = 0 and v >= 1 eff v := v",
        lambda v: [*taking(3, v), *[(v,)] * (v % 4 == 0 and v > 0)],
        (3, 2, 2),  # 1 <= v <= 3, v = 0, v > 3
        (3, 3, 0),  # v mod 4 != 1, v mod 4 = 1, none
    ),
    # Who may rest wins anyway, or, in misere play, need not lose.
    "resting where one would win": Game(
        ONE_PILE + TAKE.format(3) + "action rest pre v mod 4 = 1 eff v := v",
        lambda v: [*taking(3, v), *[(v,)] * (v % 4 == 1)],
        (3, 3, 0),  # v mod 4 != 0, v mod 4 = 0, none
        (2, 0, 2),  # v = 0, none, v > 0
    ),
    # What is taken may be given back.
    "giving back": Game(
        "var a, b legal a >= 0 and b >= 0 action take pre a >= 1 eff a := a - 1, b := b + 1 "
        "action give pre a >= 1 and b >= 1 eff a := a + 1, b := b - 1",
        lambda a, b: [*[(a - 1, b + 1)] * (a > 0), *[(a + 1, b - 1)] * (a > 0 and b > 0)],
        (2, 8, 8),  # a = 1, a = 0 or (a = 2 and b = 0), a > 2 or (a = 2 and b > 0)
        (2, 5, 8),  # a = 0, a = 1 and b = 0, a > 1 or (a = 1 and b > 0)
    ),
    # A thought may begin and end without a move.
    "thinking": Game(
        "var v, p legal v >= 0 and 0 <= p <= 1 "
        "action take(k) pre 1 <= k <= 2 and k <= v eff v := v - k, p := 0 "
        "action think pre p = 0 and v >= 1 eff p := 1 action decide pre p = 1 eff p := 0",
        lambda v, p: (
            []
            if p > 1
            else [*((i, 0) for (i,) in taking(2, v)), *[(v, 1)] * (p == 0 and v > 0)]
            + [(v, 0)] * (p == 1)
        ),
        (9, 3, 2),  # v in {1, 2} or (v = 0 and p = 1), v + p = 0, v > 2
        (3, 5, 2),  # v + p = 0, v = 0 and p = 1, v > 0
    ),
    # A walk round and round, until somebody goes past 6.
    "a loop with a way out": Game(
        "var v legal 0 <= v <= 9 action on pre v <= 8 eff v := v + 1 "
        "action back pre v >= 2 and v mod 3 = 2 eff v := v - 2",
        lambda v: [*[(v + 1,)] * (v < 9), *[(v - 2,)] * (v % 3 == 2)],
        (3, 3, 2),  # v in {6, 8}, v in {7, 9}, v <= 5
        (2, 0, 2),  # v = 9, none, v <= 8
        9,
    ),
    # A king that nobody can stop.
    "nothing ever happens": Game(
        "var a, b legal 0 <= a and 0 <= b and a + b <= 5 action right pre a + b < 5 eff a := a + 1 "
        "action left pre a > 0 eff a := a - 1 action down pre b > 0 eff b := b - 1",
        lambda a, b: [
            *[(a + 1, b)] * (a + b < 5),
            *[(a - 1, b)] * (a > 0),
            *[(a, b - 1)] * (b > 0),
        ],
        (0, 0, 0),
        (0, 0, 0),
        5,
    ),
    # A step down in the first pile, any in the second, or an exchange of both.
    "exchanging two piles": Game(
        "var a, b legal a >= 0 and b >= 0 action take_a pre a >= 1 eff a := a - 1 "
        "action take_b(k) pre 1 <= k <= b eff b := b - k "
        "action swap pre a != b eff a := b, b := a",
        lambda a, b: [
            *[(a - 1, b)] * (a > 0),
            *((a, i) for i in range(b)),
            *[(b, a)] * (a != b),
        ],
        (7, 7, 0),  # b > 1 or (a + b) mod 2 = 1, b <= 1 and (a + b) mod 2 = 0, none
        (3, 0, 3),  # a + b = 0, none, a + b > 0
        8,
    ),
}


def played_out(game: Game, rule: str, count: int) -> dict[State, tuple[int, int | None]]:
    """The kind of each state, and in how many moves it is decided."""
    box = product(range(game.side + 1), repeat=count)
    after = {state: list(game.moves(*state)) for state in box if sum(state) <= game.side}
    over = (LOST if rule == "normal" else WON, 0)
    found: dict[State, tuple[int, int | None]] = {s: over for s, to in after.items() if not to}
    for level in range(1, len(after) + 1):
        new: dict[State, tuple[int, int | None]] = {}
        for state, there in after.items():
            known = [found[s][0] if s in found else DRAWN for s in there]
            if state not in found and (LOST in known or set(known) == {WON}):
                new[state] = (WON if LOST in known else LOST, level)
        if not new:
            break
        found |= new
    return {state: found.get(state, (DRAWN, None)) for state in after}


def most_moves(solution: Solution, env: dict[str, int]) -> int:
    """In how many moves a state is decided at the latest, as the answer has it."""
    assert solution.draws is not None
    if solution.draws.rank is not None:
        return value(solution.draws.rank, env)
    return next(i for i, level in enumerate(solution.draws.levels) if satisfies(level, env))


@pytest.mark.parametrize("rule", ["normal", "misere"])
@sampled("name", GAMES, fast=2)
def test_who_wins_is_as_by_hand_and_said_as_shortly(name: str, rule: str) -> None:
    game = GAMES[name]
    read = icg.loads(f"game said {game.rules}").game

    def search() -> Solution:
        return solve(read, rule, Budget(60), finite_only=False)

    solution = stored(f"solve, also with draws {game.rules} {rule}", search, "solve")
    assert solution.is_proved and solution.draws is not None
    sides = solution.three_sides()
    for state, (kind, moves) in played_out(game, rule, len(read.variables)).items():
        env = read.env(state)
        if not read.is_legal(state):
            continue
        assert [i for i, side in enumerate(sides) if satisfies(side, env)] == [kind], state
        assert moves is None or most_moves(solution, env) >= moves
    sizes = (solution.winning.size, solution.losing.size, solution.drawn.size)
    by_a_person = game.normal if rule == "normal" else game.misere
    assert all(ours <= theirs for ours, theirs in zip(sizes, by_a_person, strict=True)), sizes
    everything = any(str(side) == "true" for side in sides)
    for side, word in zip(sides, ("won", "lost", "drawn"), strict=True):
        assert (f"Every state is {word}." in str(solution)) == (str(side) == "true")
        is_empty = str(side) == "false" and not everything
        assert (f"No state is {word}." in str(solution)) == is_empty
