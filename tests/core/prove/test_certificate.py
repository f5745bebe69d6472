"""What `verify` proves: all that a file states, also with quantifiers, also where nothing moves."""

import json
import re
from dataclasses import replace

import pytest
from commands import call
from hand_solved import ALL, NIM2, game, loaded, nim2, nim2_misere

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.claims.game import ranking_of
from icgsynth.claims.stated import state_claims
from icgsynth.cli import output as codes
from icgsynth.cli import run
from icgsynth.errors import Refused
from icgsynth.export import export
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.strategy import Strategy
from icgsynth.logic.term import Int
from icgsynth.prove.certificate import certify, verify_answer
from icgsynth.prove.well_formed import Movers, check_rules

UNKNOWN = Verdict.UNKNOWN
EVENS = """game evens
var a
legal a >= 0
action take_a(k) pre 1 <= k <= a and exists h. k = 2 * h eff a := a - k
"""
STILL = "game still var v legal v >= 0 action take(k) pre 1 <= k <= 0 and k <= v eff v := v - k"


@pytest.fixture
def verify(tmp_path, capfd):
    """The exit code and the report on a spec and a solution, both given as text."""

    def verified(spec, solution, *options):
        paths = tmp_path / "game.icg", tmp_path / "solution.json"
        for path, text in zip(paths, (spec, solution), strict=True):
            path.write_text(text, encoding="utf-8")
        return call(capfd, "verify", *paths, *options)[:2]

    return verified


@pytest.mark.parametrize("build", ALL)
def test_solutions_written_by_hand_are_proved(build):
    certificate = certify(build(), Budget(30))
    assert certificate.verdict == "proved"
    assert all(finding.is_proved for finding in certificate.parts.values())
    assert certificate.explicit is not None and certificate.explicit.disagreements == 0


# --- quantifiers -------------------------------------------------------------------------


def test_what_is_solved_of_rules_with_quantifiers_is_proved(verify):
    solution = icg.loads(EVENS).solve(timeout=30)
    code, out = verify(EVENS, json.dumps(solution.to_json()))
    assert code == 0, out
    assert re.search(r"\b65 states .* 64: 0 disagree", out)


def test_answers_with_quantifiers(verify):
    right = {
        "rule": "normal",
        "winning": "exists h. a = h + 2 and h >= 0",
        "cover": ["exists h. a = 2 * h and h > 0", "a > 1 and not (exists h. a = 2 * h)"],
        "strategy": [
            {"when": "exists h. a = 2 * h and h > 0", "action": "take_a", "args": {"k": "a"}},
            {"when": "a > 1", "action": "take_a", "args": {"k": "a - 1"}},
        ],
        "fft": [{"action": "take_a", "args": {"k": "if exists h. a = 2 * h then a else a - 1"}}],
    }
    code, out = verify(EVENS, json.dumps(right))
    assert code == 0, out
    assert out.count("proved") == 8, out
    code, out = verify(EVENS, json.dumps({**right, "winning": "exists h. a = 2 * h + 2"}))
    assert code == 3, out


# --- all that is stated counts -------------------------------------------------------------


@pytest.mark.parametrize("part", ["termination", "winning", "strategy", "fft", "cover"])
def test_one_part_that_is_unknown_leaves_all_unknown(part, verify, monkeypatch):
    whole = certify(nim2(), Budget(30))
    assert whole.is_proved and set(whole.parts) >= {part}
    open_ = replace(whole, parts={**whole.parts, part: Finding(UNKNOWN, "not decided")})
    assert (open_.is_proved, open_.verdict) == (False, "unknown")
    monkeypatch.setattr("icgsynth.subjects.verdict_questions.certify", lambda *_: open_)
    code, out = verify(NIM2, json.dumps(nim2().to_json()))
    assert code == codes.UNKNOWN
    assert "normal play: unknown" in out


@pytest.mark.parametrize("part", ["closure", "ending"])
def test_claims_on_the_rules_are_no_part_of_the_answer(part):
    whole = certify(nim2(), Budget(30))
    assert replace(whole, parts={**whole.parts, part: Finding(UNKNOWN)}).is_proved


@pytest.mark.parametrize("part", ["tree", "cover", "strategy"])
def test_what_is_not_stated_need_not_be_proved(part):
    less = certify(replace(nim2_misere(), **{part: ()}), Budget(30))
    assert less.verdict == "proved"


def test_an_answer_is_solved_only_where_two_engines_proved_all_that_it_needs():
    """Mutants are content with one engine, or one such part, or pass over states that disagree."""
    whole = certify(nim2(), Budget(30))
    assert whole.solved.status == "solved" and len(whole.needed) > 2
    for part in whole.needed:
        found = whole.parts[part]
        once = replace(whole, parts={**whole.parts, part: replace(found, by=found.by[:1])})
        assert once.is_proved and (once.answer.status, once.solved) == ("conditional", None)
        open_ = replace(whole, parts={**whole.parts, part: Finding(UNKNOWN)})
        assert (open_.answer.status, open_.solved) == ("conditional", None)
    for explicit in (
        replace(whole.explicit, disagreements=1),
        replace(whole.explicit, far=replace(whole.far, disagreements=1)),
    ):
        seen = replace(whole, explicit=explicit)
        assert (seen.verdict, seen.solved) == ("refuted", None) and seen.answer.status != "solved"
    unseen = replace(whole, explicit=None)
    assert (unseen.verdict, unseen.answer.status, unseen.solved) == ("proved", "conditional", None)


