"""Weak constraints: figures of the paper, clingo as the judge of costs, exhaustive play."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import clingo
import numpy as np
import pytest
from asp_oracle import (
    CELLS,
    SPECS,
    answers,
    nim_piles,
    nim_wins,
    ttt_end,
    ttt_facts,
    ttt_moves,
    ttt_value,
)
from hypothesis import strategies as st
from speed import examples, sampled

from experiments.clingo_matches import MatchesByClingo
from experiments.judge.hypotheses import Charge as Charged
from experiments.judge.hypotheses import Group, Space, least
from icgsynth.boards.learn.beam import beam
from icgsynth.boards.learn.bias import Bias, Mode
from icgsynth.boards.learn.candidates import Candidates, Charge, candidates
from icgsynth.boards.learn.las import format_las, problem_of, read_task
from icgsynth.boards.learn.minimal import list_violated, minimal
from icgsynth.boards.learn.move_view import view_of
from icgsynth.boards.learn.problem import ExampleGroup, Problem, of_stage, pairs_of_stage
from icgsynth.boards.learn.pruned import pruned_minimax
from icgsynth.boards.learn.saved import (
    LearnedAnswer,
    frugal_text,
    program_of,
    read_constraint,
    read_learned,
)
from icgsynth.boards.learn.stage import stage_of
from icgsynth.boards.learn.terms import format_term, read_term
from icgsynth.boards.learn.tiers import strategy_of
from icgsynth.boards.learn.weak import BodyLiteral, Constraint, Hypothesis
from icgsynth.boards.learn.weak_learner import judge_strategy, learn_weak
from icgsynth.boards.rules.finite import bias_file, finite_game
from icgsynth.errors import InputError, Refused
from icgsynth.spec.json_text import read_json
from icgsynth.spec.source import Source

FIGURE_18 = {
    ":~ next(has(V0,V1)), next(has(V0,V2)), next(has(V0,V3)), in_line(V1,V2,V3). "
    "[-1@2, 1, V0, V1, V2, V3]",
    ":~ in_line(V0,V1,V2), next(free(V2)). [-1@1, 2, V0, V1, V2]",
}


@cache
def stage(name, **constants):
    return stage_of(finite_game(name, constants))


def bias(name):
    return read_task(Source.read(SPECS / f"{name}.las")).bias


@cache
def learned(name, search="auto", how=None):
    return learn_weak(
        stage(name), of_stage(stage(name)), bias(how or bias_file(name).stem), search, 60.0
    )


def offers(problem, found, chosen):
    view = view_of(found, chosen.background, chosen.signatures)
    truth = view.truth(problem.states, list(problem.moves), problem.chosen)
    return candidates(chosen, view, truth, problem.count)


# --- the paper's figures ------------------------------------------------------------------


def test_figure_18_is_learned_from_the_decision_points_of_m():
    found = stage("ttt_m")
    tree = pruned_minimax(found, MatchesByClingo(found, 0), 0)
    problem = pairs_of_stage(found, [(d.good, d.bad) for d in tree.decisions])
    answer = learn_weak(found, problem, bias("ttt_paper"), "minimal")
    assert set(answer.hypothesis.asp().split("\n")) == FIGURE_18
    assert answer.found.certified
    assert answer.found.violated == 0
    assert answer.hypothesis.length == 6


def test_no_hypothesis_of_figure_18_s_bias_is_shorter():
    """The certificate, by trying all hypotheses of up to two constraints."""
    found = stage("ttt_m")
    tree = pruned_minimax(found, MatchesByClingo(found, 0), 0)
    problem = pairs_of_stage(found, [(d.good, d.bad) for d in tree.decisions])
    offered = offers(problem, found, bias("ttt_paper"))
    cost = offered.cost.astype(np.int64)
    sizes = [c.length for c in offered.constraints]
    right = set()
    signed = [(i, sign * cost[i]) for i in range(len(sizes)) for sign in (-1, 1)]
    for i, one in signed:
        if not list_violated(problem.groups, np.array([one])):
            right.add(sizes[i])
        for j, two in signed:
            for levels in ([one, two], [one + two]):
                if i != j and not list_violated(problem.groups, np.array(levels)):
                    right.add(sizes[i] + sizes[j])
    assert min(right) == 6
    pairs = [pair for group in problem.groups for pair in group.alternatives[0]]
    telling = [
        n for n, row in zip(sizes, cost, strict=True) if any(row[g] != row[b] for g, b in pairs)
    ]
    assert 3 * min(telling) >= 6  # three constraints are no shorter


@pytest.mark.parametrize(
    ("name", "modulus"), [("nim_s", 8), ("nim_m", 8), ("nim_l", 8), ("nim", 7)]
)
def test_nim_sum_is_learned(name, modulus):
    """The moves left are, in won states, those to a zero sum of sizes mod 8 (limit 6: mod 7)."""
    found, answer = stage(name), learned(name)
    (rule,) = answer.hypothesis.constraints
    assert rule.parity
    assert rule.length == 2
    assert answer.found.certified
    mask = found.mask(strategy_of(answer.hypothesis, found))
    limit = 6
    for state in np.flatnonzero(found.arena.mover >= 0):
        piles = nim_piles(frozenset(found.facts(int(state))))
        after = {
            m: nim_piles(frozenset(found.facts(int(found.arena.target[m]))))
            for m in found.arena.moves_of(int(state))
        }
        sums = {}
        for m, sizes in after.items():
            total = 0
            for size in sizes:
                total ^= size % modulus
            sums[m] = total
        if nim_wins(tuple(sorted(piles)), limit):
            kept = {m for m in after if mask[m]}
            assert kept == {m for m in after if sums[m] == 0}
            assert all(not nim_wins(tuple(sorted(after[m])), limit) for m in kept)
    assert answer.judged.report.right == answer.judged.report.states


def test_plain_nim_sum_is_wrong_where_a_move_takes_at_most_six():
    small = learned("nim_m")
    verdict = judge_strategy(strategy_of(small.hypothesis, stage("nim")), stage("nim")).report
    assert not verdict.never_loses
    assert verdict.worst[0].line
    right = judge_strategy(
        strategy_of(small.hypothesis, stage("nim", limit=7)), stage("nim", limit=7)
    )
    assert right.report.right == right.report.states


def worst_of(found, kept, a, b, a_moves, player_a, known):
    """The worst outcome for a player whose moves are ``kept``, in plain Python."""
    key = (a, b)
    if key in known:
        return known[key]
    end = ttt_end(a, b)
    if end is not None:
        worst = end if player_a else -end
    else:
        moves = ttt_moves(a, b, a_moves)
        if a_moves == player_a:
            moves = {c: after for c, after in moves.items() if c in kept(a, b, a_moves)}
            assert moves
        worst = min(
            worst_of(found, kept, *after, not a_moves, player_a, known) for after in moves.values()
        )
    known[key] = worst
    return worst


@sampled(("name", "a_starts"), [("ttt_l", False), ("mnk", True)])
def test_tic_tac_toe_is_never_lost(name, a_starts):
    """At most six constraints for L (seven for the empty board); checked on our own board."""
    found, answer = stage(name), learned(name)
    assert len(answer.hypothesis.constraints) <= (6 if name == "ttt_l" else 7)
    assert answer.judged.report.never_loses
    mask = found.mask(strategy_of(answer.hypothesis, found))
    row = {frozenset(found.facts(i)): i for i in range(len(found.states))}

    def kept(a, b, a_moves):
        moves = found.arena.moves_of(row[ttt_facts(a, b, a_moves)])
        names = {found.arena.action_name(m) for m in moves if mask[m]}
        return {(r, c) for r, c in CELLS if f"mark(cell({r},{c}))" in names}

    a = frozenset({(1, 3)}) if name == "ttt_l" else frozenset()
    assert ttt_value(a, frozenset(), a_starts) == 0
    for player_a in (True, False):
        assert worst_of(found, kept, a, frozenset(), a_starts, player_a, {}) == 0


@pytest.mark.slow
def test_the_shortest_with_threats_is_certified():
    answer = learned("ttt_l", "minimal", "ttt_threats")
    assert (len(answer.hypothesis.constraints), answer.hypothesis.length) == (6, 8)
    assert answer.found.certified
    assert answer.judged.report.never_loses
    assert answer.judged.report.right == answer.judged.report.states


# --- what a constraint charges, by clingo ------------------------------------------------------


def charged(found, text, background, state, move):
    """The cost that clingo gives the answer set in which ``move`` is made in ``state``."""
    program = program_of(LearnedAnswer.of(found, Hypothesis((), background))).rsplit(
        "% --- the position", 1
    )[0]
    program += "".join(f"true({f})." for f in found.facts(state)) + text
    program += f":- not does({found.arena.mover_name(state)},{found.arena.action_name(move)})."
    control = clingo.Control(["1", "--warn=none"])
    control.add("base", [], program)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        (model,) = handle
        return model.cost[0] if model.cost else 0


@pytest.mark.parametrize(
    ("name", "which"),
    [("ttt_s", "ttt_paper"), ("ttt_l", "ttt"), ("nim_l", "nim"), ("nim_s", "nim_sizes")],
)
def test_costs_are_clingo_s(name, which):
    """Bodies drawn from each bias, parities among them, on moves drawn from each game."""
    found, chosen = stage(name), bias(which)
    problem = of_stage(found, folded=False)
    offered = offers(problem, found, chosen)
    rng = random.Random(which)
    moves = {
        (tuple(map(int, problem.states[i])), problem.moves[problem.chosen[i]]): i
        for i in range(problem.count)
    }
    for at in rng.sample(range(len(offered.constraints)), min(12, len(offered.constraints))):
        constraint = offered.constraints[at]
        (words, (_, action)), row = rng.choice(list(moves.items()))
        state = found.row[words]
        (move,) = (m for m in found.arena.moves_of(state) if found.arena.action_name(m) == action)
        text = constraint.asp(1)
        assert charged(found, text, chosen.background, state, move) == offered.cost[at, row], text


@pytest.mark.parametrize("name", ["ttt_l", "nim", "nim_l"])
def test_the_exported_program_runs_in_clingo_by_itself(name):
    """Its optimal answer sets make exactly the moves that the tiers keep."""
    found, answer = stage(name), learned(name)
    strategy = strategy_of(answer.hypothesis, found)
    mask = found.mask(strategy)
    program = program_of(LearnedAnswer.of(found, answer.hypothesis))
    head = program.rsplit("% --- the position", 1)[0]
    live = np.flatnonzero(found.arena.mover >= 0)
    for state in [0, *random.Random(name).sample(live.tolist(), 10)]:
        text = head + "".join(f"true({f})." for f in found.facts(state)) + "#show does/2."
        said = answers(program if state == 0 else text)
        moves = [m for m in found.arena.moves_of(state) if mask[m]]
        mover = found.arena.mover_name(state)
        assert said == {f"{mover}/{found.arena.action_name(m)}" for m in moves}
        here = found.state_at(state)
        one = strategy.keep(found.game, here, tuple(found.game.moves(here)))
        assert {m.action for m in one} == {found.arena.action_name(m) for m in moves}


def test_negated_literals_count_as_clingo_counts_them():
    found = stage("ttt_s")
    rule = Constraint(
        (
            BodyLiteral(read_term("in_line(A,B,C)")),
            BodyLiteral(read_term("next(has(P,A))")),
            BodyLiteral(read_term("next(free(C))"), False),
        ),
        2,
    )
    strategy = strategy_of(Hypothesis((rule,)), found)
    problem = of_stage(found, folded=False)
    view = strategy.tiers[0].view
    truth = view.truth(problem.states, list(problem.moves), problem.chosen)

    total = Charge(rule, view).of(truth, problem.count)
    for row in random.Random(3).sample(range(problem.count), 12):
        state = found.row[tuple(map(int, problem.states[row]))]
        action = problem.moves[problem.chosen[row]][1]
        (move,) = (m for m in found.arena.moves_of(state) if found.arena.action_name(m) == action)
        assert charged(found, rule.asp(1), "", state, move) == total[row]


def require_minimal(cost, lengths, alternatives):
    """Existence and least length, by trying every hypothesis of two levels; the least length."""
    rows = len(cost[0])
    rules = tuple(
        Constraint(tuple(BodyLiteral(read_term(f"p{i}_{k}")) for k in range(n)), 1)
        for i, n in enumerate(lengths)
    )
    groups = tuple(tuple((pair,) for pair in pairs) for pairs in alternatives)
    states = np.zeros((rows, 1), np.uint64)
    asked = tuple(map(ExampleGroup, groups))
    problem = Problem(states, (("a", "x"),), np.zeros(rows, np.int64), asked)
    space = replace(bias("ttt_paper"), levels=2)
    found = minimal(problem, Candidates(rules, np.array(cost, np.int32), len(cost)), space)
    charges = {
        i: Charged(n, tuple(c), (str(i),))
        for i, (n, c) in enumerate(zip(lengths, cost, strict=True))
    }
    every = 2 * sum(lengths)  # each on both levels
    best = least(Space((), (-1, 1), 2), charges, tuple(map(Group, groups)), every)
    assert (found.status == "found") == (best is not None)
    if best is not None:
        assert found.certified
        assert sum(rule.length for rule in found.constraints) == best
    return best


# The first two columns are opposites on both pairs, and each alone leaves a pair wrong: a level
# that holds ``-p0 + p2`` orders the second pair, and ``p1`` below it the first.
SERVE_TOGETHER = [[1, 0, 0, 0, 0], [1, 0, 2, 0, 2], [2, 0, 0, 0, 1]]


@pytest.mark.parametrize(
    ("cost", "lengths", "pairs", "best"),
    [
        (SERVE_TOGETHER, (1, 1, 1), [[(0, 4)], [(2, 0)]], 3),
        # A longer one before a shorter one with the same costs once made a wrong certificate.
        ([[0, 1], [0, 1]], (2, 1), [[(0, 1)]], 1),
        ([[0, 1], [0, 1]], (1, 2), [[(0, 1)]], 1),
    ],
)
def test_candidates_of_like_effect(cost, lengths, pairs, best):
    assert require_minimal(cost, lengths, pairs) == best


PAIRS = st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda p: p[0] != p[1])


ALTERNATIVES = st.lists(st.lists(PAIRS, min_size=1, max_size=2), min_size=1, max_size=4)


# --- both back ends on small problems ------------------------------------------------------------


@examples(20, 60, st.data(), st.integers(2, 3), ALTERNATIVES)
def test_minimal_agrees_with_trying_everything(data, most, alternatives):
    """Few candidates with made-up costs."""
    column = st.lists(st.integers(0, 2), min_size=5, max_size=5)
    cost = data.draw(st.lists(column, min_size=most, max_size=most))
    lengths = data.draw(st.lists(st.integers(1, 3), min_size=most, max_size=most))
    require_minimal(cost, lengths, alternatives)


def test_noise_is_borne():
    """A tenth of nim-sum's examples turned around: both back ends find it all the same."""
    found = stage("nim_l")
    clean = of_stage(found)
    pairs = [p for g in clean.groups for p in g.alternatives[0]]
    rng = random.Random(4)
    noisy = set(rng.sample(range(len(pairs)), len(pairs) // 10))
    groups = tuple(
        ExampleGroup((((b, g) if i in noisy else (g, b),),), penalty=1)
        for i, (g, b) in enumerate(pairs)
    )
    problem = Problem(clean.states, clean.moves, clean.chosen, groups)
    space = replace(bias("nim"), levels=1, one_per_level=True)
    answer = beam(problem, offers(problem, found, space), space)
    (rule,) = answer.constraints
    assert rule.parity
    assert format_term(rule.body[0].atom).startswith("has_bit")
    assert 0 < answer.violated <= len(noisy)
    few = Problem(clean.states, clean.moves, clean.chosen, (*clean.groups[:40], groups[min(noisy)]))
    best = minimal(few, offers(few, found, space), space, 30.0)
    assert best.violated == 1
    assert (best.constraints[0].parity, best.certified) == (True, True)


def test_figure_11_s_bias_cannot_order_all_states_of_m():
    """What the paper's bias cannot say is proved, not timed out."""
    found = stage("ttt_s")
    space = replace(bias("ttt_paper"), levels=1, rules=1)
    problem = of_stage(found)
    assert minimal(problem, offers(problem, found, space), space).status == "none"


# --- files ------------------------------------------------------------------------------------


def test_examples_survive_a_file():
    found = stage("ttt_s")
    problem = of_stage(found)
    text = format_las(found, problem, bias("ttt_paper"))
    task = read_task(Source("again.las", text))
    again = problem_of(task, found)
    assert task.bias == bias("ttt_paper")

    def meaning(p):
        def move(row):
            return (tuple(map(int, p.states[row])), p.moves[int(p.chosen[row])])

        asked = set()  # one alternative is as many orderings as it has pairs
        for group in p.groups:
            some = [frozenset((move(g), move(b)) for g, b in pairs) for pairs in group.alternatives]
            asked |= {frozenset(some)} if len(some) > 1 else {frozenset([pair]) for pair in some[0]}
        return asked

    assert meaning(again) == meaning(problem)


ILASP = """
#modeo(3, next(has(var(player),var(cell))), (positive)).  % a comment
#modeo(1, in_line(var(cell),var(cell),var(cell)), (positive)).
#weight(-1). #weight(1). #maxp(2). #maxv(4).
#pos(e0, {}, {}, { true(control(a)). true(has(a,cell(1,1))). true(has(a,cell(1,2))).
  true(free(cell(1,3))). true(free(cell(2,2))). does(a,mark(cell(1,3))). }).
#pos(e1, { does(a,mark(cell(2,2))) }, {}, { true(control(a)). true(has(a,cell(1,1))).
  true(has(a,cell(1,2))). true(free(cell(1,3))). true(free(cell(2,2))). }).
#brave_ordering(o1, e0, e1).
"""


def test_a_task_of_ilasp_is_learned():
    """The manual's form: contexts, an inclusion, a named ordering; the state is not reachable."""
    found = stage("ttt_m")
    task = read_task(Source("task.las", ILASP))
    problem = problem_of(task, found)
    answer = learn_weak(found, problem, task.bias, "minimal")
    (rule,) = answer.hypothesis.constraints
    assert answer.found.certified
    assert rule.length == 2
    assert read_constraint(read_json(Source("c.json", json.dumps(rule.to_json())))) == rule


def test_a_comment_hides_what_it_holds_and_no_more():
    """Kills: an empty comment at the start, behind which all was left out."""
    task = read_task(Source("task.las", ILASP))
    for text in (f"%\n{ILASP}", f"%* #maxp(9). *%{ILASP}%* open", ILASP.replace(". #w", ".%.\n#w")):
        again = read_task(Source("task.las", text))
        assert (again.bias, again.examples.keys()) == (task.bias, task.examples.keys())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("#maxv(4).", "#maxv(4)", "is not read|without its|not an integer"),
        ("#maxv(4).", "#modeh(p).", "#modeh: rules are not learned here"),
        ("#maxv(4).", "#bias(p).", "#bias is not read"),
        ("(o1, e0, e1)", "(o1, e0, e7)", "there is no example e7"),
        ("does(a,mark(cell(1,3)))", "does(a,mark(cell(9,3)))", "no move a/mark"),
        ("true(control(a)). true(has(a,cell(1,1))). true", "true(king). true", "no fact king"),
        ("#weight(-1).", "#weight(x).", "not an integer"),
        ("#modeo(3, next", "#modeo(3, 4, next", "a mode is"),
        ("var(player)", "X", "not the atom of a mode"),
        ("var(player)", "_", "not the atom of a mode"),
        ("var(player)", "var(1)", "not the atom of a mode"),
        ("#modeo(3, next(has(var(player),var(cell)))", "#modeo(3, 3", "not the atom of a mode"),
        ("#maxv(4).", "#constant(cell,X).", "a variable: X"),
        ("(o1, e0", "(o1@0, e0", "a penalty of 0"),
        ("#maxv(4).", "{ p }.", "no normal rule: { p }"),
        ("#maxv(4).", ":- true(control(a)).", "no normal rule"),
        ("#maxv(4).", "next(p) :- does(_,_).", "a rule of the game"),
    ],
)
def test_a_bad_task_is_one_message_with_its_place(old, new, message):
    assert old in ILASP
    with pytest.raises(InputError, match=message) as caught:
        task = read_task(Source("task.las", ILASP.replace(old, new, 1)))
        problem_of(task, stage("ttt_m"))
    assert "task.las:" in str(caught.value)
    assert caught.value.mend


