"""Steps repeated as in Euclid's game, with an end in the middle; piles under misère play."""

from __future__ import annotations

import random

from experiments.adversary.attempt import RULES, solve_and_judge
from experiments.attempts import Outcome

__all__ = ["ended", "ended_game", "pile_sum", "pile_sums"]

_SECONDS = 5.0


def ended(rng: random.Random) -> Outcome:
    """A multiple of one number is taken from another, until an end that is no last position."""
    return solve_and_judge(ended_game(rng), rng.choice(RULES), rng, _SECONDS, cells=220, far=20)


def ended_game(rng: random.Random) -> str:
    """Two numbers, or one number and a constant step that is repeated."""
    least = rng.choice((0, 0, 1, 1, 2))
    limit = rng.choice(("", "", f" and k <= {rng.randint(1, 3)}", f" and k >= {rng.randint(1, 2)}"))
    number = rng.randint(0, 4)
    end = rng.choice(
        (
            f"a = {number}",
            f"a <= {number} or b <= {number}",
            "a = b",
            f"a mod {rng.randint(2, 3)} = b mod 2",
            f"a + b <= {number + 2}",
            f"abs(a - b) = {rng.randint(0, 2)}",
            f"min(a, b) = {number}",
        )
    )
    moves = [
        f"action x(k) pre b >= 1 and 1 <= k <= a and k * b <= a - {least}{limit} eff a := a - k*b",
        f"action y(k) pre a >= 1 and 1 <= k <= b and k * a <= b - {least}{limit} eff b := b - k*a",
    ]
    if rng.random() < 0.25:  # a step that is a number
        step = rng.randint(2, 4)
        moves[0] = (
            f"action x(k) pre 1 <= k <= a and {step} * k <= a - {least} eff a := a - {step}*k"
        )
    lines = [f"game ended var a, b legal a >= {least} and b >= {least}", f"end {end}", *moves]
    return "\n".join(lines)


def pile_sums(rng: random.Random) -> Outcome:
    """Three games and more that are not alike, side by side, under misère play."""
    return solve_and_judge(pile_sum(rng), "misere", rng, _SECONDS, cells=1_200, far=20)


def pile_sum(rng: random.Random) -> str:
    """Each pile has numbers of its own that may be taken, and a least size."""
    names = "abc" if rng.random() < 0.8 else "abcd"
    legal, lines = [], []
    for name in names:
        least = rng.choice((0, 0, 0, 1, 2))
        legal.append(f"{name} >= {least}")
        taken = rng.choice(
            (
                f"1 <= k <= {rng.randint(1, 3)}",
                f"k in {{1, {rng.randint(2, 4)}}}",
                f"k in {{{rng.randint(1, 2)}, {rng.randint(3, 5)}}}",
                "1 <= k",
            )
        )
        pre = f"{taken} and k <= {name} - {least}"
        lines.append(f"action take_{name}(k) pre {pre} eff {name} := {name} - k")
        if rng.random() < 0.3:
            legal[-1] += f" and {name} <= {rng.randint(least, 5)}"
    return "\n".join([f"game sum var {', '.join(names)} legal {' and '.join(legal)}", *lines])
