"""False proofs that were once made, and their relatives; faults planted again, one at a time.

Each game here has an answer that is nearly right: it holds on every small state and fails far
away, or where a quantifier is misread.  A planted fault makes one engine wrong; what the program
says then has to be "unknown", never "solved".
"""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hand_solved import nim2, solved
from hypothesis import given, settings
from hypothesis import strategies as st
from speed import examples, sampled

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.claims.stated import state_claims
from icgsynth.digits.int64 import WithinReach
from icgsynth.digits.numeration import base
from icgsynth.game.answers import Finding, Verdict
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import FALSE, Quantified
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.certificate import Given, certify
from icgsynth.prove.deciders import classes, partial, portfolio, presburger, quantifiers, smt
from icgsynth.prove.deciders.portfolio import _settled, decide, second_engines, second_opinion
from icgsynth.prove.deciders.presburger import normal_sets, projection, split
from icgsynth.prove.deciders.smt import SolverReply
from icgsynth.prove.well_formed import check_twice
from icgsynth.spec.icg import parse_formula

SECONDS = 20.0


@pytest.fixture(autouse=True)
def _nothing_is_remembered():
    """What a planted fault makes a decider say must not reach another test."""
    _settled.clear()
    quantifiers._known.clear()
    yield
    _settled.clear()
    quantifiers._known.clear()


def qe(modulus=5, residue="q mod {m} >= 1", factor=3, most=30):
    """The multiples of ``factor`` up to ``most`` whose quotient is right modulo ``modulus``."""
    said = residue.format(m=modulus)
    return (
        "game qe var v legal v >= 0\n"
        f"action take(k) pre 1 <= k <= v and k <= {most} and (exists q. {said} and "
        f"{factor} * q = k) eff v := v - k"
    )


def ovf(top=4 * 10**18, threshold=100_000, by=3, factor=1):
    """Taking one or two, and a jump past ``threshold`` that the labels of no box show."""
    return (
        "game ovf var a, b, c\n"
        f"legal 0 <= a <= {top} and 0 <= b <= {top} and 0 <= c <= {top}\n"
        "action take(k) pre 1 <= k <= 2 and k <= a eff a := a - k\n"
        f"action jump pre {factor} * a + {factor} * b + c >= {threshold} eff a := a - {by}"
    )


def nim_with_exception(factor=2**62, pile=500):
    """Nim on three piles, where two equal piles of at least ``pile`` may be cleared at once."""
    takes = "\n".join(f"action take_{p}(k) pre 1 <= k <= {p} eff {p} := {p} - k" for p in "abc")
    return (
        f"game nim_z var a, b, c\nlegal a >= 0 and b >= 0 and c >= 0\n{takes}\n"
        f"action z pre {factor} * a + {factor} * b >= {2 * factor * pile} and b = a and c = 0 "
        "eff a := 0, b := 0"
    )


# --- the games themselves ------------------------------------------------------------------


def lost(moves, upto):
    """By backward induction, who loses among 0 .. ``upto`` where ``moves(v)`` may be taken."""
    found: list[bool] = []
    for v in range(upto + 1):
        found.append(not any(found[v - k] for k in moves(v)))
    return found