def test_a_mode_that_a_game_in_kif_knows_nothing_of_is_refused():
    """Such a mode would match nothing, and "there is no hypothesis" would be proved for nothing."""
    with pytest.raises(Refused, match="nothing is known of line/1"):
        view_of(stage("tictactoe"), "", (("next", 1), ("line", 1)))


def test_a_body_may_be_negated_literals_alone_and_binds_its_variables():
    alone = {"body": ["not p"], "weight": 1, "level": 1}
    assert str(read_constraint(read_json(Source("c.json", json.dumps(alone))))).startswith(":~ not")
    for body in ([], ["not p(X)"], ["p(Y)", "not p(X)"]):
        text = json.dumps(alone | {"body": body})
        with pytest.raises(InputError, match=r"a body without a literal|no positive literal"):
            read_constraint(read_json(Source("c.json", text)))


def test_a_beam_keeps_to_the_bias():
    """Its weights are the bias's, and it has no more constraints than #max_rules."""
    found = stage("ttt_l")
    problem = of_stage(found)
    space = replace(bias("ttt"), weights=(7, -3, -5), rules=2)
    answer = beam(problem, offers(problem, found, space), space)
    assert len(answer.constraints) == 2
    assert {rule.weight for rule in answer.constraints} <= {7, -3}


