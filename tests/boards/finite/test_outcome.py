"""Who wins a finite game from a position: against plain minimax over a plain reading of the rules.

Faults it sees: a winner, a goal, a length or a list of moves that is wrong; a line that is no play;
a position that is read as another one; a refusal without the step that was too large.
"""

from __future__ import annotations

import json
from math import inf

import numpy as np
import pytest

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from commands import call, refused
from finite_arenas import arena_of_rules

from experiments.judge.gdl import Board, SlowGame, show
from icgsynth.boards.fft import tree_questions
from icgsynth.boards.finite.domain import with_base
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.outcome import outcome_from, start_at
from icgsynth.boards.finite.whole import SolvingTable
from icgsynth.boards.finite.worth import report
from icgsynth.boards.rules.asp import parse_asp
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.boards.subject.board_questions import position
from icgsynth.boards.text.outcome_report import outcome_report, winner_line, winner_value
from icgsynth.budget import Budget
from icgsynth.errors import InputError, OutOfReach
from icgsynth.export.report import as_text
from icgsynth.spec.catalog import resolve
from icgsynth.spec.source import Source
from icgsynth.subjects import subject

NIM = """
(role a) (role b) (init (turn a)) (init (pile {0}))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(<= (less ?m 1 ?n) (succ ?n ?m)) (<= (less ?m 2 ?n) (succ ?n ?k) (succ ?k ?m))
(<= (legal ?p (take ?k)) (true (turn ?p)) (true (pile ?n)) (less ?n ?k ?m))
(<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
(<= (next (pile ?m)) (true (pile ?n)) (does ?p (take ?k)) (less ?n ?k ?m))
(<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
(<= terminal (true (pile 0)))
(<= (goal ?p {1}) (true (turn ?p))) (<= (goal a {2}) (true (turn b)))
(<= (goal b {2}) (true (turn a)))
"""

LADDER = """
(role x) (role y) (init (at 1)) (init (turn x))
(edge 1 2) (edge 1 3) (edge 2 4) (edge 2 5) (edge 3 6) (edge 3 7)
(worth 4 100) (worth 5 60) (worth 6 70) (worth 7 80)
(<= (legal ?p (go ?n)) (true (turn ?p)) (true (at ?m)) (edge ?m ?n))
(<= (legal x noop) (true (turn y))) (<= (legal y noop) (true (turn x)))
(<= (next (at ?n)) (does ?p (go ?n)))
(<= (next (turn y)) (true (turn x))) (<= (next (turn x)) (true (turn y)))
(<= inner (true (at ?m)) (edge ?m ?n)) (<= terminal (not inner))
(<= (goal x ?g) (true (at ?m)) (worth ?m ?g))
(other 100 0) (other 60 40) (other 70 30) (other 80 20)
(<= (goal y ?h) (true (at ?m)) (worth ?m ?g) (other ?g ?h))
"""


def found(text, at=None):
    rules = parse_gdl(Source("g.kif", text))
    table = SolvingTable(rules)
    board = table.board()
    if at is not None:
        board = start_at(board, position(FiniteGame(board), at))
    return outcome_from(board, table.arena(board))


def plain(text):
    """The goals of best play of two roles who take turns, and how long it lasts, by recursion."""
    game = SlowGame(text)

    def best(state):
        ended, legal, goals = game.look(state)
        if ended:
            return goals, 0
        role, other = sorted(game.roles, key=lambda r: legal[r] == ["noop"])
        after = [best(game.after(state, {role: m, other: "noop"})) for m in legal[role]]
        most = max(goals[role] for goals, _ in after)
        kept = [(goals, plies) for goals, plies in after if goals[role] == most]
        won = most > kept[0][0][other]
        goals, plies = (min if won else max)(kept, key=lambda g: g[1])
        return goals, plies + 1

    return best(game.initial)


