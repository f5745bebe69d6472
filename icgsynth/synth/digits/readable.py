"""Search for the shortest formula of the set that an automaton recognises.

The grammar has these formulas over the :mod:`~icgsynth.synth.digits.atoms` A, B, .., with S an
upper bound of a variable or of ``min`` or ``max``:

* conjunctions of up to four clauses, a clause an atom or ``A or B``, and their negations;
* ``A`` and ``B``, or neither of them, over all states;
* one of these where S does not hold, another one or a list of states where S holds;
* one of these except for listed states.

Formulas are compared with the set on a sample of states first.  One that agrees there is
compiled and compared exactly; states that tell the two apart join the sample."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.digits.dfa import DFA
from icgsynth.errors import BudgetSpent, OutOfReach, Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation, reading, size
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.synth.cover import cover_of
from icgsynth.synth.digits.atoms import (
    DigitAtom,
    SetSample,
    atoms,
    extremes,
    members,
    symmetric_classes,
)
from icgsynth.synth.linear.polish import shorter

_SECONDS = 8.0  # time for one search
_ROUNDS = 6  # rounds of a search, each started by new counterexamples
_WITNESSES = 8  # counterexamples of one round
_FARTHEST = 10**5  # largest coordinate of states in a sample
_SPLITS = (0, 1, 2, 3, 4, 5, 6, 8, 12)  # upper bounds of small states that may be a case
_LISTED = 12  # most states in a list
_POINTS = 11  # size of a list of two states
_SHORT = 9  # above this size, formulas with two cases are tried as well
_MIDDLING = 12  # above this size, clauses of two atoms are tried as well
_LONGEST = 60  # largest size of a formula; nobody reads a longer one
_CLAUSES = 4  # most clauses of one conjunction
_LITERAL = 5  # largest size of an atom in a clause of two
_PAIRS = 4_000  # most clauses of two atoms that are tried


def readable(
    losing: DFA,
    legal: DFA,
    compiler: Compiler,
    variables: tuple[str, ...],
    budget: Budget,
    hints: tuple[t.Formula, ...] = (),
    is_plain: bool = False,
) -> t.Formula | None:
    """Return a smallest formula that holds in exactly the states of ``losing`` among ``legal``;
    None if the grammar has none, or none is found in time.

    ``hints`` are further atoms; with ``is_plain`` only conjunctions of clauses, and two atoms or
    neither, are tried.  Formulas are compared with the set by ``compiler``, exactly."""
    budget = budget.within(_SECONDS)
    compiler = replace(compiler, budget=budget)
    sample = SetSample.of(losing, legal)
    classes = symmetric_classes(losing, legal)
    try:
        for _ in range(_ROUNDS):
            literals = atoms(sample, compiler.system, classes, hints)
            search = _Search(sample, classes, literals, budget)
            for formula in search.formulas(is_plain):
                try:
                    found = compiler.formula(formula).over(variables) & legal
                except Refused:
                    continue
                if found == losing:
                    return formula
                witnesses = _witnesses(found ^ losing)
                if witnesses.size:
                    sample = sample.plus(witnesses, losing, legal)
                    break
            else:
                return None
    except (BudgetSpent, OutOfReach):
        pass
    return None


def _witnesses(difference: DFA) -> Ints:
    """Return some tuples that ``difference`` accepts, (tracks, n), or n = 0 if all are far out."""
    shortest = difference.shortest()
    assert shortest is not None
    if max(shortest.values()) > _FARTHEST:
        return np.zeros((len(shortest), 0), dtype=np.int64)
    first = np.array([[shortest[track]] for track in difference.tracks], dtype=np.int64)
    more = members(difference, np.random.default_rng(1), _WITNESSES)
    return np.concatenate([first, more], axis=1)


@dataclass(frozen=True, eq=False)
class _Search:
    """The search for formulas that agree with the set on the sample of states."""

    sample: SetSample
    classes: tuple[tuple[str, ...], ...]
    atoms: list[DigitAtom]
    budget: Budget

    @property
    def _target(self) -> Flags:
        return self.sample.inside

    @cached_property
    def _bits(self) -> list[int]:
        return [_packed(atom.truth) for atom in self.atoms]

    def formulas(self, is_plain: bool) -> Iterator[t.Formula]:
        """Yield formulas that hold in exactly the sample states of the set, shortest first; with
        ``is_plain`` none with cases for small states."""
        everywhere = np.ones(len(self._target), dtype=bool)
        found = [f for f in (*self._clauses(everywhere, 1), self._equivalence()) if f]
        if min((f.size for f in found), default=_LONGEST) > _SHORT:
            found += () if is_plain else self._splits()
            shortest = min((f.size for f in found), default=_LONGEST)
            if shortest > _MIDDLING:
                found += [f for f in self._clauses(everywhere, 2, shortest) if f]
        said = [replace(atom, formula=shorter(atom.formula)) for atom in found]
        said.sort(key=lambda each: (min(each.size, size(each.formula)), reading(each.formula)))
        yield from (each.formula for each in said)

    # --- conjunctions and disjunctions -----------------------------------------------------

    def _clauses(
        self, where: Flags, width: int, below: int = _LONGEST
    ) -> Iterator[DigitAtom | None]:
        """Yield two formulas, or None for one that is not found, that agree with the set in the
        sample states ``where`` (n,): a conjunction of clauses, and the negation of such a
        conjunction.  A clause has up to ``width`` atoms; the size is up to ``below``."""
        yield self._conjunction(self._target & where, ~self._target & where, width, below)
        dual = self._conjunction(~self._target & where, self._target & where, width, below)
        yield dual and _not(dual)

    def _conjunction(self, true: Flags, false: Flags, width: int, below: int) -> DigitAtom | None:
        """Return a conjunction of clauses, each of up to ``width`` atoms, that is true in the
        states ``true`` and false in ``false``, flags (n,), of size up to ``below``; else None."""
        self.budget.check()
        if not false.any():
            return _atom(t.TRUE, true | True)
        if not true.any():
            return _atom(t.FALSE, true & False)
        needed = _packed(true)
        holds = np.array([bits & needed == needed for bits in self._bits])
        options = [self.atoms[i] for i in np.flatnonzero(holds)]
        if width == 2:
            options += self._pairs(true, false, [self.atoms[i] for i in np.flatnonzero(~holds)])
            options.sort(key=lambda option: option.size)
        fails = np.array([~option.truth[false] for option in options], dtype=bool)
        fails = fails.reshape(len(options), np.count_nonzero(false))
        # The cover branches on the state that fewest clauses refute first.
        fails = fails[:, np.argsort(fails.sum(axis=0), kind="stable")]
        weights, whole = [o.size + 1 for o in options], np.ones(fails.shape[1], dtype=bool)
        chosen = cover_of([*fails], weights, whole, _CLAUSES, below + 1)
        if chosen is None:
            return None
        # The clauses that hold in the fewest states of the sample come first.
        parts = sorted((options[i] for i in chosen), key=lambda p: int(p.truth.sum()))
        truth = np.logical_and.reduce([part.truth for part in parts])
        return _atom(conjunction(part.formula for part in parts), truth)

    def _pairs(self, true: Flags, false: Flags, literals: list[DigitAtom]) -> list[DigitAtom]:
        """Return clauses ``A or B`` of ``literals`` that hold in all states ``true`` (n,), with the
        smallest for each subset of the states ``false`` (n,) where it fails."""
        literals = [atom for atom in literals if atom.size <= _LITERAL]
        shape = len(literals), len(true)
        truth = np.array([atom.truth for atom in literals], dtype=bool).reshape(shape)
        misses = np.packbits(~truth[:, true], axis=1)
        refutes = np.packbits(~truth[:, false], axis=1)
        found: dict[bytes, tuple[int, int, int]] = {}
        for i, one in enumerate(literals):
            self.budget.check()
            fits = np.flatnonzero(~(misses[i + 1 :] & misses[i]).any(axis=1)) + i + 1
            both = refutes[fits] & refutes[i]
            useful = both.any(axis=1)
            for j, row in zip(fits[useful], both[useful], strict=True):
                cost = one.size + literals[j].size + 1
                key = row.tobytes()
                if key not in found or cost < found[key][0]:
                    found[key] = cost, i, int(j)
            if len(found) > _PAIRS:
                break
        return [_or(literals[i], literals[j]) for _, i, j in found.values()]

    def _equivalence(self) -> DigitAtom | None:
        """Return the smallest formula ``A and B, or neither`` of the set in the sample, or None."""
        # Its size counts as that of ``A <-> B``.
        by_truth = {atom.truth.tobytes(): atom for atom in reversed(self.atoms)}
        best: tuple[DigitAtom, DigitAtom] | None = None
        for one in self.atoms:
            other = by_truth.get((one.truth == self._target).tobytes())
            if other and (not best or one.size + other.size < best[0].size + best[1].size):
                best = one, other
        if best is None:
            return None
        cases = _or(self._both(*best), self._both(*map(_not, best)))
        return replace(cases, size=best[0].size + best[1].size + 1)

    def _both(self, one: DigitAtom, other: DigitAtom) -> DigitAtom:
        """Return ``one and other``, each part as an equation where the other part allows that."""
        other = self._within(one.truth, other)
        return _and(self._within(other.truth, one), other)

    def _within(self, where: Flags, atom: DigitAtom) -> DigitAtom:
        """Return an equation of the term of ``atom`` equal to it in ``where`` (n,); or ``atom``."""
        for each in self.atoms:
            match each.formula, atom.formula:
                case t.Compare((term, *_), ("=",)), t.Compare((same, *_), _) if term == same:
                    if not ((each.truth != atom.truth) & where).any():
                        return each
        return atom

    # --- formulas with exceptions ---------------------------------------------------------------

    def _splits(self) -> Iterator[DigitAtom]:
        for bound in self._bounds():
            far = _shortest(self._clauses(~bound.truth, 1))
            if far is None:
                continue
            beyond = _not(bound)
            options = list(self._except_states(far))
            for near in self._near(bound.truth):
                both = _and(bound, near)
                options += [_or(_and(beyond, far), near), _or(_and(beyond, far), both)]
                options += [_or(far, near), _or(far, both), _and(far, _or(beyond, near))]
            fitting = [o for o in options if np.array_equal(o.truth, self._target)]
            yield from filter(None, [_shortest(fitting)])

    def _near(self, where: Flags) -> list[DigitAtom]:
        """Return formulas that agree with the set in the states ``where`` (n,): a list of states,
        alone if it is short, else also conjunctions of atoms and negated ones."""
        listed = self._list_states(self._target & where)
        if listed and listed.size <= _POINTS:
            return [listed]
        return [f for f in (listed, *self._clauses(where, 1)) if f]

    def _bounds(self) -> Iterator[DigitAtom]:
        alone: list[t.Term] = [t.Name(group[0]) for group in self.classes if len(group) == 1]
        ordered = [term for low, high in extremes(self.classes) for term in (high, low)]
        for term in (*ordered, *alone):
            column = self.sample.column(term)
            for number in _SPLITS:
                truth = column <= number
                if truth.any() and not truth.all():
                    yield _atom(t.Compare((term, t.Int(number)), ("<=",)), truth)

    def _except_states(self, formula: DigitAtom) -> Iterator[DigitAtom]:
        more = self._list_states(self._target & ~formula.truth)
        fewer = self._list_states(~self._target & formula.truth)
        if more and fewer:
            yield _or(_and(formula, _not(fewer)), more)

    def _list_states(self, states: Flags) -> DigitAtom | None:
        """Return the formula that lists ``states`` (n,), flags, one by one; None for too many."""
        terms: list[t.Term] = [t.Name(variable) for variable in sorted(self.sample.env)]
        if len(terms) == 2 and len(self.classes) == 1:
            # Each state stands for its mirror image too.
            ((low, high),) = extremes(self.classes)
            terms = [low, high]
        rows = np.unique([self.sample.column(term)[states] for term in terms], axis=1).T
        if len(rows) > _LISTED:
            return None
        return _atom(_list_states(terms, rows.tolist()), states)


def _list_states(terms: list[t.Term], rows: list[list[int]]) -> t.Formula:
    if len(terms) == 1 and len(rows) > 1:
        return t.Member(terms[0], tuple(t.Int(row[0]) for row in rows))
    return disjunction(_point(terms, row) for row in rows)


def _point(terms: list[t.Term], row: list[int]) -> t.Formula:
    if isinstance(terms[0], t.Min) and len(set(row)) == 1:
        return t.Compare((terms[0].left, terms[0].right, t.Int(row[0])), ("=", "="))
    equal = (t.Compare((term, t.Int(n)), ("=",)) for term, n in zip(terms, row, strict=True))
    return conjunction(equal)


# --- combinations ----------------------------------------------------------------------------


def _packed(truth: Flags) -> int:
    return int.from_bytes(np.packbits(truth).tobytes(), "big")


def _atom(formula: t.Formula, truth: Flags) -> DigitAtom:
    return DigitAtom(formula, size(formula), truth)


def _not(atom: DigitAtom) -> DigitAtom:
    return _atom(negation(atom.formula), ~atom.truth)


def _and(*parts: DigitAtom) -> DigitAtom:
    truth = np.logical_and.reduce([part.truth for part in parts])
    return _atom(conjunction(part.formula for part in parts), truth)


def _or(*parts: DigitAtom) -> DigitAtom:
    truth = np.logical_or.reduce([part.truth for part in parts])
    return _atom(disjunction(part.formula for part in parts), truth)


def _shortest(found: Iterable[DigitAtom | None]) -> DigitAtom | None:
    return min((f for f in found if f), key=lambda f: f.size, default=None)
