"""Linear relations from addition, radix order and congruences, which are proved first.

Multiples come by doubling, sums one by one.  What is derived here needs no other trust than in
the operations on automata."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from operator import itemgetter

from icgsynth.errors import TooLarge, Unproved
from icgsynth.prove.recheck.algebra import FALSE, TRUE, eliminate, join, project, renamed
from icgsynth.prove.recheck.linear import Addition, Kind, LinearForm, settle
from icgsynth.prove.recheck.machine import Machine
from icgsynth.prove.recheck.numbers import Numbers, places


class Relations:
    """The relations of one system, each built once; :class:`Unproved` if a proof fails."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self._effort = numbers.effort
        self._addition = Addition(numbers)
        if not self._addition.sum_holds():
            raise Unproved(f"the adder of {numbers.system} is wrong")
        self._built: dict[tuple[LinearForm, Kind], Machine] = {}
        self._multiples: dict[int, Machine] = {}

    def relation(self, form: LinearForm, kind: Kind) -> Machine:
        """Return the automaton of the tuples for which ``form`` is 0 ("="), at least 0 (">=") or
        divisible by the number ``kind``."""
        plain = settle(form, kind)
        if isinstance(plain, bool):
            return TRUE if plain else FALSE
        if kind == "=":
            plain = min(plain, plain.scaled(-1), key=_order)
        parts = sorted(plain.parts, key=itemgetter(1))  # forms that differ in names are built once
        tracks = places(len(parts))
        factors = {t: c for t, (_, c) in zip(tracks, parts, strict=True)}
        alike = LinearForm.of(factors, plain.constant)
        if (alike, kind) not in self._built:
            if isinstance(kind, int):
                self._build_congruences(tuple(int(c) for c in factors.values()), kind)
            else:
                self._built[alike, kind] = self._compare(alike, kind)
        names = {t: name for t, (name, _) in zip(tracks, parts, strict=True)}
        return renamed(self._built[alike, kind], names)

    def _build_congruences(self, factors: tuple[int, ...], modulus: int) -> None:
        family = [self._addition.congruence(factors, c, modulus) for c in range(modulus)]
        if not self._addition.congruences_hold(factors, family):
            raise Unproved(f"the congruences modulo {modulus} are wrong")
        for constant, machine in enumerate(family):
            parts = dict(zip(machine.tracks, factors, strict=True))
            self._built[LinearForm.of(parts, constant), modulus] = machine

    def _compare(self, form: LinearForm, kind: Kind) -> Machine:
        sides = {sign: form.scaled(sign) for sign in (1, -1)}
        parts = [p for sign, side in sides.items() for p in self._total(side, f"{sign}")]
        compare = self.numbers.equal if kind == "=" else self.numbers.at_most
        parts.append(compare("-1", "1"))
        given = {name for name, _ in form.parts}
        return eliminate(self._effort, parts, {t for p in parts for t in p.tracks} - given)

    def _total(self, form: LinearForm, total: str) -> Iterator[Machine]:
        """Yield relations that together say: the track ``total`` holds the sum of the summands of
        ``form`` with positive factors, and of its constant if that is positive."""
        summands = []
        for name, factor in form.parts:
            if factor > 0:
                summands.append(f"{total}*{name}")
                yield renamed(self._multiple(int(factor)), {"x": name, "z": summands[-1]})
        if form.constant > 0:
            summands.append(f"{total}*")
            yield renamed(self._constant(int(form.constant)), {"z": summands[-1]})
        before = f"{total}+"
        yield self.numbers.zero(before)
        for i, summand in enumerate(summands):
            after = f"{total}+{i}" if i + 1 < len(summands) else total
            yield renamed(self._addition.sum, {"x": before, "y": summand, "z": after})
            before = after
        if not summands:
            yield self.numbers.equal(before, total)

    def _constant(self, value: int) -> Machine:
        """Return the automaton of ``z = value``, ``value`` at least 1, by doubling and counting."""
        machine = renamed(self.numbers.zero("x"), {"x": "z"})
        for digit in f"{value:b}":
            doubled = join(self._effort, renamed(machine, {"z": "x"}), self._twice)
            machine = project(self._effort, doubled, ("x",))
            if digit == "1":
                machine = self.numbers.next(machine, "z")
        return machine

    @cached_property
    def _twice(self) -> Machine:
        same = self.numbers.equal("x", "y")
        return project(self._effort, join(self._effort, self._addition.sum, same), ("y",))

    def _multiple(self, factor: int) -> Machine:
        """Return the automaton of ``z = factor * x``, ``factor`` being at least 1."""
        if factor > self._effort.max_states:  # as many remainders have to be told apart
            raise TooLarge(f"a multiple by {factor}")
        if factor not in self._multiples:
            self._multiples[factor] = self._doubled(factor)
        return self._multiples[factor]

    def _doubled(self, factor: int) -> Machine:
        if factor == 1:
            return self.numbers.equal("x", "z")
        even = "even" if factor % 2 else "z"
        half = renamed(self._multiple(factor // 2), {"z": "half"})
        parts = [half, renamed(self._twice, {"x": "half", "z": even})]
        if factor % 2:
            parts.append(renamed(self._addition.sum, {"y": "even"}))
        return eliminate(self._effort, parts, ("half", "even"))


def _order(form: LinearForm) -> tuple[list[Fraction], Fraction]:
    return sorted(c for _, c in form.parts), form.constant