@pytest.mark.parametrize("pile", [1, 3, 4, 6])
@pytest.mark.parametrize("goals", [(0, 100), (100, 0)])
def test_winner_goals_moves_and_length_are_those_of_plain_minimax(pile, goals):
    text = NIM.format(pile, *goals)
    slow, outcome = Board.of(text), found(text)
    worth, plies = plain(text)
    assert outcome.worth == worth
    assert outcome.length == plies
    assert set(outcome.moves) == slow.good(0)
    assert outcome.winner == max(worth, key=worth.get)
    assert outcome.states == len(slow.facts)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chomp", "nim"])
def test_games_of_the_catalog_are_worth_what_plain_minimax_says(name):
    text = Source.read(resolve(name, "gdl")).text
    slow, outcome = Board.of(text), found(text)
    assert set(outcome.moves) == slow.good(0)
    assert {1: slow.roles[0], -1: slow.roles[1], 0: None}[slow.value[0]] == outcome.winner
    assert outcome.states == len(slow.facts)


def test_goals_between_win_and_loss_are_played_for():
    """x can have 60 by the first way and 70 by the second, and y 40 or 30."""
    outcome = found(LADDER)
    assert outcome.worth == {"x": 70, "y": 30} == plain(LADDER)[0]
    assert outcome.moves == ("go(3)",)
    assert found(LADDER, "go(2)").worth == {"x": 60, "y": 40}


@pytest.mark.parametrize(("steps", "value"), [(1, -1), (2, 1)])
def test_a_puzzle_whose_best_goal_is_0_is_not_won(steps, value):
    """Sees the best goal of all ends called a win where it is 0, and a draw told of one role."""
    text = f"""(role robot) (init (at 0)) (init (step 0)) (succ 0 1) (succ 1 2)
    (<= (legal robot right) (true (at ?n))) (<= (legal robot stay) (true (at ?n)))
    (<= (next (at ?m)) (true (at ?n)) (does robot right) (succ ?n ?m))
    (<= (next (at ?n)) (true (at ?n)) (does robot stay))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step {steps})))
    (<= (goal robot 100) (true (at 2))) (<= (goal robot 0) (not (true (at 2))))"""
    assert arena_of_rules(parse_gdl(Source("g.kif", text))).value[0] == value
    outcome = found(text)
    assert outcome.winner == ("robot" if value > 0 else None)
    told = as_text(outcome_report(outcome, True))
    assert "draw" not in told and "both roles" not in told


def test_the_loser_plays_for_the_better_loss():
    """The end at 5 is worth 40 to y and the one at 7 is worth 20: y, who loses, goes to 2."""
    text = LADDER.replace("(init (turn x))", "(init (turn y))").replace("4 100", "4 65")
    text = text.replace("(other 100 0)", "(other 65 35)")
    outcome = found(text)
    assert outcome.winner == "x" and outcome.mover == "y"
    assert outcome.worth == {"x": 65, "y": 35} == plain(text)[0]
    assert outcome.moves == ("go(2)",)
    assert [action for _, action in outcome.line] == ["go(2)", "go(4)"] and outcome.length == 2


def test_the_line_of_best_play_is_play_to_the_end_that_was_told():
    text = NIM.format(7, 0, 100)
    outcome, game = found(text), SlowGame(text)
    state = game.initial
    for role, action in outcome.line:
        ended, legal, _ = game.look(state)
        move = next(m for m in legal[role] if show(m) == action)
        assert not ended
        state = game.after(state, {r: move if r == role else "noop" for r in game.roles})
    ended, _, goals = game.look(state)
    assert ended and goals == outcome.worth and len(outcome.line) == outcome.length


def test_a_position_is_facts_or_moves_in_either_notation():
    text = NIM.format(7, 0, 100)
    by_moves = found(text, "take(2) take(1)")
    assert by_moves.facts == ("pile(4)", "turn(a)")
    for written in ("pile(4) turn(a)", "turn(a), pile(4)", "(pile 4) (turn a)", "pile(4);turn(a)"):
        assert found(text, written) == by_moves
    assert found(text, "pile(0) turn(a)").mover is None


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("take(3)", "no fact and no move take(3)"),
        ("take(2) pile(4)", "some of both"),
        ("take(2) take(2) take(2) take(2)", "move 4, take(2), is not legal there"),
        ("pile(4)", "no position of g"),
    ],
)
def test_what_is_no_position_is_refused(at, message):
    with pytest.raises(InputError) as caught:
        found(NIM.format(7, 0, 100), at)
    assert message in str(caught.value) and caught.value.mend


