"""What may be called proved or refuted: each step between an obligation and a finding."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hand_solved import NIM2, game, nim2, nim2_misere

from icgsynth.budget import Budget
from icgsynth.claims.game import Bounded, Obligation, strategy_obligations
from icgsynth.claims.stated import state_claims
from icgsynth.game.answers import Verdict
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, SemiGroundAction, Strategy
from icgsynth.logic import term as t
from icgsynth.prove import discharge as steps
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.deciders.smt import SolverReply
from icgsynth.prove.discharge import confirm, confirm_parts, discharge, is_model
from icgsynth.prove.recheck.far import _constants_in_products, check_all, check_far
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.source import Source

NAMES = ("a", "b")
SOUND, WRONG = "a mod 2 = 0 and a mod 4 = 1", "a mod 2 = 0 and a = b"  # without a model, and with


def claim(text, part="winning", **more):
    return Obligation(part, text, NAMES, (parse_formula(text, NAMES),), **more)


def twice(*texts):
    return [(one, one) for one in map(claim, texts)]


@pytest.mark.parametrize("texts", [(SOUND, WRONG), (WRONG, SOUND), (SOUND,)])
def test_what_has_a_model_is_refuted_by_it(texts):
    """Faults it sees: only the first or the last obligation counts, one engine alone is named."""
    for found in (confirm(twice(*texts), Budget(20)), discharge(map(claim, texts), Budget(20))):
        if WRONG in texts:
            assert found.verdict is Verdict.REFUTED
            assert found.witness["a"] == found.witness["b"] and found.witness["a"] % 2 == 0
        else:
            assert found.is_proved
    by = confirm(twice(SOUND), Budget(20)).by
    assert WRONG in texts or len(set(by)) == len(by) > 1


def test_what_is_open_for_one_engine_is_not_proved(monkeypatch):
    """Faults it sees: a doubt of either engine that is forgotten, wherever it is in the list."""
    other = "a mod 2 = 1 and a mod 4 = 2"
    for name in ("decide", "second_opinion"):
        asked = getattr(steps, name)

        def unsure(parts, *more, asked=asked):
            return SolverReply("unknown") if parts == claim(other).parts else asked(parts, *more)

        with monkeypatch.context() as patched:
            patched.setattr(steps, name, unsure)
            for texts in ((other, SOUND), (SOUND, other), (SOUND, other, SOUND)):
                assert confirm(twice(*texts), Budget(20)).verdict is Verdict.UNKNOWN
            # What is wrong is refuted after a doubt as well.
            assert confirm(twice(other, WRONG), Budget(20)).verdict is Verdict.REFUTED
    assert confirm(twice(other, SOUND), Budget(20)).is_proved


def test_a_missing_mover_is_no_counterexample():
    """Faults it sees: a state without a known mover called stuck; other models passed over."""
    of_movers = claim(WRONG, rests_on=frozenset(("movers",)))
    assert discharge([of_movers], Budget(20), True).verdict is Verdict.REFUTED
    assert discharge([of_movers], Budget(20), False).verdict is Verdict.UNKNOWN
    assert discharge([claim(WRONG)], Budget(20), False).verdict is Verdict.REFUTED


def test_no_part_is_true_where_its_divisor_is_nothing():
    """Faults it sees: a model of some parts only, and one at which a remainder is not defined."""
    parts = [parse_formula(text, ("a",), constants=("b",)) for text in ("a mod b = 0", "a > 3")]
    assert is_model(parts, {"a": 6, "b": 3})
    assert not is_model(parts, {"a": 3, "b": 3}) and not is_model(parts, {"a": 7, "b": 3})
    assert not is_model(parts, {"a": 6, "b": 0}) and not is_model(parts, None)


@pytest.mark.parametrize(
    ("plain", "written"),
    [
        ([SOUND], [SOUND, WRONG]),  # the end became false
        ([], [SOUND, WRONG]),
        ([SOUND, SOUND, SOUND], [SOUND, WRONG]),
        ([SOUND, SOUND], [SOUND, WRONG]),
    ],
)
@pytest.mark.parametrize("rests_on", [frozenset(("end",)), frozenset()])
def test_what_the_rules_as_written_say_is_proved_whatever_is_left_of_it(plain, written, rests_on):
    """Faults it sees: obligations without a partner that are dropped; a part judged by another's.

    The part "ending" has one obligation, which is right.
    """
    claims = [claim(text, rests_on=rests_on if text == WRONG else frozenset()) for text in written]
    own = claim(SOUND, "ending")
    found = confirm_parts(
        ("winning", "ending"), [*map(claim, plain), own], [*claims, own], Budget(20)
    )
    assert not found["winning"].is_proved
    assert found["ending"].is_proved


def test_a_model_of_many_parts_is_one_of_all():
    """By definition, in a box.  Faults it sees: a model of the first two and the last part told as
    one of all, also where a part that is left out has a quantifier.
    """
    some = "exists q. a = 6 * q + 4 and q > 1"
    for rest, modulus in ((2, 4), (0, 4), (1, 2)):
        texts = ("a >= 0", "a <= 60", "a != 22", some, "a mod 5 != 0", f"a mod {modulus} = {rest}")
        parts = tuple(parse_formula(text, ("a",)) for text in texts)
        right = {6 * q + 4 for q in range(2, 10)} - {22}
        right = {a for a in right if a % 5 and a % modulus == rest}
        found = decide(parts, ("a",), Budget(20))
        assert found.kind == ("sat" if right else "unsat")
        assert found.model is None or found.model["a"] in right


# --- what is claimed --------------------------------------------------------------------------


def test_a_won_state_without_a_move_needs_no_rule_in_misere_play_alone():
    """Two are taken, so that 1 is an end to which no move leads.

    Faults it sees: an end called won under normal play, since no action applies there; an end that
    needs a move under misère play.
    """
    two = game("game two var v legal v >= 0 action take pre v >= 2 eff v := v - 2")
    losing = parse_formula("v mod 4 = 0 or v mod 4 = 3", ("v",))
    winning = parse_formula("v mod 4 = 1 or v mod 4 = 2", ("v",))
    when = parse_formula("v >= 2 and v mod 4 != 0 and v mod 4 != 3", ("v",))
    taken = [Rule(when, SemiGroundAction("take", ()))]
    asked = {
        rule: discharge(strategy_obligations(two, rule, winning, losing, taken), Budget(20))
        for rule in ("normal", "misere")
    }
    assert asked["normal"].verdict is Verdict.REFUTED and asked["normal"].witness["v"] == 1
    assert asked["misere"].is_proved


def test_the_moves_of_a_won_state_are_claimed_with_a_strategy_and_without():
    """Faults it sees: rules of which nothing is claimed, winning moves that nobody asks for."""
    right, ranking = nim2(), [Bounded(term, 0) for term in nim2().ranking]
    first, second = right.strategy
    moved = replace(first, act=replace(first.act, arguments=second.act.arguments))

    def stands(answer, existence=None):
        claims = list(state_claims(answer, (), ranking, existence))
        claims = [each for each in claims if each.part in ("winning", "strategy")]
        return discharge(claims, Budget(20)).verdict

    assert stands(right) is stands(replace(right, strategy=Strategy())) is Verdict.PROVED
    for rules in ((first,), (moved, second)):
        assert stands(replace(right, strategy=Strategy(rules))) is Verdict.REFUTED
    assert stands(replace(right, strategy=Strategy()), False) is Verdict.REFUTED
    few = parse_formula("a = b and a = 0", NAMES)
    wrong = replace(right, losing=Claim(few), winning=Claim(t.Not(few)), tree=Strategy())
    assert stands(replace(wrong, strategy=Strategy())) is Verdict.REFUTED


def test_what_rests_on_guesses_is_not_known():
    """Faults it sees: movers or bounds that were guessed, and what rests on them called proved."""
    right, ranking = nim2_misere(), [Bounded(term, 0) for term in nim2_misere().ranking]
    guessed, known = list(state_claims(right)), list(state_claims(right, (), ranking))
    assert any("movers" in each.rests_on for each in guessed)
    assert [each.is_known for each in guessed] == ["movers" not in e.rests_on for e in guessed]
    assert all(each.is_known for each in known)
    unsure = [*ranking, Bounded(t.Name("a"), 0, is_sure=False)]
    for order in (unsure, unsure[::-1]):
        parts = {each.part: each.is_known for each in state_claims(right, (), order)}
        assert not parts.pop("termination") and all(parts.values())


# --- far states -------------------------------------------------------------------------------

MEMBERS = "const k = 3 var v legal v >= 0 action take(j) pre 1 <= j <= k and j <= v eff v := v - j"


def of_members(losing):
    spec = parse(Source("take", f"game take {MEMBERS}"))
    said = parse_formula(losing, ("v",), constants=("k",))
    of = spec.members(("k",), {})
    at_least = parse_formula("k >= 1", (), constants=("k",))
    of = replace(of, legal=t.And((at_least, of.legal)))
    return Solution(of, "normal", "conditional", Claim(t.Not(said)), Claim(said))


@pytest.mark.parametrize(
    ("losing", "is_linear"),
    [
        ("2 * v = 3 * k", True),
        ("v * 2 = k * (1 + 2)", True),
        ("v mod (1 + 2) = 0 and (v + k) div 2 = 4", True),
        ("k * v = 4", False),
        ("(v + 1) * (k + 2) = 4", False),
        ("v mod (k + 1) = 0", False),
        ("(v + k) div k = 2", False),
    ],
)
def test_members_are_drawn_where_a_constant_is_a_factor_or_a_divisor(losing, is_linear):
    """A sum of fixed multiples is linear: of three numbers in a row the middle is the mean."""
    assert (_constants_in_products(of_members(losing)) == ()) is is_linear


def test_states_of_all_drawn_members_are_looked_at():
    """Take 1 to k: by definition lost are the multiples of k + 1.

    Faults it sees: no states, those of one member only, a wrong member passed over.
    """
    right = check_far(of_members("v mod (k + 1) = 0"), Budget(20), states=60)
    assert right.states >= 40 and right.disagreements == 0
    wrong = check_far(of_members("v mod (k + 2) = 0"), Budget(20), states=60)
    assert wrong.disagreements and wrong.witness["k"] >= 1


def test_moves_alone_do_not_decide_a_game_that_forbids_them():
    """Faults it sees: an answer of a blocking game judged by the moves of the plain one."""
    few = NIM2.replace("a >= 0 and b >= 0", "0 <= a <= 3 and 0 <= b <= 3")
    right = replace(nim2(), game=game(few))
    assert check_all(right, Budget(20), 100, right.ranking).states == 16
    blocking = replace(right, game=replace(right.game, block=1))
    assert check_all(blocking, Budget(20), 100, right.ranking) is None
