"""Who moves: one answer for the solved game, for play one state at a time, and for exports."""

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

import icgsynth as icg
from icgsynth.cli import run
from icgsynth.errors import Refused
from icgsynth.export.finite_python import tree_module
from icgsynth.fft.tiers import TreeAnswer, strategy_of
from icgsynth.finite.arena import arena_of_board
from icgsynth.finite.board import board_of
from icgsynth.finite.bounded import BoundedPlay
from icgsynth.finite.game import FiniteGame
from icgsynth.finite.grounder import ground
from icgsynth.finite.tree import Tree
from icgsynth.finite.worth import Lookup
from icgsynth.learn.stage import stage_of
from icgsynth.play.finite import FiniteSession, PerfectPlayer
from icgsynth.play.tournament import Random, round_robin
from icgsynth.spec.gdl import parse_gdl
from icgsynth.spec.source import Source

IDLE_WORDS = {"noop", "pass", "wait"}  # those of the package that MOVES has
MOVES = ("noop", "pass", "wait", "go", "jump")
END = "end"

FORCED = """
(role a) (role b) (init s0)
(<= (legal a m1) (true s0)) (<= (legal a m2) (true s0)) (<= (legal b noop) (true s0))
(<= (legal b pass) (true s1)) (<= (legal a noop) (true s1))
(<= (legal b m1) (true s2)) (<= (legal b m2) (true s2)) (<= (legal a noop) (true s2))
(<= (legal a m1) (true s3)) (<= (legal a m2) (true s3)) (<= (legal b noop) (true s3))
(<= (next s1) (true s0)) (<= (next s2) (true s1)) (<= (next s3) (true s2) (does b m1))
(<= (next end) (true s2) (does b m2)) (<= (next end) (true s3))
(<= terminal (true end)) (goal a 100) (goal b 0)
"""


@st.composite
def graphs(draw, simultaneous=False):
    """A game as a table: for each state the moves of both roles and where each pair leads.

    Play goes from a state to a later one, or to the end, so that it ends.
    """
    count = draw(st.integers(1, 5))
    several = st.lists(st.sampled_from(MOVES), min_size=1, max_size=3, unique=True)
    table = {}
    for number in range(count):
        moves = [draw(several), draw(several)]
        if len(moves[0]) > 1 and len(moves[1]) > 1 and not simultaneous:
            one = draw(st.integers(0, 1))
            moves[one] = moves[one][:1]
        later = st.sampled_from([*(f"s{i}" for i in range(number + 1, count)), END])
        table[f"s{number}"] = moves, {pair: draw(later) for pair in product(*moves)}
    return table


def written(table):
    """The table in KIF."""
    lines = ["(role a) (role b) (init s0) (<= terminal (true end)) (goal a 100) (goal b 0)"]
    for state, (moves, leads) in table.items():
        for role, own in zip("ab", moves, strict=True):
            lines += [f"(<= (legal {role} {move}) (true {state}))" for move in own]
        for (left, right), after in leads.items():
            lines.append(f"(<= (next {after}) (true {state}) (does a {left}) (does b {right}))")
    return "\n".join(lines)


def reached(table):
    found = ["s0"]
    for state in found:
        if state != END:
            found += [after for after in table[state][1].values() if after not in found]
    return list(dict.fromkeys(found))


def expected(table):
    """Who moves in each state that play reaches, by the sentence of the manual."""
    states = [state for state in reached(table) if state != END]
    said = [set(), set()]
    for state in states:
        moves = table[state][0]
        for role in range(2):
            if len(moves[role]) == 1 and len(moves[1 - role]) > 1:
                said[role].add(moves[role][0])
    said = [words or IDLE_WORDS for words in said]
    mover = {END: -1}
    for state in states:
        moves = table[state][0]
        free = [role for role in range(2) if len(moves[role]) > 1]
        acts = [role for role in range(2) if moves[role][0] not in said[role]]
        mover[state] = (free or (acts if len(acts) == 1 else [0]))[0]
    return {state: mover[state] for state in reached(table)}


