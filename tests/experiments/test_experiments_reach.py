"""The reach on the benchmark: the reader of its files, what is called wrong, the table."""

from __future__ import annotations

import json
import random
from itertools import product

import pytest

import icgsynth as icg
from experiments import reach
from experiments.judge.graph import box, endless, explored, outcomes
from experiments.judge.pddl import read_pddl
from experiments.judge.play import Play
from experiments.judge.reading import Unreadable
from experiments.reach_table import MANY, SEVERAL, Pair, groups

TAKE_AWAY = """
(define (domain take-away)
  (:objects ?v1)
  (:tercondition (= ?v1 0))
  (:constraint (>= ?v1 0))
  (:action take :parameters (?k) :precondition (and (>= ?k 1) (<= ?k 3) (>= ?v1 ?k))
    :effect (assign ?v1 (- ?v1 ?k))))
"""
NIM = """
(define (domain nim) ; two piles
  (:objects ?v1 ?v2)
  (:tercondition (and (= ?v1 0) (= ?v2 0)))
  (:constraint (and (>= ?v1 0) (>= ?v2 0)))
  (:action take :parameters (?k) :precondition (and (>= ?v1 ?k) (> ?k 0))
    :effect (assign ?v1 (- ?v1 ?k)))
  (:action take :parameters (?k) :precondition (and (>= ?v2 ?k) (> ?k 0))
    :effect (assign ?v2 (- ?v2 ?k))))
"""
# Chomp on two rows: a bite into the first row takes as much of the second.
CHOMP = """
(define (domain chomp)
  (:objects ?a ?b)
  (:tercondition (and (= ?a 1) (= ?b 0)))
  (:constraint (and (>= ?a 1) (>= ?b 0) (<= ?b ?a)))
  (:action eat1 :parameters (?k) :precondition (and (>= ?k 2) (<= ?k ?a))
    :effect (and (assign ?a (- ?k 1)) (when (>= ?b ?k) (assign ?b (- ?k 1)))))
  (:action eat2 :parameters (?k) :precondition (and (>= ?k 1) (<= ?k ?b))
    :effect (assign ?b (- ?k 1))))
"""
ODD = """
(define (domain odd)
  (:objects ?v)
  (:constraint (>= ?v 0))
  (:action take :parameters (?k) :precondition (and (%= ?k 2 1) (<= ?k ?v) (> ?k 0))
    :effect (assign ?v (- ?v ?k))))
"""
# Play is over at 0, 1 and 2, though counters are left there.
EARLY = """
(define (domain early)
  (:objects ?v)
  (:tercondition (<= ?v 2))
  (:constraint (>= ?v 0))
  (:action take :parameters (?k) :precondition (or (= ?k 1) (= ?k 2))
    :effect (assign ?v (- ?v ?k))))
"""
SWAP = """
(define (domain swap)
  (:objects ?a ?b)
  (:constraint (and (>= ?a 0) (<= ?a 3) (>= ?b 0) (<= ?b 3)))
  (:action swap :effect (and (assign ?a ?b) (assign ?b ?a))))
"""


def graph_of(text):
    play = Play(read_pddl(text))
    return play, explored(play, box(play, 400), 2_000, random.Random(0))


# --- reading and labels ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rule", "loses"),
    [
        (TAKE_AWAY, "normal", lambda v: v % 4 == 0),
        (TAKE_AWAY, "misere", lambda v: v % 4 == 1),
        (NIM, "normal", lambda a, b: a == b),
        (NIM, "misere", lambda a, b: a + b == 1 or (a == b and a >= 2)),
        (CHOMP, "normal", lambda a, b: a == b + 1),
        (CHOMP, "misere", lambda a, b: a + b == 2),
        (ODD, "normal", lambda v: v % 2 == 0),
        (ODD, "misere", lambda v: v % 2 == 1),
        (EARLY, "normal", lambda v: v <= 2 or v % 3 == 2),
        (EARLY, "misere", lambda v: v >= 3 and v % 3 == 0),
    ],
)
def test_the_labels_are_those_known(text, rule, loses):
    _, graph = graph_of(text)
    labels = outcomes(graph, rule)
    assert len(labels) == len(graph.moves) > 80
    assert {s for s, side in labels.items() if side == "lost"} == {s for s in labels if loses(*s)}


