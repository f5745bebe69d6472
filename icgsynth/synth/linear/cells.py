"""Learn formulas over a vocabulary of literals: prime cells, then a cheapest cover.

Cells come from three sources: conjunctions of one or two literals that hold only inside the
target; conjunctions with a set of values for one literal (``a < b and c mod 9 in {0, 2}``); and
the leaves of a decision tree and cells around states, each made prime by dropping literals in
several orders.  A decision tree always ends, so there is a formula whenever the vocabulary
separates the labels; the cover makes it short, and so does factoring out of shared literals;
residues of one term become a set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints, Words, pack, unpack
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation, reading, size
from icgsynth.synth.cover import Weighted, as_integer, cheapest_cover
from icgsynth.synth.linear.literals import LinearLiteral, linear_term, meets, row_keys
from icgsynth.synth.linear.polish import shorter, values_of

if TYPE_CHECKING:
    from icgsynth.synth.linear.vocabulary import Vocabulary

# --- the wording of a cover ----------------------------------------------------------------------


def factored(cells: Sequence[t.Formula]) -> t.Formula:
    """Return the disjunction of the conjunctions ``cells`` with shared literals factored out.
    ``(p and q) or (p and r)`` is ``p and (q or r)``; residues of one term become a set."""
    parts = [set(_literals(c)) for c in cells]
    counts: dict[t.Formula, int] = {}
    for literals in parts:
        for literal in literals:
            counts[literal] = counts.get(literal, 0) + 1
    shared = [(n * size(f), str(f), f) for f, n in counts.items() if n > 1]
    if not shared:
        return shorter(disjunction(cells))
    literal = max(shared)[2]
    with_it = [c for c, p in zip(cells, parts, strict=True) if literal in p]
    without = [c for c, p in zip(cells, parts, strict=True) if literal not in p]
    inner = [conjunction(x for x in _literals(c) if x != literal) for c in with_it]
    joined = conjunction((literal, factored(inner)))
    return disjunction([joined, *(_disjuncts(factored(without)) if without else ())])


def _literals(cell: t.Formula) -> tuple[t.Formula, ...]:
    return cell.args if isinstance(cell, t.And) else (cell,)


def _disjuncts(formula: t.Formula) -> tuple[t.Formula, ...]:
    return formula.args if isinstance(formula, t.Or) else (formula,)


# --- cells ---------------------------------------------------------------------------------------

_PAIRED = 900  # literals of which all pairs are tried
_MOST_PAIRS = 200_000  # most pairs kept, the smallest, to save memory
_PER_STATE = 12  # cells kept for each state, the best by states covered per leaf
_CHUNK = 2_048  # cells whose bits are unpacked at once, to save memory
_LEAVES = 1_500  # most leaves of the decision tree; a larger tree has learned no rule
_WEIGHT = 1e-3  # weight of a literal's size against impurity, for each state
_LEAF = 0.02  # fraction by which each leaf lowers the worth of a literal

Path = tuple[int, ...]  # indices of literals, joined by "and"


@dataclass(frozen=True, slots=True)
class _Cell:
    """A conjunction of the literals ``path`` and, if any, the disjunction of ``values``."""

    path: Path
    values: Path = ()


def formulas_over(
    vocabulary: Vocabulary, target: Flags, variables: Sequence[str], budget: Budget
) -> list[t.Formula]:
    """Return up to two formulas over the literals of ``vocabulary`` that hold in exactly the states
    flagged in ``target`` (n,), shortest first.

    One is a disjunction of conjunctions (cells), the other the negation of one.  Empty where the
    literals do not tell these states from the others, or only with far too many cells."""
    if not target.any() or target.all():
        return [t.TRUE if target.all() else t.FALSE]
    leaves = _tree(vocabulary, target, budget)
    if leaves is None:
        return []
    found: list[t.Formula] = []
    for wanted in (True, False):
        inside = target == wanted
        paths = [path for path, label in leaves if label == wanted]
        paths += _around(vocabulary, inside, budget)
        cells = dict.fromkeys(_Cell(p) for p in _prime(vocabulary, inside, paths))
        cells |= dict.fromkeys(_short(vocabulary, inside, _PER_STATE))
        formula = _cover(vocabulary, inside, list(cells), variables, budget)
        if formula is not None:
            found.append(shorter(formula if wanted else negation(formula)))
    return sorted(found, key=reading)


def cover_between(
    vocabulary: Vocabulary,
    needed: Flags,
    inside: Flags,
    variables: Sequence[str],
    budget: Budget,
    each: int,
) -> t.Formula | None:
    """Return a cheap disjunction of short conjunctions of literals that is true in all states
    ``needed`` and only in states ``inside``, flags (n,); None if none is found.  ``each`` is the
    number of conjunctions that are tried for each state."""
    cells = list(_short(vocabulary, inside, each))
    return _cover(vocabulary, needed, cells, variables, budget)


def _short(vocabulary: Vocabulary, inside: Flags, each: int) -> Iterator[_Cell]:
    """Yield short conjunctions that hold only in states flagged in ``inside`` (n,): for each of
    these about ``each``, those with the most states for their size."""
    bits, sizes = vocabulary.bits[:_PAIRED], vocabulary.sizes[:_PAIRED]
    here, there = pack(inside[None])[0], pack(~inside[None])[0]
    outside = (bits & there).any(axis=1)
    useful = (bits & here).any(axis=1)
    single = np.flatnonzero(useful & ~outside)
    open_ = np.flatnonzero(useful & outside)
    a = bits[open_]
    i, j = np.nonzero(~meets(a & there, a) & meets(a & here, a))  # together only inside
    if len(i) > _MOST_PAIRS:
        cheap = np.argsort(sizes[open_[i]] + sizes[open_[j]], kind="stable")[:_MOST_PAIRS]
        i, j = i[cheap], j[cheap]
    i, j = open_[i], open_[j]
    both = bits[i] & bits[j]
    once = i < j
    rows = [bits[single], both[once]]
    weights = [sizes[single], (sizes[i] + sizes[j] + 1)[once]]
    cells = [_Cell((s,)) for s in single.tolist()]
    pairs = np.stack([i[once], j[once]], axis=1)
    sets: list[_Cell] = []
    alone = np.full(len(single), -1)
    for union, weight, cell in _value_sets(
        np.concatenate([alone, i]),
        np.concatenate([single, j]),
        _families(vocabulary),
        np.concatenate([bits[single], both]),
        sizes,
    ):
        rows.append(union[None])
        weights.append(np.array([weight]))
        sets.append(cell)
    best = _best_for_each(np.concatenate(rows), np.concatenate(weights), inside, each)
    for row in best:
        if row < len(cells):
            yield cells[row]
        elif row < len(cells) + len(pairs):
            yield _Cell(tuple(pairs[row - len(cells)].tolist()))
        else:
            yield sets[row - len(cells) - len(pairs)]


def _best_for_each(sets: Words, weights: Ints, inside: Flags, most: int) -> list[int]:
    """Return indices of rows of ``sets``, subsets of ``inside`` (n,), with the most states for
    their ``weights`` first, until each state of ``inside`` is in ``most`` of them, if possible."""
    # A row is taken if fewer than ``most`` before have one of its states; of equals the lightest.
    covered = np.bitwise_count(sets).sum(axis=1, dtype=np.int64)
    ranked = np.lexsort((weights, -(covered / (weights + 1))))
    counts = np.zeros(len(inside), np.int64)
    chosen: list[int] = []
    seen: set[bytes] = set()
    for start in range(0, len(ranked), _CHUNK):
        rows = ranked[start : start + _CHUNK]
        _, first = np.unique(row_keys(sets[rows]), return_index=True)
        rows = rows[np.sort(first)]
        on = unpack(sets[rows], len(counts))
        open_ = (on & (counts < most)).any(axis=1)
        for row, states in zip(rows[open_], on[open_], strict=True):
            key = sets[row].tobytes()
            if key not in seen and (counts[states] < most).any():
                seen.add(key)
                counts[states] += 1
                chosen.append(int(row))
        if (counts[inside] >= most).all():
            break
    return chosen


def _families(vocabulary: Vocabulary) -> Ints:
    """Return (literals,) a number for each literal of ``vocabulary``: equal numbers for equations
    that differ only in their constant, -1 for a literal that is no equation."""
    numbers: dict[tuple[tuple[int, ...], int], int] = {}
    return np.array(
        [
            numbers.setdefault((x.coefficients, x.modulus), len(numbers)) if x.op == "=" else -1
            for x in vocabulary.literals
        ],
        dtype=np.int64,
    )


def _value_sets(
    context: Ints, literal: Ints, families: Ints, bits: Words, sizes: Ints
) -> Iterator[tuple[Words, int, _Cell]]:
    """Yield (states, weight, cell) for unions of cells like ``p and a mod 5 in {1, 2}``.  Given are
    cells i, of states ``bits[i]``, that join the literals number ``context[i]`` (-1: none) and
    ``literal[i]``, of given ``sizes``.  United are those of equal ``context`` and ``families``:
    they differ in the constant of an equation alone."""
    family = families[literal]
    order = np.lexsort((family, context))
    order = order[family[order] >= 0]
    if not len(order):
        return
    key = np.stack([context[order], family[order]], axis=1)
    starts = np.flatnonzero(np.r_[True, (np.diff(key, axis=0) != 0).any(axis=1)])
    ends = np.r_[starts[1:], len(order)]
    several = ends - starts > 1
    unions = np.bitwise_or.reduceat(bits[order], starts, axis=0)
    for k in np.flatnonzero(several):
        members = literal[order[starts[k] : ends[k]]]
        first = int(context[order[starts[k]]])
        path = (first,) if first >= 0 else ()
        weight = int(sizes[members[0]]) + len(members) - 1  # 1 for each number past the first
        weight += int(sizes[first]) + 1 if path else 0
        yield unions[k], weight, _Cell(path, tuple(int(m) for m in members))


# --- the decision tree -----------------------------------------------------------------


def _tree(vocabulary: Vocabulary, target: Flags, budget: Budget) -> list[tuple[Path, bool]] | None:
    """Return the leaves of a decision tree that tells the states ``target`` (n,) from all others:
    pairs (indices of the literals true on the way to the leaf, whether the leaf is in ``target``).
    None where the tree gets too large, or the literals do not tell the states apart."""
    rows = vocabulary.rows[::2]  # a complement splits as its literal does
    price = np.asarray(vocabulary.sizes[::2] * _WEIGHT, dtype=np.float64)
    leaves: list[tuple[Path, bool]] = []
    stack: list[tuple[Ints, Path]] = [(np.arange(len(target)), ())]
    while stack:
        budget.check()
        states, path = stack.pop()
        labels = target[states]
        if labels.all() or not labels.any():
            leaves.append((path, bool(labels[0])))
            continue
        if len(leaves) + len(stack) > _LEAVES or not len(rows):
            return None
        here = rows if len(states) == len(target) else rows[:, states]
        split = _best_split(here, labels, price)
        if split is None:
            return None
        on = rows[split, states]
        stack.append((states[on], (*path, 2 * split)))
        stack.append((states[~on], (*path, 2 * split + 1)))  # the complement is the next literal
    return leaves


def _best_split(rows: Flags, labels: Flags, price: NDArray[np.float64]) -> int | None:
    """Return the index of the row of ``rows`` (literals, n) that splits ``labels`` (n,) best, by
    Gini impurity and by the ``price`` (literals,) of the literal; None if all rows are constant."""
    count, inside = len(labels), int(labels.sum())
    n = rows.sum(axis=1, dtype=np.int64)
    p = rows[:, labels].sum(axis=1, dtype=np.int64)
    # Of n states with p inside, p (n - p) / n is half of n times the impurity 2 p (n - p) / n^2.
    with np.errstate(divide="ignore", invalid="ignore"):
        left = np.where(n > 0, p * (n - p) / n, 0.0)
        rest = np.where(count > n, (inside - p) * ((count - n) - (inside - p)) / (count - n), 0.0)
    score = left + rest + price * (1 + count)
    score[(n == 0) | (n == count)] = np.inf
    best = int(np.argmin(score))
    return None if np.isinf(score[best]) else best


# --- cells around states ---------------------------------------------------------------


def _around(vocabulary: Vocabulary, inside: Flags, budget: Budget) -> list[Path]:
    """Return conjunctions, each a tuple of indices of literals, that hold only in states of
    ``inside`` (n,), and of which one holds in each of these states."""
    # From a state in no cell yet, literals that hold there are added until no state outside is
    # left (Quinlan, Learning logical definitions from relations, 1990), each with the largest
    # product of states kept inside and states removed outside.
    rows, price = vocabulary.rows, 1 - _LEAF * vocabulary.sizes
    open_ = inside.copy()
    found: list[Path] = []
    # The last states lie far out, where literals seldom hold by chance.
    for seed in np.flatnonzero(inside)[::-1]:
        if not open_[seed]:
            continue
        budget.check()
        usable = np.flatnonzero(rows[:, seed])
        here = vocabulary.bits[usable]
        left, outside = pack(inside[None])[0], pack(~inside[None])[0]
        path: list[int] = []
        while outside.any():
            kept = np.bitwise_count(here & left).sum(axis=1, dtype=np.int64)
            gone = np.bitwise_count(outside & ~here).sum(axis=1, dtype=np.int64)
            best = int((kept * gone * price[usable]).argmax())
            path.append(int(usable[best]))
            left, outside = left & here[best], outside & here[best]
        found.append(tuple(path))
        open_ &= ~unpack(left[None], len(inside))[0]
    return found


def _prime(vocabulary: Vocabulary, inside: Flags, paths: Sequence[Path]) -> dict[Path, None]:
    """Return the conjunctions ``paths`` without literals that each can spare and still be false
    outside ``inside`` (n,); as keys of a dict, up to three of each for three orders of dropping."""
    outside = pack(~inside[None])[0]
    bits = vocabulary.bits & outside
    cells: dict[Path, None] = {}
    for path in paths:
        orders = (
            sorted(path, key=lambda i: -int(vocabulary.sizes[i])),
            list(path),
            list(reversed(path)),
        )
        for order in orders:
            cells[_drop(bits, outside, order)] = None
    return cells


def _drop(bits: Words, outside: Words, order: Sequence[int]) -> Path:
    kept = list(dict.fromkeys(order))
    for literal in list(kept):
        rest = [i for i in kept if i != literal]
        reach = outside.copy()  # becomes the states outside in which all other literals hold
        for i in rest:
            reach &= bits[i]
        if not reach.any():
            kept = rest
    return tuple(sorted(kept))


# --- the cover -----------------------------------------------------------------------------


def _cover(
    vocabulary: Vocabulary,
    needed: Flags,
    cells: Sequence[_Cell],
    variables: Sequence[str],
    budget: Budget,
) -> t.Formula | None:
    sets = [_weigh(vocabulary, cell) for cell in cells]
    budget.check()
    chosen = cheapest_cover(sets, as_integer(pack(needed[None])[0]))
    if chosen is None:
        return None
    return factored([_formula(vocabulary, cells[i], variables) for i in chosen])


def _weigh(vocabulary: Vocabulary, cell: _Cell) -> Weighted:
    words = vocabulary.bits.shape[1]
    reach = np.full(words, np.uint64(0xFFFFFFFFFFFFFFFF))
    for i in cell.path:
        reach &= vocabulary.bits[i]
    weight = int(vocabulary.sizes[list(cell.path)].sum()) + len(cell.path)
    if cell.values:
        reach &= np.bitwise_or.reduce(vocabulary.bits[list(cell.values)], axis=0)
        weight += int(vocabulary.sizes[cell.values[0]]) + len(cell.values)
    return Weighted(as_integer(reach), weight)


def _formula(vocabulary: Vocabulary, cell: _Cell, variables: Sequence[str]) -> t.Formula:
    parts = [vocabulary.literals[i].formula(variables) for i in cell.path]
    if cell.values:
        parts.append(_set([vocabulary.literals[i] for i in cell.values], variables))
    return conjunction(parts)


def _set(equations: Sequence[LinearLiteral], variables: Sequence[str]) -> t.Formula:
    """Return ``equations``, which differ only in constants, as one: ``a mod 5 in {1, 2}``."""
    form, modulus = equations[0].coefficients, equations[0].modulus
    numbers = [e.number for e in equations]
    if max(numbers) <= 0 and not modulus:
        form, numbers = tuple(-c for c in form), [-n for n in numbers]
    term = linear_term(form, variables)
    return values_of(t.Mod(term, t.Int(modulus)) if modulus else term, numbers)
