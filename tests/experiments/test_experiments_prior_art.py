"""The variants of the prior art: their texts against rules written down by hand, and the table."""

from __future__ import annotations

import json
import random
import re
import subprocess
from functools import cache
from itertools import product
from pathlib import Path

import pytest

import icgsynth as icg
from experiments import prior_art
from experiments.judge.graph import explored, outcomes
from experiments.prior_art import Variant, variants, wrong_with
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base
from icgsynth.game.answers import Verdict
from icgsynth.spec.catalog import resolve
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source

XOR = Automaton(base(2), ("a", "b", "c"), ((0, 1, 1, 0, 1, 0, 0, 1), (1,) * 8), (True, False))

# --- moves, written down by hand ---------------------------------------------------------------


def queen(m=1, over=0):
    def moves(a, b):
        if a + b > over:
            yield from ((left, b) for left in range(a))
            yield from ((a, left) for left in range(b))
            for j, k in product(range(1, a + 1), range(1, b + 1)):
                if abs(j - k) < m:
                    yield (a - j, b - k)

    return moves


def lost(moves, side, block=0):
    """The losing states up to ``side``: at most ``block`` of their options are lost."""

    @cache
    def loses(*state):
        return sum(loses(*after) for after in set(moves(*state))) <= block

    return {state for state in product(range(side + 1), repeat=2) if loses(*state)}


def losing_states(variant, side):
    """As the judge has it."""
    play = variant.play
    states = product(range(side + 1), repeat=len(play.rules.variables))
    graph = explored(play, states, 1000, random.Random(0))
    found = outcomes(graph, "normal", play.rules.block)
    return {state for state, label in found.items() if label == "lost"}


def variant(name, **constants):
    return Variant(name, "", tuple(constants.items()))


# --- the variants ------------------------------------------------------------------------------


def test_the_variants():
    listed = variants()
    keys = {(v.name, rule) for v in listed for rule in v.rules}
    assert len(keys) == sum(len(v.rules) for v in listed)
    cited = {key for v in listed for key in re.findall(r"[a-z]+\d{4}", v.source)}
    bib = Path(prior_art.__file__).parents[1] / "specs" / "references.bib"
    assert all(f"{{{key}," in bib.read_text("utf-8") for key in cited)
    used = {Path(v.spec).stem for v in listed if not v.unsaid}
    assert {path.stem for path in prior_art.FOLDER.glob("*.icg")} <= used


SAID = [v for v in variants() if not v.unsaid]


@pytest.mark.parametrize("variant", SAID, ids=lambda v: v.name)
def test_the_text_of_a_variant(variant):
    source = Source.read(resolve(variant.spec))
    game = load_spec(source, dict(variant.constants), blocking=True)
    assert game.name == variant.game
    bib = Path(prior_art.__file__).parents[1] / "specs" / "references.bib"
    assert all(f"{{{key}," in bib.read_text("utf-8") for key in game.citations)
    if (
        Path(variant.spec).parent == prior_art.FOLDER
    ):  # those of the catalog have tests of their own
        report = icg.load(variant.spec, dict(variant.constants)).check()
        parts = (report.closure, report.ending, report.termination)
        assert all(part.verdict is Verdict.PROVED for part in parts)


@pytest.mark.parametrize("end", range(1, 8))
def test_wythoff_with_another_end(end):
    assert losing_states(variant("wythoff_terminal", l=end), 15) == lost(queen(1, end), 15)


@pytest.mark.parametrize("width", [2, 3, 4])
def test_generalised_wythoff(width):
    assert losing_states(variant("wythoff_2", l=width), 15) == lost(queen(width), 15)


@pytest.mark.parametrize(("k", "side"), [(2, 3), (3, 1)])
def test_blocking_says_what_larsson_counts(k, side):
    """(a, b) is lost iff fewer than k options are; the game has the blocked ones in its state."""
    said = {state[:2] for state in losing_states(variant(f"wythoff_blocking{k}"), side)}
    assert said == lost(queen(), side, k - 1)
    assert losing_states(variant("blocking_wythoff", m=k - 1), 19) == lost(queen(), 19, k - 1)
    if k == 3:  # as its first comment has it
        rays = {(a, b) for a, b in product(range(20), repeat=2) if b in (2 * a + 1, 2 * a + 2)}
        assert lost(queen(), 19, 2) == rays | {(b, a) for a, b in rays} | {(0, 0)}