def test_right_sides_read_the_old_state():
    play, graph = graph_of(SWAP)
    assert play.made((1, 3), "swap", {}) == (3, 1)
    assert endless(graph) is not None
    assert set(outcomes(graph, "normal").values()) == {"drawn"}
    assert set(graph.moves) == set(product(range(4), repeat=2))  # the variables are bounded


def test_the_last_assignment_that_fires_counts():
    effect = "(and (assign ?v 0) (when (> ?k 1) (when (> ?k 2) (assign ?v 1))))"
    play = Play(read_pddl(TAKE_AWAY.replace("?v1", "?v").replace("(assign ?v (- ?v ?k))", effect)))
    after = [play.made((9,), "take", {"k": k}) for k in range(5)]
    assert after == [None, (0,), (0,), (1,), None]


def test_conditions_and_terms():
    condition = "(and (imply (= ?k 1) (!= ?v1 7)) (not (= (* 2 ?k) (+ ?v1 (- 3) 1))))"
    play = Play(read_pddl(TAKE_AWAY.replace("(and (>= ?k 1) (<= ?k 3)", f"(and {condition}")))
    assert play.made((7,), "take", {"k": 1}) is None
    assert play.made((6,), "take", {"k": 2}) is None
    assert play.made((7,), "take", {"k": 2}) == (5,)
    assert play.made((7,), "take", {"k": -1}) == (8,)  # parameters are integers


def test_names_are_those_of_the_language():
    text = NIM.replace("?v1", "?v-1").replace("?v2", "?end").replace(":action take ", ":action 2x ")
    rules = read_pddl(text)
    assert rules.variables == ("v_1", "end_") == icg.loads(text).game.variables
    names = [action.name for action in rules.actions]
    assert names == ["_2x", "_2x_2"] == [action.name for action in icg.loads(text).game.actions]


def test_a_state_is_undetermined_where_play_leaves_the_box():
    growing = "(:action grow :precondition (> ?v1 5) :effect (assign ?v1 (+ ?v1 1))))"
    _, graph = graph_of(TAKE_AWAY.rstrip()[:-1] + growing)
    labels = outcomes(graph, "normal")
    # 4 has lost, so what can go there has won; 8 may do better than lose by going to 9.
    sides = ["lost", "won", "won", "won", "lost", "won", "won", "won", None]
    assert [labels.get((v,)) for v in range(9)] == sides


def test_a_state_is_undetermined_where_a_parameter_without_bounds_still_applies():
    _, graph = graph_of(ODD.replace("(> ?k 0)", "(!= ?k 0)"))
    assert all(map(graph.is_open, graph.moves))
    assert outcomes(graph, "normal") == {}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(define",
        "(define) )",
        TAKE_AWAY.replace("(>= ?k 1)", "(>= ?l 1)"),
        TAKE_AWAY.replace("(>= ?k 1)", "(exists ?k 1)"),
        TAKE_AWAY.replace("(assign", "(increase"),
        TAKE_AWAY.replace("(assign ?v1", "(assign ?k"),
        TAKE_AWAY.replace("(- ?v1 ?k)", "(/ ?v1 ?k)"),
        TAKE_AWAY.replace("(?k)", "(?v1)"),
        TAKE_AWAY.replace(":action take", ":action"),
        TAKE_AWAY.replace(":objects ?v1", ":objects ?v1 ?v1"),
        ODD.replace("2 1", "?v 1"),
    ],
)
def test_what_is_not_of_the_dialect_is_not_read(text):
    with pytest.raises(Unreadable):
        read_pddl(text)


# --- the judge -------------------------------------------------------------------------------


def record(folder, text, rule, losing, *strategy, status="solved"):
    """What a sweep would have written of such an answer."""
    path = folder / "game.pddl"
    path.write_text(text)
    game = icg.load(str(path)).game
    pairs = [{"when": w, "action": a, "args": args} for w, a, args in strategy]
    solution = {"rules": str(game), "rule": rule, "status": status, "strategy": pairs}
    return {
        "file": str(path),
        "family": "games",
        "rule": rule,
        "status": status,
        "strategy": len(pairs),
        "solution": solution | {"game": game.name, "losing": {"formula": losing}},
    }


def judged(answer):
    [verdict] = reach.judge_file([answer])
    return verdict


