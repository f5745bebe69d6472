"""Answers beyond linear arithmetic from end to end: searched, played, verified, proved again.

Brute force and the theorems of the games are the oracles; the games of the search are random.
"""

from __future__ import annotations

import json
import random
import signal
from copy import deepcopy
from functools import cache, reduce
from operator import xor

import catalog_answers
import numpy as np
import pytest
from automatic_solved import least_part, wythoff_lost, wythoff_misere_lost, wythoff_pair
from commands import call
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from second_proof import recheck
from speed import examples, sampled

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.digits import dfa
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA
from icgsynth.digits.numeration import base, numeration
from icgsynth.errors import Refused
from icgsynth.game.answers import Verdict
from icgsynth.game.solution import Solution
from icgsynth.prove.automata.game_automata import Rules, require_natural
from icgsynth.prove.certificate import certify
from icgsynth.prove.well_formed import check_rules
from icgsynth.solve.search import Search, solve
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source
from icgsynth.synth.digits.automatic_search import AutomaticSearch

RULES = ("normal", "misere")


def loads(text):
    return icg.loads(text).game


# --- search: random games ------------------------------------------------------------------


def search(game, rule, budget):
    """What the automatic search alone finds in small cubes, and its notes."""
    report = check_rules(game, Budget(20))
    assert report.termination.is_proved
    found = AutomaticSearch(report.game, rule, report.ranking.components)
    return found.search(budget), list(found.notes())


def lost_pairs(side, actions, end, rule):
    """(side, side): by marking the predecessors of each losing state, in lexicographic order."""
    a, b = np.indices((side, side))
    ended = (a + b <= end) if end is not None else np.zeros((side, side), bool)
    applies = [guard(a, b) & ~ended for *_, guard in actions]
    can = np.zeros((side, side), bool)
    for (p, q, _, _), here in zip(actions, applies, strict=True):
        can |= here & (a >= p) & (b >= q)
    wins = ~can if rule == "misere" else np.zeros((side, side), bool)
    lost = np.zeros((side, side), bool)
    for i in range(side):
        for j in range(side):
            if wins[i, j]:
                continue
            lost[i, j] = True
            for (p, q, most, _), here in zip(actions, applies, strict=True):
                k = np.arange(1, min(most, side) + 1)
                x, y = i + p * k, j + q * k
                inside = (x < side) & (y < side)
                x, y = x[inside], y[inside]
                wins[x, y] |= here[x, y]
    return lost


GUARDS = {
    "true": lambda a, b: a >= 0,
    "a >= 2": lambda a, b: a >= 2,
    "b mod 2 = 0": lambda a, b: b % 2 == 0,
    "(a + b) mod 3 != 1": lambda a, b: (a + b) % 3 != 1,
    "a <= b": lambda a, b: a <= b,
    "a >= b + 1": lambda a, b: a > b,
}
VECTORS = [(1, 0), (0, 1), (1, 1), (1, 2), (2, 1), (2, 0)]
one_action = st.tuples(
    st.sampled_from(VECTORS),
    st.sampled_from([1, 2, 3, 10**6, 10**6]),
    st.sampled_from([*GUARDS, "true", "true", "true"]),
)


def check_pairs(actions, end, rule):
    lines = ["game random", "var a, b", "legal a >= 0 and b >= 0"]
    if end is not None:
        lines.append(f"end a + b <= {end}")
    for i, ((p, q), most, guard) in enumerate(actions):
        bound = f" and k <= {most}" if most < 10**6 else ""
        effects = [f"{v} := {v} - {c} * k" for v, c in (("a", p), ("b", q)) if c]
        lines.append(f"action t{i}(k) pre 1 <= k{bound} and {guard} eff {', '.join(effects)}")
    game = loads("\n".join(lines) + "\n")
    found, notes = search(game, rule, Budget(2.5))
    assert not any("not automatic" in note for note in notes)
    if found is None:
        return False
    side = found.cube.side + 24
    if side > 300:
        return False
    parts = [(p, q, most, GUARDS[guard]) for (p, q), most, guard in actions]
    expected = lost_pairs(side, parts, end, rule)
    a, b = np.indices((side, side))
    flags = found.losing.holds({"a": a.ravel(), "b": b.ravel()}).reshape(side, side)
    wrong = np.argwhere(flags != expected)
    assert not len(wrong), (str(game), rule, wrong[:3].tolist())
    return True