@settings(deadline=None, max_examples=30)
@given(graphs())
def test_one_answer_to_who_moves(table):
    """Fails where play learns the idle moves from one line, or the arena from all its states.

    The judge is a walk over the table itself.
    """
    board = board_of(ground(parse_gdl(Source("g.kif", written(table)))))
    game, arena = FiniteGame(board), arena_of_board(board)
    wanted = expected(table)
    state_of = {state: game.state_of([state] if state in board.facts else []) for state in wanted}
    assert {state: game.mover(state_of[state]) for state in wanted} == wanted
    by_arena = {
        arena.facts(row): arena.mover_name(row) if arena.mover[row] >= 0 else None
        for row in range(len(arena.mover))
    }
    roles = (*board.roles, None)  # None at -1: nobody moves at the end
    assert by_arena == {(state,): roles[mover] for state, mover in wanted.items()}
    for state, mover in wanted.items():
        moves = [move.action for move in game.moves(state_of[state])]
        assert sorted(moves) == ([] if mover < 0 else sorted(table[state][0][mover]))


@settings(deadline=None, max_examples=15)
@given(graphs(), st.integers(0, 99))
def test_matches_and_tables_ask_the_player_to_move(table, seed):
    """Agents of the solved game and of the rules play to the end, and a session asks the same."""
    stage = stage_of(parse_gdl(Source("g.kif", written(table))))
    pairings, _ = round_robin(stage.game, [Random(), PerfectPlayer(Lookup(stage.arena))], 4, seed)
    assert sum(p.won + p.drawn + p.lost for p in pairings) == 4
    session, rng, wanted = FiniteSession(stage.game), random.Random(seed), expected(table)
    while not session.is_over:
        assert session.seat == wanted[stage.game.facts(session.state)[0]]
        session.play(rng.choice(list(stage.game.moves(session.state))))


@settings(deadline=None, max_examples=15)
@given(graphs(simultaneous=True))
def test_where_both_could_choose_nobody_moves(table):
    """It is refused by the same sentence, with the state; that one of them is a noop is nothing."""
    board = board_of(ground(parse_gdl(Source("g.kif", written(table)))))
    game = FiniteGame(board)
    bad = [s for s in reached(table) if s != END and min(map(len, table[s][0])) > 1]
    for state in bad:
        with pytest.raises(Refused, match=rf"both players have a choice in the state {state}$"):
            game.mover(game.state_of([state]))
    if bad:
        with pytest.raises(Refused, match=r"both players have a choice in the state s[0-9]$"):
            arena_of_board(board)


def test_a_forced_pass(tmp_path):
    """Fails where the arena and play differ about ``s1``, in which b can only pass."""
    path = tmp_path / "forced.kif"
    path.write_text(FORCED, "utf-8")
    assert run(["tournament", str(path), "--agents", "random,perfect", "--matches", "4"]) == 0


def test_who_moves_in_the_exported_module():
    """Its rules stand alone; fails where they are given other idle moves than the board's."""
    game = FiniteGame(board_of(ground(parse_gdl(Source("g.kif", FORCED)))))
    tree = Tree(())
    answer = TreeAnswer(game, tree, strategy_of(tree), game.board.actions, {})
    rules = {"__name__": "exported"}
    exec(tree_module(answer), rules)
    assert [rules["mover"]([state]) for state in ("s0", "s1", "s2", "s3", END)] == [0, 1, 1, 0, -1]


@pytest.mark.parametrize(("end", "over"), [("", [0]), ("end v <= 2", [0, 1, 2])])
def test_play_ends_in_the_exported_module_where_the_rules_say(end, over):
    """With two counters it may be the end, though one could still be taken."""
    text = f"game g var v legal v >= 0 {end} action take pre v >= 1 eff v := v - 1"
    tree = Tree(())
    game = BoundedPlay(icg.loads(text).game, "normal", (4, 0))
    answer = TreeAnswer(game, tree, strategy_of(tree), ("take",), {"bound": 4})
    rules = {"__name__": "exported"}
    exec(tree_module(answer), rules)
    first = f"control({game.roles[0]})"
    assert [v for v in range(5) if rules["is_over"]([f"v={v}", first])] == over
