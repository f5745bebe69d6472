"""Games of OpenSpiel: against plain minimax over pyspiel's own states, by recursion.

Faults it sees: a position that is taken for another one, a wrong value, length or list of moves; a
bot that plays other moves than its tree; a game that is solved although it has chance in it.
"""

from __future__ import annotations

import json
import runpy
from functools import cache

import pytest

pytest.importorskip("pyspiel")
pytest.importorskip("numba")

import pyspiel
from commands import call, refused

from icgsynth.boards.finite.outcome import outcome_in
from icgsynth.boards.rules import openspiel
from icgsynth.boards.rules.openspiel import openspiel_game, played_out
from icgsynth.boards.rules.openspiel_checks import require_parameters
from icgsynth.errors import InputError, Refused
from icgsynth.spec.catalog import catalog_dir

SMALL = [
    "nim(pile_sizes=1;2;3)",
    "misere(game=nim(pile_sizes=1;2;3))",
    "mnk(m=2,n=3,k=2)",
    "clobber(rows=2,columns=3)",
    "hex(board_size=2)",
    "y(board_size=2)",
    "havannah(board_size=2)",
    "breakthrough(rows=4,columns=2)",
    "connect_four(rows=2,columns=4,x_in_row=3)",
    "dots_and_boxes(num_rows=1,num_cols=1)",
    "gomoku(size=2,connect=2,dims=3)",
    "gomoku(size=3,connect=3,dims=2,anti=True)",
    "gomoku(size=3,connect=3,dims=2,wrap=True)",
    "hex(board_size=2,swap=True)",
    "havannah(board_size=2,swap=True)",
    "start_at(game=tic_tac_toe(),history=0;4)",
    "zerosum(game=nim(pile_sizes=1;2))",
    "go(board_size=2,komi=0.5,max_game_length=4)",
    "lines_of_action(max_game_length=2)",
]
LARGER = [
    "tic_tac_toe",
    "mnk(m=3,n=3,k=3)",
    "hex(board_size=3)",
    "clobber(rows=3,columns=3)",
    "misere(game=tic_tac_toe())",
    "dots_and_boxes(num_rows=1,num_cols=2)",
    "dots_and_boxes(num_rows=1,num_cols=2,utility_margin=True)",
    "breakthrough(rows=4,columns=3)",
]


def plain(spec):
    """(worth to the player who begins, moves that keep it, how long), by recursion over states.

    The winner hurries and the loser delays; a state is told by who moves and what players see.
    """
    game = pyspiel.load_game(spec)

    @cache
    def of(key):
        state = known[key]
        if state.is_terminal():
            return state.returns()[0], 0
        best = max if state.current_player() == 0 else min
        after = {a: of(note(state.child(a))) for a in state.legal_actions()}
        worth = best(value for value, _ in after.values())
        plies = [plies for value, plies in after.values() if value == worth]
        wins = worth > 0 if state.current_player() == 0 else worth < 0
        return worth, 1 + (min if wins or not worth else max)(plies)

    known = {}

    def note(state):
        seen = tuple(map(tuple, (state.observation_tensor(p) for p in (0, 1))))
        key = (state.current_player(), seen, str(state), str(state.returns()))
        known.setdefault(key, state)
        return key

    start = game.new_initial_state()
    worth, plies = of(note(start))
    keep = {
        start.action_to_string(start.current_player(), a).strip()
        for a in start.legal_actions()
        if of(note(start.child(a)))[0] == worth
    }
    return worth, keep, plies, len(known)


def compare(spec):
    game = openspiel_game(f"openspiel:{spec}")
    played = played_out(game)
    found = outcome_in(played.arena, tuple(played.goals), game.facts(()))
    worth, keep, plies, count = plain(spec)
    assert found.worth["player0"] == worth == -found.worth["player1"]
    assert set(found.moves) == keep
    assert found.length == plies
    assert found.states == count


@pytest.mark.parametrize("spec", SMALL[:3])
def test_small_games_are_worth_what_plain_minimax_says(spec):
    compare(spec)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SMALL[3:] + LARGER)
def test_games_are_worth_what_plain_minimax_says(spec):
    compare(spec)


