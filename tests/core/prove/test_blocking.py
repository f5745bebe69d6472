"""Blocking games: the language, labels, proofs and answers against a count state by state."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from catalog_answers import answered

from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.digits.functions import at_least
from icgsynth.digits.numeration import numeration
from icgsynth.errors import InputError
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import UNKNOWN, WINNING, label
from icgsynth.export import FORMATS, export
from icgsynth.game.solution import Claim
from icgsynth.game.strategy import Strategy
from icgsynth.logic.build import negation, walk
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import Name, Recognised, Sum
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.automata.game_automata import Rules
from icgsynth.prove.certificate import certify
from icgsynth.solve.search import Search, solve
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source

NIM = """game nim var a, b legal a >= 0 and b >= 0 {}
action take_a(k) pre 1 <= k <= a eff a := a - k
action take_b(k) pre 1 <= k <= b eff b := b - k"""
WYTHOFF = (
    NIM
    + """
action take_both(k) pre 1 <= k <= a and k <= b eff a := a - k, b := b - k"""
)
# Two actions lead to the same states, and one of them names its parameter twice.
TWICE = (
    NIM
    + """
action again(k, l) pre 1 <= k <= a and 0 <= l <= 1 eff a := a - k
action both_one pre a >= 1 and b >= 1 eff a := a - 1, b := b - 1"""
)
# Formats that say who wins and nothing of the moves, or that say what may be forbidden.
ABLE = ("json", "latex", "walnut")
UNABLE = tuple(name for name in FORMATS if name not in ABLE)


def game_of(text, block):
    return load_spec(Source("text", text.format(f"block {block}" if block else "")), blocking=True)


def lost_states(text, block, side):
    """By the definition: the lost states below ``side``, without a line of the package's search."""

    def options(a, b):
        found = {(a - k, b) for k in range(1, a + 1)} | {(a, b - k) for k in range(1, b + 1)}
        if text is WYTHOFF:
            found |= {(a - k, b - k) for k in range(1, min(a, b) + 1)}
        if text is TWICE and a and b:
            found.add((a - 1, b - 1))
        return found

    lost = set()
    for a, b in sorted(product(range(side), repeat=2), key=sum):
        if len(options(a, b) & lost) <= block:
            lost.add((a, b))
    return lost


# --- the language ------------------------------------------------------------------------------


def test_a_game_prints_and_reads_back():
    spec = parse(
        Source(
            "text",
            "game g const m = 2 var v legal v >= 0 block m - 1\n"
            "action take pre v >= 1 eff v := v - 1",
        )
    )
    assert parse(Source("again", str(spec))) == spec
    game = spec.game({}, blocking=True)
    assert game.block == 1 and "block 1" in str(game)
    assert parse(Source("again", str(game))).game({}, blocking=True).block == 1
    assert spec.game({"m": 1}).block == 0  # nothing is forbidden: a game like others
    assert replace(game, block=0) != game


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("block 0 - 1", "0 or more"),
        ("block a", "not constant"),
        ("block 1 block 1", "twice"),
        ("block", "ends too early"),
    ],
)
def test_what_is_no_block(text, said):
    with pytest.raises(InputError, match=said):
        load_spec(Source("text", NIM.format(text)), blocking=True)


def test_a_game_of_heaps_has_no_block():
    with pytest.raises(InputError, match="heaps"):
        parse(Source("text", "heaps h var n block 1 action a(k) pre 1 <= k <= n into n - k"))


# --- labels and counting -----------------------------------------------------------------------


@pytest.mark.parametrize("text", [NIM, WYTHOFF, TWICE])
@pytest.mark.parametrize("block", [1, 2, 3])
def test_labels_are_those_of_a_count(text, block):
    game, lost = game_of(text, block), lost_states(text, block, 16)
    for ranking in (None, (Sum((Name("a"), Name("b"))),)):
        labels = label(game, Box.of(game, 15), "normal", ranking)
        assert not (labels.outcome == UNKNOWN).any()
        assert {tuple(map(int, s)) for s in labels.losing()} == lost