def test_a_beam_says_where_nothing_tells_two_moves_of_a_state_apart():
    """A mutant calls a constraint found that costs all moves of a state alike, here its free cells.

    It adds the least cost of a state to all others instead of taking it away.
    """
    found = stage("ttt_s")
    problem, space = of_stage(found), Bias((Mode(1, read_term("true(free(var(cell)))")),))
    offered = offers(problem, found, space)
    assert len(offered.constraints)
    answers = [beam(problem, offered, space), minimal(problem, offered, space)]
    assert [(answer.status, answer.constraints) for answer in answers] == [("none", ())] * 2


def test_a_body_that_holds_more_than_4095_times_is_counted():
    """5,000 substitutions for one move, 4,999 for the other: told apart."""
    found = stage("ttt_s")
    many = "many(1..5000).\nsome(X) :- many(X), X < 5000. some(5000) :- does(_,mark(cell(1,3)))."
    space = Bias((Mode(1, read_term("some(var(n))")),), background=many)
    problem = of_stage(found, folded=False)
    offered = offers(problem, found, space)
    assert set(offered.cost[0]) == {4999, 5000}
    assert offered.complete


def test_a_strategy_survives_its_file():
    found, answer = stage("nim"), learned("nim")
    text = json.dumps(LearnedAnswer.of(found, answer.hypothesis).to_json())
    again = read_learned(Source("s.json", text), found).strategy
    mask = found.mask(strategy_of(answer.hypothesis, found))
    assert (found.mask(again) == mask).all()
    deep = "[" * 100_000
    for bad in (
        "{",
        "[]",
        "{}",
        '{"kind": "tree", "strategy": []}',
        '{"kind": "learned", "strategy": [{"hope": []}]}',
        '{"kind": "learned", "strategy": [{"act": [{"role": "a"}]}]}',
        '{"kind": "learned", "kind": "learned", "strategy": []}',
        f'{{"kind": "learned", "strategy": [{{"prefer": {deep}}}]}}',
        text.replace("[", "[NaN, ", 1),
        text.replace('"weight": ', '"weight": 1, "weight": ', 1),
        text.replace('"body": ["', '"body": ["( ', 1),
    ):
        with pytest.raises(InputError) as caught:
            read_learned(Source("s.json", bad), found)
        assert str(caught.value).startswith("s.json:1:")
        assert caught.value.mend


