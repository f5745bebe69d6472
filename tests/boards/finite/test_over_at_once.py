"""Games that are over before they begin, in every command that plays or learns."""

import io

import commands
import pytest
from hypothesis import strategies as st
from speed import examples

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from icgsynth.boards.finite.arena_table import Lookup
from icgsynth.boards.finite.bounded import arena_of_box, roots
from icgsynth.boards.finite.bounded_play import bounded_table
from icgsynth.boards.play.finite import PerfectPlayer
from icgsynth.boards.play.tournament import Random, round_robin
from icgsynth.errors import Refused
from icgsynth.spec.resolve import load_rules
from icgsynth.spec.source import Source

ONE = "game one\nvar v\nlegal v = 0\naction take(k) pre 1 <= k <= v eff v := v - k\n"
UP = "game up\nvar v\nlegal 0 <= v <= 5\naction up(k) pre 1 <= k and v + k <= 5 eff v := v + k\n"
ENDED = """(role a) (role b) (init done) (<= terminal (true done)) (goal a 100) (goal b 0)
(<= (legal a go) (true on)) (<= (legal b noop) (true on)) (<= (next done) (true on))
"""
WITH_MOVES = """(role a) (role b) (init done) (<= terminal (true done)) (goal a 50) (goal b 50)
(legal a go) (legal a stay) (legal b noop) (<= (next done) (true done))
"""
SOLO = """(role a) (init s0) (<= (legal a l) (true s0)) (<= (legal a r) (true s0))
(<= (next s1) (does a l)) (<= (next s2) (does a r)) (<= terminal (true s1)) (<= terminal (true s2))
(<= (goal a 100) (true s1)) (<= (goal a 0) (true s2))
"""
CLINGO = """role(a). role(b). init(done). terminal :- true(done). legal(a,go) :- true(on).
next(done) :- true(on). goal(a,1) :- true(done). goal(b,-1) :- true(done).
"""
FILES = {"one.icg": ONE, "up.icg": UP, "ended.kif": ENDED, "moves.kif": WITH_MOVES,
         "solo.kif": SOLO, "ended.lp": CLINGO}  # fmt: skip
OVER = "the game is over before it begins"
NOT_TWO = "is no game for two"


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Run a command in a folder with the games: its exit code and what it says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")

    def called(line):
        code, out, err = commands.call(capfd, *line.split())
        return code, out + err

    return called


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("tournament nim2 --start 0,0", OVER),
        ("tournament nim2 --start 0,0 --rule misere --json", OVER),
        ("tournament chomp_2row --start 1,0 --no-exact", OVER),
        ("tournament up.icg --start 5 --agents perfect,random,human", OVER),
        ("tournament one.icg", OVER),
        ("tournament one.icg --bound 3 --rule misere", OVER),
        ("tournament solo.kif", NOT_TWO),
        ("tournament solo.kif --agents minimax,random", NOT_TWO),
        ("play solo.kif", NOT_TWO),
        ("fft synth nim2 --start 0,0", OVER),
        ("fft synth one.icg", OVER),
        *(
            (f"{command} {game}", OVER)
            for game in ("ended.kif", "moves.kif", "ended.lp")
            for command in ("tournament", "fft synth", "learn", "learn --method rules")
        ),
    ],
)
def test_what_needs_a_move_says_that_there_is_none(call, line, said):
    """Fails where a tournament looks for the player who starts, and there is none."""
    code, text = call(line)
    assert code == 2
    assert said in text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("play nim2 --start 0,0", "The machine wins."),
        ("play nim2 --start 0,0 --rule misere", "You win."),
        ("play nim2 --start 0,0 --first machine", "You win."),
        ("play up.icg --start 5", "The machine wins."),
        ("play 0.77 --start 0", "The machine wins."),
        ("play ended.kif", "You win."),
        ("play ended.kif --first machine", "The machine wins."),
        ("play moves.kif", "A draw."),
        ("play ended.lp", "You win."),
        ("play tictactoe --opponent 2 --start XXX/OO./...", "The machine wins."),
    ],
)
def test_who_has_won_a_game_that_nobody_plays(call, line, said):
    code, text = call(line)
    assert code == 0
    assert text.strip().endswith(said)


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("bound", ["", "--bound 5", "--bound 7"])
def test_a_box_whose_greatest_state_is_over(call, rule, bound):
    """Play begins in the greatest state that has a move; fails where it begins in the greatest."""
    code, text = call(f"tournament up.icg {bound} --rule {rule} --matches 2 --json")
    assert code == 0
    assert '"game": "up"' in text


@st.composite
def games(draw):
    """A game of one pile with values to 6 whose moves are drawn: those that subtract or add."""
    least, most = sorted((draw(st.integers(0, 6)), draw(st.integers(0, 6))))
    takes = draw(st.sets(st.integers(1, 7), min_size=1, max_size=3))
    sign = draw(st.sampled_from("+-"))
    wanted = ", ".join(map(str, sorted(takes)))
    text = (
        f"game g\nvar v\nlegal {least} <= v <= {most}\naction m(k) pre k in {{{wanted}}} and "
        f"{least} <= v {sign} k <= {most} eff v := v {sign} k\n"
    )
    step = {"+": 1, "-": -1}[sign]
    moves = {v: [v + step * k for k in takes if least <= v + step * k <= most]
             for v in range(least, most + 1)}  # fmt: skip
    return text, moves


@examples(10, 60, games(), st.booleans())
def test_tournaments_begin_where_there_is_a_move(drawn, misere):
    """In the greatest state with a move, or nowhere; the judge is the table of the moves."""
    text, moves = drawn
    game = load_rules(Source("g.icg", text), {})
    rule = "misere" if misere else "normal"
    live = [v for v, after in moves.items() if after]
    first = (max(live or moves),)
    assert roots(game, 6, None)[0] == first
    assert sorted(roots(game, 6, None)) == [(v,) for v in sorted(moves)]
    assert arena_of_box(game, 6, rule)[1][0] == (first, 0)
    if not live:
        with pytest.raises(Refused, match=OVER):
            bounded_table(game, 6, rule, None)
        return
    for start in (None, *((v,) for v in live)):
        table = bounded_table(game, 6, rule, start)
        assert table.game.initial == (*(first if start is None else start), 0)
        perfect = PerfectPlayer(Lookup(table.arena))
        (pairing,), _ = round_robin(table.game, [perfect, Random()], 2, 1)
        assert pairing.won + pairing.lost == 2


def test_facts_that_name_a_player_who_does_not_move(call, tmp_path):
    """``turn(b)`` says whose turn it is only where it is; fails where -1 counts as the last."""
    text = ENDED.replace("(init done)", "(init done) (init (turn b))")
    (tmp_path / "turn.kif").write_text(text, "utf-8")
    code, text = call("play turn.kif")
    assert code == 0
    assert "turn(b)" in text
