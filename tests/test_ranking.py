"""What decreases with every move: found with few questions, and true of the moves played out."""

from itertools import product

import pytest

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.game.game import ParametricGame
from icgsynth.logic.evaluate import value
from icgsynth.prove import ranking_function
from icgsynth.prove.ranking_function import find_ranking

# Two piles and a counter: the sum of the piles stays, and no sum of the three alone decreases.
PASS_ON = """
game pass_on
var a
var b
var c
legal a >= 0 and b >= 0 and 0 <= c <= 2
action give(k) pre 1 <= k <= a eff a := a - k, b := b + k
action wait    pre c > 0       eff c := c - 1
action turn    pre a = 0 and c > 0 eff a := b, b := 0, c := c - 1
"""
# Some moves are out of reach of the states that are sampled.
FAR = """
game far
var a
var b
legal a >= 0 and b >= 0
action take(k) pre 1 <= k <= a eff a := a - k
action move(k) pre 1 <= k <= b and a >= 50 eff a := a + k, b := b - k
"""
# A lower bound is all that is missing: the sum decreases for ever.
DOWN = "game down var a legal true action go pre true eff a := a - 1"


def _game(text: str) -> ParametricGame:
    return (icg.loads(text) if "game" in text else icg.load(text)).game


@pytest.mark.parametrize(
    "text",
    ["sharing_nim", "entropy_reduction3", "dudeney", PASS_ON, FAR],
    ids=["sharing", "entropy", "dudeney", "pass on", "far"],
)
def test_every_move_makes_it_smaller(text):
    game = _game(text)
    ranking = find_ranking(game, Budget(120))
    assert ranking is not None
    moves = 0
    below = 60 if game.name == "far" else 5
    for state in product(range(-1, below), repeat=len(game.variables)):
        for move in game.moves(state):
            here, there = (
                [value(c, game.env(s)) for c in ranking.components]
                for s in (state, game.result(state, move))
            )
            assert here > there, f"{state} {move}"
            first = next(i for i, (h, t) in enumerate(zip(here, there, strict=True)) if h != t)
            assert here[first] >= ranking.bounds[first]
            moves += 1
    assert moves > 20


@pytest.mark.parametrize(
    "text", ["sharing_nim", "entropy_reduction3", PASS_ON], ids=["sharing", "entropy", "pass on"]
)
def test_few_questions_are_asked(text, monkeypatch):
    """Sums of what a move leaves as it is are not asked about one by one."""
    asked = []

    def counted(*args):
        asked.append(args)
        return decide(*args)

    decide = ranking_function.decide
    monkeypatch.setattr(ranking_function, "decide", counted)
    assert find_ranking(_game(text), Budget(120)) is not None
    assert len(asked) < 100


def test_what_has_no_lower_bound_is_no_ranking():
    assert find_ranking(_game(DOWN), Budget(60)) is None


# Rules that have no value everywhere: it is asked of the deciders alone.
QUANTIFIED = """
game quantified var a var b legal a >= 0 and b >= 0
action pair(k) pre 1 <= k <= a and (exists q. k = 2 * q) eff a := a - k, b := b + k
"""
# Thirteen parameters, and almost no choice of them applies.
WIDE = f"""
game wide var a var b legal a >= 0 and b >= 0
action shift(k) pre 1 <= k <= a eff a := a - k, b := b + k
action rare({", ".join(f"x{i}" for i in range(12))})
  pre a > 0 and {" and ".join(f"0 <= x{i} <= 9" for i in range(12))}
  and ({" + ".join(f"x{i}" for i in range(12))}) mod 100 = 99 eff a := a - 1
"""
HUGE = """
game huge var a var b legal a >= 0 and b >= 0
action shift(k) pre 1 <= k <= a eff a := a - k, b := b + k * 1000000000000000000000000000000
"""


@pytest.mark.parametrize(
    ("text", "ranking"),
    [(QUANTIFIED, "a"), (WIDE, "(a + b, a)"), (HUGE, "a")],
    ids=["quantified", "wide", "huge"],
)
def test_moves_that_are_hard_to_sample(text, ranking):
    assert str(find_ranking(_game(text), Budget(60))) == ranking
