"""Back end A: the shortest hypothesis that orders all examples, by clingo, with a certificate.

The meta-encoding chooses constraints, weights and levels; an example enters it only when the
hypothesis of the last round breaks it.  The last round's optimum is a lower bound for all
examples, so a hypothesis that breaks none is minimal: that is the certificate.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Progress, silent
from icgsynth.errors import Refused
from icgsynth.finite import clingo as asp
from icgsynth.learn.bias import Bias
from icgsynth.learn.candidates import Candidates
from icgsynth.learn.problem import ExampleGroup, Problem
from icgsynth.learn.weak import Constraint

_CHOICE = """
{ h(C,W,P) : w(W), p(P) } 1 :- cand(C,_).
:- twin(C,D), h(D,_,_), not h(C,_,_).
neg(E,P) :- ex(E), p(P), #sum { W*D,C,W : h(C,W,P), d(E,C,D) } <= -1.
pos(E,P) :- ex(E), p(P), #sum { W*D,C,W : h(C,W,P), d(E,C,D) } >= 1.
better(E) :- neg(E,P), not pos(E,Q) : p(Q), Q > P.
1 { sel(G,A) : alt(G,A) } 1 :- grp(G), not broken(G).
:- sel(G,A), pair(G,A,E), not better(E).
{ broken(G) } :- soft(G,_).
:~ broken(G), soft(G,N). [N@1,g,G]
:~ h(C,W,P), cand(C,L). [L@1,h,C]
:- p(P), p(P+1), not used(P), used(P+1).
used(P) :- h(_,_,P).
#defined soft/2. #defined broken/1. #defined twin/2.
#show h/3.
"""
_BATCH = 6
_TIE_SECONDS = 2.0

_MOST_TIES = 2_000

Status: TypeAlias = Literal["found", "none", "unknown"]
_Choice: TypeAlias = list[tuple[int, int, int]]
"""Constraints of a hypothesis: the number of a candidate, its weight, its level."""


@dataclass(frozen=True)
class FoundHypothesis:
    """A hypothesis, or that there is none (``none`` is proved; ``unknown`` is not).

    ``certified`` says that no shorter one exists in the bias (with penalties: none of a smaller
    sum of length and penalties).
    """

    status: Status
    constraints: tuple[Constraint, ...] = ()
    certified: bool = False
    rounds: int = 0
    examples: int = 0
    violated: int = 0
    seconds: float = 0.0
    ties: int = 1  # hypotheses of this length, where they were counted


def violated(groups: tuple[ExampleGroup, ...], cost: NDArray[np.int64]) -> list[int]:
    """The groups that a hypothesis breaks; ``cost`` (levels, k), the most important first."""
    rank = _ranks(cost)
    return [
        number
        for number, group in enumerate(groups)
        if not any(all(rank[a] < rank[b] for a, b in pairs) for pairs in group.alternatives)
    ]


def _ranks(cost: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of each move in the lexicographic order of its costs (k,)."""
    if not len(cost):
        return np.zeros(cost.shape[1], np.int64)
    _, inverse = np.unique(cost.T, axis=0, return_inverse=True)
    return np.asarray(inverse.reshape(-1), np.int64)


