"""Small states played out in plain Python, and members of a family drawn, by their definitions."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from hand_solved import chomp, game, nim2, nim2_misere, solved, take_away
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.logic.evaluate import satisfies
from icgsynth.prove.recheck.definition import outcomes, played_out
from icgsynth.prove.recheck.drawn_members import draw_members
from icgsynth.spec.icg import parse_formula

SIZE = 6
GRAPHS = st.lists(st.sets(st.integers(0, SIZE - 1), max_size=3), min_size=SIZE, max_size=SIZE)


@settings(max_examples=40, deadline=None)
@given(GRAPHS, st.sampled_from(["normal", "misere"]))
def test_who_wins_in_a_graph_with_cycles(graph, rule):
    """By the definition: won with a move to a lost state, lost where all moves lead to won ones.

    Seen: a state that is called won or lost though play need never end, and the other way round.
    """
    arcs = [f"v = {a} and k in {{{', '.join(map(str, b))}}}" for a, b in enumerate(graph) if b]
    text = f"game g\nvar v\nlegal 0 <= v < {SIZE}\naction go(k)\n  pre "
    text += " or ".join(arcs) or "v < 0"
    worth = {v: -1 if rule == "normal" else 1 for v in range(SIZE) if not graph[v]}
    while True:
        wins = {v for v in range(SIZE) if any(worth.get(w) == -1 for w in graph[v])}
        loses = {v for v in range(SIZE) if graph[v] and all(worth.get(w) == 1 for w in graph[v])}
        more = worth | dict.fromkeys(wins, 1) | dict.fromkeys(loses, -1)
        if more == worth:
            break
        worth = more
    found = outcomes(game(f"{text}\n  eff v := k\n"), rule, [(v,) for v in range(SIZE)], Budget(60))
    assert found == {(v,): worth.get(v, 0) for v in range(SIZE)}


@pytest.mark.parametrize("build", [nim2, nim2_misere, take_away, chomp])
def test_the_first_wrong_state_is_named(build):
    """Seen: small states that are left out, and one that comes later than another."""
    answer = build()
    count, wrong = played_out(answer.game, answer.rule, answer.losing_formula, Budget(60))
    assert count > 50 and wrong is None
    names = answer.game.variables
    for state in [(3,), (6,)] if len(names) == 1 else [(3, 2), (2, 2), (4, 0)]:
        at = " and ".join(f"{v} = {n}" for v, n in zip(names, state, strict=True))
        text = f"({answer.losing_formula}) and not ({at}) or not ({answer.losing_formula}) and {at}"
        false = parse_formula(text, names)
        assert played_out(answer.game, answer.rule, false, Budget(60)) == (count, state)


def test_play_that_need_not_end_is_refused():
    text = (
        "game g\nvar v\nlegal 0 <= v\naction a  pre v >= 1 and v != 5 and v != 6  eff v := v - 1\n"
    )
    of = game(f"{text}action b  pre v = 5  eff v := 6\naction c  pre v = 6  eff v := 5\n")
    with pytest.raises(Refused):
        played_out(of, "normal", parse_formula("v < 0", ("v",)), Budget(60))


FAMILY = """game family
var v, m, p
legal v >= 0 and 2 <= m <= 60 and p = m + 1 and m mod 3 != 0
action take(k)  pre 1 <= k <= m and k <= v  eff v := v - k
"""


def test_members_are_different_and_within_the_range_of_the_family():
    """Seen: constants outside of the range or against a tie, one member twice, a constant that
    stays a variable, and too few small ones."""
    of = game(FAMILY)
    family = solved(of, "normal", "v < m", "m <= v <= p", ("v < m", "take", "p - v"))
    drawn = list(draw_members(family, family.ranking, ("m", "p"), 12, random.Random(1)))
    met = [(member.constants["m"], member.constants["p"]) for member in drawn]
    assert len(set(met)) == 12 and any(m <= 5 for m, _ in met)
    for (m, p), member in zip(met, drawn, strict=True):
        assert 2 <= m <= 60 and p == m + 1 and m % 3
        assert member.solution.game.variables == ("v",)
        losing = member.solution.losing_formula
        assert all(satisfies(losing, {"v": v}) == (m <= v <= p) for v in range(3 * p))
        moves = list(islice(member.solution.game.moves((m + 7,)), 100))
        assert len(moves) == m
