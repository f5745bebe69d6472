"""Prove by automata a nim sequence that repeats, or rises by a constant with each period.

Then {(n, z): z = G(n)} is a set that an automaton over binary digits accepts, as are sums and
xor, and what a nim sequence is by definition becomes a statement on automata (Büchi 1960).  No
theorem on periods is needed.  Put a Nim heap z beside the heap n, and let P be the pairs with
z = G(n).  The definition holds of G exactly where no move of either heap leads from P to P, and
from each other pair some move leads into P.
"""

from __future__ import annotations

from functools import cached_property, reduce
from operator import or_

from icgsynth.budget import Budget
from icgsynth.digits.dfa import DFA, nothing
from icgsynth.digits.numeration import base
from icgsynth.heaps.rules.heaps import NimPeriod, Repeating
from icgsynth.logic import term as t
from icgsynth.prove.automata.arithmetic import check_arithmetic
from icgsynth.prove.automata.compiler import Compiler

_BINARY = base(2)
_PAIR = ("n", "z")


def sequence_flaw(claim: NimPeriod, budget: Budget) -> str:
    """Return what part of ``claim`` could not be proved; "" where it holds for all heaps.
    :class:`~icgsynth.errors.Refused` where automata become too large."""
    if flaws := check_arithmetic(_BINARY):
        return flaws[0]
    sequence = Sequence(claim, Compiler(_BINARY, budget))
    if not sequence.keeps():
        return "some move keeps a value"
    return "" if sequence.reaches() else "some smaller value is not reached"


