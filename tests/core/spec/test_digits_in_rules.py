"""Rules whose preconditions speak of binary digits: what they mean, and what is proved of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plain_play import loser

from icgsynth.budget import Budget
from icgsynth.errors import InputError, Refused
from icgsynth.game.game import without_digits
from icgsynth.game.solution import Claim
from icgsynth.game.strategy import Rule, SemiGroundAction, Strategy
from icgsynth.logic.build import negation
from icgsynth.logic.evaluate import satisfies
from icgsynth.prove.certificate import verify_answer
from icgsynth.prove.well_formed import check_twice
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse, parse_formula, parse_term
from icgsynth.spec.source import Source

TAKE = "game g\nvar n\nlegal n >= 0\n{}action take(k) pre {} eff n := n - k\n"
POWERS = TAKE.format("", "lowpart(k) = k and 1 <= k <= n")
EVEN_ZEROS = TAKE.format("", "zeros(k) mod 2 = 0 and 1 <= k <= 4 and k <= n")


def game_of(text):
    return parse(Source("rules", text)).game()


def test_the_moves_are_those_of_the_digits():
    taken = [dict(move.arguments)["k"] for move in game_of(POWERS).moves((40,))]
    assert taken == [1, 2, 4, 8, 16, 32]
    taken = [dict(move.arguments)["k"] for move in game_of(EVEN_ZEROS).moves((40,))]
    assert taken == [1, 3, 4]


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("text", [POWERS, EVEN_ZEROS])
def test_answers_are_those_of_plain_play(text, rule):
    """Of powers of two: no power is a multiple of 3, so n mod 3 tells who loses."""
    found = solve(game_of(text), rule, Budget(60))
    assert found.is_proved
    is_lost = loser(found.game, rule)
    for n in range(80):
        losing = satisfies(found.losing_formula, {"n": n})
        assert losing == is_lost((n,))
        if text == POWERS:
            assert losing == (n % 3 == (rule == "misere"))
    assert text != POWERS or found.explicit.far.states > 0


def test_what_is_proved_without_the_digits_is_not_refuted_without_them():
    """Without its digits this game never ends: k may be 0.  Kills a report that calls it refuted,
    and one that calls it proved."""
    report = check_twice(game_of(TAKE.format("", "lowpart(k) != 0 and 0 <= k <= n")), Budget(20))
    assert report.termination.verdict == "unknown"
    assert report.cycle is None


def test_moves_without_the_digits_are_all_moves_and_perhaps_more():
    text = TAKE.format("", "(lowpart(k) = k or k = 3) and not (zeros(k) mod 2 = 1) and 1 <= k <= n")
    game = game_of(text)
    more = without_digits(game)
    for n in range(20):
        assert set(game.moves((n,))) <= set(more.moves((n,)))
    assert not more.has_digits


@pytest.mark.parametrize(
    "text",
    [
        TAKE.format("end lowpart(n) = 4\n", "1 <= k <= n"),
        "game g var n legal n >= 0 action t pre n >= 1 eff n := shift(n)",
    ],
)
def test_digits_elsewhere_are_refused(text):
    with pytest.raises(InputError, match="is not linear"):
        parse(Source("rules", text))


def test_families_and_coq_refuse_digits():
    spec = parse(Source("rules", "game g const c = 1 " + POWERS.removeprefix("game g\n")))
    with pytest.raises(InputError, match="digits in these rules"):
        spec.members(("c",), {})
    from icgsynth.coq.coq_file import coq

    with pytest.raises(Refused, match="not for Coq yet"):
        coq(solve(spec.game(), "normal", Budget(60)))


def test_a_linear_answer_to_rules_with_digits_is_judged_by_automata():
    """Kills a verdict that asks linear deciders, and an export that leaves out what the move
    requires."""
    found = solve(game_of(POWERS), "normal", Budget(60))
    take = SemiGroundAction("take", (("k", parse_term("n mod 3", ("n",))),))
    right = parse_formula("n mod 3 != 0", ("n",))
    plain = replace(found, strategy=Strategy((Rule(right, take),)), cover=(right,))
    report = check_twice(found.game, Budget(20))
    for text, verdict in (("n mod 3 = 0", "proved"), ("n mod 3 = 1", "refuted")):
        losing = parse_formula(text, ("n",))
        claimed = replace(plain, losing=Claim(losing), winning=Claim(negation(losing)))
        assert verify_answer(report, claimed, Budget(30))["winning"].verdict == verdict
    with pytest.raises(InputError, match="beyond linear arithmetic"):
        plain.refuse_digits("an ASP program")