def test_one_constraint_a_level_reads_as_a_fast_and_frugal_tree():
    answer = learned("ttt_l")
    lines = [li for li in frugal_text(answer.hypothesis).split("\n") if li[:1].isdigit()]
    assert len(lines) == len(answer.hypothesis.constraints) + 1
    both = Hypothesis((*answer.hypothesis.constraints, answer.hypothesis.constraints[0]))
    with pytest.raises(Refused):
        frugal_text(both)


@pytest.mark.parametrize(("at", "status"), [(59.0, "found"), (60.0, "unknown")])
def test_the_search_ends_when_its_time_is_over_and_no_sooner(monkeypatch, at, status):
    """The first six examples need one constraint, and the last another, in a second round.

    The clock is set between the rounds.  What is cut short proves nothing.
    """
    from icgsynth.boards.learn.candidates import Candidates

    now = [0.0]
    monkeypatch.setattr(
        "icgsynth.boards.learn.minimal.time", SimpleNamespace(monotonic=lambda: now[0])
    )
    cost = np.array([[0, 1, 0, 0], [0, 0, 0, 1]], np.int16)
    rules = tuple(Constraint((BodyLiteral(read_term(f"p{i}")),), 1) for i in range(2))
    pairs = [(0, 1)] * 6 + [(2, 3)]
    groups = tuple(ExampleGroup(((pair,),)) for pair in pairs)
    problem = Problem(np.zeros((4, 1), np.uint64), (("a", "x"),), np.zeros(4, np.int64), groups)
    offered = Candidates(rules, cost, 2)
    found = minimal(problem, offered, bias("ttt_paper"), 60.0, lambda _: now.__setitem__(0, at))
    assert (found.status, found.certified) == (status, status == "found")
