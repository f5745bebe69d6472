"""All bodies that a mode bias allows.

Bodies are grown literal by literal, connected by shared variables; the substitutions of a body
are kept as arrays and joined with the atoms of the next literal.  A body that no substitution
can satisfy is not grown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product
from operator import contains

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import Refused
from icgsynth.learn.bias import Bias
from icgsynth.learn.move_view import MoveView
from icgsynth.learn.terms import Term, Var, signature_of, substituted, unified

Ints = NDArray[np.int64]
GONE = -(1 << 40)
"""The column of a negative literal whose atom always holds: its substitution is dropped."""
_MOST_BODIES = 60_000
_MOST_INSTANCES = 2_000_000

_Shape = tuple[tuple[int, ...], ...]  # literals: form, then its variables by number


@dataclass(frozen=True, eq=False)
class ModeForm:
    """A mode with its constants filled in, and the atoms that match it.

    The variables of ``pattern`` stand at its variable places.  ``values`` (atoms, places): numbers
    of the constants there; ``columns`` (atoms,) as :func:`~icgsynth.learn.counting.add_up` takes
    them.
    """

    mode: int
    pattern: Term
    kinds: tuple[str, ...]
    values: Ints
    columns: Ints
    positive: bool = True


@dataclass(frozen=True, eq=False)
class Body:
    """A body and its substitutions: ``values`` (k, variables), ``columns`` (k, literals)."""

    shape: _Shape
    kinds: tuple[str, ...]
    values: Ints
    columns: Ints


EMPTY = Body((), (), np.zeros((1, 0), np.int64), np.zeros((1, 0), np.int64))
"""The body without a literal, which has one substitution."""


def forms_of(bias: Bias, view: MoveView) -> list[ModeForm]:
    """The modes of ``bias`` with their constants filled in, from the atoms of ``view``."""
    numbers: dict[Term, int] = {}
    allowed: dict[str, set[Term]] = {}
    for kind, value in bias.constants:
        allowed.setdefault(kind, set()).add(value)
    forms = []
    for index, mode in enumerate(bias.modes):
        atom, places = mode.opened()
        fixed = [place for place in places if place.constant]
        free = [place for place in places if not place.constant]
        found: dict[tuple[Term, ...], list[tuple[list[int], int]]] = {}
        for values, column in matches(atom, view):
            constants = tuple(values[place.variable] for place in fixed)
            known = (allowed.get(p.kind, {c}) for p, c in zip(fixed, constants, strict=True))
            # A variable that is not at a place stands for no term.
            if len(values) == len(places) and all(map(contains, known, constants)):
                row = [numbers.setdefault(values[p.variable], len(numbers)) for p in free]
                found.setdefault(constants, []).append((row, column))
        for constants, rows in found.items():
            filled = {place.variable: c for place, c in zip(fixed, constants, strict=True)}
            kinds = tuple(place.kind for place in free)
            forms.append(form_of(index, substituted(atom, filled), kinds, rows))
            if not mode.positive:
                forms.append(replace(forms[-1], positive=False))
    return forms


def matches(pattern: Term, view: MoveView) -> Iterator[tuple[dict[Var, Term], int]]:
    """The atoms that ``pattern`` may be: the values of its variables, and the atom's column."""
    for at in view.by_signature.get(signature_of(pattern), ()):
        values: dict[Var, Term] = {}
        if unified(pattern, view.atoms[at], values):
            yield values, -1 if view.certain[at] else at


def form_of(
    mode: int,
    pattern: Term,
    kinds: tuple[str, ...],
    rows: list[tuple[list[int], int]],
    positive: bool = True,
) -> ModeForm:
    """The form whose atoms are ``rows``: the numbers at their variable places, and the column."""
    values = np.array([row for row, _ in rows], np.int64).reshape(len(rows), len(kinds))
    columns = np.array([column for _, column in rows], np.int64)
    return ModeForm(mode, pattern, kinds, values, columns, positive)


def grown(bias: Bias, forms: list[ModeForm]) -> Iterator[Body]:
    """All bodies by length; each once, up to the names of its variables."""
    level = [EMPTY]
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
                    grown = extended(body, form, literal)
                    if not len(grown.values):
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


def _assignments(body: Body, form: ModeForm, most: int) -> Iterator[tuple[int, ...]]:
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


def extended(body: Body, form: ModeForm, literal: tuple[int, ...]) -> Body:
    """The body with one literal more, and the substitutions that are left."""
    chosen, shape = literal[1:], (*body.shape, literal)
    if not form.positive:
        columns = without(body.values, body.columns, chosen, form.values, form.columns)
        keep = columns[:, -1] != GONE
        return Body(shape, body.kinds, body.values[keep], columns[keep])
    values, columns = join(body.values, body.columns, form.values, form.columns, chosen)
    kinds = list(body.kinds)
    for place, v in enumerate(chosen):
        if v == len(kinds):
            kinds.append(form.kinds[place])
    return Body(shape, tuple(kinds), values, columns)


def join(
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


def without(values: Ints, columns: Ints, place: tuple[int, ...], atoms: Ints, holds: Ints) -> Ints:
    """The columns with one more: that the atom of each substitution does not hold."""
    known = {tuple(row): int(at) for row, at in zip(atoms.tolist(), holds, strict=True)}
    extra = []
    for row in values[:, list(place)].tolist():
        at = known.get(tuple(row))
        extra.append(-1 if at is None else GONE if at == -1 else -2 - at)
    return np.concatenate([columns, np.array(extra, np.int64).reshape(-1, 1)], axis=1)
