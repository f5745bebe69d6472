"""Moves from far states, as the second proof tries them, and moves along a line.

The first is held against every parameter near the ends of its range, the second against every pair
of parameters: sets of moves that integers describe, and that are listed here one by one.
"""

from __future__ import annotations

import random
from itertools import product
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import icgsynth as icg
from icgsynth.game.line import Line
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import TRUE
from icgsynth.prove.automata.cones import Cone
from icgsynth.prove.recheck.action_moves import Mover
from icgsynth.prove.recheck.formulas import Undecided
from icgsynth.prove.recheck.line_moves import LineMoves, _covers
from icgsynth.prove.recheck.steep_bounds import Bounds
from icgsynth.spec.icg import parse_formula, parse_term

NUMBERS = st.one_of(st.integers(0, 9), st.integers(10**18, 10**20))
ENDS = st.one_of(st.none(), st.tuples(st.integers(-9, 9), st.sampled_from([0, 1, 2])))
WIDE = 40


@settings(max_examples=100)
@given(ENDS, ENDS, st.integers(1, 5), st.integers(0, 4), NUMBERS)
def test_a_move_is_found_wherever_there_is_one(low, high, modulus, rest, a):
    """An action whose parameter has an end below, above, on both sides or on none.

    Seen: a sample that is empty though one end is open, values past an end, an end that is off by
    one, a move that is found where none applies.
    """
    parts = [f"k mod {modulus} = {rest}"]
    parts += [f"{low[0]} + {low[1]} * a <= k"] if low else []
    parts += [f"k <= {high[0]} + {high[1]} * a"] if high else []
    text = f"game far\nvar a\nlegal a >= 0\naction m(k) pre {' and '.join(parts)} eff a := a + 1\n"
    game = icg.loads(text).game
    mover = Mover(game, game.actions[0], TRUE, ())
    least = None if low is None else low[0] + low[1] * a
    most = None if high is None else high[0] + high[1] * a

    def applies(k):
        fits = k % modulus == rest and (least is None or least <= k)
        return fits and (most is None or k <= most)

    # The congruence repeats after ``modulus``: an open end has room, and a range has its ends.
    start = least if least is not None else most if most is not None else 0
    truth = any(applies(k) for k in range(start - WIDE, start + WIDE))
    draw = random.Random(a).random
    assert mover.can_move((a,), draw) == truth
    sample = [k for (k,) in mover.moves.some(draw, (a,))]
    assert sample or (least is not None and most is not None and least > most)
    assert all((least is None or least <= k) and (most is None or k <= most) for k in sample)
    for k in sample:
        assert mover.after((a,), (k,)) == ((a + 1,) if applies(k) else None)


def test_the_bounds_are_what_is_tried():
    """Seen: a sample without the ends of the range, where faults lie."""
    text = "game far\nvar a\nlegal a >= 0\naction m(k) pre 5 <= k and k <= 2 * a eff a := a + 1\n"
    game = icg.loads(text).game
    mover = Mover(game, game.actions[0], TRUE, ())
    for a in (100, 10**30):
        sample = {k for (k,) in mover.moves.some(random.Random(1).random, (a,))}
        assert {5, 6, 2 * a - 1, 2 * a} <= sample


@settings(max_examples=40)
@given(st.integers(0, 60), st.integers(0, 6), st.integers(2, 7), st.integers(0, 6))
def test_a_step_that_wins_is_found_however_often_it_is_repeated(a, b, modulus, rest):
    """By trying every move.  Seen: the last numbers of times are left out, or the first."""
    game = icg.loads(
        "game multiples var a, b legal a >= 0 and b >= 0\n"
        "action take(k) pre k >= 1 and b >= 1 and k * b <= a eff a := a - k * b"
    ).game
    winning = parse_formula(f"a mod {modulus} != {rest % modulus}", game.variables)
    mover = Mover(game, game.actions[0], winning, ())
    after = [game.result((a, b), move) for move in game.moves((a, b))]
    assert mover.can_win((a, b)) == any(n % modulus == rest % modulus for n, _ in after)
    draw, every = random.Random(a).random, [(times + 1,) for times in range(len(after))]
    assert mover.can_move((a, b), draw) == bool(after)
    assert mover.list_all((a, b), 99) == every
    assert {*every[:1], *every[-1:]} <= {*mover.moves.some(draw, (a, b))} <= {*every}


# --- along a line ------------------------------------------------------------------------------

CASES = st.tuples(
    st.tuples(st.integers(0, 3), st.integers(0, 3)),
    st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-5, 5)), max_size=3),
).map(lambda drawn: Bounds(drawn[0], tuple(drawn[1])))


@settings(max_examples=150)
@given(
    CASES, st.integers(-3, 3), st.sampled_from([1, -1]), st.integers(-4, 4), st.sampled_from("ab")
)
def test_which_moves_a_line_allows_is_an_interval(case, factor, sign, fall, gives):
    """u is taken from one variable and w from the other, so that the line's term falls as told.

    This is private to the second proof, and what its whole answer about lines rests on.  Seen: a
    factor that is missing from the term, the two variables in each other's place, signs, and ends
    that are off by one.
    """
    name = "b" if gives == "a" else "a"
    rest = f"{factor} * {name} + " if factor else ""
    line = Line("d", parse_term(f"{rest}{sign} * {gives} + 7", ["a", "b"]), gives, fall, fall, 1)
    moves = LineMoves(None, ("a", "b"), [case], line, None)
    low, high = moves._takes(case, fall)
    for u in range(WIDE):
        w = sign * (fall - factor * u)
        pair = (u, w) if name == "a" else (w, u)
        is_move = all(n >= least for n, least in zip(pair, case.least, strict=True))
        is_move = is_move and all(p * pair[0] + q * pair[1] + r >= 0 for p, q, r in case.pairs)
        assert (low <= u and (high is None or u <= high)) == is_move