NIM_MOVES = (
    ("v1 > v2", "take", {"k": "v1 - v2"}),
    ("v2 > v1", "take_2", {"k": "v2 - v1"}),
)
TAKE = ("true", "take", {"k": "v1 mod 4"})


@pytest.mark.parametrize(
    ("text", "rule", "losing", "strategy"),
    [
        (TAKE_AWAY, "normal", "v1 mod 4 = 0", [TAKE]),
        (TAKE_AWAY, "misere", "v1 mod 4 = 1", [("true", "take", {"k": "(v1 - 1) mod 4"})]),
        (TAKE_AWAY, "normal", "v1 mod 4 = 0", []),
        (NIM, "normal", "v1 = v2", NIM_MOVES),
        (
            CHOMP,
            "normal",
            "a = b + 1",
            [("a > b + 1", "eat1", {"k": "b + 2"}), ("a = b", "eat2", {"k": "a"})],
        ),
    ],
)
def test_a_right_answer_stands(tmp_path, text, rule, losing, strategy):
    verdict = judged(record(tmp_path, text, rule, losing, *strategy))
    assert (verdict.wrong, verdict.skipped) == ("", "")
    assert verdict.states > 80


@pytest.mark.parametrize(
    ("text", "losing", "strategy", "said"),
    [
        (TAKE_AWAY, "v1 mod 4 = 1", [TAKE], "is_winning(0,) is True"),
        (NIM, "v1 = v2 and v1 != 17", NIM_MOVES, "is_winning(17, 17) is True"),
        (NIM, "v1 = v2", NIM_MOVES[:1], "move(0, 1) has none"),
        (TAKE_AWAY, "v1 mod 4 = 0", [("v1 = 14", "take", {"k": "1"}), TAKE], "move(14,) is"),
    ],
)
def test_a_wrong_answer_is_shown_with_a_state(tmp_path, text, losing, strategy, said):
    assert judged(record(tmp_path, text, "normal", losing, *strategy)).wrong.startswith(said)


def test_what_the_solver_would_have_read_otherwise_is_wrong(tmp_path):
    """The file that is judged says more than the answer knows."""
    answer = record(tmp_path, TAKE_AWAY, "normal", "v1 mod 4 = 0", TAKE)
    path = tmp_path / "game.pddl"
    path.write_text(TAKE_AWAY.replace("(and (>= ?k 1)", "(and (>= ?k 1) (not (= ?v1 5))"))
    assert judged(answer).wrong.startswith("is_winning(5,) is True")
    path.write_text(TAKE_AWAY.replace("(>= ?v1 0)", "(and (>= ?v1 0) (!= ?v1 9))"))
    assert judged(answer).wrong.startswith(("is_legal(9,) is True", "is_winning(12,)"))
    path.write_text(TAKE_AWAY.replace("take-away", "t").replace("(<= ?k 3)", "(<= ?k 3) (!= ?k 2)"))
    assert "(2,)" in judged(answer).wrong


def test_solved_is_wrong_where_play_need_not_end(tmp_path):
    answer = record(tmp_path, SWAP, "normal", "a = b")
    assert "(0, 0) may never end" in judged(answer).wrong
    answer = record(tmp_path, SWAP, "normal", "a = b", status="conditional")
    assert judged(answer).wrong == ""


def test_of_a_conditional_answer_the_moves_are_not_judged(tmp_path):
    wrong = ("true", "take", {"k": "1"})
    answer = record(tmp_path, TAKE_AWAY, "normal", "v1 mod 4 = 0", wrong, status="conditional")
    assert judged(answer).wrong == ""


def test_an_endless_game_is_confirmed_by_a_cycle(tmp_path):
    answer = record(tmp_path, SWAP, "normal", "a = b", status="unknown") | {"status": "endless"}
    assert judged(answer).skipped == ""
    answer = record(tmp_path, NIM, "normal", "v1 = v2", status="unknown") | {"status": "endless"}
    assert "does not come back" in judged(answer).skipped


@pytest.mark.parametrize(("drawn", "said"), [("a != b", ""), ("a != b and b != 2", "is called")])
def test_an_answer_with_draws_is_judged(tmp_path, drawn, said):
    """Swap, and a loss at once where both are equal: nobody else need lose."""
    text = SWAP.replace(":action swap", ":action swap :precondition (!= ?a ?b)")
    strategy = {"when": "a != b", "action": "swap", "args": {}, "keeps": "draw"}
    more = {"drawn": {"formula": drawn}, "winning": {"formula": "false"}, "strategy": [strategy]}
    answer = record(tmp_path, text, "normal", "a = b")
    answer["solution"] |= more
    verdict = judged(answer)
    assert verdict.states == 16
    assert said in verdict.wrong
    assert bool(verdict.wrong) == bool(said)


