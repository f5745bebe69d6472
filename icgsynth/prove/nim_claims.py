"""The door for claims on nim sequences: by two replays and a theorem, or by automata.

The theorem on periods speaks neither of values that rise with each period, nor of heaps that must
be unequal, nor of games that have no code.  There two engines that share no code prove the values
by automata, from the definition; of a code a replay finds the first values right before that, which
refutes most wrong claims at a heap.
"""

from __future__ import annotations

from dataclasses import replace

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.heap_rows import GamePeriod
from icgsynth.game.heap_rules import HeapGame
from icgsynth.game.heaps import NimPeriod, Repeating, SparseMask
from icgsynth.game.solution import Verdict
from icgsynth.game.value_forms import WindowValue
from icgsynth.logic import term as t
from icgsynth.prove.heap_replay import Replay, of_least, replay_period, replay_values
from icgsynth.prove.plain_replay import wrong_heap

_BY = ("automata", "automata in plain Python")
_LONGEST = 1_000  # values of a claim for automata: they have a stretch of states for each
_REPLAYED = 200  # heaps at least, and two periods past the preperiod


def judge_period(claim: NimPeriod, budget: Budget) -> Replay:
    """Whether the claim is true for all heaps, with the least preperiod and the least period."""
    if claim.has_theorem:
        return _replayed_again(claim, replay_period(claim, budget), budget)
    if (early := _too_long(claim)) is not None:
        return early
    values = claim.unrolled(max(_REPLAYED, claim.preperiod + 2 * claim.period))
    first = replay_values(claim.code, values, SparseMask(), budget)
    if first.verdict is not Verdict.PROVED:
        return first
    try:
        why = _not_shown(claim, budget)
    except (Refused, BudgetSpent) as reason:
        why = str(reason)
    return _unknown(why) if why else of_least(claim, replace(first, by=_BY))


def _replayed_again(claim: NimPeriod, found: Replay, budget: Budget) -> Replay:
    """What the first replay ``found``; "proved" only where the second finds no wrong heap."""
    if found.verdict is not Verdict.PROVED:
        return found
    try:
        heap = wrong_heap(claim, budget)
    except BudgetSpent as spent:
        return Replay(Verdict.UNKNOWN, why=str(spent))
    if heap is not None:
        why = f"two replays contradict each other at heap {heap}: please report this"
        return Replay(Verdict.UNKNOWN, why=why)
    return found


def judge_by_rules(claim: GamePeriod, budget: Budget) -> Replay:
    """The same of a game that is well formed (:func:`~icgsynth.prove.heap_play.check_heaps`)."""
    from icgsynth.prove.automata.splitting import graph_on

    game = claim.game
    if (early := _too_long(claim)) is not None:
        return early
    if len(game.variables) != 1:
        return Replay(Verdict.UNKNOWN, why="a sequence is of heaps of one variable")
    try:
        graph = graph_on(game, claim, budget)
    except (Refused, BudgetSpent) as reason:
        return _unknown(str(reason))
    return of_least(claim, judge_graph(game, graph, claim, budget))


def judge_function(
    game: HeapGame, function: t.Term | Automaton | WindowValue, budget: Budget
) -> Replay:
    """Whether ``function`` is the value of each legal heap; the tracks are as in judge_graph."""
    from icgsynth.prove.automata.splitting import graph_of_term

    if isinstance(function, Automaton):
        return judge_graph(game, function, None, budget)
    if isinstance(function, WindowValue):
        return _judge_window(game, function, budget)
    try:
        graph = graph_of_term(game, function, budget)
    except (Refused, BudgetSpent) as reason:
        return _unknown(str(reason))
    return judge_graph(game, graph, function, budget)


def _judge_window(game: HeapGame, function: WindowValue, budget: Budget) -> Replay:
    from icgsynth.prove.windows import judge_window

    if not game.leaves_one:
        return _unknown("a window is of heaps of which each move leaves one")
    try:
        judged = judge_window(game.one_heap, function, budget)
    except (Refused, BudgetSpent) as reason:
        return _unknown(str(reason))
    return Replay(judged.verdict, why=judged.why, by=judged.by)


def judge_graph(
    game: HeapGame, graph: Automaton, claim: Repeating | t.Term | None, budget: Budget
) -> Replay:
    """Whether ``graph`` are all legal heaps with their values, and what ``claim`` says."""
    from icgsynth.prove.automata.splitting import values_flaw
    from icgsynth.prove.recheck.nim_recheck import recheck_heaps

    try:
        if wrong := values_flaw(game, graph, budget):
            return Replay(Verdict.REFUTED, why=wrong)
        why = recheck_heaps(game, graph, claim, budget)
    except (Refused, BudgetSpent) as reason:
        why = str(reason)
    return _unknown(why) if why else Replay(Verdict.PROVED, by=_BY)


def _not_shown(claim: NimPeriod, budget: Budget) -> str:
    from icgsynth.prove.automata.nim_sequence import sequence_flaw
    from icgsynth.prove.recheck.nim_recheck import recheck_sequence

    return sequence_flaw(claim, budget) or recheck_sequence(claim, budget)


def _too_long(claim: Repeating) -> Replay | None:
    if len(claim.values) > _LONGEST:
        return Replay(Verdict.UNKNOWN, why=f"automata prove {_LONGEST:,} values at most")
    return None


def _unknown(why: str) -> Replay:
    return Replay(Verdict.UNKNOWN, why=f"no proof by automata: {why}")