@pytest.mark.parametrize("tracks", [("d",), ("d", "a"), ("d", "b'"), ("b'", "a'")])
def test_the_targets_of_a_line_are_its_track_and_the_other_variable_primed(tracks):
    """Seen: an automaton read along a line with tracks that mean something else."""
    line = Line("d", parse_term("a - b", ["a", "b"]), "b", 0, 0, 1)
    moves = LineMoves(None, ("a", "b"), [], line, SimpleNamespace(tracks=tracks))
    with pytest.raises(Undecided):
        moves.winning(None, None)


INTERVALS = st.lists(
    st.tuples(st.integers(0, 12), st.one_of(st.none(), st.integers(-1, 14))), max_size=4
)


@settings(max_examples=150)
@given(INTERVALS, st.integers(0, 6))
def test_intervals_cover_all_from_a_number_on(intervals, start):
    def holds(u):
        return any(low <= u and (high is None or u <= high) for low, high in intervals)

    assert _covers(intervals, start) == all(holds(u) for u in range(start, WIDE))


# --- games that may never end ------------------------------------------------------------------

ENDED = """game ended
var a
legal 0 <= a <= 3
end a = 1
action back pre a >= 1 eff a := a - 1
action stay pre a = 3 eff a := a
"""


@pytest.mark.parametrize(("rule", "sides"), [("normal", "LLWD"), ("misere", "WWLW")])
def test_where_play_is_declared_over_no_move_is_made(rule, sides):
    """In 1 play is over, though ``back`` would apply there.

    Normal play: 0 and 1 are lost, 2 is won, and in 3 one stays for ever.  Misere play: 0 and 1 are
    won, so 2 is lost and 3 is won.  Seen: an end that the play of far states passes over, so that
    a right answer is called wrong.
    """
    answer = icg.loads(ENDED).solve(rule)
    assert answer.status == "solved"
    said = {"W": answer.winning.formula, "L": answer.losing.formula}
    for a, side in enumerate(sides):
        for name, formula in said.items():
            assert satisfies(formula, {"a": a}) == (side == name)


# --- the faces of cones of moves, against every pair of small parameters -------------------------


BOUNDS = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3)),
    min_size=1,
    max_size=3,
    unique=True,
)
CONES = st.tuples(st.tuples(st.integers(0, 2), st.integers(0, 2)), BOUNDS).map(
    lambda drawn: Cone("take", drawn[0], tuple(drawn[1]))
)


def is_in(cone, pair):
    """Whether the move that takes so much is one of the cone's."""
    enough = all(one >= least for one, least in zip(pair, cone.least, strict=True))
    return enough and all(a * pair[0] + b * pair[1] + c >= 0 for a, b, c in cone.bounds)


@settings(max_examples=150)
@given(CONES)
def test_a_face_holds_moves_alone_and_begins_with_the_first_of_them(cone):
    """Every pair of a face is in the cone, whatever else it is; one parameter less is not for all.

    Seen: the two coefficients of a bound in each other's place, signs of what the other parameter
    is, a least parameter that is off by one, values that two faces share.
    """
    seen = set()
    for face in cone.faces():
        bound = (face.a, face.b, face.c)
        assert bound in cone.lines and len(face.values) >= 1
        slope, unit = (face.a, face.b) if face.place == 0 else (face.b, face.a)
        for value in face.values:
            assert (bound, face.place, value) not in seen
            seen.add((bound, face.place, value))

            def pair(p, value=value, slope=slope, unit=unit, face=face):
                # unit is 1 or -1, so there is one other parameter that gives the value
                other = unit * (value - face.c - slope * p)
                return (p, other) if face.place == 0 else (other, p)

            assert all(is_in(cone, pair(p)) for p in range(face.least, face.least + 12))
            earlier = face.least - 1
            assert earlier < cone.least[face.place] or not is_in(cone, pair(earlier))


@settings(max_examples=80)
@given(CONES)
def test_a_cone_mirrored_holds_the_moves_mirrored(cone):
    other = cone.mirrored
    for pair in product(range(7), repeat=2):
        assert is_in(cone, pair) == is_in(other, pair[::-1])
    assert other.mirrored == Cone(cone.action, cone.least, tuple(sorted(cone.bounds)))
    assert other.is_steep == cone.is_steep


def test_lines_that_are_parallel_are_not_steep():
    """Between ``2 k <= l`` and ``l <= 2 k + 3`` moves differ in one number; in a cone in two."""
    between = Cone("take", (1, 1), ((2, -1, 3), (-2, 1, 0)))
    assert not between.is_steep
    assert Cone("take", (1, 1), ((2, -1, 3),)).is_steep
    assert Cone("take", (1, 1), ((1, -3, 3),)).is_steep
    assert not Cone("take", (1, 1), ((1, -1, 3),)).is_steep
    assert not Cone("take", (1, 1), ((2, 0, 3), (0, -2, 9))).is_steep
