"""Search for the shortest hypothesis that orders all examples, by clingo, proved minimal.

A hypothesis is a set of constraints: bodies, each with a weight and a level, an id of its own each.
The meta-encoding chooses them; an example enters it only when the hypothesis of the last round
breaks it.  The last round's optimum is a lower bound for all examples, so a hypothesis that breaks
none is minimal: that is the certificate.

Constraints that charge alike form a class.  The first of a class, a shortest, serves wherever one
of them does; the next serves beside it, on the same level with the same weight.  The search begins
with the first of each class; before it claims anything, it lets in whichever others could make a
hypothesis shorter than the one found, or all where none was found.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite import clingo as asp
from icgsynth.boards.learn.bias import Bias
from icgsynth.boards.learn.candidates import Candidates
from icgsynth.boards.learn.problem import ExampleGroup, Problem
from icgsynth.boards.learn.weak import Constraint
from icgsynth.budget import Progress, silent
from icgsynth.errors import Refused

_CHOICE = """
{ h(C,W,P) : w(W), p(P) } :- cand(C,_).
:- twin(C,D), h(D,W,P), not h(C,W,P).
:- h(C,W,P), h(C,-W,P), W > 0.
better(E) :- neg(E,P), not pos(E,Q) : p(Q), Q > P.
1 { sel(G,A) : alt(G,A) } 1 :- grp(G), not broken(G).
:- sel(G,A), pair(G,A,E), not better(E).
{ broken(G) } :- soft(G,_).
:~ broken(G), soft(G,N). [N@1,g,G]
:~ h(C,W,P), cand(C,L). [L@1,h,C,W,P]
:- p(P), p(P+1), not used(P), used(P+1).
used(P) :- h(_,_,P).
#defined soft/2. #defined broken/1. #defined twin/2.
#show h/3.
"""
_SUMS = """
neg(E,P) :- ex(E), p(P), #sum { W*D,C,W : h(C,W,P), d(E,C,D) } <= -1.
pos(E,P) :- ex(E), p(P), #sum { W*D,C,W : h(C,W,P), d(E,C,D) } >= 1.
"""
# A constraint alone on its level orders as its differences do, and a second use says nothing new.
_ONE_A_LEVEL = """
neg(E,P) :- h(C,W,P), d(E,C,D), W*D < 0.
pos(E,P) :- h(C,W,P), d(E,C,D), W*D > 0.
:- p(P), #count { C,W : h(C,W,P) } > 1.
:- cand(C,_), #count { W,P : h(C,W,P) } > 1.
"""
_BATCH = 6  # new counterexamples a round: few keep the constraints small
_TIE_SECONDS = 2.0  # seconds until the next equally short hypothesis; then the best so far

_MOST_TIES = 2_000  # equally short hypotheses that are compared
_MOST_FACTS = 3_000_000  # constraints times pairs of moves: some 10 s of grounding

Status: TypeAlias = Literal["found", "none", "unknown"]
_Choice: TypeAlias = list[tuple[int, int, int]]
"""A hypothesis: for each constraint its member number, its weight times sign, its level."""


class _Member(NamedTuple):
    """A constraint in a class: its column of costs, and sign -1 if its class has negated costs."""

    constraint: Constraint
    column: int
    sign: int


@dataclass(frozen=True)
class FoundHypothesis:
    """The result of a search for weak constraints; the status ``none`` is proved, ``unknown`` not.

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
    ties: int = 1  # hypotheses of this length that were compared
    penalty: int | None = None  # of the examples broken, where some example has one


def list_violated(groups: tuple[ExampleGroup, ...], cost: NDArray[np.int64]) -> list[int]:
    """Return the indices of ``groups`` of examples that a hypothesis with these costs breaks.
    ``cost`` (levels, moves) has the most important level first."""
    rank = _ranks(cost)
    return [
        number
        for number, group in enumerate(groups)
        if not any(all(rank[a] < rank[b] for a, b in pairs) for pairs in group.alternatives)
    ]