def test_play_that_never_ends_is_a_draw_without_a_length():
    text = """(role a) (role b) (init (at 1)) (init (turn a))
    (<= (legal ?p (go ?n)) (true (turn ?p)) (step ?n)) (step 1) (step 2)
    (<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
    (<= (next (at ?n)) (does ?p (go ?n)))
    (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
    (<= terminal (true (at 3))) (<= (goal ?p 50) (role ?p))"""
    outcome = found(text)
    assert (outcome.winner, outcome.length, outcome.worth) == (None, None, {"a": None, "b": None})
    assert set(outcome.moves) == {"go(1)", "go(2)"} and outcome.line == ()


def test_one_player_is_told_the_best_goal():
    text = """(role a) (init (at 1)) (<= (legal a (go ?n)) (to ?n)) (to 2) (to 3)
    (<= (next (at ?n)) (does a (go ?n))) (<= terminal (not (true (at 1))))
    (<= (goal a 40) (true (at 2))) (<= (goal a 70) (true (at 3)))"""
    outcome = found(text)
    assert (outcome.worth, outcome.moves, outcome.length) == ({"a": 70}, ("go(3)",), 1)


def test_json_has_the_keys_of_a_position(capfd, tmp_path):
    path = tmp_path / "g.kif"
    path.write_text(NIM.format(4, 0, 100))
    code, out, _ = call(capfd, "solve", path, "--json")
    value = json.loads(out)
    assert code == 0
    assert (value["kind"], value["status"], value["winner"]) == ("position", "solved", "a")
    assert value["value"] == {"a": 100, "b": 0} and value["proved"] and value["winning"]
    assert (value["moves"], value["length"]) == (["take(1)"], 3)
    assert value["move"] == {"action": "take(1)", "args": {}, "state": ["pile(3)", "turn(b)"]}
    code, out, _ = call(capfd, "solve", path, "--at", "take(1)")
    assert code == 0 and "a wins" in out and "2 moves" in out
    assert "--rule" in refused(capfd, "solve", path, "--rule", "misere")
    assert "--finite-only" in refused(capfd, "solve", path, "--finite-only")


# --- games of lines ------------------------------------------------------------------------


def plain_lines(game, state):
    """(winner, moves to the end) by recursion; the winner hurries and the loser delays."""
    if (won := game.winner(state)) is not None:
        return won, 0
    after = [plain_lines(game, game.put(state, bit)) for bit in game.empty(state)]
    if not after:
        return None, 0
    seat = game.mover(state)
    who = next((w for w in (seat, None, 1 - seat) if any(a[0] == w for a in after)), None)
    plies = [plies for winner, plies in after if winner == who]
    return who, 1 + (min if who == seat else max)(plies)


@pytest.mark.parametrize("spec", ["connect:3x3:3", "bottom:3x3:3", "connect:2x4:2"])
def test_games_of_lines_are_worth_what_plain_minimax_says(spec):
    asked = subject(spec)
    found = asked.to_solve("normal").answer()
    winner, plies = plain_lines(asked.game, asked.game.initial)
    assert (found.winner, found.length) == (None if winner is None else "XO"[winner], plies)
    assert len(found.line) == plies


@pytest.mark.slow
def test_a_game_of_lines_is_that_of_its_description(capfd):
    ours = json.loads(call(capfd, "solve", "connect:4x4:3", "--json")[1])
    theirs = json.loads(call(capfd, "solve", "connect3", "--json")[1])
    assert (ours["winner"], ours["length"]) == ("X", theirs["length"])
    assert theirs["winner"] == theirs["mover"] and sorted(ours["moves"]) == sorted(theirs["moves"])
    assert "no game of lines" in refused(capfd, "solve", "connect:4x4:x")


# --- what is too large ---------------------------------------------------------------------

