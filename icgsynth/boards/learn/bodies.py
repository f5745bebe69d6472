"""Enumerate all bodies of weak constraints that a mode bias allows.

Bodies are grown literal by literal.  A body falls into *parts*: literals of two parts share no
variable.  The substitutions of a part are kept as arrays and joined with the atoms of the next
literal; those of the whole body are all their combinations, which are never listed.  A body that no
substitution can satisfy is not grown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product
from operator import contains

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.learn.bias import Bias
from icgsynth.boards.learn.move_view import MoveView
from icgsynth.boards.learn.terms import Term, Var, signature_of, substituted, unify, variables_of
from icgsynth.errors import Refused

Ints = NDArray[np.int64]
GONE = -(1 << 40)
"""The column of a negative literal whose atom always holds, so that it never does."""
_MOST_BODIES = 60_000  # bodies, among all of which clingo has to choose
MOST_INSTANCES = 2_000_000
"""The most substitutions of a part of a body: some 100 MB, and within a counter's range."""

_Shape = tuple[tuple[int, ...], ...]  # literals: form, then its variables by number


@dataclass(frozen=True, eq=False)
class ModeForm:
    """A mode with constants filled in, and all ground atoms that match its pattern.

    The variables of ``pattern`` stand at its variable places.  ``values`` (atoms, places): numbers
    of the constants there; ``columns`` (atoms,) as :func:`~icgsynth.boards.learn.counting.add_up`
    takes them.  Forms that read alike, of whatever modes, have the same number ``text``.
    """

    mode: int
    pattern: Term
    kinds: tuple[str, ...]
    values: Ints
    columns: Ints
    positive: bool = True
    text: int = 0


@dataclass(frozen=True, eq=False)
class BodyPart:
    """A connected part of a body: substitutions (k, variables) and atoms' columns (k, literals)."""

    variables: tuple[int, ...]
    values: Ints
    columns: Ints


@dataclass(frozen=True, eq=False)
class Body:
    """A body of a constraint: its literals, its variables' types, and its connected parts."""

    shape: _Shape
    kinds: tuple[str, ...]
    parts: tuple[BodyPart, ...]


EMPTY = Body((), (), ())
"""The body without literals, which has one substitution."""


class TooManySubstitutions(Refused):
    """Raised where a part of a body has more than :data:`MOST_INSTANCES` substitutions."""

    def __init__(self) -> None:
        super().__init__(
            f"a body has more than {MOST_INSTANCES:,} substitutions; lower #maxv or #max_body"
        )


def forms_of(bias: Bias, view: MoveView) -> list[ModeForm]:
    """Return the forms of literals that ``bias`` allows: one for each mode and choice of constants.
    ``view`` has the ground atoms; a mode that is not positive gives a negated form, too."""
    # Constants as integers, so that substitutions are rows of a matrix and joins are numpy's.
    numbers: dict[Term, int] = {}
    allowed: dict[str, set[Term]] = {}
    for kind, value in bias.constants:
        allowed.setdefault(kind, set()).add(value)
    forms = []
    for index, mode in enumerate(bias.modes):
        atom, places = mode.open_places()
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
    # Equal up to the names of variables: one text.
    texts: dict[tuple[Term, bool], int] = {}
    keys = [(_number_variables(form.pattern), form.positive) for form in forms]
    return [
        replace(form, text=texts.setdefault(key, len(texts)))
        for form, key in zip(forms, keys, strict=True)
    ]


def _number_variables(pattern: Term) -> Term:
    order = dict.fromkeys(variables_of(pattern))
    return substituted(pattern, {v: Var(f"P{i}") for i, v in enumerate(order)})


def matches(pattern: Term, view: MoveView) -> Iterator[tuple[dict[Var, Term], int]]:
    """Yield (values of variables, index) for each atom of ``view`` that ``pattern`` fits; the index
    is -1 if the atom always holds."""
    for at in view.by_signature.get(signature_of(pattern), ()):
        values: dict[Var, Term] = {}
        if unify(pattern, view.atoms[at], values):
            yield values, -1 if view.certain[at] else at


def form_of(
    mode: int,
    pattern: Term,
    kinds: tuple[str, ...],
    rows: list[tuple[list[int], int]],
    positive: bool = True,
) -> ModeForm:
    """Return a form of literals for ``pattern``, of the mode number ``mode``; negated unless
    ``positive``. ``kinds`` are the types of its variables.  ``rows`` has for each ground atom the
    numbers of the constants at these, and the atom's index (-1 if it always holds)."""
    values = np.array([row for row, _ in rows], np.int64).reshape(len(rows), len(kinds))
    columns = np.array([column for _, column in rows], np.int64)
    return ModeForm(mode, pattern, kinds, values, columns, positive)