def minimal(
    problem: Problem,
    offered: Candidates,
    bias: Bias,
    seconds: float = 60.0,
    progress: Progress = silent,
) -> FoundHypothesis:
    """The shortest hypothesis within ``seconds``."""
    begun = time.monotonic()
    search = _Search(problem, offered, bias, begun + seconds, _classes(problem, offered, bias))
    active: list[int] = []
    chosen: _Choice = []
    proved, rounds = True, 0
    while True:
        broken = search.broken(chosen)
        fresh = [g for g in broken if g not in set(active)]
        if rounds and not fresh:
            break
        if rounds and search.left <= 0:
            return FoundHypothesis("unknown", (), False, rounds, len(active), len(broken), seconds)
        active += fresh[:: max(1, len(fresh) // _BATCH)][:_BATCH]
        if not active:
            break
        rounds += 1
        best, proved = search.shortest(active)
        if best is None:
            status: Status = "none" if proved else "unknown"
            spent = time.monotonic() - begun
            return FoundHypothesis(status, (), proved, rounds, len(active), 0, spent)
        chosen = best
        progress(
            f"round {rounds}: {len(active)} examples, {len(chosen)} constraints, "
            f"{search.length(chosen)} long"
        )
    ties = 1
    if proved and chosen and not any(group.penalty for group in problem.groups):
        chosen, ties = search.preferred(active, chosen)
    rules = [
        Constraint(c.body, c.weight * weight, level, c.parity, c.group)
        for at, weight, level in sorted(chosen, key=lambda h: (-h[2], h[0]))
        for c in (offered.constraints[at],)
    ]
    spent = time.monotonic() - begun
    left = len(search.broken(chosen))
    return FoundHypothesis("found", tuple(rules), proved, rounds, len(active), left, spent, ties)


@dataclass(frozen=True, eq=False)
class _Search:
    """Questions to clingo about one problem, until ``deadline``, with candidates in classes."""

    problem: Problem
    offered: Candidates
    bias: Bias
    deadline: float
    classes: list[list[int]]

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - time.monotonic()

    def length(self, chosen: _Choice) -> int:
        """The literals of a hypothesis."""
        return sum(self.offered.constraints[c].length for c, _, _ in chosen)

    def broken(self, chosen: _Choice) -> list[int]:
        """The groups that a hypothesis breaks."""
        cost = np.zeros((self.bias.levels, self.problem.count), np.int64)
        for at, weight, level in chosen:
            cost[self.bias.levels - level] += weight * self.offered.cost[at].astype(np.int64)
        return violated(self.problem.groups, cost)

    def shortest(self, active: list[int]) -> tuple[_Choice | None, bool]:
        """The best hypothesis for the active groups, and whether that is proved.

        ``(None, True)`` where there is none, ``(None, False)`` where the time ended without one.
        """
        text = _CHOICE + self._facts(active)
        control = asp.control(text, ["--opt-strategy=usc,oll,disjoint", "--seed=0"])
        best: _Choice | None = None
        with control.solve(yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                if not handle.wait(max(0.01, self.left)):
                    handle.cancel()
                    return best, False
                model = handle.model()
                if model is None:
                    break
                best = [_chosen(atom) for atom in model.symbols(shown=True)]
            exhausted = bool(handle.get().exhausted)
        return best, exhausted

    def preferred(self, active: list[int], chosen: _Choice) -> tuple[_Choice, int]:
        """Of all hypotheses as short as ``chosen``, the one with the fewest variables; their count.

        Of those with as few variables, the one with the most rewards (negative weights), then the
        one whose text comes last.
        """
        text = _CHOICE.replace(":~ h(C,W,P), cand(C,L). [L@1,h,C]", "") + self._facts(active)
        text += f"\n:- #sum {{ L,C : h(C,_,_), cand(C,L) }} != {self.length(chosen)}.\n"
        control = asp.control(text, [f"-n {_MOST_TIES}", "--project=show", "--seed=0"])
        found = [chosen]
        with control.solve(yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                if not handle.wait(max(0.01, min(_TIE_SECONDS, self.left))):
                    handle.cancel()
                    break
                model = handle.model()
                if model is None:
                    break
                other = sorted(_chosen(atom) for atom in model.symbols(shown=True))
                if other != sorted(chosen) and not self.broken(other):
                    found.append(other)

        def key(choice: _Choice) -> tuple[int, int, tuple[str, ...]]:
            rules = [self.offered.constraints[c] for c, _, _ in choice]
            texts = sorted((str(rule) for rule in rules), reverse=True)
            rewards = sum(weight < 0 for _, weight, _ in choice)
            return -sum(len(rule.variables) for rule in rules), rewards, tuple(texts)

        return max(found, key=key), len(found)

    def _facts(self, active: list[int]) -> str:
        """The problem in clingo's language, as far as the active groups ask for it."""
        bias = self.bias
        lines = [f"p(1..{bias.levels})."]
        lines += [f"w({weight})." for weight in bias.weights if weight]
        pool = [c for twins in self.classes for c in twins]
        lines += [f"cand({c},{self.offered.constraints[c].length})." for c in pool]
        lines += [f"twin({c},{d})." for twins in self.classes for c, d in pairwise(twins)]
        if bias.one_per_level:
            lines.append(":- p(P), #count { C,W : h(C,W,P) } > 1.")
        if bias.rules:
            lines.append(f":- #count {{ C : h(C,_,_) }} > {bias.rules}.")
        numbers: dict[tuple[int, int], int] = {}
        for g in active:
            group = self.problem.groups[g]
            lines.append(f"grp({g}).")
            if group.penalty:
                lines.append(f"soft({g},{group.penalty}).")
            for a, pairs in enumerate(group.alternatives):
                lines.append(f"alt({g},{a}).")
                for pair in pairs:
                    lines.append(f"pair({g},{a},{numbers.setdefault(pair, len(numbers))}).")
        cost = self.offered.cost[pool].astype(np.int64)
        _bounded(cost, list(numbers), bias)
        for (good, bad), number in numbers.items():
            difference = cost[:, good] - cost[:, bad]
            lines.append(f"ex({number}).")
            lines += [
                f"d({number},{pool[i]},{int(difference[i])})." for i in np.flatnonzero(difference)
            ]
        return "\n".join(lines)


def _classes(problem: Problem, offered: Candidates, bias: Bias) -> list[list[int]]:
    """Candidates that differ on some pair, by their columns of differences, a shortest first.

    Columns that are one another's opposites are alike where weights have either sign.  Whoever
    is second in a class serves only beside the first: to weigh more, or on another level.  That
    it may do so is part of the certificate; with one constraint a level it adds nothing.
    """
    pairs = np.array(
        [p for g in problem.groups for alternative in g.alternatives for p in alternative],
        np.int64,
    ).reshape(-1, 2)
    either = {-weight for weight in bias.weights} == set(bias.weights)
    classes: dict[bytes, list[int]] = {}
    for at in sorted(range(len(offered.constraints)), key=lambda c: offered.constraints[c].length):
        difference = offered.cost[at, pairs[:, 0]] - offered.cost[at, pairs[:, 1]]
        some = np.flatnonzero(difference)
        if len(some):
            sign = np.sign(difference[some[0]]) if either else 1
            classes.setdefault((difference * sign).tobytes(), []).append(at)
    return [twins[:1] if bias.one_per_level else twins for twins in classes.values()]


def _chosen(atom: Any) -> tuple[int, int, int]:
    at, weight, level = (argument.number for argument in atom.arguments)
    return at, weight, level


def _bounded(cost: NDArray[np.int64], pairs: list[tuple[int, int]], bias: Bias) -> None:
    """:class:`~icgsynth.errors.Refused` where a sum of costs could pass what clingo holds."""
    good, bad = np.array(pairs, np.int64).reshape(-1, 2).T
    steps = int(np.abs(cost[:, good] - cost[:, bad]).sum(axis=0).max(initial=0))
    if steps * max(map(abs, bias.weights)) > asp.GREATEST:
        raise Refused(
            f"costs may add up to more than {asp.GREATEST:,}, the greatest integer that clingo "
            "holds\n  give smaller weights (#weight), or --search beam"
        )
