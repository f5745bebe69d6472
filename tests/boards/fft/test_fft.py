"""Fast-and-frugal trees: semantics, synthesis, proofs, against plain Python oracles."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from fft_oracle import Raw, columns, explore, nim, solve, tictactoe
from speed import sampled

pytest.importorskip("numba")

from finite_arenas import arena_of_rules

from experiments.algorithm_1 import algorithm_1
from experiments.cog2020_known import TABLE_IV
from icgsynth import loads
from icgsynth.boards.fft import anneal
from icgsynth.boards.fft.bench import FAR
from icgsynth.boards.fft.language import language_of
from icgsynth.boards.fft.minimality import TreeClauses, ask, prove_minimal
from icgsynth.boards.fft.raw_check import judge, minimax
from icgsynth.boards.fft.search import search
from icgsynth.boards.fft.synthesis import GreedyChoices, greedy, improve, minimise
from icgsynth.boards.fft.tiers import images
from icgsynth.boards.fft.workshop import Workshop
from icgsynth.boards.finite.arena import Arena
from icgsynth.boards.finite.bounded import arena_of_box
from icgsynth.boards.finite.tree import EMPTY, Literal, Meta, Tree, TreeRule
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.boards.rules.tree import parse_tree
from icgsynth.errors import InputError, Refused
from icgsynth.spec.source import Source

RULES = Path(__file__).parents[3] / "specs/gdl/tictactoe.kif"

FIVE = """
if cell(1,3,o) and not cell(2,1,o): mark(2,3)
mark(2,2)
if cell(1,1,x): mark(3,3)
if not cell(2,1,o): mark(2,3)
if cell(2,1,x): mark(3,1)
"""


def arena(raw):
    return Arena(**columns(raw))


@pytest.mark.parametrize("symmetric", [False, True])
def test_the_oracle_and_the_rules_solve_one_game(symmetric):
    """Tic-tac-toe from its rules has the states, values and distances that plain Python finds."""
    found = arena_of_rules(parse_gdl(Source.read(RULES)), symmetric)
    game = tictactoe(symmetry=symmetric)
    order, moves = explore(game, lambda s: min(image(s) for _, _, image in game.images))
    value, distance = solve(game, order, moves)
    assert len(found.states) == len(order) == (765 if symmetric else 5478)

    def table(rows):
        return sorted(Counter(rows).items())

    plain = [(game.mover(s) if moves[i] else -1, len(moves[i]), value[i], distance[i])
             for i, s in enumerate(order)]  # fmt: skip
    counts = np.diff(found.first)
    ours = zip(found.mover, counts, found.value, found.distance, strict=True)
    assert table(tuple(map(int, row)) for row in ours) == table(plain)


@pytest.fixture(scope="module")
def board():
    return arena(tictactoe())


@pytest.fixture(scope="module")
def heaps():
    return arena(nim(names="abcd"))  # Table IV's heaps are a1 b2 c4 d5


def read(text, game):
    return parse_tree(Source("tree", text), game.literals, game.actions)


def played(raw, tree, state):
    """Definition 7, in so many words: the moves of the first rule with an applicable image."""
    facts = dict(zip(raw.facts, raw.true(state), strict=True))
    number = {name: i for i, name in enumerate(raw.facts)}
    legal = {raw.actions[a] for a in raw.legal(state)}
    for rule in tree.rules:
        moves = set()
        for image, acts, _ in raw.images:
            move = raw.actions[acts[raw.actions.index(rule.action)]]
            there = (facts[raw.facts[image[number[li.atom]]]] == li.holds for li in rule.literals)
            if move in legal and all(there):
                moves.add(move)
        if moves:
            return moves
    return set()


def oracle(raw, player, tree, strong=True):
    """Definition 4 on raw states."""
    order, moves = explore(raw, lambda s: s)
    value, _ = solve(raw, order, moves)
    seen, todo = {0}, [0]
    while todo:
        s = todo.pop()
        options = moves[s]
        if options and raw.mover(order[s]) == player:
            best = {a for a, t in options if value[t] == value[s]}
            chosen = {raw.actions.index(m) for m in played(raw, tree, order[s])}
            chosen = chosen or ({a for a, _ in options} if strong else best)
            if not chosen <= best:
                return False
            options = [(a, t) for a, t in options if a in chosen]
        new = {t for _, t in options} - seen
        seen |= new
        todo += new
    return True


def test_the_language_is_who_owns_which_cell(board, heaps):
    words = language_of(board, 0)
    assert set(words.names) == {f"cell({r},{c},{v})" for r in "123" for c in "123" for v in "xo"}
    assert "control(x)" in words.left_out
    assert "cell(1,1,b)" in words.left_out
    assert len(language_of(board, 0, every=True).names) == 27
    assert set(language_of(heaps, 0).names) == set(heaps.literals)


def test_table_iv_is_optimal_under_normal_play_only(heaps):
    tree = read(TABLE_IV, heaps)
    assert tree.figure == (19, 24)
    assert Workshop(heaps, 0).is_optimal(tree)
    misere = arena(nim(names="abcd", misere=True))
    assert not Workshop(misere, 0).is_optimal(tree)


def test_five_rules_five_literals(board):
    tree = read(FIVE, board)
    shop = Workshop(board, 0)
    assert tree.figure == (5, 5)
    assert shop.is_optimal(tree)
    assert oracle(tictactoe(), 0, tree)
    for index in range(5):
        short = tree.without(index)
        assert not shop.is_optimal(short)
        assert not oracle(tictactoe(), 0, short)
        flaw = shop.flaw(short)
        assert flaw is not None
        assert not set(flaw.moves) <= set(flaw.optimal)


def test_the_judge_agrees_with_the_oracle(board):
    raw_game = tictactoe(symmetry=False)
    raw = arena(raw_game)
    assert len(raw.mover) == 5478
    assert int((raw.mover >= 0).sum()) == 4520
    assert (minimax(raw) == raw.value).all()
    tree = read(FIVE, board)
    verdict = judge(raw, 0, tree, group=board)
    assert verdict.optimal
    assert verdict.states == 4520
    assert not judge(raw, 0, tree).optimal  # without the images
    for index in range(5):
        assert not judge(raw, 0, tree.without(index), group=board).optimal
    with pytest.raises(Refused, match="without symmetry"):
        judge(board, 0, tree)


@pytest.mark.slow
def test_random_trees_get_one_verdict_from_all_three(board):
    """Kernels, judge and oracle on trees that are mostly wrong, and sometimes right."""
    raw_game, raw = tictactoe(), arena(tictactoe(symmetry=False))
    shop = Workshop(board, 0)
    chance = random.Random(5)
    good = list(read(FIVE, board).items)
    seen = set()
    for _ in range(40):
        rules = list(good)
        for _ in range(chance.randrange(3)):
            kind, at = chance.randrange(3), chance.randrange(len(rules))
            if kind == 0:
                rules.insert(at, rules.pop(chance.randrange(len(rules))))
            elif kind == 1:
                atom = chance.choice(shop.language.names)
                extra = (*rules[at].literals, Literal(atom, chance.random() < 0.5))
                rules[at] = TreeRule(extra, rules[at].action)
            else:
                rules.insert(at, TreeRule((), chance.choice(board.actions)))
        tree, strong = Tree.of(rules), chance.random() < 0.5
        verdict = oracle(raw_game, 0, tree, strong)
        assert shop.is_optimal(tree, strong) == verdict
        assert (shop.flaw(tree, strong) is None) == verdict
        assert judge(raw, 0, tree, strong, board).optimal == verdict
        seen.add(verdict)
    assert seen == {True, False}


def small_game(seed):
    """A random game of two players on numbered places: each move fills one place, or two."""
    chance = random.Random(seed)
    n = 4
    actions = [(i,) for i in range(n)] + [(0, 1), (2, 3)]
    worths = {}

    def full(s):
        return all(s[:n])

    def worth(s):
        if not full(s):
            return None
        return worths.setdefault(s, chance.choice([-1, 0, 1]))

    def result(s, a):
        places = actions[a]
        return (*(s[-1] + 1 if i in places else v for i, v in enumerate(s[:n])), 1 - s[-1])

    facts = [f"has({i},{p})" for i in range(n) for p in "ab"]
    return Raw(
        "places",
        (0,) * n + (0,),
        lambda s: s[-1],
        [f"fill({','.join(map(str, a))})" for a in actions],
        lambda s: [i for i, a in enumerate(actions) if not any(s[p] for p in a)],
        result,
        worth,
        facts,
        lambda s: [s[i] == p for i in range(n) for p in (1, 2)],
        [(list(range(len(facts))), list(range(len(actions))), lambda s: s)],
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("algorithm", [pytest.param(algorithm_1, marks=pytest.mark.slow), greedy])
def test_the_algorithms_on_random_games(seed, player, algorithm):
    """Algorithm 1 is for the slow run because it takes 15 s to compile."""
    raw = small_game(seed)
    game = arena(raw)
    tree = algorithm(Workshop(game, player), seed)
    assert tree is not None
    assert oracle(raw, player, tree)
    assert judge(game, player, tree).optimal


@sampled("seed", range(12), fast=5)
@pytest.mark.parametrize("player", [0, 1])
def test_synthesis_on_random_games(seed, player):
    raw = small_game(seed)
    shop = Workshop(arena(raw), player)
    tree = greedy(shop, seed)
    assert tree is not None
    for index in range(len(tree.items)):
        assert not oracle(raw, player, tree.without(index))
    *_, last = improve(shop, 0.2, seed)
    assert oracle(raw, player, last.tree)
    assert last.tree.figure <= (1000, 1000)


def test_local_search_starts_from_each_state_where_a_move_is_wrong(monkeypatch):
    """A draw that forgets the first of them finds none at all where there is only one."""
    rules = (
        "game nim var a, b legal a >= 0 and b >= 0 "
        "action x(k) pre 1 <= k <= a eff a := a - k "
        "action y(k) pre 1 <= k <= b eff b := b - k"
    )
    shop = Workshop(arena_of_box(loads(rules).game, 3)[0], 1)
    assert shop.stands(shop.load(greedy(shop)))
    view, bench = shop.view, shop.bench
    wrong = {
        state
        for state in range(len(view.legal))
        if bench.base[view.state[state]] != FAR and view.legal[state] != view.optimal[state]
    }
    chance = random.Random(0)
    monkeypatch.setattr(anneal, "draw", lambda _, count: chance.randrange(count))
    assert (
        {anneal.draw_reached_state.py_func(view, bench, -1) for _ in range(200)} == wrong != set()
    )


@pytest.mark.parametrize("states", ["random", "near_end", "far_end", "near_start"])
@pytest.mark.parametrize("order", ["random", "forward", "backward"])
def test_algorithm_2_with_every_choice(board, states, order):
    shop = Workshop(board, 0)
    tree = greedy(shop, 3, GreedyChoices(states, order))
    assert tree is not None
    assert shop.is_optimal(tree)
    again = greedy(shop, 3, GreedyChoices(states, order))
    assert again == tree  # a seed is a promise
    for index in range(len(tree.items)):
        assert not shop.is_optimal(tree.without(index))


@pytest.mark.slow
def test_positive_literals_only(board):
    tree = search(Workshop(board, 0, "positive"), 4, prove=False).tree
    assert tree is not None
    assert all(li.holds for rule in tree.rules for li in rule.literals)
    assert oracle(tictactoe(), 0, tree)


@pytest.mark.slow
def test_proofs_at_the_size_of_a_random_game():
    raw = small_game(1)
    shop = Workshop(arena(raw), 0)
    result = search(shop, 20)
    assert result is not None and result.is_minimal
    rules, literals = result.tree.figure
    assert ask(shop, rules, literals, 20).answer == "yes"
    assert ask(shop, max(0, rules - 1), None, 20).answer == ("no" if rules else "yes")


@pytest.mark.parametrize("seed", range(2))
def test_the_question_leaves_each_tree_in_some_of_its_images(board, seed):
    """A tree of n rules answers the question for n rules, whatever it leaves out without loss.

    Seen: a clause that all images of a rule break, such as one that asks for an image under a
    symmetry that moves the action, or for a literal before the earliest; "no" would be no proof.
    """
    solvers = pytest.importorskip("pysat.solvers")
    shop = Workshop(board, 0)
    tree = greedy(shop, seed, GreedyChoices("random"))
    asked = TreeClauses(shop.view, len(tree.rules))
    clauses = [[]]
    for number in asked.clauses:
        clauses[-1].append(number) if number else clauses.append([])
    top, held = asked.variables, shop.language.names
    for rule, has, does in zip(tree.rules, asked._has, asked._does, strict=True):
        chosen = []
        for image in images(rule, board):
            action = board.actions.index(image.action)
            literals = {held.index(li.atom) + len(held) * (not li.holds) for li in image.literals}
            if action in does and literals <= has.keys():
                top += 1
                chosen.append(top)
                clauses += [[-top, does[action]]]
                clauses += [[-top, v if i in literals else -v] for i, v in has.items()]
        clauses.append(chosen)
    with solvers.Solver(bootstrap_with=[c for c in clauses if c]) as solver:
        assert solver.solve()


def test_a_proof_that_is_out_of_time_claims_nothing(board):
    certificate = prove_minimal(Workshop(board, 0), read(FIVE, board), 0.01)
    assert not certificate.fewest_rules
    assert certificate.questions[0].answer == "unknown"


@pytest.mark.slow
def test_completing_a_partial_strategy_keeps_its_meta_rules(board):
    win = Meta(
        "Win",
        tuple(
            TreeRule((Literal(f"cell({a},x)"), Literal(f"cell({b},x)")), f"mark({c})")
            for a, b, c in [("1,1", "1,2", "1,3"), ("1,1", "1,3", "1,2"), ("1,1", "2,2", "3,3")]
        ),
    )
    shop = Workshop(board, 0)
    found = search(shop, 3, start=Tree((win,)), prove=False).tree
    assert oracle(tictactoe(), 0, found)
    # A meta-rule is never changed; it goes as a whole where the rest does without it.
    assert all(item == win for item in found.items if isinstance(item, Meta))
    wrong = Tree((TreeRule((), "mark(1,2)"), TreeRule((), "mark(2,1)")))
    with pytest.raises(Refused, match="not weakly optimal"):
        search(shop, 1, start=wrong, prove=False)


def test_minimise_removes_what_is_superfluous(heaps):
    shop = Workshop(heaps, 0)
    small = minimise(shop, read(TABLE_IV, heaps))
    assert shop.is_optimal(small)
    assert small.figure <= (19, 24)
    with pytest.raises(Refused):
        minimise(shop, Tree((TreeRule((), "reduce(a,0)"),)))


def test_weak_optimality_is_weaker(board):
    shop = Workshop(board, 0)
    assert shop.is_optimal(EMPTY, strong=False)
    assert not shop.is_optimal(EMPTY)
    assert oracle(tictactoe(), 0, EMPTY, strong=False)


# --- text -----------------------------------------------------------------------


def test_text_and_json_come_back(board):
    tree = Tree((Meta("Win", read(FIVE, board).rules[:2]), *read(FIVE, board).items[2:]))
    assert read(str(tree), board) == tree
    assert read(json.dumps(tree.to_json()), board) == tree
    assert read(json.dumps({"tree": tree.to_json()}), board) == tree


def test_short_names_and_kif(board):
    written = read("if x(1,1) and not (cell 2 2 o): (mark 3 3)  # a comment", board)
    assert str(written) == "if cell(1,1,x) and not cell(2,2,o): mark(3,3)"
    assert read("if true: mark(1,1)", board) == read("mark(1,1)", board)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("if x(1,4): mark(1,1)", "1:4", "no fact x(1,4)"),
        ("if x(1,1): mark(4,4)", "1:12", "no action mark(4,4)"),
        ("\n  if x(1,1) mark(1,1)", "2:13", "'and' or ':' is expected"),
        ("if x(1,1: mark(1,1)", "1:9", "',' or ')'"),
        ("mark(1,1) mark(1,2)", "1:11", "should end here"),
        ("meta Win:\nmark(1,1)", "1:1", "has no rules"),
        ("meta :\n  mark(1,1)", "1:1", "without a name"),
        ("if x(1,1) and : mark(1,1)", "1:15", "a fact is expected"),
        ('{"strategy": [{"if": ["x(1,9)"], "do": "mark(1,1)"}]}', "1:24", "no fact x(1,9)"),
        ('{"strategy": [{"if": []}]}', "1:15", "'do' is missing"),
    ],
)
def test_errors_have_a_place_and_a_mend(board, text, place, words):
    with pytest.raises(InputError) as caught:
        read(text, board)
    assert words in str(caught.value)
    assert f"tree:{place}" in str(caught.value)
    assert caught.value.mend


def test_mutated_texts_never_end_in_a_traceback(board):
    chance = random.Random(1)
    for _ in range(2000):
        text = list(FIVE)
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(text))
            text[at : at + chance.randrange(3)] = chance.choice(
                ["", "(", ")", ":", "not ", "#", "\n"]
            )
        try:
            read("".join(text), board)
        except InputError:
            continue