def test_labels_know_nothing_past_the_box():
    game = load_spec(
        Source("t", "game t var v legal v >= 0 block 1 action up pre v < 9 eff v := v + 1"),
        blocking=True,
    )
    labels = label(game, Box(("v",), ((0, 4),), game.legal), "normal")
    assert labels.at((0,)) != WINNING


@pytest.mark.parametrize("most", [1, 2, 4])
def test_completions_are_counted(most):
    system = numeration("zeckendorf")
    compiler = Compiler(system, Budget(20))
    formula = parse_formula("b < a and b mod 3 != 1 or c = 2 and b < 2 * a + 3", ("a", "b", "c"))
    relation = compiler.formula(formula)
    for j, found in enumerate(at_least(relation, ("b",), most), 1):
        for a, c in product(range(9), range(4)):
            count = sum((b < a and b % 3 != 1) or (c == 2 and b < 2 * a + 3) for b in range(40))
            assert found.contains({"a": a, "c": c}) == (count >= j)


@pytest.mark.parametrize(("system", "block"), [("base-2", 1), ("base-2", 2), ("base-3", 3)])
def test_options_of_several_actions_are_states(system, block):
    """Any set does for the losing states: the equation is about those that count."""
    game = game_of(TWICE, block)
    rules = Rules.of(game, numeration(system), Budget(20))
    target = rules.states_where(parse_formula("(a + b) mod 3 != 2", ("a", "b")))
    found = rules.losing(target, "normal")
    for a, b in product(range(7), repeat=2):
        options = {game.result((a, b), move) for move in game.moves((a, b))}
        few = sum((x + y) % 3 != 2 for x, y in options) <= block
        assert found.contains({"a": a, "b": b}) == few


# --- answers -----------------------------------------------------------------------------------


@cache
def answer(text, block):
    return answered(game_of(text, block))


@pytest.mark.parametrize(
    ("text", "block"), [(NIM, 1), pytest.param(TWICE, 2, marks=pytest.mark.slow)]
)
def test_an_answer_is_proved_twice_and_right(text, block):
    found = answer(text, block)
    assert found.status == "solved"
    assert found.confirmed["winning"] == ("automata", "automata in plain Python")
    assert found.explicit.disagreements == found.explicit.far.disagreements == 0
    lost = lost_states(text, block, 24)
    for state in product(range(24), repeat=2):
        assert found.automaton.accepts(state) == (state in lost)
        named = {
            tuple((found.game.env(state) | aim)[v] for v in ("a", "b"))
            for rule in found.strategy
            for aim in rule.aims(found.game.env(state), block + 1)
        }
        assert named <= lost
        assert state in lost or len(named) > block


@pytest.mark.slow
@pytest.mark.parametrize("block", [1, 2])
def test_blocking_wythoff_is_solved(block):
    found = answer(WYTHOFF, block)
    assert (found.status, found.logic) == ("solved", {1: "zeckendorf", 2: "base-2"}[block])
    lost = lost_states(WYTHOFF, block, 60)
    for state in product(range(60), repeat=2):
        assert found.automaton.accepts(state) == (state in lost)


@pytest.mark.parametrize("block", [1, 2])
def test_a_formula_without_digits_is_found_and_right(block):
    """Take 1 to 4, of which some are forbidden: lost where n mod 5 is at most the number of these.

    Faults it sees: an automaton for what people say in five words; a remainder that is off by one.
    """
    rules = f"game take var n legal n >= 0 block {block}\n"
    rules += "action take(k) pre 1 <= k <= 4 and k <= n eff n := n - k"
    solution = solve(load_spec(Source("take", rules), blocking=True), "normal", Budget(30))
    assert solution.is_proved
    assert not any(isinstance(n, Recognised) for n in walk(solution.losing.formula))
    lost: set[int] = set()
    for n in range(40):
        lost |= {n} if len([k for k in (1, 2, 3, 4) if n - k in lost]) <= block else set()
        assert satisfies(solution.losing.formula, {"n": n}) == (n in lost), n


def test_where_no_state_wins_there_is_nothing_to_do():
    """A single option is always forbidden."""
    found = answer("game g var v legal v >= 0 {} action take pre v >= 1 eff v := v - 1", 1)
    assert found.status == "solved" and not found.strategy
    assert str(found.losing.formula) == "true"


