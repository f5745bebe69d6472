"""Games in clingo's language: read, stepped, refused; clingo steps beside the board."""

from __future__ import annotations

import random

import numpy as np
import pytest
from asp_oracle import SPECS, Stepper, nim_wins, ttt_value
from hypothesis import strategies as st
from speed import examples, sampled

from experiments.explicit_time import over_time
from icgsynth.boards.finite.arena import arena_of_board
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.datalog import Rulebook
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.rules.asp import parse_asp
from icgsynth.boards.rules.finite import bias_file, finite_game
from icgsynth.errors import InputError, Refused
from icgsynth.spec.source import Source
from icgsynth.subjects import subject

NAMES = sorted(path.stem for path in SPECS.glob("*.lp"))

# Figure 5 of Hahn and Shankar (2020) in form: aggregates, a choice, its two constraints, goals
# below zero, and Figure 6's true/1 for the start.
FIGURE_5 = """
#const most = 3.
role(a). role(b).
base(has(P,M)) :- P = 1..3, M = 0..most.
base(control(X)) :- role(X).
input(X,remove(P,N)) :- P = 1..3, N = 1..most, role(X).
legal(X,remove(P,N)) :- true(has(P,M)), P = #min{ L : true(has(L,M)) }, N = 1..most, N <= M,
    true(control(X)), not terminal.
0 { does(X,A) } 1 :- legal(X,A), not terminal.
:- does(X,Y), does(X,Z), Y < Z.
:- not does(X,_), true(control(X)), not terminal.
next(control(b)) :- true(control(a)), not terminal.
next(control(a)) :- true(control(b)), not terminal.
next(has(P,N-M)) :- does(_,remove(P,M)), true(has(P,N)), not terminal.
next(has(P,N)) :- not does(_,remove(P,_)), true(has(P,N)), not terminal.
goal(X,-1) :- #sum{ N,M : true(has(M,N)) } = 0, true(control(X)).
goal(X,-1*G) :- goal(Y,G), role(X), X != Y.
terminal :- goal(_,_).
true(has(1,3)). true(has(2,1)). true(has(3,2)). true(control(a)).
"""


def board(text, name="game.lp", constants=None):
    return board_of(ground(parse_asp(Source(name, text), constants)))


def arena(name, **constants):
    return arena_of_board(board_of(ground(finite_game(name, constants))), False)


@sampled("name", NAMES, fast=2)
def test_clingo_steps_to_the_same_states(name):
    """Random plays; the moves, the states after them and the goals are clingo's."""
    game = FiniteGame(board_of(ground(finite_game(name))))
    stepper = Stepper(SPECS / f"{name}.lp")
    assert frozenset(game.facts(game.initial)) == stepper.initial
    rng = random.Random(name)
    for _ in range(6):
        state = game.initial
        while True:
            goals, after = stepper.step(frozenset(game.facts(state)))
            mover = game.mover(state)
            if mover < 0:
                assert not after
                shift = min(-1, *goals.values())
                assert dict(zip(game.roles, game.goals(state), strict=True)) == {
                    role: goal - shift for role, goal in goals.items()
                }
                break
            role = game.roles[mover]
            moves = {f"{role}/{m.action}": m for m in game.moves(state)}
            assert set(moves) == set(after)
            for said, move in moves.items():
                assert frozenset(game.facts(game.result(state, move))) == after[said]
            state = game.result(state, moves[rng.choice(sorted(moves))])


def test_figure_5_reads_as_the_catalog_s_nim():
    found = arena_of_board(board(FIGURE_5), False)
    ours = arena("nim", p1=3, p2=1, p3=2, p4=0, limit=3)
    assert len(found.states) == len(ours.states)
    assert len(found.target) == len(ours.target)
    assert (found.value[0], found.distance[0]) == (ours.value[0], ours.distance[0])


def test_published_counts_and_values():
    """5,478 positions of tic-tac-toe, a draw; the limit decides classical Nim."""
    full = arena("mnk")
    assert (len(full.states), int(full.value[0])) == (5478, 0)
    assert int(full.value[0]) == ttt_value(frozenset(), frozenset(), True)
    assert int(arena("nim").value[0]) == 1 and nim_wins((1, 3, 5, 7), 6)
    assert int(arena("nim", limit=7).value[0]) == -1 and not nim_wins((1, 3, 5, 7), 7)
    assert int(arena("mnk", m=3, n=4).value[0]) == 1  # 3,4,3 is a first-player win


