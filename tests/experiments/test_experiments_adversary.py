"""The adversary: what it catches, and that it finds nothing."""

from __future__ import annotations

import csv
import json
import random
from dataclasses import replace

import pytest
from hand_solved import NIM2 as NIM
from speed import sampled, shared

import icgsynth as icg
from experiments.adversary import attempt as attempts
from experiments.adversary import conjunctions, games, members, mutations, values
from experiments.adversary.command import CAMPAIGN
from experiments.attempts import Campaign, Outcome, Task, attempt, run, tried
from experiments.judge.play import Play
from experiments.judge.reading import read_rules
from icgsynth.errors import InputError
from icgsynth.game.strategy import Strategy
from icgsynth.prove.deciders.smt import SolverReply as Said
from icgsynth.spec.icg import parse_formula

TAKE = "game take var v legal v >= 0 action take(k) pre 1 <= k <= 3 and k <= v eff v := v - k"
BIG = 10**20 + 1

# --- the kinds bite, and find nothing -------------------------------------------------------------


def solves_wrongly(monkeypatch, losing):
    """Let icgsynth answer any game with these losing states, a text made of the first variable."""

    def solve(self, rule="normal", timeout=60.0):
        right = SOLVE(icg.load("take_away"), rule)
        text = losing.format(self.game.variables[0])
        claims = {
            "losing": replace(right.losing, formula=parse_formula(text, self.game.variables)),
            "winning": replace(
                right.winning, formula=parse_formula(f"not ({text})", self.game.variables)
            ),
        }
        return replace(
            right,
            game=self.game,
            strategy=Strategy(),
            tree=Strategy(),
            cover=(),
            ranking=(),
            **claims,
        )

    monkeypatch.setattr(icg.LoadedGame, "solve", solve)


SOLVE = icg.LoadedGame.solve


def test_a_wrong_answer_is_caught(monkeypatch):
    rng = random.Random(1)
    solves_wrongly(monkeypatch, "{0} mod 4 = 0")
    assert not attempts.solve_and_judge(TAKE, "normal", rng, 5, 30, 20).is_false
    solves_wrongly(monkeypatch, f"{{0}} mod 4 = 0 and {{0}} != {4 * BIG}")
    outcome = attempts.solve_and_judge(TAKE, "normal", rng, 5, 30, 60)
    assert outcome.is_false
    assert str(BIG)[:6] in outcome.wrong or str(4 * BIG)[:6] in outcome.wrong
    assert TAKE in outcome.text


@sampled("kind", ["quantified", "huge", "boxes", "digits"])
def test_solved_games_are_judged(monkeypatch, kind):
    """All states lose, says a solver; in nearly all games some move applies."""
    solves_wrongly(monkeypatch, "{0} = {0}")
    tally, faults = tried(CAMPAIGN, kind, 3, 6)
    assert tally.false == len(faults) >= 4


@pytest.mark.slow
def test_a_verifier_that_accepts_everything_is_caught(monkeypatch):
    monkeypatch.setattr(mutations, "certified", lambda *_: "proved")
    monkeypatch.setattr(mutations, "said_by_command", lambda *_: "proved")
    monkeypatch.setattr(mutations, "GAMES", ("nim2", "take_away"))
    tally, _ = tried(CAMPAIGN, "mutations", 2, 20)
    assert tally.false > 8


@pytest.mark.slow
def test_each_mutation_is_made_and_known_to_be_wrong():
    """Of 12 of each, most are: the others change nothing that is legal."""
    text, right = mutations.right_answer("nim2", "normal")
    play = Play(read_rules(text))
    for name, mutate in mutations.MUTATIONS.items():
        known = 0
        for seed in range(12):
            rng = random.Random(f"{name} {seed}")
            mutant = {**right, "strategy": [{**pair} for pair in right["strategy"]]}
            mutant["strategy"] = [{**p, "args": {**p["args"]}} for p in right["strategy"]]
            mutant["cover"] = [*right["cover"]]
            if mutate(mutant, play, rng):
                known += bool(mutations.known_wrong(play, right, mutant, rng)[1])
        # The formula "a = b" has no integer.
        assert known >= 6 or name in ("far congruence", "boundary moved")