def test_wrong_answers_are_refuted():
    found = answer(NIM, 1)
    plain = parse_formula("a = b", ("a", "b"))  # that of Nim itself
    wrong = replace(
        found, losing=Claim(plain), winning=Claim(negation(plain)), automaton=None, cover=()
    )
    assert certify(wrong, Budget(30)).verdict == "refuted"
    half = replace(found, strategy=Strategy(found.strategy.tiers[:1]))
    assert certify(half, Budget(30)).verdict == "refuted"
    fewer = replace(found, game=replace(found.game, block=0))
    assert certify(fewer, Budget(30)).verdict != "proved"
    assert certify(found, Budget(30)).verdict == "proved"


# --- who does not know them --------------------------------------------------------------------


def test_misere_play_is_refused():
    game = game_of(NIM, 1)
    for ask in (
        lambda: Search(game, "misere", Budget(1)),
        lambda: label(game, Box.of(game, 5), "misere"),
        lambda: certify(replace(answer(NIM, 1), rule="misere"), Budget(1)),
    ):
        with pytest.raises(InputError, match="misère play of a blocking game"):
            ask()


def test_every_command_heeds_block_or_refuses(tmp_path, capfd):
    pytest.importorskip("clingo", reason="fft and starts refuse without it, whatever the rules")
    rules, kept = tmp_path / "g.icg", tmp_path / "answer.json"
    rules.write_text(NIM.format("block 1"), encoding="utf-8")
    plain = tmp_path / "plain.icg"
    plain.write_text(NIM.format(""), encoding="utf-8")
    kept.write_text(json.dumps(answer(NIM, 1).to_json()), encoding="utf-8")
    assert _code("check", rules, "--quiet") == 0
    assert _code("table", rules, "--bound", "4", "--quiet") == 0
    assert _code("verify", rules, kept) == 0
    refused = [
        ("solve", rules, "--rule", "misere"),
        ("solve", rules, "--rule", "both"),
        ("table", rules, "--rule", "misere"),
        ("value", rules),
        ("play", rules),
        ("play", rules, "--solution", kept),
        ("play", plain, "--solution", kept),
        ("family", rules, "--over", "m=1..3"),
        ("fft", "synth", rules),
        ("starts", rules),
        ("verify", plain, kept),
        ("verify", rules, kept, "--coq"),
        ("solve", "nim2 + blocking_nim"),
        *(("export", kept, "--to", name) for name in UNABLE),
        *(("export", kept, "--to", name, "--spec", plain) for name in FORMATS[:2]),
    ]
    capfd.readouterr()
    for command in refused:
        assert _code(*command) == 2, command
        said = capfd.readouterr().err
        assert any(word in said for word in ("block", "forbidden", "coqc")), (command, said)


def _code(*command):
    return run(list(map(str, command)))


def test_what_speaks_of_the_states_alone_is_exported():
    """The theorem says that options may be forbidden, and the automaton is that of the answer."""
    found = answer(NIM, 1)
    theorem = export(found, "latex")
    assert "1 option may be forbidden" in theorem and "first of" not in theorem
    assert json.loads(export(found, "json"))["block"] == 1
    free = replace(found, game=game_of(NIM, 0))
    told = [export(each, "walnut").splitlines() for each in (found, free)]
    assert told[0][1:] == told[1][1:] and "forbidden" in told[0][0]


def test_a_blocking_game_that_may_never_end_has_no_drawn_states():
    """Drawn states are proved by rules that nobody forbids."""
    rules = """game passing var a legal 0 <= a <= 5 {}
action pass pre a >= 1 eff a := a
action take(k) pre 1 <= k <= a eff a := a - k"""
    free = game_of(rules, 0)
    drawn = Search(free, "normal", Budget(60), finite_only=False).solve()
    assert drawn.is_proved and drawn.draws is not None
    blocking = game_of(rules, 1)
    found = Search(blocking, "normal", Budget(60), finite_only=False).solve()
    assert found.status == "unknown" and found.draws is None
    with pytest.raises(InputError, match="blocking game"):
        certify(replace(drawn, game=blocking), Budget(60))
