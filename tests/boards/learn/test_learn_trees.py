"""Minimax trees: published node counts, plain recursions, clingo's matches beside the table's."""

from __future__ import annotations

import itertools
import random
import xml.etree.ElementTree as ElementTree
from functools import cache

import pytest
from asp_oracle import answers, nim_nodes, ttt_nodes

from experiments.clingo_matches import MatchesByClingo
from experiments.complete_trees import alpha_beta, complete
from icgsynth.boards.learn.best_do import Lifting, lift_rules
from icgsynth.boards.learn.kinds import kinds_of, sound_kinds
from icgsynth.boards.learn.minimax_svg import ascii_state, tree_svg
from icgsynth.boards.learn.pruned import ByTable, pruned_minimax
from icgsynth.boards.learn.saved import LearnedAnswer, playing_program
from icgsynth.boards.learn.stage import stage_of
from icgsynth.boards.learn.tiers import Act
from icgsynth.boards.rules.finite import finite_game
from icgsynth.errors import Refused

# Hahn and Shankar (2020), Tables 1 and 2, first row.
PUBLISHED = {
    "nim_s": 390, "nim_m": 4630, "nim_l": 61023,
    "ttt_s": 896, "ttt_m": 7583, "ttt_l": 59704,
}  # fmt: skip
FINDERS = (MatchesByClingo, ByTable)


@cache
def stage(name, **constants):
    return stage_of(finite_game(name, constants))


def main(found):
    return found.arena.roles.index("a")


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_complete_trees_are_those_of_tables_1_and_2(name):
    found = stage(name)
    walked = complete(found, main(found))
    assert walked.nodes == PUBLISHED[name]
    assert complete(found, main(found), walk=False) == walked
    sign = 1 if main(found) == 0 else -1
    assert walked.value == sign * int(found.arena.value[0])


def test_the_complete_trees_are_those_of_plain_recursions():
    assert complete(stage("nim_m"), 0).nodes == nim_nodes((1, 2, 3, 3), 6)
    a, b = frozenset({(3, 1)}), frozenset({(3, 3)})
    assert complete(stage("ttt_m"), 0).nodes == ttt_nodes(a, b, True)


@pytest.mark.parametrize("name", PUBLISHED)
def test_alpha_beta_finds_the_value_and_looks_at_less(name):
    found = stage(name)
    worth = complete(found, main(found))
    sizes = []
    for table, symmetric in ((False, False), (True, False), (True, True)):
        search = alpha_beta(found, main(found), table, symmetric)
        assert search.value == worth.value
        sizes.append(search.states)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] <= worth.nodes + 1
    assert sizes[1] <= len(found.states)


def optimum(found, state, player, maximise, banned=()):
    """The best end for ``player`` if both help, by plain recursion."""
    arena = found.arena
    if arena.mover[state] < 0:
        return int(arena.value[state]) * (1 if player == 0 else -1)
    values = [
        optimum(found, int(arena.target[m]), player, maximise)
        for m in found.arena.moves_of(state)
        if m not in banned
    ]
    return (max if maximise else min)(values) if values else None


