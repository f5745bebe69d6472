"""A second proof, in plain Python, that a sequence with a period is the nim sequence of a code.

The same statement as in :mod:`icgsynth.heaps.proof.nim_sequence`, by other automata: of a heap n
beside a Nim heap z, the pairs with z = G(n) are those from which no move leads to such a pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from icgsynth.budget import Budget
from icgsynth.digits.numeration import base
from icgsynth.errors import TooLarge, Unproved
from icgsynth.heaps.rules.heaps import NimPeriod, Repeating
from icgsynth.prove.recheck.algebra import eliminate, renamed
from icgsynth.prove.recheck.digits import Digits, name_tracks
from icgsynth.prove.recheck.linear import Kind, LinearForm
from icgsynth.prove.recheck.machine import Effort, Machine
from icgsynth.prove.recheck.numbers import Logic, Numbers
from icgsynth.prove.recheck.relations import Relations
from icgsynth.prove.recheck.system import flaw

_MOST_STATES = 50_000  # states of all automata that the second proof makes


def recheck_sequence(claim: NimPeriod, budget: Budget) -> str:
    """Return what part of ``claim`` could not be proved; "" where it holds for all heaps.
    :class:`~icgsynth.errors.BudgetSpent` past the budget."""
    effort = Effort(budget, _MOST_STATES)
    try:
        if wrong := flaw(effort, base(2)):
            return wrong
        return _HeapAndPile(claim, effort).wrong()
    except (TooLarge, Unproved) as reason:
        return str(reason)


def claimed_values(claim: Repeating, relations: Relations, logic: Logic) -> Machine:
    """Return the automaton of the pairs (n, z) such that ``claim`` gives heap n the value z."""
    effort = logic.effort

    def stretch(heap: int, value: int) -> Machine:
        # n - heap and z - value: both 0 for a heap before the period.
        n, z = LinearForm.of({"n": 1}, -heap), LinearForm.of({"z": 1}, -value)
        conditions: list[tuple[LinearForm, Kind]] = [(n, "="), (z, "=")]
        if heap >= claim.preperiod:
            # n is the heap and k periods, and z the value and k times the saltus: period * (z -
            # value) = saltus * (n - heap).
            line = z.scaled(claim.period) + n.scaled(-claim.saltus)
            conditions = [(n, ">="), (n, claim.period), (line, "=")]
        return eliminate(effort, [relations.relation(*each) for each in conditions], ())

    found = logic.some(stretch(*each) for each in enumerate(claim.values.tolist()))
    return logic.over(found, ("n", "z"))


class _HeapAndPile:
    """Automata on pairs of a heap n and a Nim heap z; ``values`` accepts those with z = G(n)."""

    def __init__(self, claim: NimPeriod, effort: Effort) -> None:
        self._code = claim.code
        self._effort = effort
        self._numbers = Numbers(base(2), effort)
        self._relations = Relations(self._numbers)
        self._logic = Logic(self._numbers)
        xor = Digits(self._numbers).function("nimsum", 2, 2)
        if xor is None:
            raise Unproved("xor could not be shown to have values")
        self._xor = name_tracks(xor, ("u", "v"), "z")
        self.values = claimed_values(claim, self._relations, self._logic)

    def wrong(self) -> str:
        """Return the first part of the claim that is not proved; "" where all are."""
        # The Nim heap z may be made any smaller one: w = G(n) is such a pair again.
        lower = [renamed(self.values, {"z": "w"}), self._numbers.less("w", "z")]
        moves = [self._there_are(lower, "w"), *self._options()]
        triples = [self._triple(k) for k in self._code.taking(3)]
        # First half: n has one value, and no option of it has the same one.
        if any(not self._there_are([self.values, move]).is_empty for move in (*moves, *triples)):
            return "a move leads from a value to itself"
        twins = [self._twice_and_once(k) for k in self._code.taking(3)]
        # Second half: each pair (n, z) is z = G(n), or z > G(n), or z is the value of an option.
        # Together the two halves say that G(n) is the least number that is no value of an option.
        reached = self._logic.some([self.values, *moves, *twins])
        if not self._logic.negation(self._over(reached)).is_empty:
            return "a smaller value is the value of no move"
        return ""

    # --- values ---------------------------------------------------------------------------

    @cached_property
    def _alone(self) -> Machine:
        """The automaton of the pairs (n, z) with z = G(n) and n >= 1."""
        return self._there_are([self.values, self._where((LinearForm.of({"n": 1}, -1), ">="))])

    # --- moves ----------------------------------------------------------------------------

    def _options(self) -> Iterator[Machine]:
        """Yield automata of (n, z): an option of n, of up to two heaps, has the value z."""
        for k in self._code.taking(0):
            yield self._where((LinearForm.of({"n": 1}, -k), "="), (LinearForm.of({"z": 1}), "="))
        for k in self._code.taking(1):
            yield self._there_are([renamed(self._alone, {"n": "a"}), self._makes({"a": 1}, k)], "a")
        for k in self._code.taking(2):
            yield self._two(k, k in self._code.unequal)

    def _two(self, taken: int, unequal: bool) -> Machine:
        parts = [self._beside(self._alone), self._makes({"a": 1, "b": 1}, taken)]
        if unequal:
            parts.append(self._numbers.less("a", "b"))
        return self._there_are([self._there_are(parts, "b")], "a")

    def _triple(self, taken: int) -> Machine:
        """Return the automaton of (n, z, a, b) with n = ``taken`` + a + b, where z is the xor of
        the values of two heaps of total size a and of heap b."""
        pair = self._two(0, False)
        return self._there_are([self._beside(pair), self._makes({"a": 1, "b": 1}, taken)])

    def _twice_and_once(self, taken: int) -> Machine:
        """Return the automaton of (n, z) with n = ``taken`` + 2 a + b, a >= 1, and z = G(b)."""
        positive = self._where((LinearForm.of({"a": 1}, -1), ">="))
        sizes = self._there_are([self._makes({"a": 2, "b": 1}, taken), positive], "a")
        return self._there_are([sizes, renamed(self._alone, {"n": "b"})], "b")

    def _beside(self, others: Machine) -> Machine:
        """Return the automaton of (a, b, z) with z = u xor G(b), for (a, u) in ``others``."""
        first = self._there_are([renamed(others, {"n": "a", "z": "u"}), self._xor], "u")
        return self._there_are([first, renamed(self._alone, {"n": "b", "z": "v"})], "v")

    # --- relations ------------------------------------------------------------------------

    def _makes(self, parts: dict[str, int], number: int) -> Machine:
        """Return the automaton of: n is ``number`` plus the sum of ``parts`` (variable: weight)."""
        return self._where((LinearForm.of({"n": -1, **parts}, number), "="))

    def _where(self, *conditions: tuple[LinearForm, Kind]) -> Machine:
        return self._there_are([self._relations.relation(*each) for each in conditions])

    def _there_are(self, parts: Sequence[Machine], *names: str) -> Machine:
        return eliminate(self._effort, parts, names)

    def _over(self, machine: Machine) -> Machine:
        return self._logic.over(machine, ("n", "z"))
