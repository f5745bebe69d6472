"""The faces of cones of moves, against every pair of small parameters.

``taken in the cone`` is said here by the inequalities alone.
"""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.prove.automata.cones import Cone

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
