"""Comparison of answers with explicit play, on a box or from all legal states if few.

No code is shared with the deciders of claims.  Labels come from backward induction over the rules;
the formulas and the strategy are evaluated state by state.  Rules without automata are matched here
by columns, and not by :class:`~icgsynth.game.strategy.Strategy`: this is a second opinion.  A
disagreement means that something is wrong with this program, and nothing is claimed then.

Where legal states are few, play from all of them proves an answer, which no decider does where
rules speak of primes, or divide by unknowns.  The second opinion,
:func:`~icgsynth.prove.recheck.far.check_all`, goes through all states and moves by other code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.arrays import distinct
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.explicit.box import ALL_STATES, Box, Flags
from icgsynth.explicit.labels import LOSING, UNKNOWN, Labels, label, listed_moves
from icgsynth.game.answers import NO_STRATEGY, PROVED, BoxCheck, Finding, Verdict
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import disjunction
from icgsynth.logic.evaluate import columns, on_states, satisfies
from icgsynth.logic.ranges import sides_of

_SAMPLE = 120  # states that a strategy with automata is asked about
_BLOCKING_SAMPLE = 30  # the same of a blocking game, where several moves are named at each state


def check_on_box(
    solution: Solution, labels: Labels, bound: int, most: int | None = None
) -> BoxCheck:
    """Return how many states of ``labels`` were compared, and in how many ``solution`` is wrong.

    Its formulas and moves are compared with the outcomes; ``bound`` says in the result how far the
    states reach.  Of more than ``most`` states about that many are compared: half of them the
    smallest, the others spread over the box."""
    if most is not None and len(labels.states) > most:
        return _check_some(solution, labels, bound, most)
    parts = wrong_parts(solution, labels)
    if not solution.strategy:
        del parts["strategy"]  # none is stated
    wrong = np.logical_or.reduce(list(parts.values()))
    return BoxCheck(bound, int(labels.known.sum()), int(wrong.sum()))


def wrong_parts(solution: Solution, labels: Labels) -> dict[str, Flags]:
    """Return for each part of ``solution`` but its cover a mask (n,), True where it is wrong.

    The n states, and their outcomes, are those of ``labels``.  A strategy with automata is asked
    about a sample of them."""
    game, known, lost = solution.game, labels.known, labels.outcome == LOSING

    def holds(formula: t.Formula) -> Flags:
        return on_states(formula, game.variables, labels.states)

    wins, losing = holds(solution.winning_formula), solution.losing_formula
    wanted = must_move(labels, solution.rule)
    plain = tuple(rule for rule in solution.strategy if isinstance(rule, Rule))
    if len(plain) < len(solution.strategy):
        bad = _plays_badly(solution, labels, wanted)
    else:
        bad = wanted & ~moves_well(game, plain, labels, losing, needs_applying=False)
    wrong = {"winning": known & ((wins == lost) | (holds(losing) != lost)), "strategy": bad}
    if solution.tree:
        good = moves_well(game, solution.tree, labels, losing, needs_applying=True)
        wrong["fft"] = wanted & ~good
    return wrong


def must_move(labels: Labels, rule: PlayRule) -> Flags:
    """Return a mask (n,): the states in ``labels`` that are won and, under misère, have a move."""
    wins: Flags = labels.known & (labels.outcome != LOSING)
    return wins & ~labels.ending if rule == "misere" else wins


def _check_some(solution: Solution, labels: Labels, bound: int, most: int) -> BoxCheck:
    """Return the counts of :func:`check_on_box` for about ``most`` states: formulas are compared in
    all of these, the strategy in a sample."""
    sums = labels.states.sum(axis=1)
    # Half of the states are those nearest to 0, the other half is spread over the rest.
    rows = np.argpartition(sums, most // 2)
    some = np.concatenate([rows[: most // 2], rows[most // 2 :: 2 * len(rows) // most + 1]])
    some = some[labels.known[some]]
    states, lost = labels.states[some], labels.outcome[some] == LOSING
    wrong = on_states(solution.winning_formula, solution.game.variables, states) == lost
    wrong |= on_states(solution.losing_formula, solution.game.variables, states) != lost
    if solution.strategy:
        near = np.zeros(len(labels.states), bool)
        near[some] = True
        wrong |= _plays_badly(solution, labels, must_move(labels, solution.rule) & near)[some]
    return BoxCheck(bound, len(some), int(wrong.sum()))


def _plays_badly(solution: Solution, labels: Labels, must_move: Flags) -> Flags:
    """Return a mask over the states of ``labels`` where a strategy with automata makes no winning
    move; of the rows that the mask ``must_move`` has, only a sample is tried."""
    # Automata compute each target digit by digit, so they play state by state.
    game, strategy = solution.game, solution.strategy
    bad = np.zeros(len(labels.states), bool)
    rows = np.flatnonzero(must_move)
    sample = _BLOCKING_SAMPLE if game.block else _SAMPLE
    for row in rows[:: max(1, len(rows) // sample)]:
        state = tuple(map(int, labels.states[row]))
        if game.block:
            bad[row] = not _names_enough(solution, labels, state)
            continue
        chosen = strategy.choose(game, state)
        there = None if chosen is None else game.result(state, chosen.move)
        bad[row] = there is None or not _is_lost(solution, labels, there)
    return bad


def _is_lost(solution: Solution, labels: Labels, state: State) -> bool:
    if (outcome := labels.at(state)) == UNKNOWN:
        return satisfies(solution.losing_formula, solution.game.env(state))
    return outcome == LOSING


def _names_enough(solution: Solution, labels: Labels, state: State) -> bool:
    """Return whether, at ``state`` of a blocking game, the moves that the strategy names all lead
    to lost states, and are more than the opponent may forbid."""
    game = solution.game
    named: set[State] = set()
    for rule in solution.strategy:
        env = game.env(state)
        if isinstance(rule, TargetRule) and satisfies(rule.when, env):
            aims = rule.aims(env, game.block + 1)
            named |= {tuple((env | aim)[v] for v in game.variables) for aim in aims}
    is_right = all(
        _is_lost(solution, labels, there) and game.move_between(state, there) is not None
        for there in named
    )
    return is_right and len(named) > game.block


def moves_well(
    game: ParametricGame,
    rules: Sequence[Rule],
    labels: Labels,
    losing: t.Formula,
    needs_applying: bool,
) -> Flags:
    """Return a mask (n,) over the states of ``labels``: True where the first matching rule wins.

    It wins by a legal move to a state labelled lost, or without a label, outside the box say, where
    ``losing`` holds.  With ``needs_applying`` a rule matches only where its action applies."""
    states = labels.states
    good = np.zeros(len(states), bool)
    decided = np.zeros(len(states), bool)
    for rule in rules:
        matches = on_states(rule.when, game.variables, states) & ~decided
        rows = np.flatnonzero(matches)
        if not len(rows):
            continue
        applies, wins = _outcome(game, rule, states[rows], labels, losing)
        if needs_applying:
            rows, wins = rows[applies], wins[applies]
        decided[rows] = True
        good[rows] = wins
    return good


def _outcome(
    game: ParametricGame, rule: Rule, states: NDArray[np.int64], labels: Labels, losing: t.Formula
) -> tuple[Flags, Flags]:
    """Return two masks over ``states`` (n, variables): where the move of ``rule`` is legal, and
    where it also leads to a lost state, by its label or else by the formula ``losing``."""
    shape = (len(states),)
    env = {v: states[:, i] for i, v in enumerate(game.variables)}
    move = {name: np.broadcast_to(columns(term, env), shape) for name, term in rule.act.arguments}
    action = game.action(rule.act.action)
    full = env | move
    effects = dict(action.effects)
    after = [
        np.broadcast_to(columns(effects[v], full), shape) if v in effects else env[v]
        for v in game.variables
    ]
    there = dict(zip(game.variables, after, strict=True))
    applies = (
        ~np.broadcast_to(columns(game.end, env), shape)
        & columns(action.precondition, full)
        & columns(game.legal, there)
    )
    rows = labels.box.rows(after)
    labelled = (rows >= 0) & labels.known[rows]
    lost = np.where(labelled, labels.outcome[rows] == LOSING, columns(losing, there))
    return applies, applies & lost


# --- few legal states ---------------------------------------------------------------------------

NAMES = ("play from every state", "play in plain Python")
_HUNDREDS = 2_000  # states that a table lists: two numbers up to 40 have 1,681


def few_states(legal: t.Formula, variables: tuple[str, ...]) -> Box | None:
    """Return a box of all ``legal`` states over ``variables``; None if empty, large or endless."""
    sides = sides_of(legal, variables)
    box = Box(variables, tuple(filter(None, sides)), legal)
    return None if None in sides or not 0 < box.cells <= ALL_STATES.states else box


def box_or_all(game: ParametricGame, bound: int) -> Box:
    """Return the box of legal states up to ``bound``; if that is empty, of all if they are few."""
    box = Box.of(game, bound)
    return box if box.cells else few_states(game.legal, game.variables) or box


def every_label(game: ParametricGame, rule: PlayRule) -> Labels | None:
    """Return the outcomes of all legal states; None if they are many, or one is not decided."""
    labels = labels_of_all(game, rule)
    return labels if labels is not None and labels.known.all() else None


@lru_cache(maxsize=8)
def labels_of_all(game: ParametricGame, rule: PlayRule) -> Labels | None:
    """Return the outcomes of all legal states, some perhaps undecided; None if they are many."""
    if game.block or game.is_quantified or (box := few_states(game.legal, game.variables)) is None:
        return None
    most, budget = ALL_STATES.moves, Budget(ALL_STATES.seconds)
    try:
        return label(game, box, rule, max_cells=most, budget=budget)
    except (Refused, BudgetSpent):
        return None


@lru_cache(maxsize=8)
def outcomes_everywhere(game: ParametricGame, rule: PlayRule) -> Mapping[State, int] | None:
    """Return a dict from each legal state to 1 where it is won, -1 where lost, 0 where drawn.

    They are played out twice, by columns and in plain Python.  None where these differ, where the
    states are more than 2,000, or where their moves cannot be listed."""
    again = labels_of_all(game, rule)
    if again is None or len(again.states) > _HUNDREDS:
        return None
    from icgsynth.prove.recheck.definition import outcomes

    states = list(map(tuple, again.states.tolist()))
    try:
        found = outcomes(game, rule, states, Budget(ALL_STATES.seconds))
    except (Refused, BudgetSpent):
        return None
    first = np.array([found[state] for state in states])
    differs = ((first < 0) != (again.outcome == LOSING)) | ((first != 0) != again.known)
    return None if differs.any() else {state: found[state] for state in states}


def judge_everywhere(solution: Solution) -> Mapping[str, Finding] | None:
    """Return a dict from each part of ``solution`` to its finding by play from all legal states.
    None if these are many, if states are drawn, or if the strategy has automata."""
    is_plain = all(isinstance(rule, Rule) for rule in solution.strategy)
    if solution.draws is not None or not is_plain:
        return None
    labels = every_label(solution.game, solution.rule)
    if labels is None:
        return None
    wrong = wrong_parts(solution, labels)
    if solution.cover:
        covered = on_states(disjunction(solution.cover), solution.game.variables, labels.states)
        wrong["cover"] = covered == (labels.outcome == LOSING)
    found = {part: _finding(labels.box, rows) for part, rows in wrong.items()}
    if not solution.strategy and not found["strategy"].is_proved:
        found["strategy"] = NO_STRATEGY
    return found


def losing_everywhere(game: ParametricGame, rule: PlayRule, losing: t.Formula) -> Finding | None:
    """Return the finding whether the formula ``losing`` holds just in the lost states, by play from
    all legal states; None if these are many."""
    if (labels := every_label(game, rule)) is None:
        return None
    said = on_states(losing, game.variables, labels.states)
    return _finding(labels.box, said != (labels.outcome == LOSING))


def rules_everywhere(
    game: ParametricGame, rule: PlayRule, rules: Sequence[Rule], is_tree: bool
) -> Finding | None:
    """Return the finding whether ``rules`` make a winning move wherever there is one, by play from
    all legal states; None if these are many.

    The first rule decides that matches; with ``is_tree`` its move must be legal to match."""
    if (labels := every_label(game, rule)) is None:
        return None
    good = moves_well(game, rules, labels, t.FALSE, is_tree)
    return _finding(labels.box, must_move(labels, rule) & ~good)


def values_everywhere(game: ParametricGame, value: t.Term) -> Finding | None:
    """Return the finding whether the term ``value`` is the Grundy value in all legal states, if
    play ends (which is not looked at); None if the states are many or moves cannot be listed."""
    box = few_states(game.legal, game.variables)
    if box is None or game.block or game.is_quantified:
        return None
    try:
        edges, barred = listed_moves(game, box, ALL_STATES.moves, Budget(ALL_STATES.seconds))
    except (Refused, BudgetSpent):
        return None
    said = np.broadcast_to(columns(value, box.columns()), (box.size,))
    if barred.any() or said.dtype == object:
        return None
    met, before = said[edges.target], said[edges.source]
    wrong = said < 0
    wrong[edges.source[met == before]] = True
    # How many different smaller values the moves of each state lead to.
    lower, width = (met < before) & (met >= 0), int(said.max()) + 1
    pairs = distinct(edges.source[lower].astype(np.int64) * width + met[lower])
    return _finding(box, wrong | (np.bincount(pairs // width, minlength=box.size) != said))


def _finding(box: Box, wrong: Flags) -> Finding:
    rows = np.flatnonzero(wrong)
    if not len(rows):
        return PROVED
    state = map(int, box.states[rows[0]])
    witness = dict(zip(box.variables, state, strict=True))
    return Finding(Verdict.REFUTED, "play from every state says otherwise", witness)
