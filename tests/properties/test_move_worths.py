"""What moves are worth and who gave a game away, against plain recursion on drawn graphs.

A game is drawn as a graph: the state is its place, each arrow is a move.  What the states are
worth is said by :func:`rounds`, which counts rounds and shares nothing with the package.  Each
test says in its first lines which planted faults it sees.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from itertools import count, product

import pytest
from catalog_answers import solved
from hypothesis import given, settings
from hypothesis import strategies as st
from speed import examples, sampled

import icgsynth as icg
from icgsynth.boards.finite.arena import arena_of_board
from icgsynth.boards.finite.arena_table import Lookup, MoveWorth
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.play.worths import (
    by_lot,
    far_sighted,
    fates,
    near_sighted,
    parametric_worths,
    says_lost,
)
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.errors import IllegalMove
from icgsynth.game.game import Move
from icgsynth.play.advice import Guide, slip, standing
from icgsynth.play.match import Choice, Turn
from icgsynth.spec.source import Source

RULES = ("normal", "misere")
GRAPHS = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.sets(st.integers(0, n - 1), max_size=3), min_size=n, max_size=n)
)
"""For each place the places that arrows lead to; circles and loops are among them."""


def game_of(graph):
    """The rules of a graph; without any arrow there is one action that never applies."""
    arrows = [(i, j) for i, after in enumerate(graph) for j in sorted(after)]
    actions = [f"action m{i}_{j} pre a = {i} eff a := {j}" for i, j in arrows]
    actions = actions or ["action none pre a < 0 eff a := a"]
    head = [f"game drawn_graph\nvar a\nlegal 0 <= a <= {len(graph) - 1}"]
    return icg.loads("\n".join([*head, *actions]) + "\n").game


def rounds(graph, rule):
    """(wins, plies) of each place, None for a draw: by asking so many times as there are places.

    A win in n plies is seen in round n, and so is a loss.
    """
    known = {i: (rule == "misere", 0) for i, after in enumerate(graph) if not after}
    for plies in range(1, len(graph) + 1):
        new = {}
        for i, after in enumerate(graph):
            seen = [known.get(j) for j in after]
            if i in known:
                continue
            if any(fate is not None and not fate[0] for fate in seen):
                new[i] = (True, plies)
            elif all(fate is not None and fate[0] for fate in seen):
                new[i] = (False, plies)
        known |= new
    return known


def reached(graph, start):
    """The places that play from ``start`` can come to."""
    found, todo = set(), [start]
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo += graph[at]
    return found


# --- reached -----------------------------------------------------------------------------------


@examples(
    30, 150, GRAPHS, st.sampled_from(RULES), st.lists(st.integers(0, 5), min_size=1, max_size=3)
)
def test_fates_are_those_of_counting_rounds(graph, rule, starts):
    """Also where some are known from another start.

    Seen: a win behind a lost state (and not behind a won one), the end under either rule, one
    ply more a move, the last of several moves, states that are followed twice.
    """
    game, truth, known = game_of(graph), rounds(graph, rule), {}
    places = set()
    for start in starts:
        start %= len(graph)
        places |= reached(graph, start)
        assert fates(game, rule, (start,), known)
        expected = {(i,): truth[i] for i in places if i in truth}
        assert {state: tuple(fate) for state, fate in known.items()} == expected


@settings(max_examples=60)
@given(GRAPHS, st.integers(0, 5))
def test_as_many_moves_as_are_allowed_are_followed_and_not_one_more(graph, start):
    """Seen: the count of moves that begins at 1, and a limit that is off by one."""
    start %= len(graph)
    game = game_of(graph)
    moves = sum(len(graph[i]) for i in reached(graph, start))
    assert fates(game, "normal", (start,), {}, most=moves)
    if moves:
        known = {}
        assert not fates(game, "normal", (start,), known, most=moves - 1)
        assert not known


def test_moves_without_bound_are_not_followed():
    """Seen: a crash, or a fate, where a parameter has no bound."""
    text = "game up\nvar a\nlegal a >= 0\naction go(k) pre k >= a and a >= 1 eff a := k\n"
    known = {}
    assert not fates(icg.loads(text).game, "normal", (1,), known)
    assert not known


# --- worths of moves ---------------------------------------------------------------------------


@settings(max_examples=100)
@given(GRAPHS, st.sampled_from(RULES), st.integers(0, 5))
def test_a_move_is_worth_what_it_leaves_to_the_other(graph, rule, start):
    """Without an answer, by following play.  Seen: signs, and plies that are off by one."""
    start %= len(graph)
    game, truth = game_of(graph), rounds(graph, rule)
    moves = list(game.moves((start,)))
    found = parametric_worths(game, rule, (start,), moves, None, {})
    assert [each.move for each in found] == moves
    for each in found:
        (after,) = game.result((start,), each.move)
        if after in truth:
            wins, plies = truth[after]
            assert (each.value, each.plies) == (-1 if wins else 1, plies + 1)
        else:
            assert (each.value, each.plies) == (None, None)


def nim_graph(size):
    """Two piles of up to ``size`` - 1: the place of (a, b) is a * size + b."""
    return [
        {c * size + b for c in range(a)} | {a * size + c for c in range(b)}
        for a, b in product(range(size), repeat=2)
    ]


def to(state, after):
    """The move of Nim from ``state`` to ``after``."""
    name, at = ("take_a", 0) if after[1] == state[1] else ("take_b", 1)
    return Move(name, (("k", state[at] - after[at]),))


@pytest.fixture
def no_time_passes(monkeypatch):
    """What is followed is then limited by the count of moves alone."""
    monkeypatch.setattr("time.monotonic", lambda: 0.0)


@pytest.mark.parametrize(
    ("rule", "is_solved"),
    [
        ("normal", True),
        ("misere", False),
        pytest.param("normal", False, marks=pytest.mark.slow),
        pytest.param("misere", True, marks=pytest.mark.slow),
    ],
)
def test_large_states_are_judged_move_by_move(rule, is_solved, no_time_passes):
    """Of a state with too many moves those that end soon are followed, others are asked about.

    Seen: the answer's word taken for its opposite, plies that nobody has counted, moves that are
    not followed after the whole state was not.
    """
    game, near = icg.load("nim2").game, rounds(nim_graph(4), rule)
    answer = solved("nim2", rule) if is_solved else None
    far = 10**6
    near_ends = ((far, 3), [(0, 3), (1, 3), (2, 3), (3, 3), (far, 0)])
    far_ends = ((far, far + 5), [(far, far), (far, far + 1)])
    state, afters = far_ends if is_solved else near_ends
    moves = [to(state, after) for after in afters]
    found = parametric_worths(game, rule, state, moves, answer, {})
    for after, move, worth in zip(afters, moves, found, strict=True):
        if max(after) < 4:
            wins, plies = near[after[0] * 4 + after[1]]
            assert worth == MoveWorth(move, -1 if wins else 1, plies + 1)
        else:
            said = (1 if after[0] == after[1] else -1) if is_solved else None
            assert worth == MoveWorth(move, said, None)


def test_a_whole_state_is_followed_where_its_moves_alone_are_too_many(no_time_passes):
    """More than 400 moves lie behind each move of (9, 8), and less than 12,000 below it.

    Seen: the limits of both in each other's place.
    """
    game = icg.load("nim2").game
    (found,) = parametric_worths(game, "normal", (9, 8), [to((9, 8), (8, 8))], None, {})
    assert (found.value, found.plies) == (1, 17)  # eight pairs of moves, of which this is the first


def test_what_takes_too_long_is_not_followed(monkeypatch):
    """Seen: a limit of time that is not kept.  Each look at the clock is a second later."""
    game, clock = icg.load("nim2").game, count()
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    (found,) = parametric_worths(game, "normal", (3, 2), [to((3, 2), (2, 2))], None, {})
    assert (found.value, found.plies) == (None, None)


def _one_sided(answer):
    """The answer, and as it is where only one of its formulas is known."""
    yield answer
    yield replace(answer, winning=None)
    yield replace(answer, losing=None)


def _box(size, bound):
    return product(range(bound + 1), repeat=size)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", ["nim2", "take_away"])
def test_a_proved_answer_says_what_play_says(name, rule):
    """Seen: its sides swapped, the end under misere play, an answer with one formula alone."""
    answer = solved(name, rule)
    game, known = answer.game, {}
    for state in _box(len(game.variables), 4):
        if game.is_legal(state):
            assert fates(game, rule, state, known)
            for said in _one_sided(answer):
                assert says_lost(said, game, rule, state) == (not known[state].wins)
            neither = replace(answer, winning=None, losing=None)
            ends_well = rule == "misere" and not list(game.moves(state))
            assert says_lost(neither, game, rule, state) is None or ends_well
            assert says_lost(replace(answer, status="unknown"), game, rule, state) is None


LOCKED = """game locked
var a, b
legal a >= 0 and b >= 0
action take(k) pre b = 0 and 1 <= k and k <= a eff a := a - k
action rattle pre b >= 1 eff b := b
action unlock pre b >= 1 eff b := 0
"""


@sampled("rule", RULES)
def test_an_answer_with_draws_has_three_words(rule):
    """Seen: a draw that is called won or lost, and one of these called the other."""
    game = icg.loads(LOCKED).game
    answer = icg.loads(LOCKED).solve(rule)
    assert answer.draws is not None
    known, words = {}, set()
    for state in _box(2, 3):
        assert fates(game, rule, state, known)
        fate = known.get(state)
        words.add(says_lost(answer, game, rule, state))
        assert says_lost(answer, game, rule, state) == (None if fate is None else not fate.wins)
    assert words == {True, False, None}


# --- finite games ------------------------------------------------------------------------------

# Who takes one counter moves again, who takes two does not; who takes the last one loses, but if
# the last three are taken at once nobody does.
AGAIN = """
(role a) (role b)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(init (pile 6)) (init (control a))
(<= (base (pile 0))) (<= (base (pile ?n)) (succ ?m ?n))
(<= (base (control ?p)) (role ?p)) (<= (base (last ?p)) (role ?p)) (base shared)
(<= (input ?p (take 1)) (role ?p)) (<= (input ?p (take 2)) (role ?p))
(<= (input ?p (take 3)) (role ?p)) (<= (input ?p noop) (role ?p))
(other a b) (other b a)
(<= (less 1 ?n ?m) (succ ?m ?n))
(<= (less 2 ?n ?l) (succ ?l ?m) (succ ?m ?n))
(<= (less 3 ?n ?l) (less 2 ?n ?m) (succ ?l ?m))
(<= (legal ?p (take ?k)) (true (control ?p)) (true (pile ?n)) (less ?k ?n ?m))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (pile ?m)) (does ?p (take ?k)) (true (pile ?n)) (less ?k ?n ?m))
(<= (next (last ?p)) (does ?p (take ?k)))
(<= (next shared) (does ?p (take 3)))
(<= (next (control ?p)) (does ?p (take 1)))
(<= (next (control ?q)) (does ?p (take 2)) (other ?p ?q))
(<= (next (control ?q)) (does ?p (take 3)) (other ?p ?q))
(<= terminal (true (pile 0)))
(<= (goal ?p 50) (role ?p) (true shared))
(<= (goal ?p 0) (true (last ?p)) (not (true shared)))
(<= (goal ?q 100) (true (last ?p)) (other ?p ?q) (not (true shared)))
"""


def again(pile):
    """(value for the player to move, plies to the end of a win or a loss) of a pile above 0."""
    return max((again_move(pile, k) for k in (1, 2, 3) if k <= pile), key=_best)


def _best(worth):
    value, plies = worth
    return value, -plies if value > 0 else plies


def again_move(pile, take):
    """The same of a move, for whoever makes it."""
    if take == pile:
        return (0 if take == 3 else -1), 1
    value, plies = again(pile - take)
    return (value if take == 1 else -value), plies + 1


def test_a_player_may_move_twice():
    """Seen: who moves after a move, goals of the wrong player, signs and plies of moves."""
    board = board_of(ground(parse_gdl(Source("again.kif", AGAIN))))
    game, lookup = FiniteGame(board), Lookup(arena_of_board(board))
    seen, todo = set(), [game.initial]
    values = set()
    while todo:
        state = todo.pop()
        if state in seen or game.mover(state) < 0:
            continue
        seen.add(state)
        (pile,) = (int(fact[5:-1]) for fact in game.facts(state) if fact.startswith("pile("))
        found = lookup.worths(game.facts(state))
        assert [worth.move for worth in found] == list(game.moves(state))
        for worth in found:
            value, plies = again_move(pile, int(worth.move.action[5:-1]))
            assert worth.value == value
            assert value == 0 or worth.plies == plies
            values.add((value, game.mover(game.result(state, worth.move)) == game.mover(state)))
            todo.append(game.result(state, worth.move))
    assert values >= {(-1, False), (0, False), (1, False), (-1, True), (1, True)}


# --- players who go by worths ------------------------------------------------------------------

WORTHS = [
    st.tuples(st.sampled_from([-1, 1]), st.integers(1, 12)),
    st.just((0, None)),
    st.tuples(st.just(0), st.integers(1, 12)),
    st.just((None, None)),
]


def listed(*worths):
    """Moves with one of these worths each."""
    return st.lists(st.one_of(*worths), min_size=1, max_size=6).map(
        lambda pairs: [MoveWorth(Move("m", (i,)), *pair) for i, pair in enumerate(pairs)]
    )


LISTS = listed(*WORTHS)
OF_ANY_LENGTH = listed(*WORTHS, st.tuples(st.sampled_from([-1, 1]), st.none()))
SEEDS = range(60)


def drawn(choose):
    """Every move that is chosen with some seed, and the one reason and judgement with it."""
    found = [choose(seed) for seed in SEEDS]
    assert len({choice.wins for choice in found}) <= 2
    return {choice.move for choice in found}, found


def order(each):
    """The quickest win is the greatest, then what is neither, then the slowest loss.

    What is of unknown length may be longer than all others.
    """
    plies = math.inf if each.plies is None else each.plies
    if each.value == 1:
        return (1, -plies)
    return (-1, plies) if each.value == -1 else (0, 0)


@settings(max_examples=60)
@given(OF_ANY_LENGTH, st.booleans())
def test_perfect_play_is_the_best_in_order_and_all_of_it(worths, knows_all):
    """Seen: each comparison of the ranks, draws that hide a win, equals of which one is never
    drawn, and a state called lost (or won) that is not."""
    best = max(map(order, worths))
    expected = {each.move for each in worths if order(each) == best}
    moves, found = drawn(lambda seed: far_sighted(worths, seed, knows_all))
    assert moves == expected
    by_move = {each.move: each for each in worths}
    for choice in found:
        each = by_move[choice.move]
        if each.value == 1:
            assert choice.wins is True and "wins" in choice.reason
        elif each.value == -1:
            assert choice.wins is (False if knows_all else None)
            assert ("loses" in choice.reason) == knows_all
        else:
            assert choice.wins is None
            assert ("draw" in choice.reason) == (each.value == 0)
        if choice.wins is not None:
            one = re.search(r"\b1 ply\b", choice.reason) is not None
            assert one == (each.plies == 1)
            assert each.plies is None or f" {each.plies} pl" in choice.reason
    if knows_all:  # it is what is usual
        assert far_sighted(worths, 3) == far_sighted(worths, 3, True)


@settings(max_examples=60)
@given(LISTS, st.integers(1, 12), st.booleans())
def test_who_looks_so_far_takes_all_ends_further_off_for_draws(worths, depth, knows_all):
    """Seen: an end at exactly that depth, one whose distance nobody knows, a certain loss where
    others remain, a state called lost by one who has not seen all moves."""

    def seen(each):
        return each.value or 0 if each.plies is not None and each.plies <= depth else 0

    best = max(map(seen, worths))
    moves, found = drawn(lambda seed: near_sighted(worths, depth, seed, knows_all))
    assert moves == {each.move for each in worths if seen(each) == best}
    truth = {1: True, 0: None, -1: False if knows_all else None}[best]
    assert {choice.wins for choice in found} == {truth}
    words = {choice.reason.partition(",")[0] for choice in found}
    said = {True: "it sees a win", False: "it sees that it loses", None: "it sees no end"}
    assert words == {said[truth]}
    assert ("1 ply " in found[0].reason) == (depth == 1)
    if knows_all:
        assert near_sighted(worths, depth, 3) == near_sighted(worths, depth, 3, True)


@settings(max_examples=30)
@given(LISTS)
def test_by_lot_is_any_move_and_says_of_how_many(worths):
    moves, found = drawn(lambda seed: by_lot(worths, seed))
    assert moves == {each.move for each in worths}
    alone = len(worths) == 1
    assert all((choice.reason == "the only move") == alone for choice in found)


@pytest.mark.parametrize("player", [by_lot, far_sighted, lambda w, s: near_sighted(w, 3, s)])
def test_without_a_move_nobody_plays(player):
    with pytest.raises(IllegalMove):
        player([], 0)


# --- advice ------------------------------------------------------------------------------------


@dataclass
class Oracle:
    """A player who knows all of a graph; it must not be asked where play is over."""

    graph: list[set[int]]
    rule: str
    name: str = "oracle"

    def choose(self, game, state):
        (at,) = state
        assert self.graph[at], "nobody is to move here"
        fate = rounds(self.graph, self.rule).get(at)
        return Choice(Move(f"from{at}"), "", wins=None if fate is None else fate[0])


@dataclass
class Table:
    """What a match leaves behind."""

    graph: list[set[int]]
    rule: str
    state: tuple[int, ...]
    game: None = None
    seat: int = 0
    turns: list = field(default_factory=list)
    is_drawn: bool = False

    @property
    def is_over(self):
        return self.is_drawn or not self.graph[self.state[0]]

    @property
    def winner(self):
        if self.is_drawn or not self.is_over:
            return None
        return 1 - self.seat if self.rule == "normal" else self.seat

    def go(self, after):
        turn = Turn(len(self.turns), self.seat, self.state, Choice(Move("go"), ""), (after,))
        self.turns.append(turn)
        self.state, self.seat = (after,), 1 - self.seat


def value(graph, rule, at):
    """For the player to move: 1, 0, -1."""
    fate = rounds(graph, rule).get(at)
    return 0 if fate is None else 1 if fate[0] else -1


@settings(max_examples=150)
@given(GRAPHS, st.sampled_from(RULES), st.lists(st.integers(0, 9), max_size=8), st.booleans())
def test_a_slip_is_the_last_own_move_that_gave_something_away(graph, rule, steps, is_drawn):
    """Matches of random moves, also such as are over, won by either or by nobody.

    Seen: moves of the other player, the first slip instead of the last, their numbers, a draw
    that is thrown away or kept, whoever won at the end, what is worth as much as before.
    """
    table = Table(graph, rule, (0,))
    for step in steps:
        if not table.is_over:
            after = sorted(graph[table.state[0]])
            table.go(after[step % len(after)])
    # A match may be called a draw when it is long; only where it would go on.
    table.is_drawn = is_drawn and bool(table.turns) and not table.is_over
    guide = Guide(Oracle(graph, rule), True)
    for seat in (0, 1):
        mine = [turn for turn in table.turns if turn.seat == seat]
        expected = None
        for number, turn in enumerate(mine, 1):
            before, after = value(graph, rule, turn.before[0]), -value(graph, rule, turn.after[0])
            if turn is table.turns[-1] and table.is_drawn:
                after = 0
            if after < before:
                expected = (turn, number, f"from{turn.before[0]}", before)
        found = slip(guide, table, seat)
        if expected is None:
            assert found is None
        else:
            assert (found.turn, found.number, found.better.move.action) == expected[:3]
            assert found.keeps == ("wins" if expected[3] == 1 else "keeps the draw")
        assert slip(Guide(Oracle(graph, rule), False), table, seat) is None


@settings(max_examples=60)
@given(GRAPHS, st.sampled_from(RULES))
def test_how_one_stands(graph, rule):
    """Seen: winning and losing swapped, a draw called either, an unsure guide who speaks."""
    said = {1: "you can win", 0: "nobody wins", -1: "you lose"}
    for at in range(len(graph)):
        if graph[at]:
            oracle = Oracle(graph, rule)
            assert said[value(graph, rule, at)] in standing(Guide(oracle, True), None, (at,))
            assert standing(Guide(oracle, False), None, (at,)) == ""
