"""Whole answers against the mathematics: brute force that shares no code with the program.

The oracle is the judge of the experiments, which reads the text of a game by itself.  ``unknown``
is always allowed of a random game; an answer must be right on a box wider than the one it was
learned from, and on states far off.
"""

from __future__ import annotations

import itertools
import random

import pytest
from catalog_answers import solved
from hand_solved import as_python
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from speed import sampled

import icgsynth as icg
from experiments.judge.claims import Answer, judged
from experiments.judge.graph import box, explored, outcomes
from experiments.judge.play import Play
from experiments.judge.reading import read_rules
from icgsynth.game.solution import Solution

PATIENCE = 60.0  # seconds, for games that all are solved
BUDGET = 5.0
FAR = 20  # states with numbers of any size
MOVES = 2_000  # of an action
ONE_IN = 5  # of the states of the box, the move that is played is judged


def agree(solution: Solution, text: str, cells: int) -> None:
    """The formulas, the cover, every pair of the strategy and every rule of the tree, and play."""
    if solution.status == "unknown":
        assert solution.winning is None and not solution.strategy and not solution.tree
        return
    play, rng = Play(read_rules(text)), random.Random(0)
    parts = ["winning", *["cover"] * bool(solution.cover)]
    parts += ["strategy"] * bool(solution.strategy or solution.tree)
    claimed = Answer.of_json(solution.to_json(), parts)
    judgement = judged(play, claimed, rng, cells, FAR)
    assert judgement.wrong == "", f"{text}, {solution.rule}"
    graph = explored(play, box(play, cells), MOVES, rng)
    labels = outcomes(graph, solution.rule)
    won = [s for s, side in labels.items() if side == "won" and graph.moves[s].moves]
    assert judgement.labels == len(labels) > cells / 3
    assert solution.strategy or not won or solution.status != "solved"
    for state in won[::ONE_IN] if solution.strategy else ():
        chosen = solution.plan.choose(solution.game, state)
        assert chosen is not None, f"no move at {state}: {text}, {solution.rule}"
        after = play.made(state, chosen.move.action, dict(chosen.move.arguments))
        assert labels[after] == "lost", f"{chosen.move} at {state}: {text}, {solution.rule}"


def answer(text: str, rule: str, budget: float = BUDGET) -> Solution:
    return icg.loads(text).solve(rule=rule, timeout=budget)  # type: ignore[arg-type]


rules = st.sampled_from(["normal", "misere"])

# --- random games -----------------------------------------------------------------------------


def subtraction_text(numbers) -> str:
    members = ", ".join(map(str, sorted(numbers)))
    return (
        "game subtraction var v legal v >= 0\n"
        f"action take(k) pre k in {{{members}}} and k <= v eff v := v - k"
    )


@st.composite
def two_piles(draw):
    """Two piles with a bound each, perhaps equal numbers from both, perhaps a further end."""
    bounds = [draw(st.none() | st.integers(1, 4)) for _ in range(2)]
    both = draw(st.none() | st.integers(1, 3))
    stop = draw(st.none() | st.integers(1, 3))

    def upto(pile: str, bound: int | None) -> str:
        return f"1 <= k <= {pile}" + ("" if bound is None else f" and k <= {bound}")

    actions = [
        f"action take_{p}(k) pre {upto(p, n)} eff {p} := {p} - k"
        for p, n in zip("ab", bounds, strict=True)
    ]
    if both is not None:
        actions.append(
            f"action both(k) pre 1 <= k <= {both} and k <= a and k <= b eff a := a - k, b := b - k"
        )
    end = "" if stop is None else f"end a + b <= {stop}\n"
    return f"game piles var a, b legal a >= 0 and b >= 0\n{end}" + "\n".join(actions)


@st.composite
def odd_rules(draw):
    """One pile; two kinds of move, each allowed in some residue classes of the pile only."""
    kinds = [
        (draw(st.integers(1, 5)), draw(st.integers(2, 4)), draw(st.integers(0, 3)))
        for _ in range(draw(st.integers(1, 3)))
    ]
    least = draw(st.integers(0, 2))
    actions = [
        f"action take{i} pre v mod {m} != {r} and v >= {k} eff v := v - {k}"
        for i, (k, m, r) in enumerate(kinds)
    ]
    return f"game odd var v legal v >= {least}\n" + "\n".join(actions)


@st.composite
def moves_up_and_down(draw):
    """Two piles where a move takes from one and gives less to the other."""
    take, give = draw(st.integers(2, 4)), draw(st.integers(1, 2))
    one = draw(st.booleans())
    return (
        "game swap var a, b legal a >= 0 and b >= 0\n"
        f"action shift pre a >= {take} eff a := a - {take}, b := b + {give}\n"
        "action drop(k) pre 1 <= k <= b" + (" and k <= 2" if one else "") + " eff b := b - k"
    )


GAMES = {
    "subtraction": st.sets(st.integers(1, 30), min_size=1, max_size=4).map(subtraction_text),
    "two piles": two_piles(),
    "odd rules": odd_rules(),
    "up and down": moves_up_and_down(),
}
CELLS = {"subtraction": 1_500, "two piles": 56**2, "odd rules": 400, "up and down": 44**2}


def random_games(count: int, kind: str, budget: float = BUDGET) -> None:
    @given(GAMES[kind], rules)
    @settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))
    def play(text, rule):
        # What is found is always proved in a second on a quiet machine; on a busy one it may wait.
        found = answer(text, rule, PATIENCE if kind == "subtraction" else budget)
        assert kind != "subtraction" or (found.status, found.logic) == ("solved", "lia")
        agree(found, text, CELLS[kind])

    play()