games_of_pairs = (
    st.lists(one_action, min_size=1, max_size=3),
    st.none() | st.integers(0, 4),
    st.sampled_from(RULES),
)
lenient = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much],
}


@pytest.mark.slow
@given(*games_of_pairs)
@settings(max_examples=100, **lenient)
def test_what_the_search_finds_agrees_with_brute_force(actions, end, rule):
    check_pairs(actions, end, rule)


@pytest.mark.parametrize("rule", RULES)
def test_known_games_in_the_words_of_the_generator_are_found(rule):
    """The generator's words can say games whose answer is found, so comparing is no empty test."""
    moves = [((1, 0), 10**6, "true"), ((0, 1), 10**6, "true"), ((1, 1), 10**6, "true")]
    assert check_pairs(moves, None, rule)
    assert check_pairs([((1, 0), 3, "true"), ((0, 1), 2, "true")], None, rule)


SINGLE = {
    "action d2 pre n >= 1 eff n := n div 2": lambda n: [n // 2] if n else [],
    "action d3 pre n >= 1 eff n := n div 3": lambda n: [n // 3] if n else [],
    "action d4 pre n >= 4 eff n := n div 4 + 1": lambda n: [n // 4 + 1] if n >= 4 else [],
    "action one pre n >= 1 eff n := n - 1": lambda n: [n - 1] if n else [],
    "action few(k) pre 1 <= k <= 3 eff n := n - k": lambda n: [n - k for k in (1, 2, 3) if k <= n],
    "action odd pre n mod 2 = 1 eff n := n - 1": lambda n: [n - 1] if n % 2 else [],
    "action rest pre n mod 3 != 0 eff n := n - n mod 3": lambda n: [n - n % 3] if n % 3 else [],
    "action third(k) pre 1 <= k and 3 * k <= n eff n := n - k": lambda n: list(
        range(n - n // 3, n)
    ),
}


games_of_one = (
    st.lists(st.sampled_from(list(SINGLE)), min_size=1, max_size=3, unique=True),
    st.none() | st.integers(0, 5),
    st.sampled_from(RULES),
)


@examples(15, 80, *games_of_one, suppress_health_check=lenient["suppress_health_check"])
def test_games_on_one_number_agree_with_brute_force(texts, end, rule):
    lines = ["game random", "var n", "legal n >= 0"]
    lines += [f"end n <= {end}"] if end is not None else []
    game = loads("\n".join([*lines, *texts]) + "\n")
    found, notes = search(game, rule, Budget(2.0))
    assert not any("not automatic" in note for note in notes)
    if found is None:
        return
    side = min(found.cube.side * 2, 2500)
    lost = []
    for n in range(side):
        options = [m for t in texts for m in SINGLE[t](n)]
        if end is not None and n <= end:
            options = []
        lost.append(not any(lost[m] for m in options) and (bool(options) or rule == "normal"))
    flags = found.losing.holds({"n": np.arange(side)})
    assert flags.tolist() == lost, (str(game), rule)


# --- search: what is not to be claimed ---------------------------------------------------------

CYCLES = [
    "game g\nvar a, b\nlegal a >= 0 and b >= 0\naction t(k) pre 1 <= k <= a eff a := a - k\n"
    "action swap pre a != b eff a := b, b := a\n",
    "game g\nvar n\nlegal 0 <= n <= 9\naction up pre n < 9 eff n := n + 1\n"
    "action half pre n >= 1 eff n := n div 2\n",
]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("text", CYCLES)
def test_a_game_that_may_go_on_for_ever_has_no_answer(text, rule):
    """The equation alone would have solutions."""
    found = Search(loads(text), rule, Budget(4)).solve()
    assert found.status == "unknown"
    assert found.automaton is None
    assert found.winning is None and not found.strategy
    assert found.proof.get("termination") != "proved"


def test_a_stated_set_proves_nothing_where_play_does_not_end():
    """Nobody ever loses here; the equation holds for the odd numbers nevertheless."""
    game = loads(
        "game g\nvar n\nlegal n >= 0\naction up pre n mod 2 = 0 eff n := n + 1\n"
        "action down pre n mod 2 = 1 eff n := n - 1\n"
    )
    odd = Automaton(base(2), ("n",), ((0, 1), (0, 1)), (False, True))
    of = Rules.of(game, base(2), Budget(20))
    assert of.refutation(DFA.of(odd), "normal") is None
    data = {
        "rule": "normal",
        "logic": "base-2",
        "losing": {"formula": "n in L"},
        "automaton": odd.to_json(),
    }
    found = certify(read_solution(Source("s.json", json.dumps(data)), game), Budget(20))
    assert not found.is_proved
    assert not found.parts["termination"].is_proved


NEGATIVE = (
    "game g\nvar a, b\nlegal a >= -3 and b >= 0\naction t(k) pre 1 <= k <= b eff b := b - k\n"
    "action u(k) pre 1 <= k eff a := a - k\n"
)


def test_negative_coordinates_are_refused():
    game = loads(NEGATIVE)
    with pytest.raises(Refused, match="a may be negative"):
        require_natural(game, Budget(10))
    found, notes = search(game, "normal", Budget(10))
    assert found is None
    assert any("a may be negative" in note for note in notes)
    assert recheck(
        game, "normal", Automaton(base(2), ("a", "b"), ((0,) * 4,), (True,)), Budget(10)
    ).verdict in (Verdict.UNKNOWN, Verdict.REFUTED)


# --- strategies ------------------------------------------------------------------------------


def twos(n):
    return (n & -n).bit_length() - 1


def some_number(chance):
    return chance.randrange(10 ** chance.choice([1, 1, 2, 3, 5, 10, 20, 30, 30, 30]))


def some_wythoff(chance):
    pair = wythoff_pair(some_number(chance))
    return chance.choice([pair, pair[::-1]])


def some_fibonacci(chance):
    n = some_number(chance) + 1
    return n, chance.randrange(least_part(n))


def some_mark(chance):
    return ((2 * some_number(chance) + 1) * 2 ** (2 * chance.randrange(20) + 1),)


def some_nim(chance):
    a, b = some_number(chance), some_number(chance)
    return a, b, a ^ b


# Game, rule, whether a state is lost, and a losing state.
PLAYED = {
    "nim3": ("nim3", "normal", lambda *s: reduce(xor, s) == 0, some_nim),
    "wythoff": ("wythoff", "normal", wythoff_lost, some_wythoff),
    "wythoff misere": ("wythoff", "misere", wythoff_misere_lost, some_wythoff),
    "fibonacci_nim": (
        "fibonacci_nim",
        "normal",
        lambda n, q: n == 0 or q < least_part(n),
        some_fibonacci,
    ),
    "mark": ("mark", "normal", lambda n: n == 0 or twos(n) % 2 == 1, some_mark),
}


@cache
def solved(name, rule) -> Solution:
    found = catalog_answers.solved(name, rule)
    assert found.status == "solved"
    assert found.automaton is not None
    return found


def play(title, count, seed, tiers=None):
    name, rule, is_lost, some_lost = PLAYED[title]
    solution, chance = solved(name, rule), random.Random(seed)
    game, losing = solution.game, solution.automaton
    strategy = solution.strategy if tiers is None else tiers
    won = 0
    for i in range(count):
        if i % 4 == 0:
            state = some_lost(chance)
        else:
            state = tuple(some_number(chance) for _ in game.variables)
        lost = is_lost(*state)
        assert losing.accepts(state) == lost, state
        chosen = strategy.choose(game, state)
        move = None if chosen is None else chosen.move
        if lost:
            assert move is None, (state, move)
        elif sum(state) == 0:
            assert rule == "misere" and move is None
        else:
            assert move is not None, state
            assert game.applies(state, move)
            after = game.result(state, move)
            assert is_lost(*after) and losing.accepts(after), (state, move)
            won += 1
    assert won > count / 3


@sampled("title", PLAYED)
def test_strategies_win_from_large_states(title):
    play(title, 300, 1)


@cache
def aimed_text(rule):
    """The solution of Wythoff's game with a strategy of nothing but automata."""
    solution = solved("wythoff", rule)
    losing, of = DFA.of(solution.automaton), wythoff_rules()
    pairs = [aim(step.action.name, step.into(losing)) for step in of.steps]
    return json.dumps(solution.to_json() | {"strategy": pairs, "cover": [], "fft": []}, indent=1)


@cache
def wythoff_rules():
    return Rules.of(icg.load("wythoff").game, numeration("zeckendorf"), Budget(60))


def aim(action, moves):
    """A pair of a strategy, as a file has it: the action and the moves to make."""
    tracks = tuple(t for t in ("a", "b", "a'", "b'") if t in moves.tracks)
    return {"when": "true", "action": action, "to": moves.automaton(tracks).to_json()}


@pytest.mark.slow
@sampled("rule", RULES)
def test_automata_alone_win_from_large_states(rule):
    again = read_solution(Source("s.json", aimed_text(rule)))
    assert certify(again, Budget(30)).is_proved
    play("wythoff" if rule == "normal" else "wythoff misere", 100, 3, again.strategy)


# --- verify ------------------------------------------------------------------------------------


@cache
def wythoff_text():
    return json.dumps(solved("wythoff", "normal").to_json(), indent=1)


@pytest.fixture
def data():
    """The solution file of Wythoff's game, to edit."""
    return json.loads(wythoff_text())


@pytest.fixture
def aimed():
    """Return the JSON of an answer whose moves are told by automata."""
    return json.loads(aimed_text("normal"))


@pytest.fixture
def judge(tmp_path, capfd):
    def judged(data, *options, spec="wythoff"):
        path = tmp_path / "edited.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data))
        code, out, err = call(capfd, "verify", spec, path, *options)
        return code, out, err

    return judged


@pytest.mark.slow
def test_solve_then_verify_then_prove_again(tmp_path, capfd):
    file = tmp_path / "wythoff.json"
    code, out, _ = call(capfd, "solve", "wythoff", "-o", file, "--quiet")
    assert code == 0
    assert "zeckendorf" in out.lower()
    code, out, _ = call(capfd, "verify", "wythoff", file)
    assert code == 0
    assert "wythoff, normal play: proved" in out
    code, out, _ = call(capfd, "verify", "wythoff", file, "--cross-check", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["verdict"] == "proved"
    assert found["cross_check"]["verdict"] == "proved"
    assert found["parts"]["winning"]["cross_check"]["verdict"] == "proved"


def parts(out):
    return json.loads(out)["parts"]


def test_a_wrong_winning_formula_beside_a_right_losing_one(judge, data):
    data["winning"] = {"formula": "a != b"}
    code, out, _ = judge(data)
    assert code == 3
    assert "each state is either winning or losing" in out
    assert "fails at" in out


@pytest.mark.parametrize("action", ["take_a", "take_b", "take_both"])
def test_a_strategy_that_leads_to_winning_states_is_refuted(judge, aimed, action):
    step = wythoff_rules().step(action)
    losing = DFA.of(Automaton.of_json(aimed["automaton"]))
    aimed["strategy"].insert(0, aim(action, step.relation.over("ab") - step.into(losing)))
    code, out, _ = judge(aimed, "--json")
    assert code == 3
    found = parts(out)
    assert found["winning"]["verdict"] == "proved"
    assert found["strategy"]["verdict"] == "refuted"
    witness = found["strategy"]["witness"]
    assert not wythoff_lost(witness["a"], witness["b"])
    after = (witness.get("a'", witness["a"]), witness.get("b'", witness["b"]))
    assert after != (witness["a"], witness["b"])
    assert not wythoff_lost(*after)


def test_a_strategy_that_leaves_states_out_is_refuted(judge, aimed):
    for i in range(3):
        edited = deepcopy(aimed)
        del edited["strategy"][i]
        code, out, _ = judge(edited, "--json")
        assert code == 3
        strategy = parts(out)["strategy"]
        assert strategy["verdict"] == "refuted"
        witness = strategy["witness"]
        assert not wythoff_lost(witness["a"], witness["b"])


def test_a_move_that_ends_elsewhere_is_refuted(judge, aimed):
    """The moves of one pile put under the name of the action on both."""
    rule = next(p for p in aimed["strategy"] if p["action"] == "take_a")
    aimed["strategy"].insert(0, rule | {"action": "take_both"})
    code, out, _ = judge(aimed, "--json")
    assert code == 3
    assert parts(out)["strategy"]["verdict"] == "refuted"


@sampled("flag", range(6))
def test_a_flipped_flag_of_a_move_is_noticed(judge, aimed, flag):
    """Refuted or refused; proved only where it still wins, by moves that other pairs have too."""
    to = aimed["strategy"][flag % 3]["to"]
    state = random.Random(flag).randrange(len(to["transitions"]))
    to["accepting"] = sorted({*to["accepting"]} ^ {state})
    code, _, _ = judge(aimed)
    assert code in (0, 3, 4)
    if code != 0:
        return
    solution = read_solution(Source("s.json", json.dumps(aimed)))
    strategy, game = solution.strategy, solution.game
    for at in ((a, b) for a in range(24) for b in range(24)):
        chosen = strategy.choose(game, at)
        move = None if chosen is None else chosen.move
        assert (move is None) == wythoff_lost(*at)
        assert move is None or wythoff_lost(*game.result(at, move))


# --- verify: files that cannot be ----------------------------------------------------------


def test_a_strategy_in_another_system(judge, aimed):
    aimed["strategy"][0]["to"]["system"] = "base-2"
    code, out, err = judge(aimed)
    assert code in (2, 3, 4)  # 3: read in base 2, its moves lose on the box
    assert "one numeration system" in out + err
    assert "base-2 and zeckendorf" in out + err


# --- what was wrong once -----------------------------------------------------------------------


def test_an_automaton_beside_linear_formulas_is_judged(judge):
    data = solve(icg.load("nim2").game, "normal", Budget(20)).to_json()
    everything = {"system": "base-2", "tracks": ["a", "b"], "transitions": [[0] * 4]}
    data |= {"logic": "base-2", "automaton": everything | {"accepting": [0]}}
    code, _, _ = judge(data, spec="nim2")
    assert code == 3


def every_other_length(automaton, parity):
    """Accepts only words of an even, or of an odd, number of columns."""
    rows = automaton["transitions"]
    automaton["transitions"] = [[2 * q + 1 - h for q in row] for row in rows for h in (0, 1)]
    automaton["accepting"] = [2 * q + parity for q in automaton["accepting"]]


@pytest.fixture
def ends():
    """A test fails that would never end: a minute is a hundred times what it takes."""

    def late(*_):
        raise AssertionError("no end is in sight")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("ends")
def test_completing_a_tuple_ends_where_there_is_nothing_to_find():
    """Zeros at the left change no answer of this one: it never accepts."""
    nothing = Automaton(base(2), ("a", "b"), ((1,) * 4, (0,) * 4), (False, False))
    assert DFA.of(nothing).is_empty
    assert nothing.complete({"a": 1}) is None


@pytest.mark.usefixtures("ends")
@sampled("parity", [0, 1])
def test_a_strategy_that_is_proved_finds_its_moves(aimed, parity):
    for pair in aimed["strategy"]:
        every_other_length(pair["to"], parity)
    solution = read_solution(Source("s.json", json.dumps(aimed)))
    strategy = solution.strategy
    silent = [
        (a, b)
        for a in range(9)
        for b in range(9)
        if not wythoff_lost(a, b) and strategy.choose(solution.game, (a, b)) is None
    ]
    judged = certify(solution, Budget(30)).parts["strategy"]
    assert not (silent and judged.is_proved)


# --- which answer is given ------------------------------------------------------------------------


def test_the_base_that_says_it_shortest():
    """Mark-4 is automatic in base 2 as well, where no short formula says it."""
    solution = solve(icg.load("mark", {"d": 4}).game, "normal", Budget(30))
    assert (solution.status, solution.logic) == ("solved", "base-4")
    assert str(solution.losing.formula) == "zeros(v) mod 2 = 1 or v = 0"


# --- memory ----------------------------------------------------------------------------------


def _divisible(name: str, by: int) -> DFA:
    """The multiples of a number, in base 10."""
    table = [[(10 * rest + digit) % by for digit in range(10)] for rest in range(by)]
    return DFA(base(10), (name,), np.array(table, np.int32), np.arange(by) == 0)


def test_what_would_not_fit_into_memory_is_refused(monkeypatch):
    """An export took 8 GB for automata of some thousand states with 10,000 symbols."""
    both = _divisible("a", 7) & _divisible("b", 11)
    assert (len(both), both.delta.shape) == (77, (77, 100))
    monkeypatch.setattr(dfa, "_MAX_TRANSITIONS", 7_600)
    with pytest.raises(Refused, match="product of two automata has more than 7,600 transitions"):
        _divisible("a", 7) & _divisible("b", 11)
    monkeypatch.setattr(dfa, "_MAX_TRANSITIONS", 60)
    with pytest.raises(Refused, match="projection has more than 60 transitions"):
        both.without(["b"])