@sampled(
    ("modulus", "residue", "factor", "most", "holds"),
    [
        (5, "q mod {m} >= 1", 3, 30, lambda q: q % 5 >= 1),
        (4, "q mod {m} = 1", 3, 24, lambda q: q % 4 == 1),
        (7, "(q + 2) mod {m} != 3", 2, 20, lambda q: (q + 2) % 7 != 3),
        (3, "q div {m} >= 1", 5, 40, lambda q: q // 3 >= 1),
        (6, "-q mod {m} <= 2", 4, 30, lambda q: -q % 6 <= 2),
    ],
)
@sampled("rule", ["normal", "misere"])
def test_quantified_rules_are_read_right(modulus, residue, factor, most, holds, rule):
    def moves(v):
        return [k for k in range(1, min(v, most) + 1) if k % factor == 0 and holds(k // factor)]

    solution = icg.loads(qe(modulus, residue, factor, most)).solve(rule, 60.0)
    assert solution.losing is not None
    expected = []
    for v in range(121):
        after = moves(v)
        expected.append(not any(expected[v - k] for k in after) if after else rule == "normal")
    for v, loses in enumerate(expected):
        assert solution.game.is_legal((v,))
        assert evaluate_at(solution.losing.formula, v=v) == loses, v
        assert evaluate_at(solution.winning.formula, v=v) != loses, v


def evaluate_at(formula, **env):
    from icgsynth.prove.recheck.plain import holds

    return holds(formula, env)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        ovf(),
        *(
            pytest.param(game, marks=pytest.mark.slow)
            for game in (
                ovf(threshold=10**17),
                ovf(top=2**62 - 1, threshold=2**40),
                ovf(top=3 * 2**60, threshold=2**61),
                ovf(top=10**30, threshold=10**29),
                ovf(factor=2**40, threshold=2**61),
                ovf(factor=2**62, threshold=2**62 * 10**5),
                ovf(factor=2**70, threshold=2**70 * 10**5),
            )
        ),
    ],
)
def test_a_jump_past_every_box_is_not_overlooked(game):
    """The states where a is a multiple of 3 are not all lost: a jump leads from one to another."""
    solution = icg.loads(game).solve("normal", 5.0)
    assert solution.status != "solved"
    assert solution.proof.get("winning") != "proved"


def test_a_jump_that_goes_nowhere_is_no_end():
    """``a := a`` for ever: termination is not proved."""
    game = ovf().replace("a := a - 3", "a := a")
    assert icg.loads(game).check(8.0).termination.verdict is not Verdict.PROVED


@pytest.mark.slow
@sampled("factor", [2**62, 10**30, 2**31, 2**63], 2, pytest.mark.nightly)
def test_nim_with_a_far_exception_is_not_nim(factor):
    solution = icg.loads(nim_with_exception(factor)).solve("normal", 5.0)
    assert solution.status != "solved"
    assert solution.proof.get("winning") != "proved"


def test_an_endless_loop_behind_a_quantifier_is_not_proved_to_end():
    game = "game loop var v legal v >= 0\n"
    game += "action loop pre exists q. (q mod 5 = 1 and 3 * q = v) eff v := v"
    assert icg.loads(game).check(SECONDS).termination.verdict is Verdict.REFUTED


def test_a_legal_state_behind_a_quantifier_is_found():
    game = "game some var v legal exists q. (q mod 5 = 1 and 3 * q = v and v = 3)\n"
    game += "action never pre v > 3 eff v := v - 1"
    assert icg.loads(game).solve(timeout=SECONDS).status == "solved"


# --- verify ----------------------------------------------------------------------------------

NIM = icg.load("nim2").game


def answer(game, losing, *lines):
    """A hand-made answer under normal play, of (condition, action, argument)."""
    return solved(game, "normal", f"not ({losing})", losing, *lines)


NIM_PAIRS = [("a > b", "take_a", "a - b"), ("a < b", "take_b", "b - a")]


@pytest.mark.parametrize(
    "losing",
    [
        "a = b and not (exists q. (q mod 5 = 1 and 3 * q = a - 97))",
        "a = b and a != 10 ^ 30".replace("10 ^ 30", str(10**30)),
        "a = b and (a < 10000000000000000000 or a mod 2 = 0)",
        f"a = b or (a = {2**63} and b = {2**62})",
        f"a = b and {2**62} * a + {2**62} * b <= {2**80}",
    ],
)
def test_verify_refutes_far_exceptions(losing):
    found = certify(answer(NIM, losing, *NIM_PAIRS), Budget(SECONDS))
    assert found.verdict == "refuted"


def test_verify_proves_the_right_answer_by_two():
    found = certify(answer(NIM, "a = b", *NIM_PAIRS), Budget(SECONDS))
    assert found.verdict == "proved"
    for part in ("termination", "winning", "strategy"):
        assert len(found.confirmed[part]) >= 2, part


def test_verify_judges_the_game_as_written():
    game = icg.loads(qe()).game
    wrong = answer(game, "true")
    assert certify(wrong, Budget(SECONDS)).verdict == "refuted"


# --- planted faults --------------------------------------------------------------------------


def claims_nothing_false(solution):
    return solution.status != "solved" and solution.proof.get("winning") != "proved"


def test_fault_a_a_projection_that_loses_everything(monkeypatch):
    """isl's projection answers ``false``: z3 does not confirm it."""
    monkeypatch.setattr(projection, "known_constraints", lambda piece, names: iter((FALSE,)))
    solution = icg.loads(qe()).solve(timeout=SECONDS)
    assert solution.status == "unknown"


def test_fault_a_both_projections_wrong(monkeypatch):
    """Where even the confirmation is wrong, the rules as written refute the answer."""
    monkeypatch.setattr(quantifiers, "confirmed_elimination", lambda formula, budget: FALSE)
    solution = icg.loads(qe()).solve(timeout=SECONDS)
    assert claims_nothing_false(solution)
    assert certify(answer(icg.loads(qe()).game, "true"), Budget(SECONDS)).verdict != "proved"


def test_fault_b_bounds_that_wrap(monkeypatch):
    """Sums and products of bounds wrap around, as they did."""

    def extent(self, factors):
        zero = np.zeros((1,) * len(self._grid.shape), np.int64)
        least, most = zero, zero
        with np.errstate(over="ignore"):
            for factor, axis in zip(factors, self._grid.axes.values(), strict=True):
                if factor:
                    low, high = (axis.low, axis.high) if factor > 0 else (axis.high, axis.low)
                    least = None if least is None or low is None else least + factor * low.numbers
                    most = None if most is None or high is None else most + factor * high.numbers
        return (
            None if least is None else WithinReach(least, 0),
            None if most is None else WithinReach(most, 0),
        )

    monkeypatch.setattr(partial.OnGrid, "extent", extent)
    game = icg.loads(ovf())
    wrong = classes.satisfy(
        [parse_formula(f"a + b + c >= 100000 and {game.game.legal}", game.game.variables)],
        game.game.variables,
        Budget(SECONDS),
    )
    assert wrong.kind == "unsat"  # the fault is there
    assert claims_nothing_false(game.solve(timeout=SECONDS))


@pytest.mark.slow
def test_fault_c_steps_that_wrap(monkeypatch):
    """The automata's coefficients wrap around, as they did."""

    def times(self, factor):
        with np.errstate(over="ignore"):
            wrapped = (factor + 2**63) % 2**64 - 2**63
            return WithinReach(self.numbers * np.int64(wrapped), 0)

    monkeypatch.setattr(WithinReach, "times", times)
    monkeypatch.setattr(
        WithinReach,
        "plus",
        lambda s, o: WithinReach(s.numbers + (o if isinstance(o, int) else o.numbers), 0),
    )
    far = parse_formula(f"{2**62} * a + {2**62} * b >= {2**62 * 1000}", ("a", "b"))
    read = Compiler(base(2), Budget(SECONDS)).formula(far)
    assert not read.contains({"a": 500, "b": 500})  # the fault is there
    assert claims_nothing_false(icg.loads(nim_with_exception()).solve(timeout=12.0))


@pytest.mark.parametrize("engine", ["classes", "isl", "z3"])
def test_an_engine_that_always_says_unsat_proves_nothing(engine, monkeypatch):
    """Each decider in turn says "unsat" to everything."""
    module, name = {
        "classes": (classes, classes.NAME),
        "isl": (normal_sets, normal_sets.NAME),
        "z3": (smt, smt.NAME),
    }[engine]
    if engine == "isl":
        monkeypatch.setattr(classes, "satisfy", lambda *_, **__: SolverReply("unknown"))
        module = presburger
    if engine == "z3":
        monkeypatch.setattr(classes, "satisfy", lambda *_, **__: SolverReply("unknown"))
        monkeypatch.setattr(presburger, "satisfy", lambda *_, **__: SolverReply("unknown"))
    proved = SolverReply("unsat", by=frozenset((name,)))
    monkeypatch.setattr(module, "satisfy", lambda *_, **__: proved)
    wrong = answer(NIM, "a = b and a != 7", *NIM_PAIRS)
    assert certify(wrong, Budget(SECONDS)).verdict == "refuted"


# --- what is printed ---------------------------------------------------------------------------


def test_the_json_says_who_agreed_and_how_far_it_was_checked():
    data = icg.load("nim2").solve().to_json()
    assert data["schema"] == "icgsynth/solution/2" and data["kind"] == "strategy"
    for part in ("termination", "winning", "strategy"):
        assert len(set(data["confirmed"][part])) >= 2
    far = data["explicit"]["far"]
    assert far["states"] >= 1_000 and far["up_to"] == "10^30" and far["disagreements"] == 0


def test_quantifiers_remain_in_what_far_states_see():
    assert any(
        isinstance(part, Quantified) for part in icg.loads(qe()).game.actions[0].precondition.args
    )


# --- the second readings -----------------------------------------------------------------------

ATOMS = (
    "(a + {i} * b) mod {m} {op} {r}",
    "a div {m} {op} b + {r}",
    "{i} * a - b {op} {r}",
    "min(a, b) mod {m} {op} {r}",
    "abs(a - {r}) {op} b",
    "a in {{{r}, {m}, {i}}}",
    "max(a, {i} * b) div {m} {op} {r}",
    "(a mod {m} + b div 2) mod 4 {op} {r}",
)
# The same box, with and without bounds that each stand alone.
BOXES = ("-6 <= a <= 6 and -6 <= b <= 6", "-6 <= min(a, b) and max(a, b) <= 6")


@examples(20, 600, st.data())
def test_no_second_reading_overlooks_a_model(data):
    """isl's direct reading, with and without remainders, against all points of a box.

    A mutant of the remainders calls a class empty of which a finer one has points.
    """
    parts = [
        data.draw(st.sampled_from(BOXES)),
        *(
            ("not " if data.draw(st.booleans()) else "")
            + "("
            + " or ".join(
                data.draw(st.sampled_from(ATOMS)).format(
                    i=data.draw(st.integers(-3, 5)),
                    m=data.draw(st.integers(2, 6)),
                    r=data.draw(st.integers(-3, 5)),
                    op=data.draw(st.sampled_from(("=", "!=", "<", "<=", ">", ">="))),
                )
                for _ in range(2)
            )
            + ")"
            for _ in range(data.draw(st.integers(1, 4)))
        ),
    ]
    read = [parse_formula(part, ("a", "b")) for part in parts]
    box = range(-6, 7)
    some = any(all(evaluate_at(p, a=a, b=b) for p in read) for a in box for b in box)
    for refute in (presburger.refute, split.refute_by_remainders):
        kind = refute(read, ("a", "b"), Budget(SECONDS), 10_000_000).kind
        assert kind == "unknown" if some else kind in ("unsat", "unknown"), refute
    assert some or presburger.refute(read, ("a", "b"), Budget(SECONDS), 10_000_000).kind == "unsat"


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("2 * a mod 4 = 1", {"remainders"}),
        ("(a + b) mod 6 = 1 and (a + b) mod 9 = 3", {"remainders"}),
        ("a mod 2 = 0 and 2 * a < b and b < 2 * a + 1", {"remainders", "isl"}),
    ],
)
def test_isl_is_named_only_where_it_was_asked(text, by):
    """A class on which the remainders settle everything leaves isl nothing to read."""
    found = split.refute_by_remainders(
        (parse_formula(text, ("a", "b")),), ("a", "b"), Budget(20), 100_000
    )
    assert (found.kind, found.by) == ("unsat", frozenset(by))