def grow_bodies(bias: Bias, forms: list[ModeForm]) -> Iterator[Body | None]:
    """Yield all bodies of weak constraints that the bias allows, by length, none twice.  ``forms``
    are its forms of literals.  None stands for a body that has too many substitutions; no longer
    body is grown from it.  :class:`~icgsynth.errors.Refused` past 60,000 bodies."""
    level = [EMPTY]
    total = 0
    # Bodies of length k + 1 are bodies of length k with a literal more. A body is known by its
    # shape up to names of variables and order of literals, so that each is grown once.
    for _ in range(bias.body):
        seen: set[_Shape] = set()
        following = []
        for body in level:
            used = [forms[literal[0]].mode for literal in body.shape]
            for number, form in enumerate(forms):
                if used.count(form.mode) >= bias.modes[form.mode].recall:
                    continue
                # A literal equal to one that the body has, perhaps of another mode, adds nothing.
                told = {(forms[known].text, *chosen) for known, *chosen in body.shape}
                for chosen in _assignments(body, form, bias.variables):
                    literal = (number, *chosen)
                    if (form.text, *chosen) in told:
                        continue
                    shape = _canonical((*body.shape, literal))
                    if shape in seen:
                        continue
                    seen.add(shape)
                    try:
                        longer = add_literal(body, form, literal)
                    except TooManySubstitutions:
                        yield None
                        continue
                    if not all(len(part.values) for part in longer.parts):
                        continue
                    total += 1
                    if total > _MOST_BODIES:
                        raise Refused(
                            f"the bias allows more than {_MOST_BODIES:,} bodies; lower #max_body, "
                            "#maxv or a recall"
                        )
                    following.append(longer)
                    yield longer
        level = following


