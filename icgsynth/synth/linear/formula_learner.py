"""Learn candidate formulas of the losing states from labelled states, simplest first.

There are two learners, in order of cost: short formulas by exhaustive enumeration, and cells over a
vocabulary of literals, those of a quotient where one is seen.  Then the enumeration goes on below
the size of the best candidate, as far as a fixed effort reaches: it may find a smaller formula, or
exclude all smaller ones, which makes ``minimal`` true.

Every candidate agrees with all labels given; the proof decides whether it is right everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial, reduce
from itertools import chain, islice
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints, distinct, near_and_scattered
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, free_names, negation, reading, size, substitute, walk
from icgsynth.logic.evaluate import columns, on_states
from icgsynth.logic.simplify import linear_sum
from icgsynth.synth.linear.bank import Bank, EnumerationEffort
from icgsynth.synth.linear.cells import formulas_over
from icgsynth.synth.linear.literals import Literals
from icgsynth.synth.linear.polish import shorter, values_of

if TYPE_CHECKING:
    from icgsynth.synth.linear.vocabulary import Vocabulary

_NEAR, _FAR = 72, 56  # states of the first sample: the smallest, and others at random
_COUNTEREXAMPLES = 3  # states added to the sample in a round
_DERIVED = EnumerationEffort(rows=50_000, pairs=4_000_000)  # effort over terms, not variables
_PLAIN = 12  # size up to which formulas are not also learned over minimum and maximum
_CASES = 1.2  # factor by which a formula by cases may be longer than another formula
_NAMED = 2  # size that a name for a minimum or maximum adds to a formula
# Most leaves and connectives of a formula that people read.  A longer formula of three or more
# variables is written over minimum and maximum and so proved, though that takes longer.
READ = 40
_QUICK = 4  # sizes that are always enumerated before anything else is tried
_CERTIFIED = 8  # sizes enumerated to certify a formula one size longer as minimal
_REACH = 5  # sizes enumerated below a formula that is too long to certify
_TELLING = 48  # leaves and connectives of the longest two-level formula that is tried
_MOST_RUNS = 40  # most intervals of a list that stands for infinitely many states
_MANY = 4  # number of unbounded variables from which on small relations are tried
_ROUNDS = 20  # rounds of learning formulas over a vocabulary
_WRONG = 24  # misjudged states that join the sample for each formula
_LEAVES = 4  # most leaves of a literal, where no quotient is seen
_LONGEST = 12  # largest size enumerated as last resort; the effort stops it earlier


@dataclass(frozen=True)
class Examples:
    """Labelled states: ``states`` (n, d) int64 and ``target`` (n,), true on losing states."""

    variables: tuple[str, ...]
    states: Ints
    target: Flags

    def values(self, formula: t.Formula) -> Flags:
        """Return whether ``formula`` holds in the state of each example, shape (n,)."""
        return on_states(formula, self.variables, self.states)

    @property
    def is_one_kind(self) -> bool:
        """Whether all states are losing, or all winning, or there are none."""
        return bool(self.target.all() or not self.target.any())

    @property
    def is_symmetric(self) -> bool:
        """Whether states that are permutations of each other have equal labels."""
        from icgsynth.synth.linear.quotient import tells

        return tells(np.sort(self.states, axis=1), self.target)

    def of_terms(self, terms: Sequence[t.Term]) -> Examples:
        """Return examples with one variable for each of ``terms``, whose value it has; equal ones
        occur once, with the label of the first."""
        env = dict(zip(self.variables, self.states.T, strict=True))
        data = np.stack([columns(term, env) for term in terms], axis=1).astype(np.int64)
        distinct_rows, first = np.unique(data, axis=0, return_index=True)
        names = tuple(f"icg.{i}" for i in range(len(terms)))  # no names of a game
        return Examples(names, distinct_rows, self.target[first])

    def mismatches(self, formula: t.Formula) -> Ints:
        """Return the indices of the examples whose label ``formula`` gets wrong."""
        return np.flatnonzero(self.values(formula) != self.target)


@dataclass
class FormulaLearner:
    """Learns formulas for the losing states from labelled ``examples``.

    ``wide`` are the known labels of a wider box, which shows structure such as periods;
    ``free`` the columns of the unbounded variables; ``periods`` are tried besides short ones.
    With ``two_level``, two-level formulas are learned where no quotient is seen.
    A size is excluded only if it was enumerated to its end without a formula to offer: formulas
    that agree with an offered one on the sample are not enumerated."""

    examples: Examples
    constants_up_to: int
    budget: Budget
    effort: EnumerationEffort = field(default_factory=EnumerationEffort)
    wide: Examples | None = None
    free: Sequence[int] = ()
    periods: Sequence[int] = ()
    two_level: bool = True
    enumerated: int = 0
    offered: list[int] = field(default_factory=list)
    _sees_quotients: bool = False

    def __post_init__(self) -> None:
        if self.wide is not None and not len(self.wide.target):
            self.wide = None  # no label is known outside the examples
        self._use(_first_sample(self.examples))

    def candidates(self) -> Iterator[t.Formula]:
        """Yield formulas that agree with every example and are cheap to find; the caller takes the
        first that it can prove.  The method :meth:`costly` has more."""
        yield from self.short()
        yield from self.guesses()

    def short(self) -> Iterator[t.Formula]:
        """Yield formulas of a few leaves that agree with every example, the smallest first."""
        if self.examples.is_one_kind:
            yield t.TRUE if self.examples.target.all() else t.FALSE
        yield from self.up_to(_QUICK)

    def longer(self) -> Iterator[t.Formula]:
        """Yield longer formulas that agree with every example, by further enumeration."""
        yield from self.up_to(_LONGEST)

    @property
    def excluded(self) -> int:
        """The largest size such that no formula up to it fits the examples, by enumeration."""
        return min([self.enumerated, *(s - 1 for s in self.offered)])

    def excludes(self, below: int) -> bool:
        """Return whether no formula of a size less than ``below`` fits, as enumeration shows."""
        return self.enumerated >= below - 1 and all(s >= below for s in self.offered)

    def guesses(self) -> Iterator[t.Formula]:
        """Yield formulas that agree with every example, by cheap learners: of quotients (classes of
        states by residues and small values), periods, lists of numbers, and small relations."""
        listed = self._list_intervals()
        of_quotients: list[t.Formula] = []
        # If a list of intervals fits, shorter formulas get only a part of the time.
        is_short = any(size(formula) <= _PLAIN for formula in listed)
        share = self.budget.share(0.01 if is_short else 0.1) if listed else self.budget
        try:
            of_quotients = sorted(self._of_quotients(share), key=reading)
        except (BudgetSpent, OutOfReach):
            self.budget.check()
        self._sees_quotients = bool(of_quotients)
        found = sorted([*of_quotients[:1], *self._periodic(), *listed], key=reading)
        for formula in self._by_cases():  # alone, for the others hold in the same states
            told = found and size(found[0]) > _PLAIN and size(formula) <= _CASES * size(found[0])
            found = [formula] if told else [min((formula, *found), key=reading)]
        most = _PLAIN if len(self.free) == 2 else READ
        if (found or most == _PLAIN) and all(size(formula) > most for formula in found):
            in_order = [formula for _, formula in sorted(self.of_sorted(), key=itemgetter(0))]
            found = sorted(found + in_order, key=reading) if most == _PLAIN else in_order + found
        yield from found
        if not of_quotients:
            yield from self.of_relations()

    def costly(self) -> Iterator[t.Formula]:
        """Yield disjunctions of conjunctions that agree with every example; none if ``two_level``
        is off, or :meth:`guesses` saw a quotient (residues and small values determine labels)."""
        if not self._sees_quotients and self.two_level and len(self._sample):
            yield from self._two_level()

    def smaller(self, formula: t.Formula) -> Iterator[t.Formula]:
        """Yield formulas smaller than ``formula`` that agree with every example.  After the last
        one, :meth:`excludes` tells how far the enumeration came."""
        last = size(formula) - 1
        # Sizes past this cost much time, and are worth it only if they prove a formula minimal.
        certified = _CERTIFIED if len(self.examples.variables) <= 2 else _CERTIFIED - 2
        yield from self.up_to(last if last <= certified else _REACH)

    # --- enumeration -----------------------------------------------------------

    def up_to(self, largest: int) -> Iterator[t.Formula]:
        """Yield the formulas that agree with every example, of each size up to ``largest`` that was
        not enumerated before; stop at a size that takes more than the allowed effort."""
        for s in range(self.enumerated + 1, largest + 1):
            found = self.of_size(s)
            if found is None:
                return
            yield from found

    def of_size(self, s: int) -> list[t.Formula] | None:
        """Return formulas of ``s`` leaves and connectives that agree with every example.  Of those
        equal on the sample one is returned; None if this takes more than the allowed effort, and
        where all examples have one label."""
        if self.examples.is_one_kind:
            return None
        while True:
            target = self.examples.target[self._sample]
            found = self._bank.fits(s, target, self.examples.variables)
            if found is None:
                return None
            right = self._sift(found)
            if right is not None:
                self.enumerated = max(self.enumerated, s)
                self.offered += [s] * bool(right)
                return right

    def _sift(self, found: list[t.Formula]) -> list[t.Formula] | None:
        """Return those of ``found`` that agree with every example.  If all fail, return None, and
        add examples that they get wrong to the sample on which formulas are enumerated."""
        right: list[t.Formula] = []
        missed: list[int] = []
        for formula in found:
            wrong = self.examples.mismatches(formula)
            if len(wrong):
                missed += [int(i) for i in wrong[:1]]
            else:
                right.append(formula)
        if right or not missed:
            return sorted(right, key=reading)
        self._use(distinct(self._sample, np.array(missed[:_COUNTEREXAMPLES])))
        return None

    def _use(self, sample: Ints) -> None:
        """Use ``sample``, indices of examples, as the states on which to enumerate formulas."""
        self._sample = sample
        self._literals = Literals(
            self.examples.states[sample], self.constants_up_to, self.effort.rows, self.budget
        )
        self._bank = Bank(self._literals, self.effort)

    # --- the other learners ------------------------------------------------------

    def _line(self) -> tuple[Ints, Flags]:
        """Return the values (n,) of the only variable, ascending, and the labels (n,) of these."""
        seen = self.wide or self.examples
        order = np.argsort(seen.states[:, 0])
        return seen.states[order, 0], seen.target[order]

    def _list_intervals(self) -> list[t.Formula]:
        """Return formulas that list intervals of the only variable with losing states, or []."""
        # For a bounded variable also a list of stretches with a period. In an infinite set, the
        # last interval is longer than all before it.
        if self.wide is None or len(self.examples.variables) > 1 or self.examples.is_one_kind:
            return []
        from icgsynth.synth.linear.periodic import listed_intervals, listed_stretches

        values, target = self._line()
        if self.free and np.diff(target)[len(target) // 2 :].any():
            return []
        most = _MOST_RUNS if self.free else len(values)
        name = self.examples.variables[0]
        found = [listed_intervals(values, target, name, most)]
        if not self.free:
            found.append(listed_stretches(values, target, name))
        return [shorter(formula) for formula in found if formula is not None]

    def _periodic(self) -> Iterator[t.Formula]:
        if len(self.examples.variables) > 1:
            return
        from icgsynth.synth.linear.periodic import periodic_formula

        seen = self.wide or self.examples
        values, target = self._line()
        for wanted in (True, False):
            formula = periodic_formula(values, target == wanted, self.examples.variables[0])
            if formula is not None:
                losing = formula if wanted else negation(formula)
                if not len(seen.mismatches(losing)):
                    yield shorter(losing)

    def _by_cases(self) -> Iterator[t.Formula]:
        """Yield at most one formula, which has for each value of the bounded variables a periodic
        set of the one unbounded variable."""
        wide = self.wide
        if wide is None or len(self.free) != 1 or len(wide.variables) < 2 or wide.is_one_kind:
            return
        from icgsynth.synth.linear.periodic import periodic_by_cases

        others = tuple(np.delete(wide.variables, self.free).tolist())
        cases, found = periodic_by_cases(wide.states, wide.target, wide.variables, self.free[0])
        parts = [t.And((self._one_of(others, cases, here), said)) for said, here in found.items()]
        losing = shorter(t.Or(tuple(parts)))
        if not len(wide.mismatches(losing)):
            yield losing

    def _one_of(self, variables: tuple[str, ...], cases: Ints, here: Flags) -> t.Formula:
        """Return a formula over ``variables`` that holds for those rows of ``cases`` (m, k), their
        values, that are flagged in ``here`` (m,), and for no other row; FALSE if none is found."""
        if len(variables) == 1 and not here.all():
            return values_of(t.Name(variables[0]), cases[here, 0].tolist())
        learner = FormulaLearner(Examples(variables, cases, here), int(cases.max()), self.budget)
        return next(chain(learner.short(), learner.costly()), t.FALSE)

    def _of_quotients(self, budget: Budget) -> Iterator[t.Formula]:
        """Yield formulas that agree with the wide examples, over literals on residues and on small
        values of linear forms, where these determine the labels."""
        wide = self.wide
        if wide is None:
            return
        from icgsynth.synth.linear.quotient import quotients
        from icgsynth.synth.linear.vocabulary import of_quotient

        found = quotients(wide.states, wide.target, self.free, self.periods, budget)
        for quotient in found:
            words = partial(of_quotient, quotient, self.free)
            yield from self._over(words, wide, quotient.representatives(), budget)[:1]

    def of_sorted(self) -> Iterator[tuple[int, t.Formula]]:
        """Yield (size, formula) for formulas over minimum, maximum and sums of the variables, if
        labels are symmetric in these; the size is that of the formula if such terms have names."""
        wide = self.wide
        if wide is None or not len(wide.variables) == len(self.free) > 1 or not wide.is_symmetric:
            return
        share = self.budget.share(0.2)
        with suppress(BudgetSpent, OutOfReach):
            for terms in sorted_terms(wide, self.periods):
                yield from islice(self._over_terms(terms, wide, share), 1)

    def _over_terms(
        self, terms: Sequence[t.Term], examples: Examples, budget: Budget
    ) -> Iterator[tuple[int, t.Formula]]:
        """Yield (size, formula) for formulas over ``terms`` that agree with ``examples``; the size
        is that of the formula if each term has a name."""
        derived = examples.of_terms(terms)
        names = dict(zip(derived.variables, terms, strict=True))
        learner = FormulaLearner(derived, self.constants_up_to, budget, _DERIVED)
        longest = _CERTIFIED if len(terms) <= 2 else _QUICK
        for formula in chain(learner.up_to(longest), learner.costly()):
            used = [names[name] for name in free_names(formula)]
            odd = sum(isinstance(node, t.Mod) for term in used for node in walk(term))
            told = size(formula) + _NAMED * len(used) + odd
            yield told, fold(substitute(formula, names))

    def of_relations(self) -> Iterator[t.Formula]:
        """Yield at most one formula, a disjunction of conjunctions of relations such as
        ``a = b + c``, that fits ``wide``; none for fewer than 4 unbounded variables."""
        wide = self.wide
        if wide is None or len(self.free) < _MANY:
            return
        from icgsynth.synth.linear.small_relations import cells_of_relations

        share = self.budget.share(0.4)
        losing = cells_of_relations(wide.variables, wide.states, wide.target, share)
        if losing is not None and not len(wide.mismatches(losing)):
            yield losing

    def _two_level(self) -> Iterator[t.Formula]:
        from icgsynth.synth.linear.vocabulary import of_sizes

        def words(states: Ints) -> Vocabulary:
            limit = self.effort.rows
            return of_sizes(Literals(states, self.constants_up_to, limit, self.budget), _LEAVES)

        found = self._over(words, self.examples, self._sample, self.budget)
        # A longer formula merely lists the labels of this box, and is seldom right beyond it.
        yield from [f for f in found if size(f) <= _TELLING][:1]

    def _over(
        self, words: Callable[[Ints], Vocabulary], examples: Examples, rows: Ints, budget: Budget
    ) -> list[t.Formula]:
        """Return formulas that agree with ``examples``, shortest first, or [].  They are over
        literals that ``words`` chooses for given states: at first for those of the examples with
        the indices ``rows``, then also for some that a formula gets wrong."""
        for _ in range(_ROUNDS):
            vocabulary = words(examples.states[rows])
            target, names = examples.target[rows], examples.variables
            formulas = formulas_over(vocabulary, target, names, budget)
            wrong = [examples.mismatches(f) for f in formulas]
            right = [f for f, w in zip(formulas, wrong, strict=True) if not len(w)]
            if right or not formulas:
                return right
            some = np.concatenate([w[:: max(1, len(w) // _WRONG)][:_WRONG] for w in wrong])
            rows = distinct(rows, some)
        return []


def sorted_terms(examples: Examples, periods: Sequence[int]) -> Iterator[tuple[t.Term, ...]]:
    """Yield tuples of terms that are symmetric in the variables, as (minimum, sum), whose values
    determine the label of each example.  ``periods`` are divisors to try."""
    # For two variables the minimum, and their sum plus the minimum div p, for each of the
    # ``periods`` p where remainders by p and 2 decide: Codeforces 36D is lost where
    # ``(n + m + min(n, m) div (k + 1)) mod 2 = 0``, but for some remainders of the minimum. For
    # three or more the maximum, the sum and the number of odd ones; for three also all sorted.
    from icgsynth.synth.linear.quotient import tells

    names: list[t.Term] = [t.Name(variable) for variable in examples.variables]
    least, most = reduce(t.Min, names), reduce(t.Max, names)
    if len(names) == 2:
        for divisor in (p for p in periods if p > 1):
            raised = t.Sum((*names, t.Div(least, t.Int(divisor))))
            derived = examples.of_terms((least, raised))
            if tells(derived.states % (divisor, 2), derived.target):
                yield least, raised
        return
    odd = t.Sum(tuple(t.Mod(name, t.Int(2)) for name in names))
    chosen: list[tuple[t.Term, ...]] = [(most, t.Sum(tuple(names)), odd)]
    if len(names) == 3:
        middle = linear_sum({**dict.fromkeys(names, 1), least: -1, most: -1})
        chosen = [(least, middle, most), *chosen, (least, middle, most, odd)]
    env = dict(zip(examples.variables, examples.states.T, strict=True))
    for terms in chosen:
        data = np.stack([columns(term, env) for term in terms], axis=1)
        if tells(data, examples.target):
            yield terms


def _first_sample(examples: Examples) -> Ints:
    """Return the indices of examples to begin with: the nearest to 0, and some scattered ones."""
    # The smallest losing state and the smallest winning state are included, if there are any.
    size = np.abs(examples.states).sum(axis=1)
    kinds = map(np.flatnonzero, (examples.target, ~examples.target))
    smallest = [rows[[size[rows].argmin()]] for rows in kinds if len(rows)]
    return distinct(near_and_scattered(examples.states, _NEAR, _FAR), *smallest)