def test_random_games():
    random_games(5, "subtraction", 3.0)


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES)
def test_many_random_games(kind):
    random_games(15, kind)


# --- what is published ---------------------------------------------------------------------------

# Names and constants of the catalog; who loses under normal play and under misère (Wu et al., AAMAS
# 2020, and the literature named there).  No answer may be longer than what is published.
TABLE: list[tuple[str, dict[str, int], str, str]] = [
    ("chomp_2row", {}, "a = b + 1", "a + b = 2"),
    ("chomp_l", {}, "a = b", "a = b and a >= 3 or a + b = 3"),
    (
        "empty_and_divide",
        {},
        "a mod 2 = 1 and b mod 2 = 1",
        "(a = 1 or a mod 3 = 2) and (b = 1 or b mod 3 = 2) and a + b > 2",
    ),
    ("nim2", {}, "a = b", "a = b and a >= 2 or a + b = 1"),
    ("monotonic_nim2", {}, "a = b", "b = a + 1"),
    ("monotonic_2diet_wythoff", {}, "(a + b) mod 3 = 0", "(a + b) mod 3 = 1"),
    ("monotonic_2diet_wythoff_authors", {}, "(a + b) mod 3 = 0", "(b - a) mod 3 = 1"),
    *(("take_away", {"n": n}, f"v mod {n + 1} = 0", f"v mod {n + 1} = 1") for n in range(2, 11)),
    ("subtraction_124", {}, "v mod 3 = 0", "v mod 3 = 1"),
    ("subtraction_134", {}, "v mod 7 in {0, 2}", "v mod 7 in {1, 3}"),
    # {2, 3}: remainders 0 and 1 of 5; misere one may be left with 0 or 1 as the last: 2 and 3.
    ("subtraction_23", {}, "v mod 5 in {0, 1}", "v mod 5 in {2, 3}"),
]
SETS = {"subtraction_124": (1, 2, 4), "subtraction_134": (1, 3, 4), "subtraction_23": (2, 3)}
SETS["subtraction_126"] = (1, 2, 6)
CASES = [
    pytest.param(name, constants, claims[i], rule, id=f"{name}{constants or ''}-{rule}")
    for name, constants, *claims in TABLE
    for i, rule in enumerate(("normal", "misere"))
]


@sampled(("name", "constants", "claim", "rule"), CASES, fast=3)
def test_published(name, constants, claim, rule):
    from icgsynth.logic.build import size
    from icgsynth.logic.evaluate import satisfies
    from icgsynth.spec.icg import parse_formula

    solution = icg.load(name, constants).solve(rule=rule) if constants else solved(name, rule)
    assert solution.status == "solved"
    game = solution.game
    for state in itertools.product(range(61), repeat=len(game.variables)):
        if game.is_legal(state):
            env = dict(zip(game.variables, state, strict=True))
            lost = bool(eval(as_python(claim), {}, dict(env)))
            assert satisfies(solution.losing.formula, env) == lost, state
            assert satisfies(solution.winning.formula, env) != lost, state
    most = size(parse_formula(claim, game.variables))
    found = min(solution.losing.size, solution.winning.size)
    assert found <= most, f"{solution.losing.formula} is longer than {claim}"
    assert solution.losing.size <= most


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("name", SETS)
def test_subtraction_games_of_the_seed(name, rule):
    solution = solved(name, rule)
    assert solution.status == "solved"
    agree(solution, subtraction_text(SETS[name]), 500)


# --- where formulas grow --------------------------------------------------------------------------


# In the first two an automaton was found first (periods 31 and 25), where boxes come before digits.
@pytest.mark.parametrize("rule", ["normal", "misere"])
@sampled("numbers", [(1, 4, 9, 10), (1, 4, 7, 8), (9, 22, 31), (3, 46, 59)], ids=str)
def test_subtraction_with_a_period_past_the_first_box_is_a_formula(numbers, rule):
    text = subtraction_text(numbers)
    solution = answer(text, rule, 120)
    assert (solution.status, solution.logic) == ("solved", "lia")
    agree(solution, text, 2_000)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_three_piles_of_which_few_counters_may_be_taken(rule):
    """Each pile counts modulo 12, and one of them is short."""
    actions = "\n".join(
        f"action take_{p}(k) pre 1 <= k <= 11 and k <= {p} eff {p} := {p} - k" for p in "abc"
    )
    text = (
        "game slow var a, b, c legal a >= 0 and b >= 0 and 0 <= c <= 2\n"
        f"end a = 0 and b = 0 and c = 0\n{actions}"
    )
    solution = answer(text, rule, 180)
    assert solution.status == "solved"
    agree(solution, text, 28 * 28 * 3)


@pytest.mark.slow
@sampled("rule", ["normal", "misere"])
def test_moves_that_tie_two_parameters(rule):
    """Odd numbers from one pile, or five from the first for every three from the second."""
    text = """game tied var a, b legal a >= 0 and b >= 0
    end a = 0 and b = 0
    action take_a(k) pre 1 <= k <= a and k mod 2 = 1 eff a := a - k
    action take_b(k) pre 1 <= k <= b and k mod 2 = 1 eff b := b - k
    action both(j, k) pre 1 <= j <= a and 1 <= k <= b and 3 * j = 5 * k eff a := a - j, b := b - k
    """
    solution = answer(text, rule, 30)
    assert solution.status == "solved"
    agree(solution, text, 45**2)
