"""All bodies that a mode bias allows, and what each costs every move.

Bodies are grown literal by literal, connected by shared variables; the substitutions of a body
are kept as arrays and joined with the atoms of the next literal.  A body that no substitution
can satisfy is not grown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import Refused
from icgsynth.learn import kernels
from icgsynth.learn.bias import Bias, Mode, Place
from icgsynth.learn.terms import Term, Var
from icgsynth.learn.view import View
from icgsynth.learn.weak import BodyLiteral, Constraint
from icgsynth.logic.bits import unpack

__all__ = ["Candidates", "Charge", "candidates"]

Ints = NDArray[np.int64]
_MOST_BODIES = 60_000
_MOST_INSTANCES = 2_000_000

_Shape = tuple[tuple[int, ...], ...]  # literals: form, then its variables by number


@dataclass(frozen=True, eq=False)
class _Form:
    """A mode with its constants filled in, and the atoms that match it.

    ``values`` (atoms, places): numbers of the constants at the variable places; ``columns``
    (atoms,) as :func:`~icgsynth.learn.kernels.add_up` takes them.
    """

    mode: int
    pattern: Term | Place
    kinds: tuple[str, ...]
    values: Ints
    columns: Ints
    positive: bool = True


@dataclass(frozen=True, eq=False)
class _Body:
    """A body and its substitutions: ``values`` (k, variables), ``columns`` (k, literals)."""

    shape: _Shape
    kinds: tuple[str, ...]
    values: Ints
    columns: Ints


@dataclass(frozen=True, eq=False)
class Candidates:
    """Weak constraints of weight 1 and what they cost k moves: ``cost`` (constraints, k)."""

    constraints: tuple[Constraint, ...]
    cost: NDArray[np.int16]
    bodies: int


def candidates(bias: Bias, view: View, truth: NDArray[np.uint64], count: int) -> Candidates:
    """One constraint for every distinct column of costs, the shortest first.

    ``truth`` (atoms, w) is what holds of the ``count`` moves.  A column that is the same for
    all moves can tell none apart and is left out.  :class:`~icgsynth.errors.Refused` where the
    bias allows more than 60,000 bodies.
    """
    forms = _forms(bias, view)
    found: dict[bytes, tuple[tuple[int, int], Constraint]] = {}
    bodies = 0
    for body in _grown(bias, forms):
        bodies += 1
        for parity, group in _offers(bias, body):
            column = _column(body, truth, count, parity, group)
            if column is None or (column == column[0]).all():
                continue
            key = column.tobytes()
            size = (len(body.shape) + parity, len(body.kinds))
            if key not in found or size < found[key][0]:
                found[key] = (size, _constraint(body, forms, parity, group))
    order = sorted(found, key=lambda key: found[key][0])
    cost = np.frombuffer(b"".join(order), np.int16).reshape(len(order), count)
    return Candidates(tuple(found[key][1] for key in order), cost, bodies)


class Charge:
    """A constraint made ready to charge moves of one view, again and again."""

    def __init__(self, constraint: Constraint, view: View) -> None:
        values, columns, names = _joined(constraint, view)
        self._constraint = constraint
        self._group = None
        if constraint.parity and constraint.group is not None:
            self._group = names.index(constraint.group)
        self._body = _Body((), ("",) * len(names), values, columns)

    def of(self, truth: NDArray[np.uint64], count: int) -> NDArray[np.int64]:
        """What the constraint charges each of ``count`` moves (count,), its weight included."""
        column = _column(self._body, truth, count, self._constraint.parity, self._group)
        if column is None:
            most = (1 << kernels.PLANES) - 1
            raise Refused(f"a body holds more than {most:,} times: {self._constraint}")
        return self._constraint.weight * column.astype(np.int64)


# --- growing bodies -------------------------------------------------------------------


def _forms(bias: Bias, view: View) -> list[_Form]:
    numbers: dict[Term, int] = {}
    allowed: dict[str, set[Term]] = {}
    for kind, value in bias.constants:
        allowed.setdefault(kind, set()).add(value)
    forms = []
    for index, mode in enumerate(bias.modes):
        found: dict[tuple[Term, ...], list[tuple[list[int], int]]] = {}
        kinds = tuple(place.kind for place in _places(mode.pattern) if not place.constant)
        for at in view.by_signature.get(mode.signature, ()):
            leaves = _matched(mode.pattern, view.atoms[at])
            if leaves is None:
                continue
            fixed = [(place, leaf) for place, leaf in leaves if place.constant]
            if any(leaf not in allowed.get(p.kind, {leaf}) for p, leaf in fixed):
                continue
            values = [
                numbers.setdefault(leaf, len(numbers))
                for place, leaf in leaves
                if not place.constant
            ]
            column = -1 if view.certain[at] else at
            found.setdefault(tuple(leaf for _, leaf in fixed), []).append((values, column))
        for constants, rows in found.items():
            forms.append(_form(index, mode, kinds, constants, rows))
            if not mode.positive:
                forms.append(replace(forms[-1], positive=False))
    return forms


def _form(
    index: int,
    mode: Mode,
    kinds: tuple[str, ...],
    constants: tuple[Term, ...],
    rows: list[tuple[list[int], int]],
) -> _Form:
    values = np.array([v for v, _ in rows], np.int64).reshape(len(rows), len(kinds))
    columns = np.array([c for _, c in rows], np.int64)
    return _Form(index, _filled(mode.pattern, iter(constants)), kinds, values, columns)


def _places(pattern: Term | Place) -> Iterator[Place]:
    if isinstance(pattern, Place):
        yield pattern
    elif isinstance(pattern, tuple):
        for part in pattern[1:]:
            yield from _places(part)


def _matched(pattern: Term | Place, term: Term) -> list[tuple[Place, Term]] | None:
    """What stands at the places of ``pattern`` in ``term``; None where they differ."""
    if isinstance(pattern, Place):
        return [(pattern, term)]
    if isinstance(pattern, tuple):
        if not isinstance(term, tuple) or term[0] != pattern[0] or len(term) != len(pattern):
            return None
        found: list[tuple[Place, Term]] = []
        for part, inner in zip(pattern[1:], term[1:], strict=True):
            some = _matched(part, inner)
            if some is None:
                return None
            found += some
        return found
    return [] if pattern == term else None


def _filled(pattern: Term | Place, constants: Iterator[Term]) -> Term | Place:
    if isinstance(pattern, Place):
        return next(constants) if pattern.constant else pattern
    if isinstance(pattern, tuple):
        return (pattern[0], *(_filled(p, constants) for p in pattern[1:]))  # type: ignore[arg-type]
    return pattern


def _grown(bias: Bias, forms: list[_Form]) -> Iterator[_Body]:
    """All bodies by length; each once, up to the names of its variables."""
    level = [_Body((), (), np.zeros((1, 0), np.int64), np.zeros((1, 0), np.int64))]
    total = 0
    for _ in range(bias.body):
        seen: set[_Shape] = set()
        following = []
        for body in level:
            used = [forms[literal[0]].mode for literal in body.shape]
            for number, form in enumerate(forms):
                if used.count(form.mode) >= bias.modes[form.mode].recall:
                    continue
                for chosen in _assignments(body, form, bias.variables):
                    literal = (number, *chosen)
                    if literal in body.shape:
                        continue
                    shape = _canonical((*body.shape, literal))
                    if shape in seen:
                        continue
                    seen.add(shape)
                    grown = _extended(body, form, literal)
                    if grown is None:
                        continue
                    total += 1
                    if total > _MOST_BODIES:
                        raise Refused(
                            f"the bias allows more than {_MOST_BODIES:,} bodies; lower #max_body, "
                            "#maxv or a recall"
                        )
                    following.append(grown)
                    yield grown
        level = following


def _assignments(body: _Body, form: _Form, most: int) -> Iterator[tuple[int, ...]]:
    """Variables for the places of a literal: old ones of the kind, or new ones in order."""
    old = len(body.kinds)

    if not form.positive and not old:
        return
    if not form.positive:
        most = old

    def extend(
        place: int, chosen: tuple[int, ...], kinds: tuple[str, ...]
    ) -> Iterator[tuple[int, ...]]:
        if place == len(form.kinds):
            if not old or any(v < old for v in chosen) or not chosen:
                yield chosen
            return
        kind = form.kinds[place]
        for v, known in enumerate(kinds):
            if known == kind:
                yield from extend(place + 1, (*chosen, v), kinds)
        if len(kinds) < most:
            yield from extend(place + 1, (*chosen, len(kinds)), (*kinds, kind))

    yield from extend(0, (), body.kinds)


def _canonical(shape: _Shape) -> _Shape:
    """The least renaming among the orders of literals of one form."""
    groups: dict[int, list[tuple[int, ...]]] = {}
    for literal in shape:
        groups.setdefault(literal[0], []).append(literal)
    best: _Shape | None = None
    for orders in product(*(permutations(groups[form]) for form in sorted(groups))):
        names: dict[int, int] = {}
        renamed = []
        for order in orders:
            for literal in order:
                numbers = (names.setdefault(v, len(names)) for v in literal[1:])
                renamed.append((literal[0], *numbers))
        found = tuple(renamed)
        if best is None or found < best:
            best = found
    assert best is not None
    return best


def _extended(body: _Body, form: _Form, literal: tuple[int, ...]) -> _Body | None:
    """The body with one literal more; None where no substitution is left."""
    chosen = literal[1:]
    if not form.positive:
        columns = _without(body.values, body.columns, chosen, form.values, form.columns)
        keep = columns[:, -1] != _GONE
        if not keep.any():
            return None
        return _Body((*body.shape, literal), body.kinds, body.values[keep], columns[keep])
    values, columns = _join(body.values, body.columns, form.values, form.columns, chosen)
    if not len(values):
        return None
    kinds = list(body.kinds)
    for place, v in enumerate(chosen):
        if v == len(kinds):
            kinds.append(form.kinds[place])
    return _Body((*body.shape, literal), tuple(kinds), values, columns)


def _join(
    values: Ints, columns: Ints, atoms: Ints, atom_columns: Ints, chosen: tuple[int, ...]
) -> tuple[Ints, Ints]:
    """Substitutions joined with atoms whose places hold the variables ``chosen``."""
    old = values.shape[1]
    keep = np.ones(len(atoms), bool)
    first: dict[int, int] = {}
    for place, v in enumerate(chosen):
        if v in first:
            keep &= atoms[:, place] == atoms[:, first[v]]
        else:
            first[v] = place
    atoms, atom_columns = atoms[keep], atom_columns[keep]
    shared = [(v, place) for v, place in first.items() if v < old]
    fresh = [place for v, place in sorted(first.items()) if v >= old]
    base = 1 + int(max(values.max(initial=0), atoms.max(initial=0)))
    left = np.zeros(len(values), np.int64)
    right = np.zeros(len(atoms), np.int64)
    for v, place in shared:
        left = left * base + values[:, v]
        right = right * base + atoms[:, place]
    order = np.argsort(right, kind="stable")
    right = right[order]
    low = np.searchsorted(right, left, "left")
    count = np.searchsorted(right, left, "right") - low
    total = int(count.sum())
    if total > _MOST_INSTANCES:
        raise Refused(f"a body has more than {_MOST_INSTANCES:,} substitutions; lower #maxv")
    i = np.repeat(np.arange(len(values)), count)
    shift = np.repeat(low - np.concatenate([[0], np.cumsum(count)[:-1]]), count)
    j = order[np.arange(total) + shift] if total else np.zeros(0, np.int64)
    return (
        np.concatenate([values[i], atoms[j][:, fresh]], axis=1),
        np.concatenate([columns[i], atom_columns[j][:, None]], axis=1),
    )


# --- what a body costs ------------------------------------------------------------------


def _offers(bias: Bias, body: _Body) -> Iterator[tuple[bool, int | None]]:
    yield False, None
    if bias.parity:
        yield True, None
        for v in range(len(body.kinds)):
            yield True, v


def _column(
    body: _Body, truth: NDArray[np.uint64], count: int, parity: bool, group: int | None
) -> NDArray[np.int16] | None:
    """How often the body holds for each move (count,); None where a counter overflows."""
    planes = np.zeros((kernels.PLANES, truth.shape[1]), np.uint64)
    if parity:
        keys = np.zeros(len(body.values), np.int64) if group is None else body.values[:, group]
        order = np.argsort(keys, kind="stable")
        fits = kernels.add_parity(truth, body.columns[order], keys[order], planes)
    else:
        fits = kernels.add_up(truth, body.columns, planes)
    if not fits:
        return None
    bits = unpack(planes, count)
    total = np.zeros(count, np.int16)
    for b in range(kernels.PLANES):
        if planes[b].any():
            total += bits[b].astype(np.int16) << b
    return total


def _constraint(body: _Body, forms: list[_Form], parity: bool, group: int | None) -> Constraint:
    names = [Var(f"V{i}") for i in range(len(body.kinds))]
    literals = []
    for literal in body.shape:
        form = forms[literal[0]]
        inner = iter([names[v] for v in literal[1:]])
        literals.append(BodyLiteral(_placed(form.pattern, inner), form.positive))
    return Constraint(tuple(literals), 1, 1, parity, None if group is None else names[group])


def _placed(pattern: Term | Place, names: Iterator[Var]) -> Term:
    if isinstance(pattern, Place):
        return next(names)
    if isinstance(pattern, tuple):
        return (pattern[0], *(_placed(part, names) for part in pattern[1:]))
    return pattern


def _joined(constraint: Constraint, view: View) -> tuple[Ints, Ints, list[Var]]:
    """The substitutions of a constraint's variables, positive literals first."""
    numbers: dict[Term, int] = {}
    names: list[Var] = []
    values, columns = np.zeros((1, 0), np.int64), np.zeros((1, 0), np.int64)
    for literal in sorted(constraint.body, key=lambda li: not li.positive):
        key = literal.atom
        signature = (str(key[0]), len(key) - 1) if isinstance(key, tuple) else (str(key), 0)
        rows, holds = [], []
        for at in view.by_signature.get(signature, ()):
            found: dict[Var, Term] = {}
            if _unified(key, view.atoms[at], found):
                rows.append(found)
                holds.append(-1 if view.certain[at] else at)
        own = list(dict.fromkeys(_variables(key)))
        atoms = np.array(
            [[numbers.setdefault(row[v], len(numbers)) for v in own] for row in rows], np.int64
        ).reshape(len(rows), len(own))
        if not literal.positive:
            place = tuple(names.index(v) for v in own)
            columns = _without(values, columns, place, atoms, np.array(holds, np.int64))
            keep = columns[:, -1] != _GONE
            values, columns = values[keep], columns[keep]
            continue
        for v in own:
            if v not in names:
                names.append(v)
        chosen = tuple(names.index(v) for v in own)
        values, columns = _join(values, columns, atoms, np.array(holds, np.int64), chosen)
    return values, columns, names


_GONE = -(1 << 40)


def _without(values: Ints, columns: Ints, place: tuple[int, ...], atoms: Ints, holds: Ints) -> Ints:
    """The columns with one more: that the atom of each substitution does not hold."""
    known = {tuple(row): int(at) for row, at in zip(atoms.tolist(), holds, strict=True)}
    extra = []
    for row in values[:, list(place)].tolist():
        at = known.get(tuple(row))
        extra.append(-1 if at is None else _GONE if at == -1 else -2 - at)
    return np.concatenate([columns, np.array(extra, np.int64).reshape(-1, 1)], axis=1)


def _variables(term: Term) -> Iterator[Var]:
    if isinstance(term, Var):
        yield term
    elif isinstance(term, tuple):
        for part in term[1:]:
            yield from _variables(part)


def _unified(pattern: Term, term: Term, found: dict[Var, Term]) -> bool:
    if isinstance(pattern, Var):
        return found.setdefault(pattern, term) == term
    if isinstance(pattern, tuple):
        return (
            isinstance(term, tuple)
            and term[0] == pattern[0]
            and len(term) == len(pattern)
            and all(_unified(p, t, found) for p, t in zip(pattern[1:], term[1:], strict=True))
        )
    return pattern == term
