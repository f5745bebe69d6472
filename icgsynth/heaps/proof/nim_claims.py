"""Decide claims on the nim sequence of a code: by two replays and a theorem, or by automata.

The theorem on periods speaks neither of values that rise with each period, nor of heaps that must
be unequal. There two engines that share no code prove the values by automata, from the definition;
a replay of the first values before that refutes most wrong claims at a heap.
"""

from __future__ import annotations

from dataclasses import replace

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, OutOfReach, Refused
from icgsynth.game.answers import Finding, Verdict
from icgsynth.heaps.proof.heap_replay import of_least, replay_period, replay_values
from icgsynth.heaps.proof.plain_replay import wrong_heap
from icgsynth.heaps.rules.heaps import NimPeriod, Repeating, SparseMask

AUTOMATA = ("automata", "automata in plain Python")
_LONGEST = 1_000  # values of a claim for automata, at most: they have a stretch of states for each
_REPLAYED = 200  # heaps replayed before automata, at least; and two periods past the preperiod


def judge_period(claim: NimPeriod, budget: Budget) -> Finding:
    """Return whether ``claim``, with least preperiod and period, is proved for all heaps, or
    refuted, or why that is unknown."""
    if claim.has_theorem:
        return _replayed_again(claim, replay_period(claim, budget), budget)
    if (early := refuse_long(claim)) is not None:
        return early
    values = claim.first_values(max(_REPLAYED, claim.preperiod + 2 * claim.period))
    first = replay_values(claim.code, values, SparseMask(), budget)
    if first.verdict is not Verdict.PROVED:
        return first
    try:
        why = _not_shown(claim, budget)
    except (Refused, BudgetSpent) as reason:
        why = str(reason)
    return unknown_replay(why) if why else of_least(claim, replace(first, by=AUTOMATA))


def _replayed_again(claim: NimPeriod, found: Finding, budget: Budget) -> Finding:
    """Return ``found``, of a first check from the rules, or unknown if a second one disagrees."""
    if found.verdict is not Verdict.PROVED:
        return found
    try:
        heap = wrong_heap(claim, budget)
    except (BudgetSpent, OutOfReach) as spent:
        return Finding(Verdict.UNKNOWN, str(spent))
    if heap is not None:
        why = f"two replays contradict each other at heap {heap}: please report this"
        return Finding(Verdict.UNKNOWN, why)
    return found


def _not_shown(claim: NimPeriod, budget: Budget) -> str:
    from icgsynth.heaps.proof.nim_recheck import recheck_sequence
    from icgsynth.heaps.proof.nim_sequence import sequence_flaw

    return sequence_flaw(claim, budget) or recheck_sequence(claim, budget)


def refuse_long(claim: Repeating) -> Finding | None:
    """Return an unknown verdict where ``claim`` has too many values for automata, else None."""
    if len(claim.values) > _LONGEST:
        return Finding(Verdict.UNKNOWN, f"automata prove {_LONGEST:,} values at most")
    return None


def unknown_replay(why: str) -> Finding:
    """Return an unknown verdict with the reason "no proof by automata: ``why``"."""
    return Finding(Verdict.UNKNOWN, f"no proof by automata: {why}")
