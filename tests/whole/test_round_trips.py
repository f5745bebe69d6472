"""Rules, and every program made of an answer, are one game: the text that was written.

What is right is what the judge reads there, with a reader, definitions of the named sets and a play
of its own.  Faults it sees: a base that is lost in the text of rules, a set by name that is read
as another, a module that lacks a function that its rules call.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace

import catalog_answers
import pytest
from speed import sampled

import icgsynth as icg
from experiments.adversary.pages import NODE
from experiments.adversary.same_game import (
    different_module,
    different_page,
    different_rules,
    rules_in_words,
)
from experiments.judge.play import Play
from experiments.judge.reading import read_rules
from icgsynth.boards.finite.datalog import Rulebook
from icgsynth.boards.learn.saved import LearnedAnswer
from icgsynth.boards.learn.stage import unsolved_game
from icgsynth.boards.learn.weak import Hypothesis
from icgsynth.boards.rules.finite import finite_game, parse_text
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.cli.output import DONE
from icgsynth.digits.numeration import base
from icgsynth.errors import InputError, Refused
from icgsynth.export import export
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, SemiGroundAction, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import substitute
from icgsynth.logic.prose import in_rules
from icgsynth.spec.catalog import files
from icgsynth.spec.icg import parse
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source
from icgsynth.subjects.exports import prove_again, write_answer


def generated(seed):
    """A game whose rules speak of digits and sets by name, as text, as the judge's and as ours."""
    for number in range(100):
        text = rules_in_words(random.Random(f"{seed} {number}"))
        try:
            return text, Play(read_rules(text)), icg.loads(text).game
        except InputError:  # two bases, of which one has no bound
            continue
    raise AssertionError("no game can be read")


def bare(game):
    """An answer that claims nothing: what is printed of it are the rules."""
    return Solution(game, "normal", "unknown", winning=Claim(t.FALSE), losing=Claim(t.TRUE))


@pytest.mark.parametrize("seed", range(60))
def test_generated_rules_read_back_are_the_game_that_was_written(seed):
    text, play, game = generated(seed)
    rng = random.Random(seed)
    assert different_rules(play, game, text, rng, 60) == ""
    assert different_rules(play, game, str(game), rng, 60) == ""


@pytest.mark.parametrize("seed", range(60))
def test_generated_rules_as_a_module_are_the_game_that_was_written(seed):
    _, play, game = generated(seed)
    assert different_module(play, game, export(bare(game), "python"), random.Random(seed), 60) == ""


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize("seed", range(4))
def test_generated_rules_on_a_page_are_the_game_that_was_written(seed):
    _, play, game = generated(seed)
    assert different_page(play, game, export(bare(game), "html"), random.Random(seed), 60) == ""


# --- the catalog ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", files("icg", "blocking"))
def test_each_game_of_the_catalog_is_read_back(name):
    game = icg.load(name).game
    again = icg.loads(str(game)).game
    assert again == game


@pytest.mark.parametrize("name", files("piles"))
def test_each_game_of_piles_of_the_catalog_is_read_back(name):
    spec = parse(Source.read(files("piles")[name]))
    found = spec.heaps() if spec.splits else spec.piles()
    again = parse(Source("again", str(found)))
    assert str(again.heaps() if again.splits else again.piles()) == str(found)


# --- the files that commands write ----------------------------------------------------------------

FIVES = """game fives
var n
legal n >= 0
action take(k)
  pre 1 <= k <= n and k in powers_of_5
  eff n := n - k
"""


@sampled("command", ["value", "solve"])
def test_powers_of_five_are_those_of_five_in_a_file(tmp_path, command):
    """Powers of 5 are odd, so who is to move loses where n is even."""
    (tmp_path / "fives.icg").write_text(FIVES)
    file = tmp_path / "fives.json"
    assert run([command, str(tmp_path / "fives.icg"), "-o", str(file), "-q"]) == DONE
    again = icg.loads(json.loads(file.read_text())["rules"]).game
    assert {number for move in again.moves((30,)) for _, number in move.arguments} == {1, 5, 25}
    assert run(["verify", str(tmp_path / "fives.icg"), str(file), "-q"]) == DONE
    module = {"__name__": "exported"}
    exec(write_answer(prove_again(Source.read(file), Budget(60)), "python"), module)
    assert [n for n in range(40) if not module["is_winning"](n)] == [*range(0, 40, 2)]
    assert module["result"]("take", {"k": 5**40}, 5**40) == (0,)
    with pytest.raises(ValueError, match="does not apply"):
        module["result"]("take", {"k": 4}, 9)