CONTRADICTIONS = (
    "a > b and b > a",
    "a mod 4 = 1 and a mod 6 = 2 and a > 0",
    "2 * a = 3 * b and b mod 2 = 1",
    "a mod 2 = 0 and 2 * a < b and b < 2 * a + 1",
)


@pytest.mark.parametrize("text", CONTRADICTIONS)
def test_an_answer_rests_on_nothing_but_what_its_engine_is_said_to_read(text):
    """A second opinion is chosen by what an engine reads, before it is asked."""
    parts, names = parse_formula(text, ("a", "b")).args, ("a", "b")
    answers = [(e.reads, e.ask(parts, names, Budget(20))) for e in second_engines()]
    proofs = [(reads, answer.by) for reads, answer in answers if answer.kind == "unsat"]
    assert proofs and all(by and by <= reads for reads, by in proofs)
    first = decide(parts, names, Budget(20))
    again = second_opinion(parts, names, first.by, Budget(20))
    assert first.by and again.by and not first.by & again.by


@pytest.mark.parametrize(("rests_on_z3", "alone"), [(True, "unknown"), (False, "unsat")])
def test_no_engine_is_its_own_second_opinion(monkeypatch, rests_on_z3, alone):
    """Only what rests on z3 too, and what z3 says alone as well, may others confirm without it.

    Mutants leave out either condition.  z3 is asked ``alone`` once, and as a second opinion says
    that it does not know.
    """
    replies = {True: SolverReply(alone), False: SolverReply("unknown")}
    monkeypatch.setattr(smt, "satisfy", lambda *_, **more: replies["steps" not in more])
    _settled.clear()
    every = frozenset().union(*(engine.reads for engine in second_engines())) - {smt.NAME}
    every |= {smt.NAME} if rests_on_z3 else frozenset()
    parts = parse_formula("a mod 4 = 1 and a mod 6 = 2", ("a",)).args
    assert second_opinion(parts, ("a",), every, Budget(20)).kind == "unknown"
    _settled.clear()