def test_a_decider_that_finds_no_model_is_caught(monkeypatch):
    monkeypatch.setattr(conjunctions, "DECIDERS", {"liar": lambda *_: Said("unsat")})
    tally, faults = tried(CAMPAIGN, "conjunctions", 1, 20)
    assert tally.false > 12
    assert "liar: unsat" in faults[0].wrong


def test_a_decider_with_a_wrong_model_is_caught(monkeypatch):
    def liar(parts, names, budget):
        return Said("sat", {name: 10**40 + i for i, name in enumerate(names)})

    monkeypatch.setattr(conjunctions, "DECIDERS", {"liar": liar})
    assert tried(CAMPAIGN, "conjunctions", 1, 20)[0].false > 12


def test_a_wrong_automaton_is_caught(monkeypatch):
    class Liar(conjunctions.Compiler):
        def formula(self, formula):
            return ~super().formula(formula)

    monkeypatch.setattr(conjunctions, "Compiler", Liar)
    tally, _ = tried(CAMPAIGN, "compiler", 1, 20)
    assert tally.false == tally.proved > 3


def test_a_false_refusal_is_caught():
    play = Play(read_rules(TAKE))
    error = InputError("take has no legal state")
    assert attempts.refusal(play, error, "").is_false
    empty = Play(read_rules(TAKE.replace("v >= 0", "v > v")))
    assert not attempts.refusal(empty, error, "").is_false


def test_a_cycle_that_is_none_is_caught():
    play, rng = Play(read_rules(NIM)), random.Random(1)
    assert "no move leads" in attempts.wrong_cycle(play, [(1, 0), (0, 0)], rng)
    swap = Play(read_rules(NIM + "action swap pre true eff a := b, b := a"))
    assert attempts.wrong_cycle(swap, [(1, 2), (2, 1)], rng) == ""


class Raised:
    """Values that are all larger by 1."""

    def __init__(self, function):
        self._function = function

    def __getattr__(self, name):
        return getattr(self._function, name)

    def __call__(self, state):
        return self._function(state) + 1

    def known_at(self, *heap):
        return self._function.known_at(*heap) + 1


def test_wrong_values_are_caught(monkeypatch):
    answered = icg.LoadedGame.values
    monkeypatch.setattr(icg.LoadedGame, "values", lambda *given: Raised(answered(*given)))
    easy = (
        "game easy var v legal v >= 1 action take(k) pre 1 <= k <= 2 and k <= v - 1 eff v := v - k"
    )
    monkeypatch.setattr(values, "value_game", lambda _: easy)
    assert "has the value 0, and not 1" in values.values(random.Random(1)).wrong


def test_lists_that_begin_too_early_are_caught():
    known = {(1,): 0, (2,): 0, (3,): 1}
    for text, right in (
        ("The first values, from v = 1 on: 0 0 1 ...", True),
        ("The first values, from v = 0 on: 0 0 1 ...", False),
        ("The first values: 0 0 1 ...", False),
        ("The first values, at v = 1, 3: 0 1 ...", True),
        ("The first values, from v = 3 down: 1 0 0 ...", True),
    ):
        assert (values._wrong_list(text, known) == "") == right


def test_an_automaton_for_walnut_is_run_by_its_text():
    """The numbers x and y with y = x + 1, in binary from the left."""
    text = "# comment\n\nmsd_2 msd_2\n\n0 0\n0 0 -> 0\n1 1 -> 0\n0 1 -> 1\n\n1 1\n1 0 -> 1\n"
    for x in range(20):
        for y in range(20):
            assert values.walnut_accepts(text, (x, y)) == (y == x + 1)


@pytest.mark.parametrize(
    ("losing", "is_right"), [("v mod (n + 1) = 0", True), ("v mod 3 = 0", False)]
)
def test_members_that_say_otherwise_are_caught(losing, is_right):
    text = "game f const n = 2 " + TAKE[len("game take ") :].replace("3", "n")
    found = [members._wrong_member(text, "normal", n, losing, random.Random(1))[1] for n in (2, 5)]
    assert found[0] == "" and (found[1] == "") == is_right


