"""Theorems by cases of the constants: each case is proved, and the cases are all."""

from __future__ import annotations

from itertools import permutations
from types import SimpleNamespace

import pytest

from icgsynth.budget import Budget
from icgsynth.families.proof.by_cases import join_certificates, list_cases, split_by_cases
from icgsynth.families.proof.families import prove_family
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.families.search import table_search
from icgsynth.families.search.member_cases import formulas_of_cases
from icgsynth.families.search.member_table import MemberTable
from icgsynth.families.search.members import family_request
from icgsynth.families.search.residue_sets import residue_set
from icgsynth.families.search.theorem_search import family_theorem
from icgsynth.game.answers import BoxCheck, FarCheck, Finding, Verdict
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic.evaluate import satisfies
from icgsynth.prove.certificate import Certificate
from icgsynth.spec.icg import parse, parse_formula, parse_term
from icgsynth.spec.source import Source

TAKE = "const n = 3 var v legal v >= 0 action take(k) pre 1 <= k <= n and k <= v eff v := v - k"
EVEN, ONE, THREE = (f"n mod {m} = {r} and v mod (n + 1) = 0" for m, r in ((2, 0), (4, 1), (4, 3)))
OF_THREE = """game of_three
const k = 5
var n
legal n >= 0
action take(t) pre (t = 2 or t = 3 or t = k) and t <= n eff n := n - t
"""


def claim_of(losing, when="v mod (n + 1) != 0"):
    spec = parse(Source("take", f"game g {TAKE}"))

    def formula(text):
        return parse_formula(text, ("v",), constants=("n",))

    argument = parse_term("v mod (n + 1)", ("v",), constants=("n",))
    rule = Rule(formula(when), SemiGroundAction("take", (("k", argument),)))
    game = spec.members(("n",), {})
    return FamilyClaim(game, ("n",), formula("n >= 1"), "normal", formula(losing), (rule,))


def test_what_is_known_in_a_case_is_left_out():
    """Sees: a part left out that is not known, a member that is in no case."""
    claim = claim_of(f"({EVEN}) or ({ONE}) or ({THREE})", "n mod 2 = 0 and v mod (n + 1) != 0")
    found = split_by_cases(claim, Budget(20))
    assert [str(each.losing) for each in found] == ["v mod (n + 1) = 0"] * 3
    assert [len(each.strategy) for each in found] == [1, 0, 0]
    assert str(found[0].strategy[0].when) == "v mod (n + 1) != 0"
    assert len(list_cases(claim.losing, ("n",))) == 3
    assert not split_by_cases(claim_of(f"({EVEN}) or ({ONE})"), Budget(20))
    assert not split_by_cases(claim_of(f"({EVEN}) or v = 0"), Budget(20))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("losing", "when", "status"),
    [
        (f"({EVEN}) or ({ONE}) or ({THREE})", "v mod (n + 1) != 0", "theorem"),
        (f"({EVEN}) or ({ONE}) or ({THREE} and v < 40)", "v mod (n + 1) != 0", "refuted"),
        (f"({EVEN}) or ({ONE}) or (n mod 8 = 3 and v = 0)", "v mod (n + 1) != 0", "refuted"),
        (f"({EVEN}) or ({ONE}) or ({THREE})", "n mod 4 != 3 and v mod (n + 1) != 0", "conjecture"),
    ],
    ids=["right", "one case is wrong", "not all members", "one case has no move"],
)
def test_a_theorem_needs_every_case(losing, when, status):
    """Sees: a case that is skipped, cases that are not all, a case without its strategy."""
    proof = prove_family(claim_of(losing, when), Budget(60))
    assert proof.status == status
    if status == "refuted":
        assert proof.counterexample.constants["n"] % 4 == 3
    if status == "theorem":
        parts = proof.certificate.confirmed
        assert all(len(parts[part]) > 1 for part in ("termination", "winning", "strategy"))


def lost_by_definition(sizes, count, is_misere=False):
    lost = []
    for n in range(count):
        after = [lost[n - t] for t in sizes if t <= n]
        lost.append(not any(after) if after else not is_misere)
    return lost


@pytest.mark.slow
def test_two_three_or_k_is_won_by_what_k_leaves(tmp_path):
    """Sees: a remainder left out of a set, a bound that is one off, two cases exchanged."""
    path = tmp_path / "family.icg"
    path.write_text(OF_THREE, "utf-8")
    request = family_request(str(path), {"k": tuple(range(4, 10))}, None, {}, 10.0)
    family = request.within(request.range_, "normal")
    proof = family_theorem(family, request.grid, Budget(60))
    assert (proof.status, str(proof.claim.where)) == ("theorem", "k >= 4")
    for k in range(4, 40):
        lost = lost_by_definition((2, 3, k), 9 * k)
        found = proof.claim.losing
        assert all(satisfies(found, {"k": k, "n": n}) is lost[n] for n in range(len(lost)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "left_out"), [((1, 4), ["k mod 5 = 0"]), ((2, 5), ["k mod 7 = 0"])]
)
@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_a_few_remainders_may_be_left_out(tmp_path, sizes, left_out, rule):
    """Sees: a formula that is wrong for a remainder which it does not leave out."""
    path, (one, other) = tmp_path / "family.icg", sizes
    path.write_text(OF_THREE.replace("t = 2 or t = 3", f"t = {one} or t = {other}"), "utf-8")
    request = family_request(str(path), {"k": tuple(range(other + 1, 42))}, None, {}, 10.0)
    family = request.within(request.range_, rule)
    table = MemberTable.of(family, request.grid, Budget(60))
    offered = formulas_of_cases(table, Budget(60), residue_set, False)
    cases, found = next(each for each in offered if each[0])
    assert sorted(map(str, cases)) == left_out
    for k in range(other + 1, 60):
        if f"k mod {one + other} = {k % (one + other)}" not in left_out:
            lost = lost_by_definition((one, other, k), 9 * k, rule == "misere")
            assert all(satisfies(found, {"k": k, "n": n}) is lost[n] for n in range(len(lost)))


