"""The range of a theorem: said once, and widened below the constants that were asked for."""

from __future__ import annotations

import pytest

from icgsynth.budget import Budget
from icgsynth.families.proof.families import FamilyProof, prove_family
from icgsynth.families.proof.family_range import narrower, said_once, wider
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic.evaluate import satisfies
from icgsynth.spec.icg import parse, parse_formula, parse_term
from icgsynth.spec.source import Source

TAKE = "game g const n = 1 var v legal v >= 0 action take(k) pre 1 <= k <= n and k <= v "


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("n >= 2 and n >= 5", "n >= 5"),
        ("n >= 5 and n >= 2 and m >= 1", "n >= 5 and m >= 1"),
        ("n <= 9 and n >= 2 and n <= 7", "n >= 2 and n <= 7"),
        ("n >= 2 and n mod 2 = 1", "n >= 2 and n mod 2 = 1"),
        ("n >= 3 and n >= 3", "n >= 3"),
        ("n >= 1 or n >= 2", "n >= 1 or n >= 2"),
    ],
)
def test_a_bound_that_a_closer_one_implies_is_not_said(long, short):
    assert str(said_once(parse_formula(long, (), constants=("n", "m")))) == short


def claimed(where, losing, argument, rules="eff v := v - k"):
    spec = parse(Source("rules", TAKE + rules))
    names = {"constants": ("n",)}
    move = SemiGroundAction("take", (("k", parse_term(argument, ("v",), **names)),))
    return FamilyClaim(
        spec.members(("n",), {}),
        ("n",),
        parse_formula(where, (), **names),
        "normal",
        parse_formula(losing, ("v",), **names),
        (Rule(parse_formula(f"not ({losing})", ("v",), **names), move),),
    )


def theorem(where, losing, argument):
    proof = prove_family(claimed(where, losing, argument), Budget(60))
    assert proof.status == "theorem"
    return proof


def test_a_theorem_is_about_smaller_members_too_where_it_is_true_for_them():
    proof, below = wider(
        theorem("n >= 4", "v mod (n + 1) = 0", "v mod (n + 1)"), {"n": 4}, Budget(60)
    )
    assert str(proof.claim.where) == "n >= 1" and proof.status == "theorem"
    assert not below


def test_a_smaller_member_with_another_formula_is_named():
    # With at most 2 counters taken at a time, multiples of 3 are lost; 1 counter: even numbers.
    losing = "n = 1 and v = 0 or n > 1 and v mod (n + 1) = 0"
    proof, below = wider(theorem("n >= 4", losing, "v mod (n + 1)"), {"n": 4}, Budget(60))
    assert str(proof.claim.where) == "n >= 2" and proof.status == "theorem"
    (wrong,) = below
    assert wrong.constants == {"n": 1} and wrong.state == {"v": 2}


def test_a_range_that_begins_elsewhere_is_kept():
    given = theorem("n >= 4", "v mod (n + 1) = 0", "v mod (n + 1)")
    assert wider(given, {"n": 3}, Budget(60)) == (given, ())


@pytest.mark.parametrize(("holds", "tries"), [("(n >= 3 and n != 6)", 2), ("n <= 2", 0)])
def test_the_first_part_of_a_range_that_is_proved_is_taken(monkeypatch, holds, tries):
    """Kills: a part that was not proved, that has a wrong member, or hardly any right one."""
    monkeypatch.setattr("icgsynth.families.proof.family_range._LOOKED_AT", 12)
    asked = []

    def prove(claim):
        asked.append(claim)
        return FamilyProof(claim, "theorem" if len(asked) == 2 else "conjecture")

    losing = f"{holds} and v mod (n + 1) = 0 or not {holds} and v = 1"
    refuted = FamilyProof(claimed("n >= 1", losing, "v mod (n + 1)"), "refuted")
    found = narrower(refuted, Budget(60), prove)
    assert len(asked) == tries and (found is None if not tries else found.claim is asked[1])
    for claim in asked:
        members = [n for n in range(1, 40) if satisfies(claim.where, {"n": n})]
        assert len(members) >= 3 and {1, 2, 6}.isdisjoint(members)
