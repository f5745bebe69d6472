"""Who wins at one state, and how a formula of somebody stands, against plain recursion.

Kills: a winner and a loser that are exchanged, a move that does not lead to a lost state, a state
that is called a counterexample and is none, and a far state that the formula is not asked about.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from catalog_answers import solved
from commands import call, refused
from hand_solved import NIM2, nim2
from plain_play import loser, worth

import icgsynth as icg
from icgsynth.budget import UNBOUNDED, Budget, silent
from icgsynth.cli import run
from icgsynth.errors import BudgetSpent
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, label
from icgsynth.formats.answer_sheet import sheet_pages
from icgsynth.game.answers import BoxCheck, FarCheck, Finding, Verdict
from icgsynth.game.drawn import DrawnStates
from icgsynth.game.game import Move
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, SemiGroundAction, Strategy
from icgsynth.logic.build import negation
from icgsynth.logic.evaluate import satisfies
from icgsynth.prove.certificate import Certificate
from icgsynth.solve.search import Search
from icgsynth.spec.icg import parse, parse_formula, parse_term
from icgsynth.spec.source import Source
from icgsynth.subjects import AskedVerdict, position_questions
from icgsynth.subjects.position_questions import (
    PositionAnswer,
    _contradiction,
    by_formula,
    of_claim,
    to_position,
)
from icgsynth.subjects.question import Question, Told, Work

GAMES = {
    name: icg.load(name).game for name in ("nim2", "take_away", "chomp_2row", "wythoff", "nim3")
}
LARGE = 10**30
FORMULAS = ("a = b", "a = b + 1", "a <= b", "a + b <= 1", "a = b and a != 3", "a mod 2 = b mod 2")


def at(capfd, name, rule, state, *more):
    written = ",".join(map(str, state))
    done = call(capfd, "solve", name, "--rule", rule, "--at", written, "--json", *more)
    return done.returncode, json.loads(done.stdout) if done.stdout else {}


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("name", GAMES)
def test_one_state_is_as_by_plain_recursion(capfd, name, rule):
    """Of an end, a lost and a won state, each solved anew."""
    game, is_lost = GAMES[name], loser(GAMES[name], rule)

    legal = [s for s in product(range(10), repeat=len(game.variables)) if game.is_legal(s)]
    random.Random(f"{name} {rule}").shuffle(legal)
    kinds = {(not list(game.moves(state)), is_lost(state)): state for state in legal}
    assert len(kinds) == 3
    for state in kinds.values():
        code, found = at(capfd, name, rule, state)
        assert (code, found["proved"], found["state"]) == (0, True, list(state))
        assert found["winning"] is not is_lost(state)
        over = not list(game.moves(state))
        if not found["winning"] or over:
            assert found["move"] is None
            continue
        named = found["move"]
        numbers = tuple((parameter, int(text)) for parameter, text in named["args"].items())
        assert game.result(state, Move(named["action"], numbers)) == tuple(named["state"])
        assert is_lost(tuple(named["state"]))


def test_a_far_state_is_read_off_the_formula(capfd):
    code, found = at(capfd, "nim2", "normal", (LARGE + 5, LARGE))
    assert (code, found["winning"], found["move"]["args"]) == (0, True, {"k": "5"})


def test_a_small_state_of_an_unsolved_game_is_played_out(capfd):
    is_lost = loser(icg.load("chomp_3row").game, "normal")
    for state in ((3, 2, 0), (3, 2, 1)):  # a lost state and a won one
        code, found = at(capfd, "chomp_3row", "normal", state, "--timeout", "1")
        assert (code, found["winning"]) == (0, not is_lost(state))


def test_a_state_is_proved_by_the_formulas_where_no_strategy_is():
    """Kills: exit code 4 beside a state that is solved, a move by rules without a proof, and a
    state that is called proved where one engine alone stands behind the formulas."""
    game, solution = icg.load("nim2").game, solved("nim2")
    less = dict(solution.proof) | {"strategy": Verdict.UNKNOWN}
    one = SemiGroundAction("take_a", (("k", parse_term("1", game.variables)),))
    wrong = Strategy((Rule(parse_formula("a >= 1", game.variables), one),))
    open_answer = replace(solution, status="conditional", proof=less, strategy=wrong)
    for part in ("winning", "termination"):
        alone = dict(solution.confirmed) | {part: solution.confirmed[part][:1]}
        once = replace(open_answer, confirmed=alone)
        assert not by_formula(PositionAnswer((3, 1), game, "normal"), once).is_proved
    for state in product(range(4), repeat=2):
        found = by_formula(PositionAnswer(state, game, "normal"), open_answer)
        assert found.is_proved and (found.winner == "winning") == (state[0] != state[1])
        if found.winner == "winning":
            assert len(set(game.result(state, found.move))) == 1


@pytest.mark.parametrize("state", ["5", "3,-1", "a,b", "", "1,2,3"])
def test_what_is_no_legal_state_is_told(capfd, state):
    done = call(capfd, "solve", "nim2", "--at", state)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("icgsynth: ")


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_proved_or_refuted_at_a_state(capfd, text, rule):
    game = GAMES["nim2"]
    is_lost, formula = loser(game, rule), parse_formula(text, game.variables)
    done = call(capfd, "verify", "nim2", "--losing", text, "--rule", rule, "--json")
    found = json.loads(done.stdout)
    if (text, rule) == ("a = b", "normal"):  # Bouton 1901
        assert (done.returncode, found["verdict"]) == (0, "proved")
        assert found["counterexample"] is None
        return
    assert (done.returncode, found["verdict"]) == (3, "refuted")
    state = tuple(found["counterexample"]["state"])
    assert satisfies(formula, game.env(state)) is not is_lost(state)
    if (there := found["counterexample"]["leads_to"]) is not None:
        assert satisfies(formula, game.env(state))
        assert satisfies(formula, game.env(there))
        assert any(game.result(state, move) == tuple(there) for move in game.moves(state))


def test_a_claim_that_is_wrong_far_away_alone_is_refuted(capfd):
    """No box reaches the state, so the proof has to find it."""
    text = f"a = b and a != {LARGE}"
    done = call(capfd, "verify", "nim2", "--losing", text, "--json")
    assert done.returncode == 3
    state = json.loads(done.stdout)["counterexample"]["state"]
    assert max(state) >= LARGE


@pytest.mark.parametrize(("term", "code"), [("a xor b", 0), ("a + b", 3), ("abs(a - b)", 3)])
def test_a_value_is_proved_or_refuted_at_a_state(capfd, term, code):
    done = call(capfd, "verify", "nim2", "--value", term, "--json")
    found = json.loads(done.stdout)
    assert done.returncode == code
    if code:
        a, b = found["counterexample"]["state"]
        claimed = {"a + b": a + b, "abs(a - b)": abs(a - b)}[term]
        assert worth(GAMES["nim2"])((a, b)) != claimed


def test_one_claim_at_a_time(capfd):
    for given in ((), ("--losing", "a = b", "--winning", "a != b")):
        done = call(capfd, "verify", "nim2", *given)
        assert done.returncode == 2
        assert "--losing, --winning and --value" in done.stderr


def test_the_rules_are_said_in_words(capfd):
    said = call(capfd, "solve", "subtraction_23", "--words").stdout
    assert "If v leaves remainder 2 when divided by 5, take 2 from v." in said
    assert "Take the remainder when v is divided by 4 from v." in (
        call(capfd, "solve", "take_away", "--words").stdout
    )


def test_a_sheet_for_a_class_is_written_as_pdf(capfd, tmp_path):
    """The text of the pages is compressed, so what is on them is read before it is drawn."""
    pytest.importorskip("fpdf", reason="a sheet is a PDF")
    answer, sheet = tmp_path / "a.json", tmp_path / "a.pdf"
    assert call(capfd, "solve", "take_away", "--set", "n=4", "-o", answer).returncode == 0
    assert call(capfd, "export", answer, "-o", sheet).returncode == 0
    assert sheet.read_bytes().startswith(b"%PDF")
    solution = icg.load("take_away", {"n": 4}).solve()
    asked, answers = (
        [shape.text for shape in page.shapes if hasattr(shape, "text")]
        for page in sheet_pages(solution)
    )
    states = [int(text.rpartition("= ")[2]) for text in asked if ".  v = " in text]
    assert len(states) == 8
    assert all(v % 5 for v in states)  # none of them is lost
    assert "Name" in asked
    assert any("Take the remainder when v is divided by 5 from v." in text for text in answers)
    assert "Rules" in asked and not any("loses where" in text for text in asked)
    assert sum("By rule 1: take" in text for text in answers) == 8
    assert call(capfd, "export", answer, "--to", "pdf").returncode == 2


def test_a_state_without_a_good_move_has_none(capfd):
    """Kills: only moves near the bounds of a parameter are looked at for a move to a lost state.

    From 100 the move to 50 is in the middle of all; so 100 is no state where the claim fails.
    """
    game = GAMES["nim2"]
    formula = parse_formula("a = 50 and b = 0", game.variables)
    claim = Solution(
        game, "normal", "unknown", winning=Claim(negation(formula)), losing=Claim(formula)
    )
    assert not _contradiction(claim, (100, 0), UNBOUNDED)[0]
    assert _contradiction(claim, (40, 0), UNBOUNDED)[0]


@pytest.mark.parametrize("name", ["blocking_nim", "blocking_wythoff"])
def test_where_options_are_forbidden_a_move_and_the_reason_are_named(capfd, name):
    """Against the labels of a box: as many moves to lost states as decide who wins."""
    game = icg.load(name).game
    labels = label(game, Box.of(game, 8), "normal")
    for state in ((5, 7), (0, 1), (0, 0)):
        lost = {
            after
            for move in game.moves(state)
            if labels.at(after := game.result(state, move)) == LOSING
        }
        code, out, err = call(capfd, "solve", name, "--at", ",".join(map(str, state)), "--json")
        assert code == 0, err
        found = json.loads(out)
        assert found["winning"] == (len(lost) > game.block)
        assert found["why"]
        if found["winning"]:
            assert tuple(found["move"]["state"]) in lost
        else:
            assert found["move"] is None


SKIPS = """game skips
var a, b
legal a >= 0 and b >= 0 and exists k. a = 3 * k + b
action left(k) pre 1 <= k <= a and forall j. (k != 2 * j or j <= b) eff a := a - k
action right(k) pre 1 <= k <= b eff b := b - k
"""


def test_rules_with_quantifiers_are_asked_about_one_state(capfd, tmp_path):
    """Each ended in a traceback.  Below, their meaning is written in Python by hand."""

    def after(state: tuple[int, int]) -> list[tuple[int, int]]:
        a, b = state
        left = [(a - k, b) for k in range(1, a + 1) if k % 2 == 1 or k <= 2 * b]
        right = [(a, b - k) for k in range(1, b + 1)]
        return [(x, y) for x, y in (*left, *right) if (x - y) % 3 == 0]

    @cache
    def value(state: tuple[int, int]) -> int:
        met = {value(there) for there in after(state)}
        return next(n for n in range(len(met) + 1) if n not in met)

    path = tmp_path / "skips.icg"
    path.write_text(SKIPS, "utf-8")
    won = json.loads(call(capfd, "solve", path, "--at", "7,4", "-t", 2, "-q", "--json").stdout)
    assert won["winning"] is (value((7, 4)) != 0) is True
    assert value(tuple(won["move"]["state"])) == 0
    for state in ((7, 4), (5, 5), (9, 0), (2, 8)):
        at = ("--at", ",".join(map(str, state)), "-q", "--json")
        assert json.loads(call(capfd, "value", path, *at).stdout)["value"] == value(state)
        listed = [move["k"] for _, move in icg.load(path).moves(state)]
        assert len(listed) == len(after(state))
    wrong = json.loads(call(capfd, "verify", path, "--losing", "a = b", "-q", "--json").stdout)
    state = tuple(wrong["counterexample"]["state"])
    assert (state[0] == state[1]) != (value(state) == 0)
    assert "not a legal state" in refused(capfd, "solve", path, "--at", "7,5")


@pytest.mark.slow
def test_a_state_whose_moves_leave_its_box_is_played_out_in_a_larger_one(capfd, monkeypatch):
    """Moves of the Triangle Game go up: of 50 states of an unsolved game 35 were unknown."""
    game = icg.load("triangle_game").game
    labels = label(game, Box.of(game, 24), "normal")
    state = next(
        s for s in map(tuple, labels.states.tolist()) if min(s) > 3 and labels.at(s) == LOSING
    )
    small = label(game, Box.of(game, max(state)), "normal")
    assert small.at(state) != LOSING  # it takes the larger box
    at = ("--at", ",".join(map(str, state)), "-t", 20, "-q", "--json")
    found = json.loads(call(capfd, "solve", "triangle_game", *at).stdout)
    assert (found["winning"], found["move"]) == (False, None)


def test_a_box_as_wide_as_the_sum_of_the_piles_is_tried_before_the_largest(monkeypatch):
    """Moves put counters on the other pile.  Neighbouring triangular numbers are lost (Kimura).

    A mutant without that box plays out one of 20,000 states, for which there is no time.
    """
    game = icg.load("triangular_wythoff").game
    unsolved = Search(game, "normal", Budget(0)).unknown("no time")
    monkeypatch.setattr(position_questions, "_PLAY", 0.0)  # or play from the state says it first
    for state, winner in (((6, 10), "losing"), ((10, 15), "losing"), ((10, 14), "winning")):
        question = to_position(
            Question(lambda *_: Work(lambda: unsolved), lambda _: Told(Verdict.UNKNOWN, str, dict)),
            game,
            "normal",
            ",".join(map(str, state)),
        )
        found = question.search(Budget(60), silent).run()
        assert found.winner == winner
        assert f"a box of {(sum(state) + 1) ** 2:,} states" in found.by


def test_a_search_that_is_stopped_at_once_answers_about_the_position(monkeypatch):
    """Nothing is played before the search can be asked what it knows, so that JSON is right."""

    def never(*_):
        raise AssertionError("the search began before it could be stopped")

    monkeypatch.setattr(position_questions, "by_play", never)
    solving = Question(never, lambda _: Told(Verdict.UNKNOWN, str, dict))
    question = to_position(solving, GAMES["nim2"], "normal", "5,3")
    stopped = question.search(Budget(60), silent).unknown("no time")
    found = question.shown(stopped).value()
    assert (found["kind"], found["game"], found["state"]) == ("position", "nim2", [5, 3])
    assert (found["status"], found["by"]) == ("unknown", "no time")


def test_json_without_an_answer_is_of_the_kind_position(monkeypatch, capfd):
    def spend(*_):
        raise BudgetSpent("the time is out")

    monkeypatch.setattr(position_questions, "require_defined", spend)
    code, found = at(capfd, "nim2", "normal", (5, 3))
    assert (code, found["kind"], found["why"]) == (4, "position", "the time is out")


THIRD = """game third
var n
legal n >= 0
action take(k) pre 1 <= k and 3 * k <= n eff n := n - k
"""


def test_a_far_state_without_a_formula_is_decided_by_its_value(tmp_path, capsys):
    """At most a third is taken: after the lost number p the next lost one is the first n with
    n - n div 3 > p, for from each number between them p is reached.

    Faults it sees: a value read as who wins the wrong way round; a move to a won state.
    """
    path = tmp_path / "third.icg"
    path.write_text(THIRD)
    lost = [0]
    while lost[-1] < 10**7:
        n = lost[-1] + 1
        while n - n // 3 <= lost[-1]:
            n += max(1, (lost[-1] - (n - n // 3)) // 2)
        lost.append(n)
    assert run(["solve", str(path), "--at", str(lost[-1])]) == 0
    assert "the player to move loses" in capsys.readouterr().out
    state = lost[-1] + 1
    assert run(["solve", str(path), "--at", str(state), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["winning"] and found["proved"]
    assert found["move"]["state"] == [lost[-1]]
    assert 3 * int(found["move"]["args"]["k"]) <= state


ROUND = """game round
var a, b, t
legal 0 <= a <= 6 and 0 <= b <= 2 and 0 <= t <= 1
action take(k) pre (k = 1 and b > 0 or k = 3 or k = 2 and t = 1) and k <= a eff a := a - k, t := 0
action turn pre b = 1 eff b := 2
action back pre b = 2 and a != 3 eff b := 1
"""


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_a_state_from_which_play_need_never_end_is_won_lost_or_drawn(capfd, tmp_path, rule):
    """Against rounds of "won if a move leads to a lost state, lost if all lead to won ones".

    Faults it sees: drawn called unknown or lost, a move out of the draw, and an ``or`` that
    bounds a parameter and is not read.
    """

    def after(state):
        a, b, t = state
        sizes = {3} | ({1} if b > 0 else set()) | ({2} if t else set())
        found = {(a - k, b, 0) for k in sizes if k <= a}
        found |= {(a, 2, t)} if b == 1 else set()
        return found | ({(a, 1, t)} if b == 2 and a != 3 else set())

    states, known = list(product(range(7), range(3), range(2))), {}
    for _ in states:
        for state in states:
            there = after(state)
            if any(known.get(s) is False for s in there) or (not there and rule == "misere"):
                known[state] = True
            elif all(known.get(s) for s in there):
                known[state] = False
    path = tmp_path / "round.icg"
    path.write_text(ROUND, "utf-8")
    assert {known.get(s) for s in states} == {True, False, None}
    for state in states[::5]:
        code, found = at(capfd, path, rule, state)
        assert (code, found["proved"], found["winning"]) == (0, True, known.get(state) is True)
        assert found.get("drawn", False) is (known.get(state, "drawn") == "drawn")
        if found["move"] is not None:
            there = tuple(found["move"]["state"])
            assert there in after(state)
            assert known.get(there) is (False if found["winning"] else None)


@pytest.mark.parametrize("part", ["winning", "termination"])
@pytest.mark.parametrize("stands", [Verdict.UNKNOWN, Verdict.ASSUMED, Verdict.REFUTED, None])
def test_formulas_say_who_wins_only_where_they_and_the_end_of_play_are_proved(part, stands):
    """Faults it sees: one of the two proofs that is not asked for; a missing one taken as made."""
    right = nim2()
    proof = {each: known for each, known in right.proof.items() if each != part}
    proof |= {} if stands is None else {part: stands}
    for state in ((LARGE, LARGE), (LARGE, 3)):
        nothing = PositionAnswer(state, right.game, "normal")
        found = by_formula(nothing, right)
        assert found.is_proved and (found.winner == "losing") is (len(set(state)) == 1)
        assert by_formula(nothing, replace(right, proof=proof)) is None


@pytest.mark.parametrize("status", ["conditional", "unknown"])
def test_a_state_is_proved_only_by_an_answer_that_is(status):
    """Faults it sees: a state called proved by an answer which a second engine does not confirm."""
    answer = replace(nim2(), status=status)
    found = by_formula(PositionAnswer((8, 5), answer.game, "normal"), answer)
    assert found is None or not found.is_proved
    without = replace(nim2(), losing=None)
    assert by_formula(PositionAnswer((8, 5), answer.game, "normal"), without) is None


def test_where_draws_are_stated_play_need_not_end():
    """One takes 1, or waits from 2 on: 1 is won, 0 is lost, who has more waits for ever.

    Faults it sees: an end of play asked for, a drawn state called won or lost.
    """
    game = icg.loads(
        "game wait var v legal v >= 0 action take pre v >= 1 eff v := v - 1 "
        "action wait pre v >= 2 eff v := v"
    ).game
    lost, won, drawn = (parse_formula(f"v {text}", ("v",)) for text in ("= 0", "= 1", ">= 2"))
    moves = [
        Rule(when, SemiGroundAction(name, ())) for when, name in ((won, "take"), (drawn, "wait"))
    ]
    answer = Solution(
        game,
        "normal",
        "solved",
        Claim(won),
        Claim(lost),
        strategy=Strategy(tuple(moves[:1])),
        proof={"winning": Verdict.PROVED, "termination": Verdict.REFUTED},
        draws=DrawnStates(drawn, (lost, won), Strategy(tuple(moves[1:]))),
    )
    for v, winner in ((0, "losing"), (1, "winning"), (2, "drawn"), (LARGE, "drawn")):
        assert by_formula(PositionAnswer((v,), game, "normal"), answer).winner == winner


@pytest.mark.parametrize(("rule", "ends"), [("misere", True), ("normal", False)])
def test_values_say_who_wins_under_normal_play_that_ends(monkeypatch, rule, ends):
    """Faults it sees: a Grundy value asked for under misere play, or where play may not end."""
    game, asked = GAMES["nim2"], []
    monkeypatch.setattr(position_questions, "grundy", lambda *_, **__: asked.append(1))
    monkeypatch.setattr(position_questions, "_labels", lambda *_: None)  # no box has the state
    proof = {"termination": Verdict.PROVED} if ends else {}
    unsolved = replace(Search(game, rule, Budget(0)).unknown("no time"), proof=proof)
    question = to_position(
        Question(lambda *_: Work(lambda: unsolved), lambda _: Told(Verdict.UNKNOWN, str, dict)),
        game,
        rule,
        f"{LARGE},{LARGE}",
    )
    found = question.search(Budget(20), silent).run()
    assert not asked and found.winner is None and not found.is_proved


def test_a_claim_is_read_in_binary():
    """By definition the first wrong state of "the xor is 0, and a is not 7" is (7, 7)."""
    few = parse(Source("nim", NIM2.replace("b >= 0", "b >= 0 and a <= 8 and b <= 8"))).game({})
    found = of_claim(few, "losing", "a xor b = 0 and a != 7", AskedVerdict())
    told = found.search(Budget(20), silent).run()
    assert told.verdict is Verdict.REFUTED
    assert told.found["counterexample"]["state"] == [7, 7]


@pytest.mark.parametrize("found", ["proof", "far", "neither"])
def test_what_refutes_a_claim_is_told_whichever_check_found_it(monkeypatch, found):
    """Faults it sees: the witness of one of two checks that is lost; none taken for a state.

    The claim is wrong at one state, which is the witness.
    """
    witness = {"a": 9, "b": 9}
    by_proof = Finding(Verdict.REFUTED, "wrong", witness if found == "proof" else None)
    far = FarCheck(9, 9, 1, "wrong", witness) if found == "far" else FarCheck(9, 9, 0)
    parts = {"winning": Finding(Verdict.UNKNOWN) if found == "far" else by_proof}

    def certify(claim, budget):
        return Certificate(claim, None, parts, BoxCheck(0, 0, 0, far))

    monkeypatch.setattr(position_questions, "certify", certify)
    monkeypatch.setattr(position_questions, "_in_a_box", lambda *_: None)
    asked = of_claim(GAMES["nim2"], "losing", "a = b and a != 9", AskedVerdict())
    told = asked.search(Budget(9), silent).run()
    assert told.verdict is Verdict.REFUTED
    shown = (told.found or {}).get("counterexample")
    assert shown is None if found == "neither" else shown["state"] == [9, 9]