@pytest.mark.slow
def test_no_part_of_the_range_is_told_that_ends_with_the_members_asked(monkeypatch, tmp_path):
    """At most 5 are taken.  Sees: a "theorem" for 2 <= n <= 5 where n=2..5 was asked."""
    path = tmp_path / "family.icg"
    path.write_text(f"game few {TAKE.replace('<= v', '<= min(v, 5)')}", "utf-8")
    guess = parse_formula("v mod (n + 1) = 0", ("v",), constants=("n",))

    def guesses_alone(_family, _grid, _budget, guesses=None):
        if guesses is not None and guess not in guesses["refuted"]:
            guesses["refuted"].append(guess)

    monkeypatch.setattr(table_search, "family_theorem", guesses_alone)
    for name in ("theorem_of_most", "with_strategy"):
        monkeypatch.setattr(table_search, name, lambda *_: None)
    told = []
    for last in (4, 5):
        request = family_request(str(path), {"n": tuple(range(2, last + 1))}, None, {}, 60.0)
        families = [request.within(request.range_, "normal")] * 2
        proof = table_search.learn(families, request.grid, 60.0).proof
        told.append(proof and (proof.status, str(proof.claim.where)))
    assert told == [("theorem", "n >= 2 and n <= 5"), None]


WALK = """game walk
const k = 1
var v
legal 0 <= v <= 10 ^ 8
action go pre (k = 1 or k = -1) and 0 <= v + k <= 10 ^ 8 eff v := v + k
""".replace("10 ^ 8", f"{10**8}")  # too many states for their moves to be followed


def test_a_ranking_that_falls_in_one_case_is_not_told_of_all_members():
    """Sees: the ranking of the first case in a theorem about members in which it grows."""
    game = parse(Source("walk", WALK)).members(("k",), {})
    cases = "(k = 1 and v mod 2 = 0) or (k = -1 and v mod 2 = 0)"
    losing, where, wins = (
        parse_formula(text, ("v",), constants=("k",))
        for text in (cases, "k = 1 or k = -1", "v mod 2 = 1")
    )
    rules = (Rule(wins, SemiGroundAction("go", ())),)
    claim = FamilyClaim(game, ("k",), where, "normal", losing, rules)
    assert [len(case.strategy) for case in split_by_cases(claim, Budget(20))] == [1, 1]
    proof = prove_family(claim, Budget(20))
    assert proof.status == "conjecture" or len(proof.certificate.report.components) != 1


NEEDED = ("termination", "winning", "strategy")


def of_case(winning, far=0, near=0):
    """What is known of one case: ``winning`` stands so, and so many states disagree."""
    parts = dict.fromkeys(NEEDED, Finding(Verdict.PROVED, by=("z3", "isl")))
    box = BoxCheck(7, 10, near, FarCheck(100, 10**9, far))
    parts = parts | {"winning": winning} if winning else {n: parts[n] for n in NEEDED[::2]}
    return Certificate(
        claim_of("v mod (n + 1) = 0").solution, SimpleNamespace(components=()), parts, box
    )


@pytest.mark.parametrize(
    ("weak", "is_proved"),
    [
        (of_case(None), False),
        (of_case(Finding(Verdict.UNKNOWN)), False),
        (of_case(Finding(Verdict.REFUTED, "wrong", {"v": 3})), False),
        (of_case(Finding(Verdict.PROVED, by=("z3", "isl")), far=1), False),
        (of_case(Finding(Verdict.PROVED, by=("z3", "isl")), near=1), False),
        (of_case(Finding(Verdict.PROVED, by=("z3",))), True),
        (of_case(Finding(Verdict.PROVED)), True),
    ],
    ids=["lacking", "open", "refuted", "far", "near", "one engine", "no engine"],
)
def test_all_cases_together_are_as_sure_as_the_weakest(weak, is_proved):
    """Sees: a part that one case lacks and all have, a case that stands for the others, states
    that disagree in one case and are not counted, engines of one case named for another.
    """
    claim, sure = claim_of("v mod (n + 1) = 0"), of_case(Finding(Verdict.PROVED, by=("isl", "z3")))
    for made in permutations((sure, weak, sure)):
        joined = join_certificates(claim, made)
        assert joined.is_proved is is_proved and joined.solved is None
        assert not is_proved or joined.parts["winning"].by == weak.parts["winning"].by
        assert joined.explicit.states == 30 and joined.far.states == 300
    both = join_certificates(claim, (sure, sure))
    assert both.solved is not None and set(both.parts["winning"].by) == {"z3", "isl"}
