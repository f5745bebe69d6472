"""Arenas: state counts as oracles, symmetry, retrograde analysis, bounded impartial games."""

import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from finite_arenas import arena_of_rules
from speed import sampled

from icgsynth.boards.finite import arena as arenas
from icgsynth.boards.finite import symmetry
from icgsynth.boards.finite.arena import Arena
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.bounded import arena_of_box
from icgsynth.boards.finite.explore import StateStore
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.finite.symmetry import symmetry_of
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.errors import Refused
from icgsynth.game.game import ParametricGame
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source

SPECS = Path(__file__).parents[3] / "specs"


def arena(name: str, symmetric: bool = True) -> Arena:
    path = SPECS / "gdl" / f"{name}.kif"
    return arena_of_rules(parse_gdl(Source.read(path)), symmetric)


def icg(name: str) -> ParametricGame:
    return parse(Source.read(SPECS / f"{name}.icg")).game()


# name: raw states, raw before the end, canonical before the end, group, value, distance
COUNTS = {
    "tictactoe": (5_478, 4_520, 627, 8, 0, 9),
    "nim": (344, 342, 342, 1, 1, 11),
    "nim_1357": (752, 750, 750, 1, -1, 16),
    "sim": (2_230_702, 1_350_022, 2_250, 720, -1, 15),
    "sim_first_triangle_wins": (2_230_702, 1_350_022, 2_250, 720, 1, 7),
    "three_mens_morris": (5_390, 4_974, 681, 8, 1, 9),
    "chomp": (68, 66, 66, 1, 1, 8),
    "connect3": (41_750, 23_930, 11_978, 2, 1, 9),
}


def test_every_file_is_counted():
    assert {path.stem for path in (SPECS / "gdl").glob("*.kif")} == set(COUNTS)


def test_the_reference_has_these_counts():
    text = (SPECS.parent / "docs" / "reference" / "gdl.md").read_text("utf-8")
    for name, (raw, before, _, group, *_) in COUNTS.items():
        (row,) = (line for line in text.splitlines() if line.startswith(f"| `{name}` |"))
        assert row.endswith(f"| {raw:,} | {before:,} | {group} |")


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name):
    raw, before, canonical, group, value, distance = COUNTS[name]
    found = arena(name)
    live = found.mover >= 0
    assert int(found.orbit.sum()) == raw
    assert int(found.orbit[live].sum()) == before
    assert int(live.sum()) == canonical
    assert len(found.literal_images) == group
    assert (int(found.value[0]), int(found.distance[0])) == (value, distance)


def test_tictactoe_for_player_one():
    found = arena("tictactoe")
    assert [int((found.mover == p).sum()) for p in (0, 1)] == [338, 289]
    assert found.roles == ("x", "o")
    assert found.facts(0) == ("control(x)",)


@pytest.mark.parametrize("name", [n for n in COUNTS if not n.startswith("sim")])
def test_symmetry_changes_no_value(name):
    _against_raw(arena(name), arena(name, symmetric=False))


@pytest.mark.slow
@sampled("name", ["sim", "sim_first_triangle_wins"], 1, pytest.mark.nightly)
def test_sim_whole(name):
    raw = arena(name, symmetric=False)
    assert (len(raw.states), int((raw.mover >= 0).sum())) == COUNTS[name][:2]
    _against_raw(arena(name), raw)


