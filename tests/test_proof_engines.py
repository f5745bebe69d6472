"""Parts of the first proof that no command reaches alone: each is asked by itself."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import automatic_solved
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.budget import Budget
from icgsynth.game.solution import Verdict
from icgsynth.game.strategy import Rule, SemiGroundAction, Strategy
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import TRUE, Int
from icgsynth.prove.beyond import Judge
from icgsynth.prove.deciders import classes, presburger, smt
from icgsynth.spec.icg import parse_formula


def judged(solution, tree):
    """What the first proof says of a tree for a game whose answer is of digits."""
    return Judge.of(solution.game, replace(solution, tree=Strategy(tree)), Budget(60)).tree()


def test_a_tree_over_digits_is_judged_first_match_first():
    """Each rule is judged where it is the first to apply, and all winning states need one.

    Seen: states of earlier rules that are added instead of taken away, a rule that loses, a rule
    that is missing.  In Nim on three piles a move wins where it makes the sum of digits 0.
    """
    nim = automatic_solved.nim3()
    right = [Rule(TRUE, rule.act) for rule in nim.strategy]
    assert judged(nim, right).verdict is Verdict.PROVED
    missing = judged(nim, right[:2])
    assert missing.verdict is Verdict.REFUTED
    a, b, c = missing.state(nim.game)
    # To make the sum 0 a pile has to become the sum of the other two, which is less for c alone.
    assert a ^ b ^ c and (b ^ c) >= a and (a ^ c) >= b
    eager = Rule(TRUE, SemiGroundAction("take_a", (("k", Int(1)),)))
    early = judged(nim, [eager, *right])
    assert early.verdict is Verdict.REFUTED
    a, b, c = early.state(nim.game)
    assert a and a ^ b ^ c and (a - 1) ^ b ^ c
    # Where it is the last, no state is left to it.
    assert judged(nim, [*right, eager]).verdict is Verdict.PROVED


SIDE = 8
TEXTS = st.tuples(
    st.integers(2, 4), st.integers(0, 3), st.integers(-4, 4), st.integers(-4, 4), st.integers(-9, 9)
)


@settings(max_examples=25)
@given(TEXTS)
def test_what_congruences_leave_is_decided_by_either_engine_alone(drawn):
    """Against all states of a small box.  Seen: an engine that is asked only where the other knew
    the answer, or that is asked though it is ruled out.
    """
    modulus, rest, p, q, total = drawn
    names = ("x", "y")
    text = f"x mod {modulus} = {rest} and (x + y) mod 3 = 1 and {p} * x + {q} * y >= {total}"
    box = " and ".join(f"0 <= {name} and {name} <= {SIDE}" for name in names)
    formula = parse_formula(f"{text} and {box}", names)
    pairs = product(range(SIDE + 1), repeat=2)
    truth = any(satisfies(formula, dict(zip(names, pair, strict=True))) for pair in pairs)
    engines = (presburger.NAME, smt.NAME)
    for without in (set(), {engines[0]}, {engines[1]}, set(engines)):
        found = classes.satisfy([formula], names, Budget(20), without=frozenset(without))
        expected = "sat" if truth else "unsat"
        # What neither engine is asked may be too easy to need one.
        assert found.kind == expected or (len(without) == 2 and found.kind == "unknown")
        assert not found.by & without
        if found.kind == "sat":
            assert satisfies(formula, found.model)
