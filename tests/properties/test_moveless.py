"""Which states of a box have no move, against trying every parameter, and the steps themselves.

Parameters are drawn that have bounds on both sides, on one, or on none, that depend on the state
and leave some values out.  Seen: a bound that is dropped or moved by one, values that are skipped
or tried for ever, conditions of the action or on the result that are passed over, ends from which
a move leads, steps backwards that are not those forwards.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from speed import examples

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import listed_moves, moveless
from icgsynth.explicit.steps import Boundless, primed, steps_of
from icgsynth.logic.term import Compare, Int, Mod, Name, Or

SIDE = 7
FAR = 100  # past every bound that is drawn, and one period of two moduli: 9 * 8

# An end of the range of k: c + d a, or none.
ENDS = st.one_of(st.none(), st.tuples(st.integers(-4, 6), st.integers(-1, 1)))
ACTIONS = st.tuples(
    ENDS,
    ENDS,
    st.lists(
        st.tuples(st.integers(2, 9), st.integers(0, 8), st.integers(-9, 9)), min_size=1, max_size=2
    ),
    st.sampled_from([("a - k", lambda a, k: a - k), ("a - 1", lambda a, k: a - 1),
                     ("3 - a", lambda a, k: 3 - a), ("k - 2", lambda a, k: k - 2),
                     ("2 * a", lambda a, k: 2 * a), ("a div 2", lambda a, k: a // 2)]),
)  # fmt: skip


def written(number, drawn):
    low, high, sieves, (effect, _) = drawn
    parts = [f"(k mod {modulus} = {rest} or k = {alone})" for modulus, rest, alone in sieves]
    parts += [f"{low[0]} + {low[1]} * a <= k"] if low else []
    parts += [f"k <= {high[0]} + {high[1]} * a"] if high else []
    return f"action m{number}(k) pre {' and '.join(parts)} eff a := {effect}"


def results(drawn, a):
    """Where the moves of an action lead, of all parameters up to :data:`FAR`."""
    low, high, sieves, (_, effect) = drawn
    for k in range(-FAR, FAR + 1):
        fits = all(k % modulus == rest or k == alone for modulus, rest, alone in sieves)
        fits = fits and (low is None or low[0] + low[1] * a <= k)
        if fits and (high is None or k <= high[0] + high[1] * a) and 0 <= effect(a, k) <= SIDE:
            yield effect(a, k)


@settings(max_examples=60)
@given(st.lists(ACTIONS, min_size=1, max_size=2), st.integers(0, SIDE))
def test_states_without_a_move_are_those_where_no_parameter_fits(actions, end):
    lines = [f"game drawn\nvar a\nlegal 0 <= a <= {SIDE}\nend a = {end}"]
    lines += [written(number, drawn) for number, drawn in enumerate(actions)]
    game = icg.loads("\n".join(lines) + "\n").game
    box = Box.of(game, SIDE)
    none_known = np.zeros(box.size, bool)
    stuck, unsure = moveless(steps_of(game, box, 10**6), none_known)
    for row, (a,) in enumerate(box.states.tolist()):
        moves = [] if a == end else [to for drawn in actions for to in results(drawn, a)]
        assert not (stuck[row] and moves)
        assert stuck[row] or unsure[row] or moves
        if all(low and high for low, high, *_ in actions):
            assert not unsure[row]


@settings(max_examples=60)
@given(ACTIONS, st.integers(0, SIDE), st.lists(st.integers(0, SIDE), unique=True))
def test_steps_lead_where_the_rules_lead(drawn, most, chosen):
    """Out of some rows, into some rows, and only to results that are odd or up to ``most``.

    All within the box are those of all rows, listed forwards or backwards, whichever is shorter.
    """
    text = f"game drawn\nvar a\nlegal 0 <= a <= {SIDE}\n{written(0, drawn)}\n"
    game = icg.loads(text).game
    box = Box.of(game, SIDE)
    (step,) = steps_of(game, box, 10**6)
    odd = Compare((Mod(Name(primed("a")), Int(2)), Int(1)), ("=",))
    where = Or((odd, Compare((Name(primed("a")), Int(most)), ("<=",))))
    states = [a for (a,) in box.states.tolist()]
    rows = np.array([row for row, a in enumerate(states) if a in chosen], np.int64)

    def read(pairs):
        return {
            (states[source], states[target])
            for sources, targets in pairs
            for source, target in zip(sources.tolist(), targets.tolist(), strict=True)
        }

    every = {(a, to) for a in states for to in results(drawn, a)}
    try:
        out = read(step.out_of(rows))
    except Boundless:
        assert None in drawn[:2]
        return
    assert out == {(a, to) for a, to in every if a in chosen}
    below = {(a, to) for a, to in every if a in chosen and (to % 2 or to <= most)}
    assert read(step.out_of(rows, where)) == below
    possible, _ = step.reach(rows, where)
    for row, may in zip(rows.tolist(), possible.tolist(), strict=True):
        assert may or all(a != states[row] for a, _ in below)
    try:
        back, whole = read(step.into(rows)), read(step.within())
    except Boundless:  # where the result says nothing of the parameter
        return
    assert back == {(a, to) for a, to in every if to in chosen}
    assert whole == every


@examples(25, 80, st.lists(ACTIONS, min_size=1, max_size=3))
def test_each_move_is_listed_or_its_state_is_said_to_have_others(actions):
    """Where one action cannot be listed, the moves of the others still are.

    Seen: an action that is left out in the place of another, so that the search for one to leave
    out never ends.
    """
    lines = [f"game drawn\nvar a\nlegal 0 <= a <= {SIDE}"]
    lines += [written(number, drawn) for number, drawn in enumerate(actions)]
    game = icg.loads("\n".join(lines) + "\n").game
    box = Box.of(game, SIDE)
    edges, others = listed_moves(game, box, 10**6, Budget(60))
    states = [a for (a,) in box.states.tolist()]
    found = {
        (states[source], states[target])
        for target in range(box.size)
        for source in edges.source[edges.begin[target] : edges.begin[target + 1]].tolist()
    }
    truth = {(a, to) for drawn in actions for a in states for to in results(drawn, a)}
    assert found <= truth
    for a, to in truth - found:
        assert others[states.index(a)], (a, to)
    if all(effect[0] == "a - 1" for *_, effect in actions) and all(d[0] and d[1] for d in actions):
        assert found == truth