def _against_raw(small: Arena, raw: Arena):
    """Every image of every representative is a raw state of the same worth, and these are all."""
    assert small.literals == raw.literals
    assert small.actions == raw.actions
    worth = (raw.value, raw.distance, raw.mover, np.diff(raw.first))
    key = {state.tobytes(): i for i, state in enumerate(raw.states)}
    seen = np.zeros(len(raw.states), bool)
    few = small.literal_images[:: max(1, len(small.literal_images) // 24)]
    for image in few:
        moved = _moved(small.states, image)
        rows = np.array([key[state.tobytes()] for state in moved])
        seen[rows] = True
        mine = (small.value, small.distance, small.mover, np.diff(small.first))
        for left, right in zip(mine, worth, strict=True):
            assert (left == right[rows]).all()
    assert len(few) < len(small.literal_images) or seen.all()


def _moved(states, image):
    out = np.zeros_like(states)
    for old, new in enumerate(image):
        bit = (states[:, old >> 6] >> np.uint64(old & 63)) & np.uint64(1)
        out[:, new >> 6] |= bit << np.uint64(new & 63)
    return out


@pytest.mark.parametrize("name", ["tictactoe", "three_mens_morris", "connect3"])
def test_the_group_maps_moves_to_moves(name):
    raw = arena(name, symmetric=False)
    group = arena(name)
    key = {state.tobytes(): i for i, state in enumerate(raw.states)}
    origin = np.repeat(np.arange(len(raw.mover)), np.diff(raw.first))
    moves = set(zip(origin.tolist(), raw.action.tolist(), raw.target.tolist(), strict=True))
    for literals, actions in zip(group.literal_images, group.action_images, strict=True):
        rows = np.array([key[state.tobytes()] for state in _moved(raw.states, literals)])
        sent = zip(rows[origin], actions[raw.action], rows[raw.target], strict=True)
        assert {tuple(map(int, move)) for move in sent} == moves


def _with_signs(signs):
    """Tic-tac-toe beside signs that nobody ever turns: interchangeable, and of no account."""
    text = (SPECS / "gdl" / "tictactoe.kif").read_text("utf-8")
    text += "".join(f"(init (sign {i}))" for i in range(signs))
    return parse_gdl(Source("g.kif", text + "(<= (next (sign ?i)) (true (sign ?i)))"))


def test_a_subgroup_folds_states_though_some_actions_do_the_same():
    """Three lamps, each with six buttons that turn it on: 720^3 orders of the buttons, 6 of lamps.

    A fault it sees: a subgroup of orders of the buttons alone, under which no two states are one.
    """
    text = (
        "(role p) " + "".join(f"(lamp {i})" for i in "abc") + "".join(f"(b {i})" for i in "123456")
    )
    text += """(<= (legal p (press ?l ?b)) (lamp ?l) (b ?b))
    (<= (next (on ?l)) (does p (press ?l ?b)))
    (<= (next (on ?l)) (true (on ?l))) (<= (next go) (true go)) (init go) (goal p 100)
    (<= terminal (true (on a)) (true (on b)) (true (on c)))"""
    board = board_of(ground(parse_gdl(Source("g.kif", text))))
    group = symmetry_of(board, max_order=720)
    assert len(np.unique(group.facts, axis=0)) == 6


def test_facts_that_never_change_make_no_symmetry():
    # Six signs can be permuted in 720 ways, and the board in 8.
    found = arena_of_rules(_with_signs(6))
    assert (len(found.literal_images), int(found.orbit.sum())) == (8, 5_478)


def test_a_large_graph_is_looked_at_in_a_process_of_its_own(monkeypatch):
    here = symmetry_of(board_of(ground(_with_signs(0))))
    monkeypatch.setattr(symmetry, "_SMALL", 10)
    there = symmetry_of(board_of(ground(_with_signs(0))))
    assert here.order == there.order == 8
    assert {a.tobytes() for a in here.facts} == {a.tobytes() for a in there.facts}


def test_symmetry_is_given_up_when_its_time_is_over(monkeypatch):
    monkeypatch.setattr(symmetry, "_SMALL", 10)
    for seconds in (0.0, 0.001):
        found = symmetry_of(board_of(ground(_with_signs(0))), seconds=seconds)
        assert (found.order, found.note) == (1, "the search for symmetry was given up")
    board = board_of(ground(_with_signs(0)))
    monkeypatch.setattr(sys, "executable", "false")  # it dies without an answer
    assert symmetry_of(board).order == 1


@pytest.mark.parametrize("name", ["tictactoe", "three_mens_morris", "nim", "chomp"])
def test_values_satisfy_their_equations(name):
    _check_values(arena(name))


def _check_values(found: Arena):
    """Value iteration written anew, from below and from above, and distances by their rule."""
    count = len(found.mover)
    sign = np.where(found.mover == 0, 1, -1)
    for best in (-1, 1):  # the least and the greatest solution enclose loops, worth 0
        value = np.where(found.mover < 0, found.value, best).astype(int)
        while True:
            new = value.copy()
            for s in range(count):
                if found.mover[s] >= 0:
                    after = value[found.target[found.first[s] : found.first[s + 1]]]
                    new[s] = sign[s] * (sign[s] * after).max()
            if (new == value).all():
                break
            value = new
        decided = found.value != 0
        assert (value[found.value == -best] == -best).all()
        assert (value[decided & (found.value == best)] == best).all()
    for s in range(count):
        moves = slice(found.first[s], found.first[s + 1])
        after = found.target[moves]
        kept = found.value[after] == found.value[s]
        assert (found.optimal[moves] == kept).all()
        if found.mover[s] < 0:
            assert found.distance[s] == 0
        elif found.value[s]:
            rest = found.distance[after[kept]]
            wins = found.value[s] == sign[s]
            assert found.distance[s] == 1 + (rest.min() if wins else rest.max())


# --- bounded impartial games -------------------------------------------------------------------


def test_a_bounded_nim_is_won_where_the_nim_sum_is_not_zero():
    found = arena_of_box(icg("nim3"), 3)[0]
    for row in np.flatnonzero(found.mover >= 0):
        facts = found.facts(int(row))
        a, b, c = (int(f.split("=")[1]) for f in facts if "=" in f)
        wins = 1 if a ^ b ^ c else -1
        assert found.value[row] == (wins if found.mover[row] == 0 else -wins)
    first = [f for f in map(found.facts, np.flatnonzero(found.mover == 0)) if "control(first)" in f]
    assert len(first) == sum(any(cell) for cell in product(range(4), repeat=3))
    assert found.facts(0) == ("a=3", "b=3", "c=3", "control(first)")


def test_misere_and_a_start():
    game = icg("nim2")
    assert int(arena_of_box(game, 4, initial=(1, 0))[0].value[0]) == 1
    assert int(arena_of_box(game, 4, "misere", initial=(1, 0))[0].value[0]) == -1
    assert int(arena_of_box(game, 4, "misere", initial=(2, 2))[0].value[0]) == -1
    assert len(arena_of_box(game, 4, initial=(1, 0))[0].states) == 2


def test_what_a_bounded_game_refuses():
    with pytest.raises(Refused, match="the box has 1,002,001 states"):
        arena_of_box(icg("nim2"), 1_000)
    with pytest.raises(Refused, match="no legal state"):
        arena_of_box(icg("nim2"), 3, initial=(-1, 0))
    growing = parse(Source("g", "game g\nvar a\naction up\n pre a < 9\n eff a := a + 1")).game()
    with pytest.raises(Refused, match="up leads from a = 4 to a = 5, outside 0 to 4"):
        arena_of_box(growing, 4)


@pytest.mark.parametrize("column", ["value", "distance"])
def test_values_that_are_wrong_are_noticed(column, monkeypatch):
    """The retrograde analysis is checked by other code: one wrong entry refuses the arena."""
    honest = arenas.settle_graph

    def lying(first, target, mover, outcome):
        value, distance = honest(first, target, mover, outcome)
        live = np.flatnonzero((mover >= 0) & (value != 0))
        {"value": value, "distance": distance}[column][live[0]] += 1
        return value, distance

    monkeypatch.setattr(arenas, "settle_graph", lying)
    with pytest.raises(Refused, match="do not satisfy their equations"):
        arena("nim")


@pytest.mark.parametrize("facts", [1, 16, 17, 64, 65, 130])
def test_states_keep_their_rows_while_their_table_grows(facts):
    """Numbers 0 to 9,999 as states, by turns at the low and at the high end of the facts.

    Faults it sees: rows lost where the table or the list of states grows, facts cut off at the end
    of a row, states taken for others.
    """
    numbers = np.arange(10_000, dtype=np.uint64) % np.uint64(1 << min(facts, 14))
    states = np.zeros((len(numbers), -(-facts // 64)), np.uint64)
    states[:, 0] = numbers
    states[1::2, -1] |= np.uint64(1 << (facts - 1) % 64)
    place: dict[tuple[int, ...], int] = {}
    wanted = [place.setdefault(tuple(state), len(place)) for state in states.tolist()]
    store = StateStore(facts, folded=True)
    fixing = (numbers + np.uint64(1)).astype(np.uint16)
    assert store.add(states, fixing).tolist() == wanted
    assert store.add(states[::-1], fixing[::-1]).tolist() == wanted[::-1]
    last = dict(zip(wanted, (numbers + np.uint64(1)).tolist(), strict=True))
    assert dict(enumerate(store.fixing.whole().tolist())) == last
    assert store.take_states().tolist() == [list(state) for state in place]