WIDE = """(role a) (init (on 0)) {0} (<= (legal a (set ?x ?y)) (n ?x) (n ?y))
(<= (next (on ?x ?y)) (does a (set ?x ?y))) (<= (next (on ?x ?y)) (true (on ?x ?y)))
(<= terminal (true (on 0 0 0))) (goal a 100)"""


def test_too_many_states_name_exploring_and_their_count():
    text = WIDE.format(" ".join(f"(n {i})" for i in range(6)))
    table = SolvingTable(parse_gdl(Source("wide.kif", text)), Budget(inf))
    board = table.board()
    with pytest.raises(OutOfReach) as caught:
        table.arena(board, symmetric=False, most=1_000)
    said = str(caught.value)
    assert said.startswith("wide: not solved: ") and "more states than the limit of 1,000" in said
    assert "the step that was too large: " in said and "exploring: " in said


def test_a_grounding_that_is_too_long_is_named_with_its_count():
    numbers = " ".join(f"(n {i})" for i in range(400))
    text = WIDE.format(numbers) + "(<= (p ?a ?b ?c) (n ?a) (n ?b) (n ?c) (true (on ?a ?b)))"
    table = SolvingTable(parse_gdl(Source("wide.kif", text)), Budget(0.3))
    with pytest.raises(
        OutOfReach, match=r"the step that was too large: grounding \(.*ground rules"
    ):
        table.board()


# --- encodings that count without a base ----------------------------------------------------

PILE = """role(a). role(b). init(pile(6)). init(turn(a)).
legal(P,take(K)) :- true(turn(P)), true(pile(N)), K = 1..2, K <= N.
next(pile(N-K)) :- does(_,take(K)), true(pile(N)).
next(turn(Q)) :- true(turn(P)), role(Q), distinct(P,Q).
terminal :- true(pile(0)).
goal(P,0) :- true(pile(0)), true(turn(P)).
goal(Q,1) :- true(pile(0)), true(turn(P)), role(Q), Q != P."""


def test_facts_that_legal_moves_lead_to_are_the_base_of_an_encoding_that_counts():
    book = parse_asp(Source("pile.lp", PILE))
    assert any("distinct(A,B) is read as A != B" in line for line in book.warnings)
    based = with_base(book, 30.0)
    base = {s.text for s in based.statements if s.text.startswith("base")}
    assert base == {f"base(pile({n}))." for n in range(7)} | {"base(turn(a)).", "base(turn(b))."}


@pytest.mark.slow
def test_an_encoding_that_counts_is_solved_or_refused_at_the_rule(capfd, tmp_path):
    path = tmp_path / "pile.lp"
    path.write_text(PILE)
    code, out, _ = call(capfd, "solve", path, "--json")
    assert code == 0 and json.loads(out)["winner"] == "b"  # 6 is a multiple of 3
    path.write_text(PILE.replace("pile(6)", "pile(9000)").replace("1..2", "1..4000"))
    assert ":3:1: no bound is known" in refused(capfd, "solve", path)


@pytest.mark.parametrize("goal", [0, 100])
def test_a_puzzle_has_one_player_whoever_wins(goal):
    """Kills: a tree for a second role; that role in what is told of the start and of learning."""
    text = f"""(role robot) (init (at 0)) (succ 0 1) (succ 1 2)
        (<= (legal robot go) (true (at ?x)) (succ ?x ?y))
        (<= (next (at ?y)) (does robot go) (true (at ?x)) (succ ?x ?y))
        (<= terminal (true (at 2))) (<= (goal robot {goal}) (true (at 2)))"""
    arena = arena_of_rules(parse_gdl(Source("stairs.kif", text)), symmetric=False)
    told = f"robot {'wins in 2 moves' if goal else 'cannot win'} from the start"
    assert told in winner_line(arena)
    assert winner_value(arena)["outcome"]["winner"] == ("robot" if goal else None)
    assert tree_questions._player(arena, "auto") == 0
    with pytest.raises(InputError, match="no player 'nobody'"):
        tree_questions._player(arena, "nobody")
    judged = report(arena, np.ones(len(arena.action), bool))
    assert [list(judged.to_json(arena.roles)[key]) for key in ("worst_case", "against_random")] == [
        ["robot"],
        ["robot"],
    ]