# How many of each kind.  Before the faults that they look for were mended, all but "boxes" failed.
MANY = {
    "quantified": 25,
    "huge": 15,
    "boxes": 40,
    "digits": 5,
    "mutations": 60,
    "conjunctions": 1000,
    "compiler": 80,
    "constraints": 60,
    "values": 10,
    "heap_values": 15,
    "families": 6,
    "ended": 8,
    "pile_sums": 8,
    "misere_rows": 10,
    "kernel": 6,
    "texts": 60,
    "exports": 12,
    "digit_values": 12,
    "offsets": 4,
    "tiny": 8,
    "large": 3,
    "trees": 60,
    "sheets": 120,
}


# Games whose nearly right answers are wrong far away: all of a few may end in "unknown".  Of wrong
# values Coq accepts none.
HARD = ("digits", "huge", "families", "ended", "kernel")


# For the night alone: some games in digits are judged above, the others in the tests of what they
# are about, test_sizes.py, test_fft_minimal.py and test_printed_sheets.py.
ELSEWHERE = ("digits", "offsets", "tiny", "large", "trees", "sheets")
MANY_OF_EACH = [
    case
    for kind in CAMPAIGN.kinds
    for case in shared([(kind, MANY[kind])], 12)[kind in ELSEWHERE :]
]


@pytest.mark.parametrize(("kind", "count"), MANY_OF_EACH)
def test_no_claim_of_many_is_false(kind, count):
    tally, faults = tried(CAMPAIGN, kind, 1, count)
    assert faults == []
    assert tally.proved > 0 or kind in HARD or count < MANY[kind]


# --- the command ----------------------------------------------------------------------------------


def test_an_attempt_depends_on_its_seed_alone():
    first, again, other = (
        games.quantified_game(random.Random(seed)) for seed in ("0 a 1", "0 a 1", "0 a 2")
    )
    assert first == again != other
    make, task = CAMPAIGN.kinds["compiler"], Task("compiler", 5, 3)
    assert attempt(make, task) == attempt(make, task)


@pytest.mark.slow
def test_the_command(tmp_path, capsys):
    table = tmp_path / "adversary.csv"
    table.write_text("kind,seed,attempts,proved,refuted,unknown,refused,crash,late,checked,false\n")
    with table.open("a") as stream:
        stream.write("huge,7,9,9,0,0,0,0,0,1,0\ncompiler,7,9,9,0,0,0,0,0,1,0\n")
    campaign = replace(CAMPAIGN, table=table, folder=tmp_path / "build")
    options = ["--minutes=1", "--count=3", "--jobs=1", "--seed=4", "--kinds=boxes", "--update"]
    assert run(campaign, options) == 0
    with table.open(newline="") as stream:
        rows = {row["kind"]: row for row in csv.DictReader(stream)}
    assert list(rows) == ["huge", "boxes", "compiler"]
    assert (rows["boxes"]["seed"], rows["boxes"]["attempts"]) == ("4", "3")
    captured = capsys.readouterr()
    assert captured.out.splitlines()[1].split()[:2] == ["boxes", "3"]
    assert captured.err == ""
    assert not campaign.found.exists()


def faulty(rng):
    """Every attempt shows a fault."""
    return Outcome("proved", 1, "it is not", f"game {rng.random()}")


def test_a_fault_is_recorded_and_ends_in_1(tmp_path):
    campaign = Campaign("example", {"faulty": faulty}, tmp_path / "example.csv", tmp_path / "build")
    assert run(campaign, ["--count=2", "--jobs=1"]) == 1
    entries = [json.loads(line) for line in campaign.found.read_text().splitlines()]
    assert [(e["attempt"], e["seed"], e["wrong"]) for e in entries] == [
        (0, 0, "it is not"),
        (1, 0, "it is not"),
    ]
    assert entries[0]["text"] != entries[1]["text"]


def test_a_campaign_goes_on_where_it_ended(tmp_path):
    campaign = Campaign("example", {"faulty": faulty}, tmp_path / "example.csv", tmp_path / "build")
    run(campaign, ["--count=2", "--jobs=1"])
    run(campaign, ["--count=3", "--jobs=1", "--resume", "--update"])
    numbers = [json.loads(line)["attempt"] for line in campaign.found.read_text().splitlines()]
    assert numbers == [0, 1, 2, 3, 4]
    with campaign.table.open(newline="") as stream:
        [row] = csv.DictReader(stream)
    assert (row["attempts"], row["false"]) == ("5", "5")
    run(campaign, ["--count=1", "--jobs=1"])  # begins again
    assert len(campaign.found.read_text().splitlines()) == 1
