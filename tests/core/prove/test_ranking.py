"""What decreases with every move: found with few questions, and true of the moves played out."""

from collections.abc import Iterable
from itertools import product

import pytest
from hypothesis import strategies as st
from speed import examples

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.claims.game import Bounded, termination
from icgsynth.game.game import ParametricGame
from icgsynth.logic.evaluate import value
from icgsynth.prove import ranking_function
from icgsynth.prove.deciders.smt import satisfy
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
# Only an odd number rises, by 1, so that x + 2 * (x mod 2) falls, and no multiple of x alone.
RISE = """
game rise
var x
legal x >= 0
action back(k) pre 2 <= k <= 3 and k <= x eff x := x - k
action forth   pre x mod 2 = 1 eff x := x + 1
"""
# A lower bound is all that is missing: the sum decreases for ever.
DOWN = "game down var a legal true action go pre true eff a := a - 1"
STILL = "game still var a legal a >= 0 action go pre a > 0 eff a := a"


def _game(text: str) -> ParametricGame:
    return (icg.loads(text) if "game" in text else icg.load(text)).game


@pytest.mark.parametrize(
    "text",
    ["sharing_nim", "entropy_reduction3", "dudeney", PASS_ON, FAR, RISE],
    ids=["sharing", "entropy", "dudeney", "pass on", "far", "rise"],
)
def test_every_move_makes_it_smaller(text):
    game = _game(text)
    ranking = find_ranking(game, Budget(120))
    assert ranking is not None
    moves = 0
    further = {"far": (49, 50, 59), "rise": range(5, 20)}
    numbers = (*range(-1, 5), *further.get(game.name, ()))
    for state in product(numbers, repeat=len(game.variables)):
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


@pytest.mark.parametrize("text", [DOWN, STILL], ids=["no lower bound", "no change"])
def test_what_never_ends_has_no_ranking(text):
    assert find_ranking(_game(text), Budget(60)) is None


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
    [(QUANTIFIED, "a"), (WIDE, "a"), (HUGE, "a")],
    ids=["quantified", "wide", "huge"],
)
def test_moves_that_are_hard_to_sample(text, ranking):
    assert str(find_ranking(_game(text), Budget(60))) == ranking


def test_no_move():
    text = "game none var a legal a >= 0 action go pre a < 0 eff a := a - 1"
    assert find_ranking(_game(text), Budget(60)) == ranking_function.NO_MOVES


# --- many variables -----------------------------------------------------------------------------


def _many(count: int, actions: Iterable[str], legal: str = "{} >= 0") -> str:
    names = [f"x{i}" for i in range(count)]
    legal = " and ".join(legal.format(name) for name in names)
    return f"game many var {', '.join(names)} legal {legal} {' '.join(actions)}"


def _stairs(count: int) -> str:
    """One component with a weight of its own for each variable."""
    return _many(
        count,
        (
            f"action t{i}(k) pre 1 <= k <= x{i} eff x{i} := x{i} - k"
            + (f", x{i - 1} := x{i - 1} + k" if i else "")
            for i in range(count)
        ),
    )


def _chain(count: int) -> str:
    """As many components as variables: each move may add any number to the next one."""
    return _many(
        count,
        (
            f"action t{i}(k) pre x{i} >= 1 and k >= 0 eff x{i} := x{i} - 1"
            + (f", x{i - 1} := x{i - 1} + k" if i else "")
            for i in range(count)
        ),
    )


def _round(count: int) -> str:
    """A counter goes round for ever."""
    return _many(
        count,
        (
            f"action t{i} pre x{i} >= 1 eff x{i} := x{i} - 1, x{j} := x{j} + 1"
            for i, j in ((i, (i + 1) % count) for i in range(count))
        ),
    )


def _up(count: int) -> str:
    return _many(
        count, (f"action t{i} pre true eff x{i} := x{i} + 1" for i in range(count)), "{} <= 9"
    )


def _idle(count: int) -> str:
    """Most of the variables never change."""
    return _many(count, ["action up pre x1 <= 1 eff x1 := x1 + 1"])


MANY = {"stairs": _stairs, "chain": _chain, "up": _up, "idle": _idle}


def _ranked_by_deciders(game: ParametricGame, ranking: ranking_function.Ranking) -> bool:
    """Whether z3 alone finds that every obligation of it holds."""
    parts = map(Bounded, ranking.components, ranking.bounds)
    return all(
        satisfy(obligation.parts, obligation.names, Budget(60)).kind == "unsat"
        for obligation in termination(game, list(parts))
    )


@pytest.mark.parametrize("count", [9, *(pytest.param(n, marks=pytest.mark.slow) for n in (12, 30))])
@pytest.mark.parametrize("name", MANY)
def test_many_variables(name, count):
    """Fails where weights are enumerated: three to the power of the number of variables."""
    game = _game(MANY[name](count))
    ranking = find_ranking(game, Budget(120))
    assert ranking is not None
    assert _ranked_by_deciders(game, ranking)


@pytest.mark.parametrize("count", [9, *(pytest.param(n, marks=pytest.mark.slow) for n in (12, 30))])
def test_many_variables_and_no_end(count):
    assert find_ranking(_game(_round(count)), Budget(120)) is None


def test_distances_of_many_variables():
    """All choices of three distances of 30 variables were listed before the first question."""
    steps = (f"action t{i} pre x{i} > x{i + 1} eff x{i} := x{i} - 1" for i in range(29))
    back = (f"action u{i} pre x{i} < x{i + 1} eff x{i} := x{i} + 1" for i in range(29))
    assert find_ranking(_game(_many(30, [*steps, *back])), Budget(120)) is None


@examples(8, 40, st.lists(st.integers(1, 6), min_size=2, max_size=9), st.data())
def test_any_weights(weights, data):
    """Moves that make a sum with these weights smaller: a function is found for all of them.

    The sum itself is one, so that nothing but the search can fail.
    """
    count = len(weights)
    step = st.lists(st.integers(-3, 3), min_size=count, max_size=count)
    steps = data.draw(
        st.lists(
            step.filter(lambda s: sum(w * d for w, d in zip(weights, s, strict=True)) < 0),
            min_size=1,
            max_size=4,
        )
    )
    actions = (
        f"action t{i} pre true eff " + ", ".join(f"x{j} := x{j} + {d}" for j, d in enumerate(s))
        for i, s in enumerate(steps)
    )
    game = _game(_many(count, actions).replace("+ -", "- "))
    ranking = find_ranking(game, Budget(120))
    assert ranking is not None
    assert _ranked_by_deciders(game, ranking)