class Sequence:
    """Automata of the pairs (n, z) with z = G(n), the graph, and of those that moves lead from."""

    def __init__(self, claim: NimPeriod, compiler: Compiler) -> None:
        self._code = claim.code
        self._compiler = compiler
        self.graph = graph_of(claim, compiler)

    def keeps(self) -> bool:
        """Return whether no move leads from a pair (n, z), a heap beside a Nim heap, with z = G(n)
        to another such pair."""
        # Three kinds of moves: to a smaller Nim heap, of the heap leaving at most two, leaving
        # three. z takes the place of the value; a move that keeps it would lead from a lost state
        # to a lost one.
        if not (self.graph & self._larger).is_empty:
            return False
        if not (self.graph & self._few()).is_empty:
            return False
        return all((self.graph & self._three(k)).is_empty for k in self._code.taking(3))

    def reaches(self) -> bool:
        """Return whether from each pair (n, z) with z != G(n) a move leads to a pair with z = G(n).

        Of the moves that leave three heaps only those that leave two equal ones are looked at:
        their values are those of the third heap.
        """
        # z > G(n): a move in the Nim heap leads to G(n); z < G(n): a move of the heap n has to.
        met = [self._larger, self._few(), self.graph]
        met += [self._twins(k) for k in self._code.taking(3)]
        return (self._where(t.compare(t.Name("z"), ">=", 0), *_PAIR) - self._any(met)).is_empty

    # --- the graph ------------------------------------------------------------------------

    @cached_property
    def _proper(self) -> DFA:
        """The automaton of (n, z) with z = G(n), n >= 1: no move leaves an empty heap."""
        return self.graph & self._where(t.compare(t.Name("n"), ">=", 1), *_PAIR)

    @cached_property
    def _larger(self) -> DFA:
        """The automaton of the pairs (n, z) with z > G(n)."""
        smaller = self._where(t.compare(t.Name("w"), "<", t.Name("z")))
        return (self.graph.renamed({"z": "w"}) & smaller).without(("w",))

    # --- moves ----------------------------------------------------------------------------

    def _few(self) -> DFA:
        """Return the automaton of (n, z): an option of n, of up to two heaps, has the value z."""
        code = self._code
        zero = t.compare(t.Name("z"), "=", 0)
        parts = [self._all(t.compare(t.Name("n"), "=", k), zero) for k in code.taking(0)]
        parts += [self._after(self._proper, k) for k in code.taking(1)]
        for k in code.taking(2):
            parts.append(self._after(self._unequal if k in code.unequal else self._two, k))
        return self._any(parts)

    def _after(self, left: DFA, taken: int) -> DFA:
        """Return the automaton of (n + ``taken``, z) for all pairs (n, z) in ``left``."""
        more = self._where(_adds(("m",), taken))
        return (left.renamed({"n": "m"}) & more).without(("m",)).over(_PAIR)

    @cached_property
    def _two(self) -> DFA:
        """The automaton of (n, z): two heaps of total size n have values with the xor z."""
        # {(n, z)} from {(a, b, z)} with n = a + b: the projections forget b, then a.
        sizes = self._with_one(self._proper) & self._where(_adds(("a", "b")))
        return sizes.without(("b",)).without(("a",))

    @cached_property
    def _unequal(self) -> DFA:
        """The automaton of (n, z): two unequal heaps, in all n, have values with the xor z."""
        differ = self._where(t.compare(t.Name("a"), "<", t.Name("b")))
        sizes = self._with_one(self._proper) & differ & self._where(_adds(("a", "b")))
        return sizes.without(("b",)).without(("a",))

    def _three(self, taken: int) -> DFA:
        """Return the automaton of (n, z, a, b) with n = ``taken`` + a + b, where z is the xor of
        the values of two heaps of total size a and of heap b."""
        return self._with_one(self._two) & self._where(_adds(("a", "b"), taken))

    def _twins(self, taken: int) -> DFA:
        """Return the automaton of (n, z) with n = ``taken`` + 2 a + b, a >= 1, and z = G(b)."""
        sizes = t.compare(
            t.Sum((t.Name("a"), t.Name("a"), t.Name("b"), t.Int(taken))), "=", t.Name("n")
        )
        # n = 2 a + b + taken; the values of the equal heaps cancel, so the value is that of b.
        positive = t.compare(t.Name("a"), ">=", 1)
        heaps = self._all(sizes, positive).without(("a",))
        return (self._proper.renamed({"n": "b"}) & heaps).without(("b",))

    def _with_one(self, heaps: DFA) -> DFA:
        """Return the automaton of (a, b, z) with z = u xor G(b), for (a, u) in ``heaps``."""
        xor = t.Digital("nimsum", (t.Name("u"), t.Name("v")), _BINARY)
        together = self._where(t.compare(t.Name("z"), "=", xor))
        first = (heaps.renamed({"n": "a", "z": "u"}) & together).without(("u",))
        return (self._proper.renamed({"n": "b", "z": "v"}) & first).without(("v",))

    # --- formulas -------------------------------------------------------------------------

    def _where(self, formula: t.Formula, *tracks: str) -> DFA:
        return self._compiler.formula(formula).over(tracks)

    def _all(self, *formulas: t.Formula) -> DFA:
        return self._compiler.all_of(formulas)

    def _any(self, parts: list[DFA]) -> DFA:
        self._compiler.budget.check()
        return reduce(or_, parts, nothing(_BINARY, _PAIR))


def graph_of(claim: Repeating, compiler: Compiler) -> DFA:
    """Return the automaton of the pairs (n, z) such that ``claim`` gives heap n the value z."""
    n, z = t.Name("n"), t.Name("z")
    parts = []
    for heap, value in enumerate(claim.values.tolist()):
        if heap < claim.preperiod:
            parts.append(compiler.all_of((t.compare(n, "=", heap), t.compare(z, "=", value))))
            continue
        residue = t.compare(t.Mod(n, t.Int(claim.period)), "=", heap % claim.period)
        # period * z = saltus * (n - heap) + period * value: the value rises by saltus with each
        # period.
        rise = t.Sum((t.Mul(t.Int(claim.saltus), n), t.Int(-claim.saltus * heap)))
        risen = t.Sum((rise, t.Int(claim.period * value)))
        line = t.compare(t.Mul(t.Int(claim.period), z), "=", risen)
        parts.append(compiler.all_of((t.compare(n, ">=", heap), residue, line)))
    compiler.budget.check()
    return reduce(or_, parts, nothing(_BINARY, _PAIR))


def _adds(names: tuple[str, ...], number: int = 0) -> t.Formula:
    """Return the formula that n is the sum of the variables ``names`` and of ``number``."""
    return t.compare(t.Sum((*map(t.Name, names), t.Int(number))), "=", t.Name("n"))