def test_rows_are_reached_by_the_actions_that_are_told():
    game = openspiel_game("openspiel:nim(pile_sizes=1;3)")
    played = played_out(game)
    for row in range(len(played.arena.mover)):
        state = played.state_at(row)
        assert game.is_legal(state)
        assert set(played.arena.facts(row)) <= set(game.facts(state))
        assert game.mover(state) == (-1 if played.arena.mover[row] < 0 else len(state) % 2)


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("kuhn_poker", Refused, "has chance"),
        ("phantom_ttt", Refused, "hidden information"),
        ("matrix_rps", Refused, "simultaneous"),
        ("tic_tac_to", InputError, "did you mean tic_tac_toe"),
        ("nim(piles=3)", InputError, "no parameter piles"),
        ("nim(piles=3)", InputError, "parameters is_misere=True, pile_sizes=1;3;5;7"),
        ("breakthrough(rows=4,columns=1)", InputError, "parameters columns=8, rows=8"),
        ("clobber(rows=1,columns=5)", InputError, "does not take"),
        ("cliff_walking", Refused, "has 1 player\n"),
    ],
)
def test_other_games_are_refused(spec, error, said):
    with pytest.raises(error) as caught:
        openspiel_game(f"openspiel:{spec}")
    assert said in str(caught.value)


@pytest.mark.parametrize("text", ["board(rows=0)", "turned(game=board(rows=-3))"])
def test_a_board_without_squares_is_refused_before_it_is_made(text):
    """A fault it sees: the parameters of a game in another one are not looked at."""
    kinds = {"board": {"rows": 6}, "turned": {"game": None}}
    with pytest.raises(InputError, match="rows is 1 or more"):
        require_parameters(text, kinds)
    require_parameters("turned(game=board(rows=4))", kinds)


@pytest.mark.parametrize(
    "rules", ["go(board_size=2)", "oware(num_houses_per_player=2,num_seeds_per_house=1)"]
)
def test_rules_on_positions_that_no_position_shows_are_refused(rules):
    """Superko in Go, repetition in Oware: what may follow depends on how a position was reached.

    A fault it sees: positions that look alike taken for one, whatever play leads there.
    """
    with pytest.raises(Refused, match="two positions look the same"):
        played_out(openspiel_game(f"openspiel:{rules}"))


def test_a_limit_of_moves_that_no_position_shows_is_refused(monkeypatch):
    """Quoridor ends after so many moves, and its pawns can go to and fro.

    A fault it sees: positions in a circle taken for play that never ends, unless a game at random
    comes to the limit.
    """
    monkeypatch.setattr(openspiel, "_RETRACED", 0)
    game = openspiel_game("openspiel:quoridor(board_size=3,wall_count=0)")
    with pytest.raises(Refused, match="a position can come again, and each game ends"):
        played_out(game)


def test_a_game_that_stops_before_its_end_is_refused():
    """On one square OpenSpiel's Hex has a second player to move, and no move for that player.

    A fault it sees: a position without moves taken for an end, or for one with moves.
    """
    with pytest.raises(Refused, match="player1 has no move in a position before the end"):
        played_out(openspiel_game("openspiel:hex(board_size=1)"))


def test_a_position_is_named_by_moves(capfd):
    spec = "openspiel:nim(pile_sizes=1;3)"
    code, out, _ = call(capfd, "solve", spec, "--at", "pile:2, take:2; pile:1, take:1;", "--json")
    value = json.loads(out)
    assert code == 0 and value["mover"] == "player0" and value["winner"] == "player1"
    assert "the moves are" in refused(capfd, "solve", spec, "--at", "pile:2, take:9;")


@pytest.mark.slow
def test_the_game_of_the_catalog_and_openspiels_are_one(capfd):
    ours = json.loads(call(capfd, "solve", catalog_dir() / "gdl" / "tictactoe.kif", "--json")[1])
    theirs = json.loads(call(capfd, "solve", "openspiel:tic_tac_toe", "--json")[1])
    for key in ("winner", "length", "states"):
        assert ours[key] == theirs[key]
    assert len(ours["moves"]) == len(theirs["moves"])


@pytest.mark.slow
def test_a_tree_becomes_a_bot_that_wins_a_won_game(capfd, tmp_path):
    spec, tree, bot = "openspiel:nim(pile_sizes=1;2;4)", tmp_path / "t.json", tmp_path / "bot.py"
    code, out, _ = call(capfd, "fft", "synth", spec, "-o", tree, "--budget", 100)
    assert code == 0 and out.startswith(f"{spec}: player0 wins")
    assert call(capfd, "export", tree, "--to", "openspiel", "-o", bot).returncode == 0
    for fmt in ("python", "html"):  # sees: a traceback, or words about a bound
        assert "cannot hold the rules of" in refused(capfd, "export", tree, "--to", fmt)
    made = runpy.run_path(str(bot))
    game = pyspiel.load_game(made["GAME"])
    for seed in range(5):
        rival = pyspiel.make_uniform_random_bot(1, seed)
        bots = [made["make_bot"](0, seed), rival]
        assert pyspiel.evaluate_bots(game.new_initial_state(), bots, seed) == [1.0, -1.0]
    code, out, _ = call(capfd, "starts", spec, "--moves", 2, "--you", 1)
    assert code == 0 and "states are won in 2 moves" in out