def test_a_modulus_of_thirty_digits_does_not_hold_up_the_second_reading():
    """There are as many remainders as the modulus has units: the clock is looked at among them."""
    parts = [parse_formula("a mod 1000000000000000000000000000057 = -1", ("a",))]
    budget = Budget(0.2)
    split.refute_by_remainders(parts, ("a",), budget, 10_000)  # else without an end
    assert budget.is_spent


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_an_end_that_no_state_meets_once_its_quantifier_is_gone(rule):
    """2 q - 1 is odd, so the end is false, and the rules have fewer obligations without it."""
    text = """
    game impossible_end var v legal v >= 0
    end (exists q. 7*q <= v < 7*q + 2 and (2*q - 1) mod 2 < 1)
    action take(k) pre 1 <= k <= v and k <= 5 eff v := v - k
    """
    loaded = icg.loads(text)
    assert loaded.check().closure.is_proved
    solution = loaded.solve(rule, SECONDS)
    assert solution.is_proved
    for state in range(40):
        lost = state % 6 == (0 if rule == "normal" else 1)
        assert evaluate_at(solution.losing.formula, v=state) == lost


@pytest.mark.slow
def test_an_automaton_that_was_used_is_sent_as_small_as_a_new_one():
    """What it keeps to complete numbers faster stays in its process."""
    automaton = icg.load("wythoff").solve("normal", SECONDS).automaton
    assert automaton is not None
    before = pickle.dumps(automaton)
    hash(automaton)
    track = automaton.tracks[0]
    assert automaton.complete({track: 10**30}) is not None
    assert pickle.dumps(automaton) == before
    assert pickle.loads(before) == automaton


