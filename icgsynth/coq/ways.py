"""Choose how Coq is to see that a formula follows from others: by ``lia``, or a checked proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, lcm, prod
from typing import Literal

from icgsynth.coq.all_cases import all_cases
from icgsynth.coq.certificates import NoProof, SearchSteps, certificate, remainders
from icgsynth.coq.contradictions import Contradictions
from icgsynth.coq.linear_facts import Both, Fact, Unknowns
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.normal import Unsupported

_PLAIN = 5_000  # alternatives left to lia, which rules out most of them early
CAREFUL = 500  # alternatives left to lia where a divisor is large
_LONG = 1_000  # terms and formulas in a lemma
_MUCH = 200_000  # alternatives times terms and formulas, past which lia may run out of its stack
_SMALL = 10  # of all divisors the least common multiple, past which lia may take seconds
_LARGE = 50  # least common multiple of divisors, past which lia may take minutes


@dataclass(frozen=True, slots=True)
class Way:
    """How a formula follows: from which known formulas, by their places, and by which method.
    "itself": the formula is the known one at that place. "checker" has a ``proof`` for the library
    of that name, that the negation contradicts the known ones."""

    core: tuple[int, ...]
    kind: Literal["itself", "lia", "checker"] = "lia"
    proof: str = ""

    @property
    def needs(self) -> frozenset[str]:
        """The libraries that the proof needs beside tactics."""
        return frozenset(("formulas", "alike", "checker") if self.kind == "checker" else ())


def way(
    known: Sequence[t.Formula],
    shown: t.Formula,
    places: Mapping[str, int],
    effort: SearchSteps,
    careful: int = CAREFUL,
) -> Way:
    """Return how ``shown`` follows from ``known``; Coq may still refuse the proof. ``places``
    numbers the names; ``careful`` is how many alternatives ``lia`` is left to go through where a
    divisor is large."""
    if shown in known:
        return Way((known.index(shown),), "itself")
    denied = [] if shown == t.FALSE else [t.Not(shown)]
    refuted = [*known, *denied]
    core = Contradictions().core(refuted)
    kept = [i for i in range(len(known)) if core is None or i in core]
    needed = [refuted[i] for i in core] if core is not None else refuted
    ways = inf if core is None or _is_long(needed) else _alternatives(needed)
    if ways * sum(map(_length, needed)) > _MUCH:
        ways = inf
    modulus = _modulus(needed)
    if ways <= (_PLAIN if modulus <= _SMALL else careful):
        return Way(tuple(kept))
    # A core may lack the bounds of a name, which the first formula has: that the state is legal.
    for core in dict.fromkeys((tuple(kept), tuple(sorted({0, *kept})))):
        negated = [*denied, *(known[i] for i in core)]
        if known and (cases := all_cases(negated, places, remainders(negated))) is not None:
            return Way(core, "checker", cases)
    if ways <= (_PLAIN if modulus <= _LARGE else careful):
        return Way(tuple(kept))
    try:
        proof = certificate([*denied, *(known[i] for i in kept)], dict(places), effort)
    except NoProof:
        return Way(tuple(kept))
    return Way(tuple(kept), "checker", proof)


def _is_long(formulas: Sequence[t.Formula]) -> bool:
    return sum(map(_length, formulas)) > _LONG


def _length(formula: t.Formula) -> int:
    return sum(1 for _ in walk(formula))


def _modulus(formulas: Sequence[t.Formula]) -> int:
    """Return the least common multiple of all divisors that are numbers."""
    divisors = (n.divisor for f in formulas for n in walk(f) if isinstance(n, t.Mod | t.Div))
    return lcm(*(divisor.value for divisor in divisors if isinstance(divisor, t.Int)))


def _alternatives(formulas: Sequence[t.Formula]) -> int:
    """Return in how many combinations of alternatives ``formulas`` can be true together; 0 where
    this is not known, for they are not linear."""
    try:
        facts = Unknowns().list_facts(formulas) or []
    except Unsupported:
        return 0
    return prod(map(_ways, facts))


def _ways(fact: Fact) -> int:
    if not isinstance(fact, Both):
        return 1
    left, right = _ways(fact.left), _ways(fact.right)
    return left * right if fact.is_and else left + right