@examples(3, 12, st.data())
def test_sums_are_those_of_the_rules(data):
    """``#sum`` with any weights and any bound ends the game exactly where it should."""
    weights = data.draw(st.lists(st.integers(-3, 4), min_size=1, max_size=5))
    bound = data.draw(st.integers(-4, 7))
    held = data.draw(st.lists(st.booleans(), min_size=len(weights), max_size=len(weights)))
    facts = "".join(f"w({i},{w})." for i, w in enumerate(weights))
    start = "".join(f"init(f({i}))." for i, on in enumerate(held) if on)
    text = f"""role(a). {facts} base(f(I)) :- w(I,_). base(go). init(go). {start}
    legal(a,flip(I)) :- w(I,_). next(f(I)) :- true(f(I)), not does(a,flip(I)).
    next(f(I)) :- w(I,_), not true(f(I)), does(a,flip(I)). next(go) :- true(go).
    terminal :- #sum {{ W,I : true(f(I)), w(I,W) }} >= {bound}. goal(a,1) :- terminal."""
    game = FiniteGame(board(text))
    for bits in range(1 << len(weights)):
        on = {i for i in range(len(weights)) if bits >> i & 1}
        state = game.state_of(("go", *(f"f({i})" for i in sorted(on))))
        assert (game.mover(state) < 0) == (sum(weights[i] for i in on) >= bound)


@pytest.mark.parametrize(
    ("change", "message", "line"),
    [
        (("role(a). role(b).", "role(a). role(b)"), "syntax error", 3),
        (("terminal :- goal(_,_).", ""), "no rule says terminal", 19),
        (("role(a). role(b).", "role(a). role(b). { lucky }."), "a choice", 3),
        (("not terminal.\ngoal", "not terminal.\n:- true(has(1,1)).\ngoal"), "a constraint", 16),
        (("legal(X,remove(P,N)) :-", "legal(X,remove(P,Z)) :-"), "unsafe", 7),
        (("role(a). role(b).", "legal(a). role(a). role(b)."), "legal takes 2 arguments", 3),
        (("role(a). role(b).", "role(a). role(b). #script (python) 1 #end."), "not a rule", 3),
        (("role(a). role(b).", "role(a). role(b). does(a,x)."), "does cannot be the head", 3),
        (("role(a). role(b).", '#include "gone.lp".'), "cannot include gone.lp", 3),
        (("role(a). role(b).", '#include "go\0ne.lp".'), "no file has such a name", 3),
        (("role(a). role(b).", "role(a); role(b)."), "a head that is no atom", 3),
    ],
)
def test_a_bad_encoding_is_one_message_with_its_place(change, message, line):
    assert change[0] in FIGURE_5
    with pytest.raises(InputError) as caught:
        board(FIGURE_5.replace(*change))
    assert message in str(caught.value)
    assert f":{line}:" in str(caught.value)
    assert caught.value.mend


def test_a_fact_that_is_asked_for_without_true_is_warned_of():
    """Sees the mend left out, and given of what is no fact."""
    text = """role(a). init(pile(2)). legal(a,take) :- pile(N), many(N). next(done) :- does(a,take).
    terminal :- true(done). goal(a,1) :- true(done)."""
    said = dict(
        line.split("no rule derives ")[1].split(":", 1)
        for line in parse_asp(Source("g.lp", text)).warnings
    )
    assert "true(pile(..))" in said["pile/1"] and "true(" not in said["many/1"]


def test_a_fact_or_move_that_no_rule_makes_is_warned_of():
    """Sees names that init, next or legal make told as unknown, and a variable that may be any."""
    text = """role(a). init(turn(a)). legal(P,take) :- true(trun(P)). next(F) :- true(F).
    next(done) :- does(P,leap(3)). terminal :- true(done). goal(a,1) :- true(turn(a))."""
    open_rules = parse_asp(Source("g.lp", text)).warnings
    (leap,) = open_rules
    assert "g.lp:2: " in leap and "no rule for legal makes leap/1" in leap
    trun, again = parse_asp(Source("g.lp", text.replace("next(F) :- true(F).", ""))).warnings
    assert "g.lp:1: " in trun and "did you mean turn?" in trun and again == leap


