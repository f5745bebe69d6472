"""Find the finite quotient of a Presburger set on labelled states.

A Presburger set is a union of classes: two states that agree on the bounded coordinates, on clipped
linear functionals and on residues are both inside or both outside (Ginsburg and Spanier, 1966).
:func:`quotients` searches directions, thresholds and a period under which equal keys have equal
labels, and nearly all outer states have a key of an inner state: then a formula over the literals
of the quotient is a guess worth proving, and a few states of each key represent all."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import gcd

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.synth.linear.literals import Coefficients, form_of

_REPEATS = 2  # full periods that must be seen beyond the first, along one variable
_HELD_BACK = 0.34  # outer part of the box's width, whose states test a quotient
_UNSEEN = 0.02  # most outer states, as a part, whose key no inner state has
_PERIODS, _THRESHOLD = 16, 30  # largest ones tried, with two or more unbounded variables
_WIDE = 2_000_000  # keys above are renumbered before a table is made of them
_SLOPES = 12  # largest coefficient of a direction read off the losing states
_NOT_LEGAL = 2  # the label of illegal states, beside 0 and 1
_LCM = 120  # longest joint period of slices that is used as one modulus


@dataclass(frozen=True, eq=False)
class Quotient:
    """A quotient of states: states with equal ``keys`` (n,) have equal labels.  The keys are
    determined by the values of the bounded variables, by each of ``forms`` (with its range) clipped
    to ``(lo, hi)``, and by the residues modulo the ``moduli``."""

    keys: Ints
    forms: tuple[tuple[Coefficients, int, int], ...]
    moduli: tuple[int, ...]
    classes: int

    def representatives(self) -> Ints:
        """Return, ascending, the index of the first state with each key."""
        return np.sort(np.unique(self.keys, return_index=True)[1])


def quotients(
    states: Ints, target: Flags, free: Sequence[int], extra_periods: Sequence[int], budget: Budget
) -> Iterator[Quotient]:
    """Yield quotients of ``states`` (n, d), those with few linear forms first: a key for each state
    such that states with equal keys have equal ``target`` (n,).

    ``states`` are those of a box at 0; ``free`` are the columns of the unbounded variables, which
    are never negative.  ``extra_periods`` are tried as moduli besides the small numbers."""
    if not len(states) or states[:, list(free)].min(initial=0) < 0:
        return
    if not free:
        keys = _dense(states)
        yield Quotient(keys, (), (), int(keys.max()) + 1)
    elif len(free) == 1:
        one = _along_one(states, target, free[0])
        if one is not None:
            yield one
    else:
        yield from _Search(states, target, free, extra_periods, budget).find()


# --- one unbounded variable ----------------------------------------------------------


def _along_one(states: Ints, target: Flags, free: int) -> Quotient | None:
    """Return a quotient by residues of the variable of the column ``free``, unbounded, for each
    case of the others; None if ``target`` (n,) is not periodic there in some case."""
    # Preperiods and periods of slices may differ. Where the rules leave values out, a slice has
    # three labels: lost, won and not legal.
    d = states.shape[1]
    slices = _dense(states[:, [i for i in range(d) if i != free]])
    value = states[:, free]
    end = int(value.max())
    keys = np.zeros(len(states), np.int64)
    start, moduli = 0, set()
    used = 0
    for s in range(int(slices.max(initial=0)) + 1):
        rows = np.flatnonzero(slices == s)
        rows = rows[np.argsort(value[rows])]
        values = value[rows]
        # Legal values of a slice are values[0] + step * place: places are counted, not values, so
        # that a slice with even numbers alone has no label "not legal" at every second one.
        step = max(1, int(np.gcd.reduce(np.diff(values))))
        place = (values - values[:1]) // step
        labels = label_places(place, target[rows])
        # The key of place p is p below ``before``, else before + (p - before) mod period.
        is_whole = len(rows) and int(values[-1]) < end - max(2, end // 10)  # no larger is legal
        fit = (len(labels), 1, 0) if is_whole else ultimate_period(labels)
        if fit is None:
            return None
        before, period, _ = fit
        keys[rows] = used + np.where(place < before, place, before + (place - before) % period)
        used += before + period
        if len(rows):
            # In values the pre-period ends at the first value plus ``before`` steps, and the period
            # is ``period`` steps.
            start = max(start, int(values[0]) + before * step)
            moduli.add(period * step)
    # The key above tells the slice and the place in its own (pre-period, period): equal keys have
    # equal labels, by ultimate_period.
    joint = int(np.lcm.reduce(list(moduli))) if moduli else 1
    if joint <= _LCM and start + 2 * joint <= end + 1:
        moduli.add(joint)
        # All slices get the same threshold and the same period.  Then the key of a state says
        # whether a literal with this threshold or modulus holds there.
        local = np.where(value < start, value, start + (value - start) % joint)
        keys = _compact(slices * (start + joint) + local)
        used = int(keys.max(initial=0)) + 1
    unit = tuple(int(i == free) for i in range(d))
    return Quotient(keys, ((unit, 0, start),), tuple(sorted(moduli - {1})), used)


def label_places(places: Ints, target: Flags) -> Ints:
    """Return (m,) labels of 0, 1, 2, .. up to the last of ``places`` (n,): ``target[i]`` (n,) as 0
    or 1 at ``places[i]``, and 2 elsewhere."""
    labels = np.full(int(places.max(initial=-1)) + 1, _NOT_LEGAL)
    labels[places] = target
    return labels


def ultimate_period(
    values: Ints, repeats: int = _REPEATS, rises: bool = False
) -> tuple[int, int, int] | None:
    """Return (preperiod, period, saltus) of ``values`` (n,), with the least preperiod + period;
    None unless ``repeats`` full periods are seen beyond the first.  The value one period later is
    the value plus the saltus, which is 0 unless ``rises``."""
    count, best = len(values), None
    for period in range(1, count // (repeats + 1) + 1):
        # values[i + period] = values[i] + saltus for all i from ``start`` on, one past the last i
        # that violates this.
        steps = values[period:] - values[:-period]
        saltus = int(steps[-1]) if rises else 0
        differs = np.flatnonzero(steps != saltus)
        start = int(differs[-1]) + 1 if len(differs) else 0
        # At the end of a long list of exceptions, some values in a row prove little.
        tail = max((repeats + 1) * period + 2, count // 4)
        if start + tail <= count and (best is None or start + period < best[0] + best[1]):
            best = start, period, saltus
    return best


# --- several unbounded variables -------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Search:
    states: Ints
    target: Flags
    free: Sequence[int]
    extra_periods: Sequence[int]
    budget: Budget

    def find(self) -> Iterator[Quotient]:
        """Yield quotients, those with few linear forms first, until one has few classes."""
        seen: set[tuple[Coefficients, ...]] = set()
        fewest = len(self.states)
        for directions in self._families():
            if directions in seen:
                continue
            seen.add(directions)
            fits = sorted(self._fits(directions), key=lambda q: q.classes)
            fits = [q for q in fits if q.classes < fewest]
            yield from fits[:2]
            if fits:
                fewest = fits[0].classes
            # A key that stands for eight states on average is coarse enough; later families are
            # larger.
            if fewest * 8 < len(self.states):
                return

    def _families(self) -> Iterator[tuple[Coefficients, ...]]:
        d, free = self.states.shape[1], self.free

        def forms(*each: Mapping[int, int]) -> tuple[Coefficients, ...]:
            return tuple(form_of(d, at) for at in each)

        axes = forms(*({i: 1} for i in free))
        apart = axes + forms(*({i: 1, j: -1} for i, j in combinations(free, 2)))
        # Coordinates alone; then with differences; then with lines near which losing states lie
        # (two variables), or sums and differences of three.
        yield axes
        yield apart
        if len(free) == 2:
            i, j = free
            lines = forms(*({i: a, j: -b} for a, b in _lines(self.states[self.target][:, [i, j]])))
            yield from (axes + lines[:count] for count in range(1, len(lines) + 1))
            yield apart + forms({i: 2, j: -1}, {i: 1, j: -2})
        elif len(free) == 3:
            i, j, k = free
            yield apart + forms({i: 1, j: 1, k: -1}, {i: 1, k: 1, j: -1}, {j: 1, k: 1, i: -1})

    def _fits(self, directions: tuple[Coefficients, ...]) -> Iterator[Quotient]:
        states, free = self.states, list(self.free)
        width = int(states[:, free].max(initial=0)) + 1
        # Outer states are a test set: nearly all must have keys of inner states (``_least``).
        inner = np.asarray((states[:, free] < width * (1 - _HELD_BACK)).all(axis=1))
        values = states @ np.array(directions, dtype=np.int64).T
        slices = _dense(np.delete(states, free, axis=1))
        periods = {*range(1, min(_PERIODS, width // 4) + 1)}
        periods |= {p for p in self.extra_periods if 0 < 2 * p <= width}
        # More classes than a third of the states say too little.
        best = len(states) // 3 + 1
        for period in sorted(periods):
            self.budget.check()
            # One number for the slice and x_i mod period, for each free i: digits in mixed radix.
            residues = slices
            for i in free:
                residues = residues * period + states[:, i] % period
            residues = _compact(residues)
            # Up to this threshold two periods beyond it are seen within the inner part of the box.
            room = int(width * (1 - _HELD_BACK)) - 2 * period
            if period in self.extra_periods:
                room = max(room, int(width * 0.6) - period)
            most = min(_THRESHOLD, room)
            if most < 0:
                continue
            keys = self._least(residues, directions, values, most, inner)
            if keys is None:
                continue
            clips, key = keys
            classes = int(key.max()) + 1
            if classes >= best:
                continue
            best = classes
            forms = tuple((f, *c) for f, c in zip(directions, clips, strict=True))
            yield Quotient(key, forms, (period,) if period > 1 else (), classes)

    def _least(
        self,
        residues: Ints,
        directions: tuple[Coefficients, ...],
        values: Ints,
        most: int,
        inner: Flags,
    ) -> tuple[list[tuple[int, int]], Ints] | None:
        """Return (ranges, keys): the least ranges (lo, hi) to clip each form to so that keys tell
        the labels, and the keys (n,), made of clipped forms and ``residues`` (n,); or None.
        ``values`` (n, forms) are those of the forms ``directions``; ranges reach to ``most``.  None
        also if keys fit by chance: many states that are not ``inner`` (n,) have new keys."""
        mixed = [min(f) < 0 for f in directions]

        def clips(thresholds: Sequence[int]) -> list[tuple[int, int]]:
            # Forms that may be negative are clipped to -t .. t, other forms to 0 .. t.
            return [(-t if m else 0, t) for t, m in zip(thresholds, mixed, strict=True)]

        def key(thresholds: Sequence[int]) -> Ints:
            # Mixed radix again: the residues are the leading digit, each clipped form is one digit
            # more.
            keys = residues
            for i, (lo, hi) in enumerate(clips(thresholds)):
                if hi > lo:
                    keys = keys * (hi - lo + 1) + (np.clip(values[:, i], lo, hi) - lo)
            return keys

        def fits(thresholds: Sequence[int]) -> bool:
            return _is_function(key(thresholds), self.target)

        count = len(directions)
        # A higher threshold splits keys and joins none.  So thresholds above one that fits also
        # fit, and the least is found by bisection.
        if not fits([most] * count):
            return None
        least = bisect_left(range(most), True, key=lambda t: fits([t] * count))
        thresholds = [least] * count
        # Only the thresholds of sums and differences are lowered further.  Single coordinates keep
        # theirs, so that a formula can distinguish their values up to it.
        for i in range(len(self.free), count):

            def is_lowered(t: int, i: int = i) -> bool:
                return fits([*thresholds[:i], t, *thresholds[i + 1 :]])

            thresholds[i] = bisect_left(range(thresholds[i]), True, key=is_lowered)
        keys = _compact(key(thresholds))
        # The test that the quotient does not fit by chance: at most _UNSEEN of the outer states
        # have a key that no inner state has.
        seen = np.zeros(int(keys.max()) + 1, bool)
        seen[keys[inner]] = True
        outer = keys[~inner]
        if len(outer) and (~seen[outer]).mean() > _UNSEEN:
            return None
        return clips(thresholds), keys


def tells(data: Ints, target: Flags) -> bool:
    """Return whether equal rows of ``data`` (n, d) always have equal labels in ``target`` (n,)."""
    return _is_function(np.unique(data, axis=0, return_inverse=True)[1].reshape(-1), target)


def _is_function(keys: Ints, target: Flags) -> bool:
    """Return whether equal ``keys``, natural numbers (n,), have equal labels ``target`` (n,)."""
    width = int(keys.max(initial=0)) + 1
    if width > max(_WIDE, len(keys)):
        return _is_function(_compact(keys), target)
    # Mark the keys of all true states; a false state with a marked key is a contradiction.
    inside = np.zeros(width, bool)
    inside[keys[target]] = True
    return not inside[keys[~target]].any()


def _compact(keys: Ints) -> Ints:
    """Return ``keys`` renumbered 0 .. k - 1; equal keys get equal numbers."""
    width = int(keys.max(initial=0)) + 1
    if width <= _WIDE:
        used = np.zeros(width, bool)
        used[keys] = True
        different = np.flatnonzero(used)
        number = np.empty(width, np.int64)  # most entries are neither written nor read
        number[different] = np.arange(len(different))
        return np.asarray(number[keys])
    return np.asarray(np.unique(keys, return_inverse=True)[1].reshape(-1))


def _dense(columns: Ints) -> Ints:
    """Return (n,) a number from 0 on for each row of ``columns`` (n, d), equal for equal rows."""
    keys = np.zeros(len(columns), np.int64)
    for column in columns.T:
        low = int(column.min(initial=0))
        # Mixed radix: each column is one digit, counted from its least value.
        keys = keys * (int(column.max(initial=0)) - low + 1) + (column - low)
    return _compact(keys)


def _lines(losing: Ints) -> list[tuple[int, int]]:
    """Return pairs (a, b) of lines ``a x = b y`` near which many of the points ``losing`` (n, 2)
    lie; [] if there are few points or no such lines."""
    far = losing[(losing.min(axis=1) >= 2) & (losing.max(axis=1) >= 8)]
    if len(far) < 4:
        return []
    span = range(1, _SLOPES + 1)
    slopes = [(a, b) for a in span for b in span if gcd(a, b) == 1]
    off = np.abs(far @ (np.array(slopes) * (1, -1)).T)  # |a x - b y|, (points, slopes)
    near = off <= np.array([max(a, b) + 2 for a, b in slopes])
    price = 1 + 0.03 * np.array([a + b for a, b in slopes])
    found: list[tuple[int, int]] = []
    covered = np.zeros(len(far), bool)
    for _ in range(4):
        gain = (near & ~covered[:, None]).sum(axis=0) / price
        best = int(gain.argmax())
        if gain[best] < max(3, 0.05 * len(far)):
            break
        found.append(slopes[best])
        covered |= near[:, best]
        if covered.mean() > 0.97:
            break
    return found