def penalty_of(groups: tuple[ExampleGroup, ...], broken: list[int]) -> int | None:
    """Return the sum of penalties of the ``broken`` groups; None where no group has a penalty."""
    if not any(group.penalty for group in groups):
        return None
    return sum(groups[number].penalty for number in broken)


def _ranks(cost: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rank (k,) of each move by ``cost`` (levels, k), compared lexicographically."""
    if not len(cost):
        return np.zeros(cost.shape[1], np.int64)
    # np.unique sorts rows lexicographically, so the number of a row is its place.
    _, inverse = np.unique(cost.T, axis=0, return_inverse=True)
    return np.asarray(inverse.reshape(-1), np.int64)


def minimal(
    problem: Problem,
    offered: Candidates,
    bias: Bias,
    seconds: float = 60.0,
    progress: Progress = silent,
) -> FoundHypothesis:
    """Return the shortest ``offered`` constraints within ``bias`` that order all examples."""
    begun = time.monotonic()
    search = _Search(problem, offered, bias, begun + seconds)
    active: list[int] = []
    chosen: _Choice = []
    kept: _Choice | None = None  # the shortest known that orders all examples
    proved, rounds = True, 0
    while True:
        # Lazily: the shortest hypothesis for a few examples is tried on all; those that it breaks
        # join the few. What is shortest for a part and breaks nothing is shortest for all.
        broken = search.list_broken(chosen)
        fresh = [g for g in broken if g not in set(active)]
        if not fresh:
            kept = chosen if kept is None else min(chosen, kept, key=search.worth)
            # A class has equal columns: its shorter members serve first. Longer ones may only
            # matter if a hypothesis that holds them is still shorter than this one.
            if not (proved and search.widen(active, search.worth(chosen) - 1)):
                break
        if rounds and search.left <= 0:
            proved = False
            break
        active += fresh[:: max(1, len(fresh) // _BATCH)][:_BATCH]
        rounds += 1
        best, proved = search.shortest(active)
        while best is None and proved and search.widen(active, None):
            best, proved = search.shortest(active)
        if best is None:
            break
        chosen = best
        progress(
            f"round {rounds}: {len(active)} examples, {len(chosen)} constraints, "
            f"{search.length(chosen)} long"
        )
    sure = proved and search.complete
    if kept is None:
        status: Status = "none" if sure else "unknown"
        spent = time.monotonic() - begun
        return FoundHypothesis(status, (), sure, rounds, len(active), len(broken), spent)
    ties = 1
    if proved and kept and not any(group.penalty for group in problem.groups):
        kept, ties = search.prefer(active, kept)
    left, spent = search.list_broken(kept), time.monotonic() - begun
    return FoundHypothesis(
        "found",
        search.rules(kept),
        sure,
        rounds,
        len(active),
        len(left),
        spent,
        ties,
        penalty_of(problem.groups, left),
    )


class _Search:
    """The state of a search for the shortest hypothesis; asks clingo until ``deadline``.

    ``served`` is how many members of each class may serve; ``complete`` says that nothing but
    members that serve no purpose was left out.
    """

    def __init__(self, problem: Problem, offered: Candidates, bias: Bias, deadline: float) -> None:
        self.problem, self.offered, self.bias, self.deadline = problem, offered, bias, deadline
        self.members, self.classes = _classes(problem, offered, bias)
        self.served = [1] * len(self.classes)
        self.complete = offered.complete

    @property
    def left(self) -> float:
        """The seconds until the deadline."""
        return self.deadline - time.monotonic()

    def length(self, chosen: _Choice) -> int:
        """Return the length of the hypothesis ``chosen``: the sum of its constraints' lengths."""
        return sum(self.members[c].constraint.length for c, _, _ in chosen)

    def worth(self, chosen: _Choice) -> int:
        """Return the number to minimise: the length plus the penalties of broken examples."""
        groups = self.problem.groups
        return self.length(chosen) + sum(groups[g].penalty for g in self.list_broken(chosen))

    def rules(self, chosen: _Choice) -> tuple[Constraint, ...]:
        """Return the constraints of a hypothesis, the most important level first."""
        found = []
        for at, weight, level in sorted(chosen, key=lambda h: (-h[2], h[0])):
            constraint, _, sign = self.members[at]
            found.append(replace(constraint, weight=weight * sign, level=level))
        return tuple(found)

    def widen(self, active: list[int], most: int | None) -> bool:
        """Let in all class members that a hypothesis of length ``most`` may use; return if any.  A
        member serves only beside those before it in its class.  None is for any length.  Nothing is
        let in, and the search is not complete, where the ``active`` groups need too many facts."""
        served = []
        for members, known in zip(self.classes, self.served, strict=True):
            # A hypothesis with the k-th member has those before it, too: the lengths add up.
            lengths = accumulate(self.members[c].constraint.length for c in members)
            fits = sum(most is None or length <= most for length in lengths)
            served.append(max(known, fits))
        if served == self.served:
            return False
        pairs = sum(len(a) for g in active for a in self.problem.groups[g].alternatives)
        if sum(served) * pairs > _MOST_FACTS:
            self.complete = False
            return False
        self.served = served
        return True

    def list_broken(self, chosen: _Choice) -> list[int]:
        """Return the indices of the groups of examples that a hypothesis orders wrongly."""
        cost = np.zeros((self.bias.levels, self.problem.count), np.int64)
        for at, weight, level in chosen:
            _, column, sign = self.members[at]
            charged = self.offered.cost[column].astype(np.int64)
            # Row 0 is the highest level, the most important one.
            cost[self.bias.levels - level] += weight * sign * charged
        return list_violated(self.problem.groups, cost)

    def shortest(self, active: list[int]) -> tuple[_Choice | None, bool]:
        """Return the best hypothesis for the ``active`` groups, and whether that is proved.
        ``(None, True)`` where there is none, ``(None, False)`` where the time ended without one."""
        text = _CHOICE + self._facts(active)
        control = asp.control(text, ["--opt-strategy=usc,oll,disjoint", "--seed=0"])
        best: _Choice | None = None
        with control.solve(yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                # clingo improves model by model; the last one before the end is the best known.
                if not handle.wait(max(0.01, self.left)):
                    handle.cancel()
                    return best, False
                model = handle.model()
                if model is None:
                    break
                best = [_parse_choice(atom) for atom in model.symbols(shown=True)]
            exhausted = bool(handle.get().exhausted)
        return best, exhausted

    def prefer(self, active: list[int], chosen: _Choice) -> tuple[_Choice, int]:
        """Return a hypothesis as long as ``chosen`` with fewest variables; how many were compared.

        Of several with as few, the one with the most rewards (negative weights), then the last
        text. Each orders the ``active`` groups of examples, and all others too.
        """
        text = _CHOICE.replace(":~ h(C,W,P), cand(C,L). [L@1,h,C,W,P]", "") + self._facts(active)
        text += f"\n:- #sum {{ L,C,W,P : h(C,W,P), cand(C,L) }} != {self.length(chosen)}.\n"
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
                other = sorted(_parse_choice(atom) for atom in model.symbols(shown=True))
                if other != sorted(chosen) and not self.list_broken(other):
                    found.append(other)

        def key(choice: _Choice) -> tuple[int, int, tuple[str, ...]]:
            rules = self.rules(choice)
            texts = sorted((str(replace(rule, weight=1, level=1)) for rule in rules), reverse=True)
            rewards = sum(rule.weight < 0 for rule in rules)
            return -sum(len(rule.variables) for rule in rules), rewards, tuple(texts)

        return max(found, key=key), len(found)

    def _facts(self, active: list[int]) -> str:
        """Return the facts of the clingo program: the candidates, and the groups ``active``."""
        bias = self.bias
        lines = [f"p(1..{bias.levels})."]
        lines += [f"w({weight})." for weight in bias.weights if weight]
        serving = [members[:n] for members, n in zip(self.classes, self.served, strict=True)]
        pool = [c for members in serving for c in members]
        lines += [f"cand({c},{self.members[c].constraint.length})." for c in pool]
        lines += [f"twin({c},{d})." for members in serving for c, d in pairwise(members)]
        lines.append(_ONE_A_LEVEL if bias.one_per_level else _SUMS)
        if bias.rules:
            lines.append(f":- #count {{ C,W,P : h(C,W,P) }} > {bias.rules}.")
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
        rows = [self.members[c].column for c in pool]
        signs = np.array([self.members[c].sign for c in pool], np.int64)[:, None]
        cost = self.offered.cost[rows].astype(np.int64) * signs
        _require_bounded(cost, list(numbers), bias)
        for (good, bad), number in numbers.items():
            # d(pair, constraint, n): by how much the constraint charges the good move more than the
            # bad one. Only these differences decide an order, so clingo is not given the costs.
            difference = cost[:, good] - cost[:, bad]
            lines.append(f"ex({number}).")
            lines += [
                f"d({number},{pool[i]},{int(difference[i])})." for i in np.flatnonzero(difference)
            ]
        return "\n".join(lines)


def _classes(
    problem: Problem, offered: Candidates, bias: Bias
) -> tuple[list[_Member], list[list[int]]]:
    """Return the constraints that order some pair of moves, and the classes that charge alike. A
    class has the indices of its constraints, the shortest first."""
    # Constraints of a class have equal differences of costs on all pairs, or of equal signs if a
    # level has one constraint; opposite columns count as equal if both signs of weights are
    # allowed. Only as many of a class are kept as a hypothesis may have: one, if one is on a level.
    pairs = np.array(
        [p for g in problem.groups for alternative in g.alternatives for p in alternative],
        np.int64,
    ).reshape(-1, 2)
    either = {-weight for weight in bias.weights} == set(bias.weights)
    most = 1 if bias.one_per_level else bias.rules or None
    found: dict[bytes, list[_Member]] = {}
    for at, constraint in enumerate(offered.constraints):
        costs = offered.cost[at].astype(np.int64)
        difference = costs[pairs[:, 0]] - costs[pairs[:, 1]]
        if bias.one_per_level:
            difference = np.sign(difference)
        some = np.flatnonzero(difference)
        if len(some):
            # A column and its opposite are one class if both signs of a weight are allowed: the
            # first difference that is not 0 decides which of them has the sign 1.
            sign = int(np.sign(difference[some[0]])) if either else 1
            every = (constraint, *(offered.alike[at] if offered.alike else ()))
            alike = found.setdefault((difference * sign).tobytes(), [])
            alike += [_Member(each, at, sign) for each in every]
    members: list[_Member] = []
    classes = []
    for alike in found.values():
        alike.sort(key=lambda m: (m.constraint.length, len(m.constraint.variables)))
        classes.append(list(range(len(members), len(members) + len(alike[:most]))))
        members += alike[:most]
    return members, classes


def _parse_choice(atom: Any) -> tuple[int, int, int]:
    at, weight, level = (argument.number for argument in atom.arguments)
    return at, weight, level


def _require_bounded(cost: NDArray[np.int64], pairs: list[tuple[int, int]], bias: Bias) -> None:
    """Raise Refused if, in clingo, a sum of costs of ``pairs`` could overflow under ``bias``.
    ``cost`` (c, k) are those of the constraints; a pair has two moves."""
    good, bad = np.array(pairs, np.int64).reshape(-1, 2).T
    # The largest sum that clingo may form: all constraints on one level with the largest weight.
    steps = int(np.abs(cost[:, good] - cost[:, bad]).sum(axis=0).max(initial=0))
    if steps * sum(map(abs, bias.weights)) > asp.GREATEST:
        raise Refused(
            f"costs may add up to more than {asp.GREATEST:,}, the greatest integer that clingo "
            "holds\n  give smaller weights (#weight), or --search beam"
        )