def test_conditions_in_digits_are_read_back():
    """A condition that copies one of a move speaks of digits, whatever the formulas do."""
    game = icg.loads(FIVES).game
    when = substitute(game.action("take").precondition, {"k": t.Name("n")})
    rule = Rule(when, SemiGroundAction("take", (("k", t.Name("n")),)))
    answer = replace(bare(game), strategy=Strategy((rule,)))
    again = read_solution(Source("a.json", json.dumps(answer.to_json())))
    assert (again.game, again.strategy, again.logic) == (game, answer.strategy, "base-5")


@pytest.mark.parametrize("fmt", ["python", "html", "smt2", "latex", "asp", "dot", "fft", "json"])
def test_an_answer_and_its_file_have_the_same_text(fmt):
    answer = catalog_answers.solved("nim2")
    again = read_solution(Source("a.json", export(answer, "json")))
    assert export(again, fmt) == export(answer, fmt)


def test_rules_in_another_base_that_no_word_says_are_refused():
    odd = t.Digital("zeros", (t.Name("k"),), base(5))
    with pytest.raises(Refused, match="no word"):
        in_rules(t.compare(odd, "=", 1))


# --- games that are no impartial games ------------------------------------------------------------


@pytest.mark.parametrize("name", [*files("gdl"), *files("asp")])
def test_each_finite_game_of_the_catalog_is_read_back(name):
    game = finite_game(name)
    again = parse_text(game.name, game.text)
    if isinstance(game, Rulebook):
        assert again == game
    else:
        assert (again.text, again.roles, again.has_base) == (game.text, game.roles, game.has_base)


def test_constants_that_were_given_stand_in_the_rules_of_an_encoding():
    game = finite_game("mnk", {"m": 4})
    assert game.text != finite_game("mnk").text
    assert parse_text(game.name, game.text).text == game.text


def test_a_tree_is_exported_without_its_rules_beside_it(tmp_path):
    """The file of the rules is gone, or has become another game."""
    rules = tmp_path / "mine.icg"
    rules.write_text(MINE)
    file = tmp_path / "tree.json"
    words = ["fft", "synth", str(rules), "--bound", "3", "--budget", "2", "--no-certify"]
    assert run([*words, "-o", str(file), "-q"]) == DONE
    rules.unlink()
    text = write_answer(prove_again(Source.read(file), Budget(60)), "json")
    assert json.loads(text) == json.loads(file.read_text())
    module = {"__name__": "exported"}
    exec(write_answer(prove_again(Source.read(file), Budget(60)), "python"), module)
    assert module["FACTS"]


MINE = "game mine var a legal a >= 0 action take(k) pre 1 <= k <= 2 and k <= a eff a := a - k\n"


@pytest.mark.slow
def test_a_family_is_exported_without_its_rules_beside_it(tmp_path):
    rules = tmp_path / "some.icg"
    rules.write_text(MINE.replace("var", "const n = 2 var").replace("<= 2", "<= n"))
    file = tmp_path / "some.json"
    words = ["family", str(rules), "--over", "n=2..4", "-t", "10", "-o", str(file), "-q"]
    assert run(words) == DONE
    rules.unlink()
    assert "(check-sat)" in write_answer(prove_again(Source.read(file), Budget(60)), "smt2")


def test_a_learned_strategy_carries_its_game():
    game = unsolved_game(finite_game("nim_s"))
    answer = LearnedAnswer.of(game, Hypothesis((), ""))
    assert answer.to_json()["rules"] == game.book.text