# --- parts of the first proof that no command reaches alone --------------------------------------


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


def test_each_claim_of_the_final_strategy_is_proved_once_by_each_opinion(monkeypatch):
    """Counted are the engines' runs, not the questions, of which some are answered from memory.

    Faults it sees: a strategy that is proved again while it is worded or compared; a second proof
    that is left out.
    """
    first, second = Counter(), Counter()

    def counted(ask, runs):
        def asked(parts, names, *more):
            runs[parts, tuple(names)] += 1
            return ask(parts, names, *more)

        return asked

    monkeypatch.setattr(portfolio, "_decide", counted(portfolio._decide, first))
    monkeypatch.setattr(portfolio, "_second", counted(portfolio._second, second))
    found = icg.load("nim2").solve(timeout=SECONDS)
    assert found.status == "solved"
    parts = Counter()
    for claim in state_claims(found, existence=False):
        if claim.part in ("strategy", "fft", "cover"):
            parts[claim.part] += 1
            assert first[claim.parts, claim.names] == second[claim.parts, claim.names] == 1, claim
    assert parts == {"strategy": 3, "fft": 3, "cover": 3}


def test_what_is_given_is_proved_again_from_the_rules_of_the_report():
    """Faults it sees: first proofs that are believed; a second proof that reads the claim's rules.

    In the other game one takes one or two, and a state with piles that differ by 3 is lost.
    """
    few = "game few var a, b legal a >= 0 and b >= 0\n" + "\n".join(
        f"action take_{pile}(k) pre 1 <= k <= 2 and k <= {pile} eff {pile} := {pile} - k"
        for pile in "ab"
    )
    wrong, report = nim2(), check_twice(icg.loads(few).game, Budget(SECONDS))
    planted = {part: Finding(Verdict.PROVED) for part in ("winning", "strategy")}
    found = certify(wrong, Budget(SECONDS), Given(report, planted))
    assert not found.is_proved and found.solved is None
    assert found.answer.status == "unknown" and found.answer.losing is None
    assert found.of_part("winning").is_contradicted