def test_an_answer_with_quantifiers_is_not_judged(tmp_path):
    answer = record(tmp_path, TAKE_AWAY, "normal", "exists x. v1 = 4 * x")
    assert "quantif" in judged(answer).skipped


# --- the table -------------------------------------------------------------------------------


def pair(outcome, family="nim", unbounded=1, seconds=0.1, size=3, strategy=True):
    return Pair("a", family, "normal", outcome, "", strategy, unbounded, seconds, size)


PAIRS = [
    *[pair("solved", seconds=i / 10, size=i) for i in range(1, 11)],
    pair("solved", unbounded=2, strategy=False, seconds=9, size=40),
    pair("endless", "min-game", 2, seconds=99),
    pair("wrong", "welter", 3, seconds=99),
    pair("unknown", "welter", 2, seconds=99, size=None),
]


def test_the_counts_by_family():
    listed = groups(PAIRS)
    assert [group.name for group in listed] == [
        *("min-game", "nim", "welter"),
        *("total", SEVERAL, MANY),
    ]
    rows = {group.name: group.row() for group in listed}
    assert rows["nim"]["pairs"] == rows["nim"]["solved"] == "11"
    assert rows["nim"]["strategy"] == "10"
    assert (rows["nim"]["median_seconds"], rows["nim"]["p90_seconds"]) == ("0.60", "1.00")
    assert (rows["nim"]["median_size"], rows["nim"]["p90_size"]) == ("6", "10")
    assert (rows["welter"]["wrong"], rows["welter"]["unknown"]) == ("1", "1")
    assert (rows["total"]["pairs"], rows["total"]["solved_percent"]) == ("14", "78.6")
    assert (rows[SEVERAL]["pairs"], rows[SEVERAL]["solved_percent"]) == ("4", "25.0")
    assert (rows[MANY]["pairs"], rows[MANY]["wrong"]) == ("1", "1")


def test_a_wrong_answer_is_not_solved():
    answer = {"status": "solved", "reason": None, "unbounded": None, "size": 3, "strategy": 1}
    names = {"file": "f", "family": "g", "rule": "normal", "seconds": 1.0}
    assert Pair.of(answer | names).outcome == "solved"
    assert Pair.of(answer | names, "is_winning(0)").outcome == "wrong"


# --- the command -----------------------------------------------------------------------------


def test_the_command(tmp_path, capsys):
    family = tmp_path / "bench" / "take-away"
    family.mkdir(parents=True)
    (family / "game.pddl").write_text(TAKE_AWAY)
    (family / "broken.pddl").write_text("(define")
    results = tmp_path / "reach.jsonl"
    command = ["--pddl", str(tmp_path / "bench"), "--results", str(results), "--jobs=1", "--list"]
    assert reach.main(command) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[1].split()[:8] == ["take-away", *"4200020"]
    assert "2 answers on 2,000 states" in out
    assert f"error       {family / 'broken.pddl'} (misere): " in out
    # Nothing is run again, so what the file says is what is judged.
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    for line in lines:
        if line["solution"]:
            line["solution"]["winning"]["formula"] = "v1 mod 4 != 2"
    results.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert reach.main(command) == 1
    out = capsys.readouterr().out
    assert f"WRONG {family / 'game.pddl'} (normal): is_winning(" in out
    assert out.splitlines()[1].split()[:8] == ["take-away", *"4000022"]


def test_a_sample_is_the_same_again(tmp_path):
    for i in range(9):
        (tmp_path / f"{i}.pddl").write_text(TAKE_AWAY)
    chosen = reach.chosen_files(tmp_path, 3, 1)
    assert chosen == reach.chosen_files(tmp_path, 3, 1)
    assert len(set(chosen)) == 3
    assert len(reach.chosen_files(tmp_path, None, 0)) == 9


def test_a_folder_without_files(tmp_path, capsys):
    assert reach.main(["--pddl", str(tmp_path)]) == 2
    assert "no .pddl file" in capsys.readouterr().err