@pytest.mark.parametrize(
    ("rule", "column", "mend"),
    [
        ("p(X) :- q(X), \\+ r(X).", 15, "write 'not' for '\\+'"),
        ("p(X) :- q(X), X \\= 3.", 17, "write '!=' for '\\='"),
        ("p(X) :- q(X), X =< 3.", 17, "write '<=' for '=<'"),
        ("p(Y) :- q(X), Y is X-1.", 17, "write '=' for 'is'"),
        ("p(X) :- q(X) & r(X).", 14, "write ',' for '&'"),
        ("p(x) :- q(x)   % no end\n% of a rule", 13, "end the rule with '.'"),
    ],
)
def test_signs_of_prolog_have_their_mend_in_clingos_language(rule, column, mend):
    """Sees the sign itself or the rule without an end not found."""
    with pytest.raises(InputError) as caught:
        parse_asp(Source("g.lp", f"role(a).\n{rule}\nterminal."))
    assert caught.value.mend == mend
    assert (caught.value.span.line, caught.value.span.column) == (2, column)


def test_what_cannot_be_played_is_refused(tmp_path):
    with pytest.raises(InputError, match="there is no constant piles"):
        finite_game("nim", {"piles": 3})
    with pytest.raises(InputError, match="did you mean nim"):
        finite_game("nimm")
    loop = tmp_path / "loop.lp"
    loop.write_text('#include "loop.lp".\nrole(a).\n')
    with pytest.raises(InputError, match="includes itself"):
        parse_asp(Source.read(loop))
    with pytest.raises(Refused, match="not stratified"):
        board(FIGURE_5 + "x :- not y. y :- not x. terminal :- x, true(has(1,1)).")


def test_a_fact_outside_base_is_refused_where_play_reaches_it():
    """Figure 5's next/1 grounds negative sizes, which no play reaches: that is no fault."""
    from icgsynth.boards.learn.stage import stage_of

    whole = stage_of(parse_asp(Source("game.lp", FIGURE_5)))
    assert len(whole.states) == len(arena("nim", p1=3, p2=1, p3=2, p4=0, limit=3).states)
    short = FIGURE_5.replace("base(has(P,M)) :- P = 1..3, M = 0..most.",
                             "base(has(P,M)) :- P = 1..3, M = 1..most.")  # fmt: skip
    with pytest.raises(Refused, match="'base' does not list"):
        stage_of(parse_asp(Source("game.lp", short)))


def test_the_timed_form_has_the_plays_of_the_game():
    """Each stable model of the explicit-time encoding is one play, and each play one model."""
    import clingo

    book = finite_game("nim_s")
    solved = arena("nim_s")
    control = clingo.Control(["0", "--warn=none"])
    control.add("base", [], over_time(book, 8))
    control.ground([("base", [])])
    models = 0
    with control.solve(yield_=True) as handle:
        models = sum(1 for _ in handle)

    def plays(state):
        span = range(solved.first[state], solved.first[state + 1])
        return sum(plays(solved.target[m]) for m in span) if len(span) else 1

    assert models == plays(0)


def test_the_bias_beside_a_game():
    assert bias_file("ttt_l").name == "ttt.las"
    assert bias_file("nim").name == "nim.las"
    assert bias_file("tictactoe") is None


def test_states_with_facts_that_never_change_are_whole():
    from icgsynth.boards.learn.stage import stage_of

    stage = stage_of(finite_game("ttt_l"))
    for state in np.random.default_rng(1).choice(len(stage.states), 50):
        assert "has(a,cell(1,3))" in stage.facts(int(state))
        assert len(stage.facts(int(state))) == 10


def test_the_rules_that_are_shown_are_those_that_are_solved():
    """A subject that looks its name up once more finds the encoding, which comes first there."""
    found = subject("nim")
    assert found.named.path.suffix == ".kif"
    assert isinstance(found.game, Rulebook)
    again = subject("mine", None, found.named.source.text)
    assert (again.game.name, again.game.text) == ("mine", found.game.text)