def _assignments(body: Body, form: ModeForm, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the variables (numbers) that may stand at the places of ``form``: each an old one of
    ``body`` of its type, or a new one while there are less than ``most``."""
    # A negated literal has no new variables, and is left out where no atom can be what it denies.
    if not form.positive:
        most = len(body.kinds)

    def extend(
        place: int, chosen: tuple[int, ...], kinds: tuple[str, ...]
    ) -> Iterator[tuple[int, ...]]:
        if place == len(form.kinds):
            if form.positive or _alike(form.values, chosen).any():
                yield chosen
            return
        kind = form.kinds[place]
        for v, known in enumerate(kinds):
            if known == kind:
                yield from extend(place + 1, (*chosen, v), kinds)
        if len(kinds) < most:
            yield from extend(place + 1, (*chosen, len(kinds)), (*kinds, kind))

    yield from extend(0, (), body.kinds)


def text_of(body: Body, forms: list[ModeForm], group: int | None = None) -> _Shape:
    """Return a form of ``body`` that is equal for bodies equal up to names of variables and order.
    If ``group`` is a variable's number, that variable is marked in it."""
    told = [(forms[number].text, *chosen) for number, *chosen in body.shape]
    return _canonical((*told, *([] if group is None else [(-1, group)])))


def _canonical(shape: _Shape) -> _Shape:
    """Return the least form of the body ``shape`` over the orders of literals with one form, with
    variables numbered as they come."""
    groups: dict[int, list[tuple[int, ...]]] = {}
    for literal in shape:
        groups.setdefault(literal[0], []).append(literal)
    best: _Shape | None = None
    # Literals of one form may stand in any order: all orders are tried, variables numbered as they
    # come, and the least tuple names the body. Bodies are short, so the orders are few.
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


def add_literal(body: Body, form: ModeForm, literal: tuple[int, ...]) -> Body:
    """Return ``body`` with one literal more, and only the substitutions that still match.
    ``literal`` is the number of its ``form``, then the numbers of its variables."""
    chosen = literal[1:]
    # The substitutions of a body are the product of those of its parts, which share no variable. A
    # literal joins the parts that it touches into one; the others stay apart and small.
    touched = [part for part in body.parts if set(part.variables) & set(chosen)]
    merged = _combine(touched)
    fresh = dict.fromkeys(v for v in chosen if v not in merged.variables)
    variables = (*merged.variables, *fresh)
    places = tuple(variables.index(v) for v in chosen)
    if form.positive:
        values, columns = join(merged.values, merged.columns, form.values, form.columns, places)
    else:
        columns = without(merged.values, merged.columns, places, form.values, form.columns)
        # GONE: the atom holds always, so its negation never does, and the substitution goes.
        keep = columns[:, -1] != GONE
        values, columns = merged.values[keep], columns[keep]
    kinds = list(body.kinds)
    for place, v in enumerate(chosen):
        if v == len(kinds):
            kinds.append(form.kinds[place])
    parts = [part for part in body.parts if part not in touched]
    parts.append(BodyPart(variables, values, columns))
    return Body((*body.shape, literal), tuple(kinds), tuple(parts))


def _combine(parts: list[BodyPart]) -> BodyPart:
    """Return one part whose substitutions are all combinations of those of ``parts``.
    ``TooManySubstitutions`` past :data:`MOST_INSTANCES`."""
    values, columns = np.zeros((1, 0), np.int64), np.zeros((1, 0), np.int64)
    variables: tuple[int, ...] = ()
    for part in parts:
        here, there = len(values), len(part.values)
        if here * there > MOST_INSTANCES:
            raise TooManySubstitutions
        # Row i of the one with row j of the other, for all pairs.
        i, j = np.repeat(np.arange(here), there), np.tile(np.arange(there), here)
        values = np.concatenate([values[i], part.values[j]], axis=1)
        columns = np.concatenate([columns[i], part.columns[j]], axis=1)
        variables += part.variables
    return BodyPart(variables, values, columns)


def _alike(atoms: Ints, chosen: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return a mask (atoms,): which of ``atoms`` (atoms, places) have equal constants at all places
    where ``chosen``, the variable of each place, is equal."""
    keep = np.ones(len(atoms), bool)
    for place, v in enumerate(chosen):
        keep &= atoms[:, place] == atoms[:, chosen.index(v)]
    return keep


def join(
    values: Ints, columns: Ints, atoms: Ints, atom_columns: Ints, chosen: tuple[int, ...]
) -> tuple[Ints, Ints]:
    """Join substitutions with ``atoms`` (a, places) where these agree on shared variables.

    ``values`` (k, variables) and ``columns`` (k, literals) are the old ones; the result has both
    arrays, with a column for each new variable, and with ``atom_columns`` (a,) as the last literal.
    ``chosen`` has the variable of each place.  ``TooManySubstitutions`` past MOST_INSTANCES rows.
    """
    old = values.shape[1]
    keep = _alike(atoms, chosen)
    first = {v: chosen.index(v) for v in chosen}
    atoms, atom_columns = atoms[keep], atom_columns[keep]
    shared = [(v, place) for v, place in first.items() if v < old]
    fresh = [place for v, place in sorted(first.items()) if v >= old]
    left, right = np.zeros(len(values), np.int64), np.zeros(len(atoms), np.int64)
    for v, place in shared:
        base = 1 + int(max(values[:, v].max(initial=0), atoms[:, place].max(initial=0)))
        # The shared variables' values as one number (mixed radix): equal numbers are joined.
        left, right = left * base + values[:, v], right * base + atoms[:, place]
        if len(shared) > 1:  # small numbers again, so that no product wraps around
            _, both = np.unique(np.concatenate([left, right]), return_inverse=True)
            left, right = np.split(both.reshape(-1), [len(values)])
    # A sort-merge join: row i of the left fits the rows order[low[i] : low[i] + count[i]].
    order = np.argsort(right, kind="stable")
    right = right[order]
    low = np.searchsorted(right, left, "left")
    count = np.searchsorted(right, left, "right") - low
    total = int(count.sum())
    if total > MOST_INSTANCES:
        raise TooManySubstitutions
    i = np.repeat(np.arange(len(values)), count)
    # Result k belongs to left row i[k]; the results of a row begin at the sum of the counts before
    # it, so k less that sum is the place among its partners.
    shift = np.repeat(low - np.concatenate([[0], np.cumsum(count)[:-1]]), count)
    j = order[np.arange(total) + shift] if total else np.zeros(0, np.int64)
    return (
        np.concatenate([values[i], atoms[j][:, fresh]], axis=1),
        np.concatenate([columns[i], atom_columns[j][:, None]], axis=1),
    )


def without(values: Ints, columns: Ints, place: tuple[int, ...], atoms: Ints, holds: Ints) -> Ints:
    """Return ``columns`` and one more, with a negated atom for each row of ``values``.

    The atom has the constants of the variables ``place``; ``atoms`` are the possible ones, and
    ``holds`` their indices, -1 where always true.  The new entry is -1 where there is no such atom,
    GONE where it is always true, else -2 - its index.
    """
    known = {tuple(row): int(at) for row, at in zip(atoms.tolist(), holds, strict=True)}
    extra = []
    for row in values[:, list(place)].tolist():
        at = known.get(tuple(row))
        # Columns of a negated atom: -1 where there is no such atom, so that its negation always
        # holds; GONE where it always holds; else -2 - (its column), which may be either.
        extra.append(-1 if at is None else GONE if at == -1 else -2 - at)
    return np.concatenate([columns, np.array(extra, np.int64).reshape(-1, 1)], axis=1)