def test_a_cover_or_a_tree_that_is_not_proved_is_not_handed_on():
    """A mutant hands on those alone that are not proved."""
    whole = certify(nim2(), Budget(30))
    assert (whole.answer.cover, whole.answer.tree) == (nim2().cover, nim2().tree)
    open_ = replace(whole, parts=whole.parts | dict.fromkeys(("cover", "fft"), Finding(UNKNOWN)))
    winning = nim2().winning.formula
    assert (open_.answer.cover, open_.answer.tree) == ((winning,), Strategy())


def test_a_move_that_applies_at_a_declared_end_refutes_the_end_alone():
    """A mutant asks of no move whether it applies there."""
    rules = "game g var v legal v >= 0 end v <= 1 action take() pre v >= 1 eff v := v - 1"
    report = check_rules(icg.loads(rules).game, Budget(30))
    assert (report.ending.verdict, report.ending.witness) == (Verdict.REFUTED, {"v": 1})
    assert report.closure.is_proved and report.termination.is_proved


# --- no action ever applies ------------------------------------------------------------------


def still(rule):
    return icg.loads(STILL).solve(rule, timeout=30)


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_where_nothing_moves_play_ends(rule, verify):
    solution = still(rule)
    assert (solution.status, *map(str, solution.ranking), solution.is_still) == (
        "solved",
        "0",
        True,
    )
    assert (str(solution.losing.formula), solution.strategy) == (
        str(rule == "normal").lower(),
        Strategy(),
    )
    assert re.search(r"Proved: .*\(no action ever applies\)", str(solution))
    code, out = verify(STILL, json.dumps(solution.to_json()))
    assert code == 0, out
    assert re.search("^  termination +proved +no action", out, re.MULTILINE)
    assert "strategy     proved" in out


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_where_nothing_moves_the_exports_say_so(rule):
    solution = still(rule)
    text = export(solution, "smt2")
    assert "; take never applies\n" in text and "a guess" not in text
    assert "that play always ends" in text
    assert [c.is_sure for c in ranking_of(solution)] == [True]
    ends = [c for c in state_claims(solution) if c.part == "termination"]
    assert [(c.claim, c.is_known) for c in ends] == [("take never applies", True)]
    module = loaded(solution)
    assert module["is_winning"](3) is (rule == "misere")
    assert module["move"](3) is None
    for fmt in ("latex", "asp", "json"):
        assert export(solution, fmt)
    for fmt in ("fft", "dot"):
        with pytest.raises(Refused, match="no winning state has a move to make"):
            export(solution, fmt)


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_where_nothing_moves_cvc5_agrees(rule):
    pytest.importorskip("cvc5", reason="the cvc5 extra is not installed")
    from icgsynth.prove.crosscheck import cross_check

    second = cross_check(certify(still(rule), Budget(30)), Budget(30))
    assert second.verdict is Verdict.PROVED
    assert second.obligations["termination"] == 1


def test_check_says_that_nothing_moves(tmp_path, capfd):
    path = tmp_path / "still.icg"
    path.write_text(STILL, encoding="utf-8")
    assert run(["check", str(path)]) == 0
    assert re.search("^  termination +proved +no action", capfd.readouterr().out, re.MULTILINE)


def test_a_constant_is_no_ranking_where_something_moves():
    """A file may claim it; the script of its obligations then has a model."""
    from icgsynth.prove.deciders.smt import satisfy

    wrong = replace(nim2(), ranking=(Int(0),))
    ends = [c for c in state_claims(wrong) if c.part == "termination"]
    assert [satisfy(o.parts, o.names, Budget(60)).kind for o in ends] == ["sat", "sat"]


def test_a_game_of_one_move_has_a_ranking():
    """Nothing moves from the only other state, and one move is enough for a real ranking."""
    report = check_rules(
        game("game g var a legal 0 <= a <= 1 action t pre a = 1 eff a := 0"), Budget(60)
    )
    assert str(report.ranking) == "a"


def test_an_empty_strategy_is_wrong_where_a_move_is_needed():
    report = check_rules(nim2_misere().game, Budget(30))
    answer = verify_answer(report, replace(nim2_misere(), strategy=Strategy()), Budget(30))
    assert answer["strategy"].verdict is UNKNOWN and answer["winning"].is_proved


def test_where_moves_may_be_missed_play_is_not_said_to_end(monkeypatch):
    """That no move was found in time proves nothing: sees ``movers.exact`` dropped."""
    missed = Movers((), exact=False)
    monkeypatch.setattr("icgsynth.prove.well_formed.find_movers", lambda *_: missed)
    loops = game("game loops var v legal v >= 0 action stay pre v >= 1 eff v := v")
    assert not check_rules(loops, Budget(2)).termination.is_proved
