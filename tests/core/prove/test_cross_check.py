"""The second solver confirms what is proved, refutes what is wrong, and is heard if it differs."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache

import catalog_answers
import commands
import pytest
from hand_solved import chomp, chomp_misere, game, nim2, nim2_misere, solved, take_away
from hypothesis import given, settings
from hypothesis import strategies as st
from speed import sampled

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.claims.game import Bounded, ranking_of, termination
from icgsynth.claims.stated import state_claims
from icgsynth.formats.smt2 import smt2, smt2_files, smt2_of
from icgsynth.game.answers import Verdict
from icgsynth.game.game import Move
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Strategy
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.smtlib import symbol
from icgsynth.prove import crosscheck
from icgsynth.prove.certificate import certify
from icgsynth.prove.crosscheck import ask, cross_check
from icgsynth.prove.deciders.smt import SolverReply, satisfy
from icgsynth.prove.ranking_function import Ranking
from icgsynth.prove.well_formed import Movers
from icgsynth.spec.icg import parse_formula, parse_term

pytest.importorskip("cvc5", reason="the cvc5 extra is not installed")

PROVED, REFUTED, UNKNOWN = Verdict.PROVED, Verdict.REFUTED, Verdict.UNKNOWN
CATALOG = [
    *itertools.product(
        (
            "chomp_2row",  # a declared end
            "circular_nim_2_2",
            "modular_nim2",  # remainders
            "monotonic_nim2",
            "nim2",
            "odd_only",
            "race_to_goal",  # a ranking that falls below 0
            "subtraction2",
            "take_away",
            "subtraction_23",
            "welter2",
        ),
        ("normal", "misere"),
    ),
    ("poker_nim2", "normal"),  # a ranking of two components
]


@cache
def answer(name, rule):
    found = catalog_answers.solved(name, rule)
    assert found.status == "solved"
    return found


@cache
def certificate(name, rule):
    return certify(answer(name, rule), Budget(30))


def judged(solution):
    """The certificate of an answer, and the second opinion on it."""
    first = certify(solution, Budget(30))
    return first, cross_check(first, Budget(30))


def with_formulas(solution, losing):
    """Other formulas, and neither cover nor tree to trip over first."""
    variables = solution.game.variables
    changed = {
        "losing": replace(solution.losing, formula=parse_formula(losing, variables)),
        "winning": replace(solution.winning, formula=parse_formula(f"not ({losing})", variables)),
    }
    return replace(solution, cover=(), tree=(), **changed)


# --- agreement ---------------------------------------------------------------------------


@sampled(("name", "rule"), CATALOG)
def test_what_is_proved_is_confirmed(name, rule):
    first = certificate(name, rule)
    second = cross_check(first, Budget(30))
    assert first.verdict == second.verdict == "proved"
    assert list(second.parts) == list(first.parts)
    assert not second.disputes
    for part, opinion in second.parts.items():
        assert opinion.verdict is PROVED and opinion.why == "" and opinion.witness is None
        is_still = part == "ending" and str(first.solution.game.end) == "false"
        assert second.obligations[part] or is_still


@sampled(("name", "rule"), CATALOG, fast=6)
def test_every_exported_obligation_is_decided_as_written(name, rule):
    solution = answer(name, rule)
    files = list(smt2_files(solution))
    assert len({file for file, _ in files}) == len(files)
    assert {file.split("-")[1] for file, _ in files} >= {"termination", "winning", "strategy"}
    for file, text in files:
        assert ask(text, Budget(20)).kind == "unsat", file
        assert "(set-info :status unsat)" in text or file.endswith("has-a-move.smt2"), file


@pytest.mark.parametrize(("name", "rule"), [("nim2", "normal"), ("take_away", "misere")])
def test_formulas_alone_are_confirmed_with_quantifiers(name, rule):
    first, second = judged(
        replace(answer(name, rule), strategy=Strategy(), tree=Strategy(), cover=())
    )
    assert first.verdict == second.verdict == "proved"
    assert list(second.parts) == ["closure", "ending", "termination", "winning"]
    script = smt2(first.solution)
    assert "(forall ((k Int))" in script and "(set-logic ALL)" in script


QUANTIFIED = """game evens "Take an even number"
var a, b
legal a >= 0 and b >= 0
action take_a(k) pre 1 <= k <= a and exists h. k = 2 * h eff a := a - k
action take_b(k) pre 1 <= k <= b and exists h. k = 2 * h eff b := b - k
"""


@pytest.mark.slow
def test_rules_with_quantifiers_are_given_as_written():
    """The certificate is about rules without quantifiers; the second opinion need not be."""
    first = certify(icg.loads(QUANTIFIED).solve(timeout=30), Budget(30))
    rules = icg.loads(QUANTIFIED).game
    asked = replace(first, solution=replace(first.solution, game=rules))
    assert "(exists ((h Int))" in smt2(asked.solution)
    assert cross_check(asked, Budget(30)).verdict is PROVED


# --- what is wrong -----------------------------------------------------------------------


def edited_strategy(solution, place, term):
    """One argument of the pair at ``place`` replaced."""
    pairs = list(solution.strategy)
    act = pairs[place].act
    name = act.arguments[0][0]
    other = replace(act, arguments=((name, parse_term(term, solution.game.variables)),))
    pairs[place] = replace(pairs[place], act=other)
    return replace(solution, strategy=Strategy(tuple(pairs)), tree=Strategy(), cover=())


WRONG = [
    (lambda: with_formulas(nim2(), "a = b + 1"), "winning"),
    (lambda: with_formulas(nim2(), "a = b or a = b + 7"), "winning"),
    (lambda: with_formulas(nim2(), "a = b and a <= 50"), "strategy"),
    (lambda: with_formulas(nim2_misere(), "a = b"), "winning"),
    (lambda: with_formulas(take_away(), "v mod 3 = 0"), "winning"),
    (lambda: with_formulas(replace(nim2(), strategy=Strategy()), "false"), "winning"),
    (lambda: with_formulas(replace(take_away(), strategy=Strategy()), "v mod 12 = 0"), "winning"),
    (lambda: edited_strategy(nim2(), 0, "a - b - 1"), "strategy"),
    (lambda: edited_strategy(chomp(), 0, "b + 3"), "strategy"),
    (lambda: replace(nim2(), strategy=nim2().strategy[1:], tree=Strategy(), cover=()), "strategy"),
    (lambda: replace(nim2(), cover=nim2().cover[1:]), "cover"),
    (lambda: replace(nim2(), cover=(*nim2().cover, parse_formula("a = 3", ("a", "b")))), "cover"),
    (lambda: replace(nim2(), tree=nim2().tree[1:]), "fft"),
    (lambda: replace(nim2(), rule="misere", cover=(), tree=()), "winning"),
]


@pytest.mark.parametrize(("build", "part"), WRONG)
def test_what_is_wrong_is_refuted_twice(build, part):
    first, second = judged(build())
    assert first.parts[part].verdict is second.parts[part].verdict is REFUTED
    assert first.verdict == second.verdict == "refuted"
    assert not second.disputes
    opinion = second.parts[part]
    assert set(opinion.witness) >= set(first.solution.game.variables)
    assert first.solution.game.is_legal(
        tuple(opinion.witness[v] for v in "abv" if v in opinion.witness)
    )


def test_a_refuted_closure_is_only_a_warning():
    rules = "game loose var a legal a >= 0 action take(k) pre 1 <= k <= 2 eff a := a - k"
    first, second = judged(icg.loads(rules).solve(timeout=30))
    assert first.parts["closure"].verdict is second.parts["closure"].verdict is REFUTED
    assert first.verdict == second.verdict == "proved" and not second.disputes


def test_moves_that_are_not_exact_refute_nothing():
    """Without a move on the list a model shows nothing, unless the list is known to be whole."""
    first = certify(chomp_misere(), Budget(30))
    doubt = replace(first.parts["winning"], verdict=UNKNOWN)
    none = replace(
        first,
        report=replace(first.report, movers=Movers((), exact=False)),
        parts={**first.parts, "winning": doubt},
    )
    opinion = cross_check(none, Budget(30)).parts["winning"]
    assert opinion.verdict is UNKNOWN and opinion.why.startswith("a losing state")


# --- that play ends ------------------------------------------------------------------------


def test_a_wrong_ranking_is_refuted():
    first = certify(nim2(), Budget(30))
    ranking = Ranking((parse_term("a - b", ("a", "b")),), (0,))
    wrong = replace(first, report=replace(first.report, ranking=ranking))
    second = cross_check(wrong, Budget(30))
    assert second.parts["termination"].verdict is REFUTED
    assert second.verdict is REFUTED and "termination" in second.disputes[0]
    assert "the state does refute it" in second.disputes[0]


@pytest.mark.parametrize("ranking", [("a",), ("a - b",), ("-a - b",), ("b", "a - b")])
def test_a_wrong_ranking_of_a_file_is_refuted_in_the_script(ranking):
    terms = tuple(parse_term(term, ("a", "b")) for term in ranking)
    wrong = replace(nim2(), ranking=terms)
    found = [(c, ask(smt2_of(wrong, c), Budget(20)).kind) for c in state_claims(wrong)]
    z3 = [satisfy(c.parts, c.names, Budget(20)).kind for c, _ in found]
    assert z3 == [kind for _, kind in found]
    assert {kind for c, kind in found if c.part != "termination"} == {"unsat"}
    assert "sat" in {kind for c, kind in found if c.part == "termination"}


def test_bounds_come_from_the_rules():
    (low,) = ranking_of(answer("race_to_goal", "normal"))
    assert str(low.term) == "-v" and low.bound == -99 and low.is_sure
    wild = game("game g var a, b legal a >= b action up pre a > b eff b := b + 1")
    unknown = replace(nim2(), game=wild, ranking=(parse_term("a - b", ("a", "b")),))
    (guessed,) = ranking_of(unknown)
    assert guessed.bound == 0 and not guessed.is_sure
    claims = [
        c
        for c in state_claims(replace(unknown, strategy=Strategy(), tree=Strategy()))
        if c.part == "termination"
    ]
    assert claims and not any(c.is_known for c in claims)


TERMS = ["a", "b", "a + b", "a - b", "-a", "abs(a - b)", "2 * a + b"]
SWAP = """game swap
var a, b
legal a >= 0 and b >= 0
action take(k) pre 1 <= k <= a eff a := a - k
action refill(k) pre b >= 1 and 0 <= k <= 2 eff a := a + k, b := b - 1
"""


def accepts(rules, terms):
    """Whether cvc5 proves the ranking; if not, its model is a move that does not obey it."""
    accepted = True
    for obligation in termination(rules, [Bounded(t, 0) for t in terms]):
        found = ask(smt2_of(nim2(), obligation), Budget(20))
        if found.kind == "sat":
            accepted = False
            action = obligation.claim.split(" where ")[-1].split()[0]
            state = tuple(found.model[v] for v in rules.variables)
            move = Move(action, (("k", found.model["k"]),))
            assert not obeys(rules, terms, state, move), obligation.claim
    return accepted


@pytest.mark.parametrize("chosen", [*itertools.permutations(TERMS[:5], 2), *zip(TERMS)])
def test_a_ranking_against_moves_one_by_one(chosen):
    rules = icg.loads(SWAP).game
    terms = [parse_term(text, rules.variables) for text in chosen]
    box = itertools.product(range(5), repeat=2)
    moves = [(state, move) for state in box for move in rules.moves(state)]
    assert accepts(rules, terms) == all(obeys(rules, terms, *each) for each in moves)


def obeys(rules, terms, state, move):
    before = [value(t, rules.env(state)) for t in terms]
    after = [value(t, rules.env(rules.result(state, move))) for t in terms]
    unchanged = [x == y for x, y in zip(before, after, strict=True)]
    seen = before[: unchanged.index(False) + 1] if False in unchanged else before
    return after < before and min(seen) >= 0


# --- the two solvers on anything -------------------------------------------------------------


@st.composite
def formulas(draw, depth=2):
    """A formula over a and b as text: linear, with remainders and what else the language has."""
    if depth == 0:
        left, right = draw(terms()), draw(terms())
        kind = draw(st.integers(0, 4))
        if kind == 0:
            return f"{left} mod {draw(st.integers(1, 5))} = {draw(st.integers(0, 4))}"
        if kind == 1:
            return f"{left} in {{0, {draw(st.integers(1, 9))}}}"
        return f"{left} {draw(st.sampled_from(['=', '!=', '<', '<=']))} {right}"
    parts = [draw(formulas(depth=draw(st.integers(0, depth - 1)))) for _ in range(2)]
    word = draw(st.sampled_from(["and", "or", "->", "<->", "not"]))
    return f"not ({parts[0]})" if word == "not" else f"({parts[0]}) {word} ({parts[1]})"


def terms():
    numbers = st.integers(-3, 9).map(str)
    names = st.sampled_from(["a", "b"])
    wide = st.tuples(st.sampled_from(["min", "max"]), names, numbers).map(
        "{0[0]}({0[1]}, {0[2]})".format
    )
    sums = st.tuples(names, st.integers(1, 3), names).map("({0[0]} - {0[1]} * {0[2]})".format)
    halves = st.tuples(names, st.integers(1, 3)).map("({0[0]} div {0[1]})".format)
    return st.one_of(names, numbers, wide, sums, halves, names.map("abs({} - 4)".format))


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(formulas(), formulas(), terms(), st.sampled_from(["normal", "misere"]))
def test_the_solvers_never_contradict_each_other(losing, when, argument, rule):
    base = nim2() if rule == "normal" else nim2_misere()
    wrong = solved(base.game, rule, f"not ({losing})", losing, (when, "take_a", argument), tree=())
    for claim in state_claims(wrong):
        mine = ask(smt2_of(wrong, claim), Budget(2))
        other = satisfy(claim.parts, claim.names, Budget(2))
        assert {mine.kind, other.kind} != {"sat", "unsat"}, claim
        for found in (mine, other):
            if found.model is not None:
                assert all(satisfies(part, found.model) for part in claim.parts)


@pytest.mark.parametrize("names", [("sep", "bag"), ("tuple", "bvadd"), ("sqrt", "_"), ("as", "fp")])
def test_names_that_a_solver_has_taken(names):
    of = game(
        f"game g var {', '.join(names)} legal {names[0]} >= 0 and {names[1]} mod 2 = 0 "
        f"action take(sin) pre 1 <= sin <= {names[0]} eff {names[0]} := {names[0]} - sin"
    )
    x = names[0]
    right = solved(of, "normal", f"{x} > 0", f"{x} = 0", (f"{x} > 0", "take", x))
    first, second = judged(replace(right, ranking=(parse_term(x, names),)))
    assert first.verdict == second.verdict == "proved"
    assert len({symbol(name) for name in names}) == 2
    wrong = with_formulas(right, f"{x} = 1")
    assert set(judged(wrong)[1].parts["winning"].witness) >= set(names)


# --- the command -----------------------------------------------------------------------------


@pytest.fixture
def verify(tmp_path, capfd):
    """Run ``icgsynth verify``: (exit code, stdout, stderr)."""

    def call(solution: Solution, *options):
        path = tmp_path / "solution.json"
        path.write_text(json.dumps(solution.to_json()), "utf-8")
        rules = tmp_path / "game.icg"
        rules.write_text(str(solution.game), "utf-8")
        return commands.call(capfd, "verify", rules, path, *options)

    return call


def test_the_json_says_so(verify):
    code, out, _ = verify(nim2(), "--cross-check", "--json")
    said = json.loads(out)
    assert code == 0 and said["verdict"] == "proved"
    assert said["cross_check"]["solver"].startswith("cvc5 ")
    assert said["cross_check"]["verdict"] == "proved" and "disputes" not in said["cross_check"]
    asked = {name: part["cross_check"] for name, part in said["parts"].items()}
    assert all(set(of) == {"verdict", "obligations", "seconds"} for of in asked.values())
    # One for each action; the end is not declared, so nothing is asked of it.
    assert (asked["closure"]["obligations"], asked["ending"]["obligations"]) == (2, 0)


def test_without_the_flag_nothing_is_said_of_it(verify, monkeypatch):
    monkeypatch.setitem(sys.modules, "cvc5", None)
    _, out, _ = verify(nim2())
    assert "cvc5" not in out and "cross" not in out
    _, out, _ = verify(nim2(), "--json")
    assert "cross" not in out


def test_a_missing_extra_is_2(verify, monkeypatch):
    monkeypatch.setitem(sys.modules, "cvc5", None)
    code, out, err = verify(nim2(), "--cross-check")
    assert (code, out) == (2, "")
    assert "[cvc5]" in err and "Traceback" not in err


def answers(monkeypatch, reply):
    """Whatever cvc5 would have said, ``reply`` of the script says."""
    monkeypatch.setattr(crosscheck, "ask", lambda script, budget: reply(script))


def refuted(script):
    return SolverReply("sat", dict.fromkeys(re.findall(r"\(declare-const (\S+) Int\)", script), 0))


def test_a_disagreement_is_reported_with_3(verify, monkeypatch):
    answers(monkeypatch, lambda s: refuted(s) if "strategy covers" in s else SolverReply("unsat"))
    code, out, _ = verify(nim2(), "--cross-check")
    assert code == 3
    assert ": refuted" in out.splitlines()[0]
    assert "a = 0, b = 0" in out  # where cvc5 says that it fails
    (told,) = [line for line in out.splitlines() if "please report" in line]
    assert "strategy: proved here" in told and "refuted by cvc5" in told and "not refute" in told
    code, out, _ = verify(nim2(), "--cross-check", "--json")
    said = json.loads(out)
    assert (code, said["verdict"], said["cross_check"]["verdict"]) == (3, "refuted", "refuted")
    assert said["parts"]["strategy"]["verdict"] == "proved"
    assert said["parts"]["strategy"]["cross_check"]["witness"] == {"a": 0, "b": 0}
    assert len(said["cross_check"]["disputes"]) == 1


def test_so_is_a_proof_of_what_is_refuted(verify, monkeypatch):
    answers(monkeypatch, lambda _: SolverReply("unsat"))
    code, out, _ = verify(edited_strategy(nim2(), 0, "a - b + 1"), "--cross-check")
    assert code == 3
    (told,) = [line for line in out.splitlines() if "please report" in line]
    assert "strategy: refuted here" in told and "proved by cvc5" in told and "not" not in told


def test_a_doubt_of_the_second_is_4(verify, monkeypatch):
    answers(monkeypatch, lambda s: SolverReply("unknown" if "tree covers" in s else "unsat"))
    code, out, _ = verify(nim2(), "--cross-check")
    assert code == 4
    assert ": proved" in out.splitlines()[0]
    assert "cvc5 does not prove: the tree" in out
    code, out, _ = verify(nim2(), "--cross-check", "--json")
    said = json.loads(out)
    assert (code, said["verdict"], said["cross_check"]["verdict"]) == (4, "proved", "unknown")
    assert said["parts"]["fft"]["cross_check"]["claim"].startswith("the tree ")


# --- budgets -----------------------------------------------------------------------------------

PIGEONS = "".join(
    [
        "(set-logic QF_LIA)",
        *(f"(declare-const p{i} Int)(assert (<= 1 p{i} 13))" for i in range(14)),
        f"(assert (distinct {' '.join(f'p{i}' for i in range(14))}))(check-sat)",
    ]
)


def test_a_hard_question_ends_in_time():
    assert ask(PIGEONS, Budget(0.3)).kind == "unknown"


def test_without_time_nothing_is_claimed():
    second = cross_check(certify(nim2(), Budget(30)), Budget(0))
    assert second.verdict is UNKNOWN and not second.disputes
    asked = [(o, second.obligations[part]) for part, o in second.parts.items() if part != "ending"]
    assert all(o.verdict is UNKNOWN and o.why and count for o, count in asked)


@pytest.mark.parametrize("timeout", ["0.001", "0.2"])
def test_a_tiny_budget_is_kept(verify, timeout):
    code, out, _ = verify(answer("subtraction_23", "misere"), "--cross-check", "--timeout", timeout)
    assert code in ((4,) if timeout == "0.001" else (0, 4))
    assert "refuted" not in out


STUCK = """import sys, time
from icgsynth.prove import crosscheck
from icgsynth.cli import run
crosscheck.ask = lambda script, budget: (time.sleep(60), print("slept to the end"))
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.slow
def test_what_is_proved_is_told_even_if_the_second_solver_hangs(tmp_path):
    path = tmp_path / "solution.json"
    path.write_text(json.dumps(nim2().to_json()), "utf-8")
    options = ["--cross-check", "--json", "--timeout", "3"]
    done = subprocess.run(
        [sys.executable, "-c", STUCK, "verify", "nim2", str(path), *options],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    said = json.loads(done.stdout)  # and nothing else: nobody waited for the second solver
    assert done.returncode == 4 and done.stderr == ""
    assert said["verdict"] == "proved" and said["cross_check"]["verdict"] == "unknown"


def test_a_script_that_cannot_be_read_is_a_fault_of_ours():
    with pytest.raises(RuntimeError):
        ask("(set-logic QF_LIA)(assert (= a 0))(check-sat)", Budget(5))


# --- one file for each obligation -----------------------------------------------------------------


@pytest.fixture
def export(tmp_path, capfd):
    """Run ``icgsynth export``: (exit code, stdout, stderr)."""

    def call(solution, *options):
        path = tmp_path / "solution.json"
        path.write_text(json.dumps(solution.to_json()), "utf-8")
        return commands.call(capfd, "export", path, *options)

    return call


def test_split_writes_each_obligation(export, tmp_path):
    folder = tmp_path / "deep" / "obligations"
    code, out, err = export(nim2(), "--to", "smt2", "--split", folder)
    assert (code, err) == (0, "")
    files = sorted(folder.iterdir())
    assert out == f"{len(files)} obligations in {folder}\n"
    script = smt2(nim2())
    assert len(files) == script.count("(check-sat)")
    claims = re.findall(r"^; (.*)\n\(push 1\)", script, re.MULTILINE)
    for file, claim in zip(files, claims, strict=True):
        text = file.read_text("utf-8")
        assert text.count("(check-sat)") == text.count("(set-info :status unsat)") == 1
        assert f"; claim:    {claim}\n" in text
        assert re.fullmatch(r"\d\d-[a-z]+-[\w-]{1,60}\.smt2", file.name), file.name
    assert files[2].name == "03-termination-take_a-decreases-a-b.smt2"


def test_split_asks_for_an_empty_folder(export, tmp_path):
    folder = tmp_path / "obligations"
    folder.mkdir()
    assert export(nim2(), "--to", "smt2", "--split", folder)[0] == 0
    before = {path: path.read_bytes() for path in folder.iterdir()}
    code, out, err = export(take_away(), "--to", "smt2", "--split", folder)
    assert (code, out) == (2, "")
    assert "is not empty" in err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("options", [("--to", "fft"), ("--to", "smt2", "-o", "x.smt2")])
def test_split_is_for_smt2_alone(export, tmp_path, options):
    code, out, err = export(nim2(), *options, "--split", tmp_path / "obligations")
    assert (code, out) == (2, "") and "--split" in err
    assert not (tmp_path / "obligations").exists()


def test_split_into_a_place_that_is_none(export, tmp_path):
    (tmp_path / "file").write_text("")
    for place in ("file", "file/below"):
        code, out, err = export(nim2(), "--to", "smt2", "--split", tmp_path / place)
        assert (code, out) == (2, "") and "Traceback" not in err


def notes_of(solution):
    """What stands in the script before its first command, on one line."""
    head = smt2(solution).partition("\n(")[0]
    return " ".join(line.lstrip("; ") for line in head.splitlines())


def test_the_notes_say_what_the_script_holds():
    notes = notes_of(nim2())
    assert "and that play always ends" in notes and "provided" not in notes
    assert "refuted" not in notes and "among them" not in notes
    assert "provided that play" in notes_of(replace(nim2(), ranking=()))
    assert "among them" in notes_of(nim2_misere())  # a move that no rule of the strategy makes
    loose = replace(nim2(), proof={**nim2().proof, "closure": REFUTED})
    assert "closure is refuted" in notes_of(loose)


def test_an_answer_whose_strategy_is_empty_is_checked():
    """Nobody wins by a move, and yet a strategy is stated: that none is needed.  It crashed."""
    rules = "game swing var a legal a >= 0 action up pre a >= 1 eff a := a + 1 "
    rules += "action down(k) pre 1 <= k <= a eff a := a - k"
    solution = icg.loads(rules).solve(rule="misere")
    assert solution.status == "solved" and not solution.strategy and solution.draws is not None
    opinion = cross_check(certify(solution, Budget(20)), Budget(20))
    assert opinion.parts["strategy"].verdict is Verdict.PROVED and not opinion.disputes