def test_blocked_moves():
    diagonal, number = (variant(f"wythoff_blocked_{w}").play for w in ("diagonal", "number"))
    assert diagonal.made((3, 3, 2), "take_both", {"k": 3, "s": 0})
    assert not diagonal.made((3, 3, 2), "take_both", {"k": 2, "s": 0})
    assert not number.made((3, 3, 2), "take_a", {"k": 2, "s": 0})
    assert number.made((3, 3, 2), "take_a", {"k": 1, "s": 3})


def test_what_may_be_adjoined_to_wythoff():
    """Duchene et al. (2010): iff it is no difference of two lost states."""
    wythoff = lost(queen(), 10)
    assert losing_states(variant("wythoff_adjoined", p=1, q=3), 10) == wythoff
    assert losing_states(variant("wythoff_adjoined", p=1, q=2), 10) != wythoff


def test_the_bouncing_queen():
    """Fokkink and Rust: the differences and the sums are each number once, as the piles are."""
    pairs = sorted(s for s in losing_states(variant("wythoff_bounce"), 16) if s[0] < s[1])
    assert pairs == [(1, 2), (3, 5), (4, 8), (6, 11), (7, 13), (9, 16)]
    marks = sorted(n for a, b in pairs for n in (b - a, a + b))
    assert marks == [1, 2, 3, 4, 5, 6, 7, 8, 12, 17, 20, 25]


def test_other_ends():
    assert losing_states(variant("wythoff_2_end"), 9) == lost(queen(2, 1), 9)
    square = variant("wythoff_square_end", l=2).play
    for state in product(range(6), repeat=2):
        moves = set() if max(state) <= 2 else set(queen()(*state))
        found = square.moves(state, 100, random.Random(0)).moves
        assert {move.after for move in found} == moves


# --- rows --------------------------------------------------------------------------------------

ANSWER = {
    "status": "solved",
    "rule": "normal",
    "logic": "base-2",
    "losing": {"formula": "a xor b xor c = 0"},
    "automaton": XOR.to_json(),
}


def test_an_answer_and_its_automaton_are_judged():
    nim = variant("nim3").play
    assert wrong_with(ANSWER, nim).wrong == ""
    assert wrong_with(ANSWER, nim).labels > 900
    assert "by the formulas" in wrong_with(ANSWER | {"losing": {"formula": "a = b"}}, nim).wrong
    data = XOR.to_json()
    assert wrong_with(ANSWER | {"automaton": data | {"accepting": [0, 1]}}, nim).wrong
    assert wrong_with(ANSWER | {"automaton": data | {"accepting": [7]}, "losing": None}, nim).wrong
    assert wrong_with({"status": "unknown"}, nim).labels == 0


def process(answer):
    return lambda *_, **__: subprocess.CompletedProcess([], 0, json.dumps(answer), "a fault")


def test_the_variants_are_written(tmp_path, monkeypatch, capsys):
    listed = [Variant("take_away", "bouton1901"), Variant("euclid", "cole1969", unsaid="no")]
    answer = {"status": "solved", "rule": "normal", "losing": {"formula": "v mod 4 = 0"}}
    monkeypatch.setattr(prior_art.subprocess, "run", process(answer))
    monkeypatch.setattr(prior_art, "variants", lambda: listed)
    monkeypatch.setattr(prior_art, "TABLE", tmp_path / "prior_art.csv")
    assert prior_art.main(["--update"]) == 0
    assert prior_art.main([]) == 0
    assert "solved: 1, cannot be said: 1" in capsys.readouterr().out
    answer["losing"] = {"formula": "v mod 5 = 0"}
    monkeypatch.setattr(prior_art.subprocess, "run", process(answer))
    assert prior_art.main([]) == 1
    assert "(4,) is lost; by the formulas it is won" in capsys.readouterr().out
    monkeypatch.setattr(prior_art.subprocess, "run", process({"status": "unknown", "notes": ["x"]}))
    assert prior_art.main([]) == 1
    assert "outcome was 'solved', is 'not found'" in capsys.readouterr().out


def test_a_process_that_fails(monkeypatch):
    def hang(*_, **__):
        raise subprocess.TimeoutExpired("solve", 5)

    monkeypatch.setattr(prior_art.subprocess, "run", hang)
    answer, _ = prior_art.solved(variant("nim2").cases()[0], 5)
    assert answer["status"] == "failed"
    assert "timed out" in answer["notes"][0]


@pytest.mark.parametrize("arguments", [["--only", "chess"], ["--update", "--only", "wythoff_2"]])
def test_arguments_that_do_not_fit(arguments):
    with pytest.raises(SystemExit) as left:
        prior_art.main(arguments)
    assert left.value.code == 2
