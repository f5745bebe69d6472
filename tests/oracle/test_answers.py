"""Whole answers against the mathematics: brute force that shares no code with the program.

The oracle is the judge of the experiments, which reads the text of a game by itself.  ``unknown``
is always allowed of a random game; an answer must be right on a box wider than the one it was
learned from, and on states far off.
"""

from __future__ import annotations

import random

import pytest
from catalog_answers import solved
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from speed import sampled, shared

import icgsynth as icg
from experiments.judge.claims import Answer, judged
from experiments.judge.graph import box, explored, outcomes
from experiments.judge.play import Play
from experiments.judge.reading import read_rules
from icgsynth.game.solution import Solution
from icgsynth.logic.build import size
from icgsynth.spec.icg import parse_formula

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


@pytest.mark.parametrize(("kind", "count"), shared([(kind, 15) for kind in GAMES], 3))
def test_many_random_games(kind, count):
    @given(GAMES[kind], rules)
    @settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))
    def play(text, rule):
        # What is found is always proved in a second on a quiet machine; on a busy one it may wait.
        found = answer(text, rule, PATIENCE if kind == "subtraction" else BUDGET)
        assert kind != "subtraction" or (found.status, found.logic) == ("solved", "lia")
        agree(found, text, CELLS[kind])

    play()


# --- games of the catalog -------------------------------------------------------------------------

SETS = {"subtraction_124": (1, 2, 4), "subtraction_134": (1, 3, 4), "subtraction_23": (2, 3)}
SETS["subtraction_126"] = (1, 2, 6)


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("name", SETS)
def test_subtraction_games_of_the_seed(name, rule):
    solution = solved(name, rule)
    assert solution.status == "solved"
    agree(solution, subtraction_text(SETS[name]), 500)


def test_a_formula_that_is_not_the_least_is_no_longer_than_the_published_one():
    """Of the games of Wu et al. (AAMAS 2020) that are solved, all others have the least one."""
    published = "(a = 1 or a mod 3 = 2) and (b = 1 or b mod 3 = 2) and a + b > 2"
    found = solved("empty_and_divide", "misere")
    assert found.losing.size <= size(parse_formula(published, found.game.variables))


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
