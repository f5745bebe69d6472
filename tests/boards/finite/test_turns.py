"""Who moves: one answer for the solved game, for play one state at a time, and for exports."""

import json
import random
from itertools import product

import pytest
from commands import call
from hypothesis import strategies as st
from speed import examples

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

import icgsynth as icg
from icgsynth.boards.fft.finite_python import tree_module
from icgsynth.boards.fft.tiers import TreeAnswer, strategy_of
from icgsynth.boards.finite.arena import arena_of_board
from icgsynth.boards.finite.arena_table import Lookup
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.bounded_play import BoundedPlay
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.finite.tree import Tree
from icgsynth.boards.learn.stage import stage_of
from icgsynth.boards.play.finite import FiniteSession, PerfectPlayer
from icgsynth.boards.play.tournament import Random, round_robin
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.errors import Refused
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


# In s1 b can only pass, and in s0 and s2 both have a choice, of which one decides nothing.
RELAY = """
(role a) (role b) (init s0)
(<= (legal a m1) (true s0)) (<= (legal a m2) (true s0))
(<= (legal b noop) (true s0)) (<= (legal b look) (true s0))
(<= (legal b pass) (true s1)) (<= (legal a noop) (true s1))
(<= (legal b m1) (true s2)) (<= (legal b noop) (true s2))
(<= (legal a noop) (true s2)) (<= (legal a look) (true s2))
(<= (legal a m1) (true s3)) (<= (legal a noop) (true s3)) (<= (legal b noop) (true s3))
(<= (next s1) (true s0) (does a m1)) (<= (next lost) (true s0) (does a m2))
(<= (next s2) (true s1))
(<= (next s3) (true s2) (does b m1)) (<= (next won) (true s2) (does b noop))
(<= (next won) (true s3) (does a m1)) (<= (next lost) (true s3) (does a noop))
(<= terminal (true won)) (<= terminal (true lost))
(<= (goal a 100) (true won)) (<= (goal b 0) (true won))
(<= (goal a 0) (true lost)) (<= (goal b 100) (true lost))
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


def that_count(moves, leads):
    """The moves of both, where of two choices one that decides nothing is cut to its first."""
    one, other = map(sorted, moves)
    if len(one) > 1 and len(other) > 1:
        if all(len({leads[a, b] for b in other}) == 1 for a in one):
            return one, other[:1]
        if all(len({leads[a, b] for a in one}) == 1 for b in other):
            return one[:1], other
    return one, other


def expected(table):
    """Who moves in each state that play reaches, by the sentence of the manual."""
    states = [state for state in reached(table) if state != END]
    said = [set(), set()]
    for state in states:
        moves = that_count(*table[state])
        for role in range(2):
            if len(moves[role]) == 1 and len(moves[1 - role]) > 1:
                said[role].update(table[state][0][role])
    said = [words or IDLE_WORDS for words in said]
    mover = {END: -1}
    for state in states:
        moves = that_count(*table[state])
        free = [role for role in range(2) if len(moves[role]) > 1]
        acts = [role for role in range(2) if moves[role][0] not in said[role]]
        mover[state] = (free or (acts if len(acts) == 1 else [0]))[0]
    return {state: mover[state] for state in reached(table)}


@examples(5, 30, graphs())
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


@examples(3, 15, graphs(), st.integers(0, 99))
def test_matches_and_tables_ask_the_player_to_move(table, seed):
    """Agents of the solved game and of the rules play to the end, and a session asks the same."""
    stage = stage_of(parse_gdl(Source("g.kif", written(table))))
    pairings, _ = round_robin(stage.game, [Random(), PerfectPlayer(Lookup(stage.arena))], 4, seed)
    assert sum(p.won + p.drawn + p.lost for p in pairings) == 4
    session, rng, wanted = FiniteSession(stage.game), random.Random(seed), expected(table)
    while not session.is_over:
        assert session.seat == wanted[stage.game.facts(session.state)[0]]
        session.play(rng.choice(list(stage.game.moves(session.state))))


@examples(6, 40, graphs(simultaneous=True))
def test_where_both_could_choose_nobody_moves(table):
    """It is refused by the same sentence, with the state, unless one choice decides nothing.

    Seen: a choice of ``noop`` or another move taken for none though it decides, one that decides
    nothing taken for a choice, and the wrong one of two cut.
    """
    board = board_of(ground(parse_gdl(Source("g.kif", written(table)))))
    game = FiniteGame(board)
    live = [s for s in reached(table) if s != END]
    bad = [s for s in live if min(map(len, that_count(*table[s]))) > 1]
    if not bad:
        wanted = expected(table)
        assert {s: game.mover(game.state_of([s])) for s in live} == {s: wanted[s] for s in live}
        assert arena_of_board(board).mover[0] in (-1, 0)
    for state in bad:
        with pytest.raises(Refused, match=rf"both players have a choice in the state {state}\n"):
            game.mover(game.state_of([state]))
    if bad:
        with pytest.raises(
            Refused, match=r"both players have a choice in the state s[0-9]\n  let them"
        ):
            arena_of_board(board)


# --- a forced pass, and two choices of which one decides nothing ---------------------------------
#
# Each of these fails where the arena and play differ about s1, in which b can only pass, and where
# a choice that decides nothing is taken for one.


@pytest.fixture(params=[FORCED, RELAY], ids=["forced", "relay"])
def path(request, tmp_path):
    found = tmp_path / "game.kif"
    found.write_text(request.param, "utf-8")
    return found


def test_in_a_tournament(capfd, path):
    assert call(capfd, "tournament", path, "--agents", "random,perfect", "--matches", 4)[0] == 0


@pytest.mark.parametrize(
    ("first", "typed", "end"),
    [("machine", "pass\nm1\n", "The machine wins."), ("you", "m1\nm1\n", "You win.")],
)
def test_in_play(icgsynth, tmp_path, first, typed, end):
    path = tmp_path / "relay.kif"
    path.write_text(RELAY, "utf-8")
    done = icgsynth("play", path, "--first", first, "--quiet", typed=typed)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == end


@pytest.mark.parametrize("player", [1, 2])
def test_in_a_tree(capfd, path, player):
    asked = ("fft", "synth", path, "--player", player, "--budget", 2, "--json", "--quiet")
    code, out, err = call(capfd, *asked)
    assert code == 0, err
    assert json.loads(out)["raw_check"]["optimal"] is True


def test_in_starting_positions(capfd, tmp_path):
    """a makes two moves on the way to its win, and b, who passes, the two between them."""
    path = tmp_path / "relay.kif"
    path.write_text(RELAY, "utf-8")
    code, out, err = call(capfd, "starts", path, "--moves", 2, "--json", "--quiet")
    assert code == 0, err
    (task,) = json.loads(out)["positions"]
    assert (task["mover"], task["facts"], task["distance"]) == ("a", ["s0"], 4)
    assert task["line"] == ["m1", "pass", "m1", "m1"]


def test_in_learning(capfd, path):
    code, out, err = call(capfd, "learn", path, "--method", "pruned", "--json", "--quiet")
    assert code == 0, err
    assert json.loads(out)["value"] == 1
    stage = stage_of(parse_gdl(Source.read(path)))
    turns = {stage.arena.facts(row)[0]: turn for row, turn in enumerate(stage.arena.mover)}
    assert [turns[name] for name in ("s0", "s1", "s2", "s3")] == [0, 1, 1, 0]


def test_in_the_studio(path):
    studio = pytest.importorskip("studio_here")
    game = {"text": path.read_text("utf-8")}
    with studio.let_in() as page:
        for state, turn, moves in (("s0", "a", ["m1", "m2"]), ("s1", "b", ["pass"])):
            view = studio.ask(page, "/play/view", game=game, state=state)["view"]
            assert (view["turn"], [move["move"] for move in view["moves"]]) == (turn, moves)


@pytest.mark.parametrize("text", [FORCED, RELAY], ids=["forced", "relay"])
def test_who_moves_in_the_exported_module(text):
    """Its rules stand alone; fails where they are given other idle moves than the board's."""
    game = FiniteGame(board_of(ground(parse_gdl(Source("g.kif", text)))))
    tree = Tree(())
    answer = TreeAnswer(game, tree, strategy_of(tree), game.board.actions, {})
    rules = {"__name__": "exported"}
    exec(tree_module(answer), rules)
    assert [rules["mover"]([state]) for state in ("s0", "s1", "s2", "s3")] == [0, 1, 1, 0]
    end = next(fact for fact in game.board.facts if fact in (END, "won"))
    assert rules["mover"]([end]) == -1


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