@pytest.mark.parametrize("name", ["nim_s", "ttt_s"])
def test_both_finders_answer_with_matches_that_end_best(name):
    found, rng = stage(name), random.Random(name)
    player = main(found)
    finders = [finder(found, player) for finder in FINDERS]
    for _ in range(40):
        state, prefix = 0, []
        for _ in range(rng.randrange(3)):
            if found.arena.mover[state] < 0:
                break
            prefix.append(rng.choice(found.arena.moves_of(state)))
            state = int(found.arena.target[prefix[-1]])
        span = list(found.arena.moves_of(state))
        if not span:
            continue
        banned = rng.sample(span, rng.randrange(len(span) + 1))
        maximise = rng.random() < 0.5
        wanted = optimum(found, state, player, maximise, banned)
        for finder in finders:
            match = finder.best(prefix, banned, maximise)
            if wanted is None:
                assert match is None
                continue
            assert match[: len(prefix)] == prefix
            assert match[len(prefix)] not in banned
            for one, two in itertools.pairwise(match):
                assert found.arena.target[one] == found.source[two]
            end = int(found.arena.target[match[-1]])
            assert found.arena.mover[end] < 0
            assert int(found.arena.value[end]) * (1 if player == 0 else -1) == wanted


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("finder", FINDERS)
def test_the_pruned_tree_has_the_value_of_the_game(name, finder):
    """Also: the better move of a decision point is better, by the solved game."""
    found = stage(name)
    player = main(found)
    tree = pruned_minimax(found, finder(found, player), player)
    assert tree.value == complete(found, player, walk=False).value
    assert tree.scored < PUBLISHED[name]
    arena = found.arena
    for point in tree.decisions:
        sign = 1 if arena.mover[point.state] == 0 else -1
        good, bad = (int(arena.value[arena.target[m]]) for m in (point.good, point.bad))
        assert sign * good > sign * bad


@pytest.mark.parametrize("name", ["nim_s", "nim_m", "ttt_s", "ttt_m"])
def test_rules_on_the_way_keep_the_value_and_are_right(name):
    found = stage(name)
    player = main(found)
    kinds = sound_kinds(found, kinds_of(found))
    assert kinds[0].constants == ("a", "b")
    images = Lifting(found, kinds).images
    tree = pruned_minimax(found, MatchesByClingo(found, player), player, images)
    assert tree.value == complete(found, player, walk=False).value
    made = lift_rules(found, kinds, tree.decisions)
    assert made.rules
    mask = Act(made.rules).mask(found, found.arena.optimal | True)
    assert not (mask & ~found.arena.optimal).any()
    game = found.game
    program = playing_program(LearnedAnswer(found, (made.rules,)))
    known = sorted({int(found.source[m]) for m in mask.nonzero()[0]})
    for state in random.Random(1).sample(known, min(8, len(known))):
        text = program + "".join(f"true({f})." for f in found.facts(state)) + "#show does/2."
        said = {f"{found.arena.mover_name(state)}/{found.arena.action_name(m)}"
                for m in found.arena.moves_of(state) if mask[m]}  # fmt: skip
        assert answers(text) == said
        words = tuple(map(int, found.states[state]))
        kept = Act(made.rules).keep(game, words, None)
        assert {f"{found.arena.mover_name(state)}/{m.action}" for m in kept} == said


def test_piles_of_nim_are_lifted_and_cells_are_not():
    assert [k.constants for k in sound_kinds(stage("nim_l"), kinds_of(stage("nim_l")))] == [
        ("a", "b"),
        (1, 2, 3, 4),
    ]
    assert [k.constants for k in sound_kinds(stage("ttt_l"), kinds_of(stage("ttt_l")))] == [
        ("a", "b")
    ]


def test_a_small_tree_is_drawn():
    found = stage("nim", p1=1, p2=2, p3=0, p4=0)
    root = pruned_minimax(found, ByTable(found, 0), 0).root
    drawn = ElementTree.fromstring(tree_svg(found, root, "Nim 1, 2"))
    boxes = [e for e in drawn.iter() if e.tag.endswith("rect")]
    colours = {box.get("fill") for box in boxes}
    legend = len(colours)  # a box for each colour
    assert len(boxes) == len(list(root.walk())) + legend
    texts = {e.text for e in drawn.iter() if e.tag.endswith("text")}
    assert {"+1 won", "-1 lost", "pile **: each * is a counter"} <= texts
    assert ascii_state(found, 0).split("\n") == ["1 *", "2 **", "3 ", "4 "]
    assert ascii_state(stage("ttt_s"), 0) == "b a .\n. . .\n. . b"


def test_play_that_comes_back_has_no_tree():
    with pytest.raises(Refused, match="come back"):
        complete(stage("three_mens_morris"), 0)
