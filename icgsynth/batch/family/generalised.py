"""Candidate conjectures: answers of several members -> one answer with the constant in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from icgsynth.batch.family.fit import Fit, fit
from icgsynth.batch.family.residues import fit_residue
from icgsynth.batch.family.shape import Shape, fill, read_modulo, shape_of, signed
from icgsynth.batch.family.spelling import SPELLINGS
from icgsynth.logic import term as t
from icgsynth.logic.build import size

__all__ = ["CandidateAnswer", "candidates"]

_FEWEST = 3  # members of one shape
_EXCEPTIONS = 3  # of the smallest members of a shape that may be left out

Row = tuple[int, tuple[int, ...]]  # a value of the constant, and the integers in the holes


@dataclass(frozen=True, slots=True)
class CandidateAnswer:
    """``nodes`` with the constant's name free in them; ``predicted`` members besides the fitted
    ones have the very integers that it says."""

    nodes: tuple[t.Node, ...]
    fitted_on: tuple[int, ...]
    predicted: tuple[int, ...] = ()


def candidates(answers: Mapping[int, Sequence[t.Node]], name: str) -> list[CandidateAnswer]:
    """Different candidates, those that most members bear out first.

    ``answers`` maps values of the constant ``name`` to nodes in an order that all share (the
    losing formula, say).  Members of one shape make a candidate together, without the smallest
    of them if need be.
    """
    found: dict[tuple[t.Node, ...], CandidateAnswer] = {}
    for shape, rows in _groups(answers):
        for start in range(min(_EXCEPTIONS, len(rows) - _FEWEST) + 1):
            candidate = _candidate(shape, rows[start:], name)
            if candidate is not None:
                known = found.get(candidate.nodes)
                if known is None or _support(known) < _support(candidate):
                    found[candidate.nodes] = candidate
    return sorted(found.values(), key=lambda c: (-_support(c), sum(map(size, c.nodes))))


def _support(candidate: CandidateAnswer) -> int:
    return len(candidate.fitted_on) + len(candidate.predicted)


def _groups(answers: Mapping[int, Sequence[t.Node]]) -> Iterator[tuple[Shape, list[Row]]]:
    """Members of one shape, in every spelling, ascending."""
    for spelling in SPELLINGS:
        groups: dict[Shape, list[Row]] = {}
        for k in sorted(answers):
            shape, values = shape_of([spelling(signed(node)) for node in answers[k]])
            groups.setdefault(shape, []).append((k, values))
        yield from ((shape, rows) for shape, rows in groups.items() if len(rows) >= _FEWEST)


def _candidate(shape: Shape, rows: Sequence[Row], name: str) -> CandidateAnswer | None:
    """A function for every hole, put in; None where some hole has none."""
    modulo = read_modulo(shape)
    fits: dict[int, Fit] = {}
    # A modulus comes before what is read modulo it.
    for hole in sorted(range(shape.holes), key=lambda h: (h in modulo, h)):
        points = [(k, values[hole]) for k, values in rows]
        found = fit(points, name)
        if hole in modulo and not (found and found.exact):
            divisor, inside = modulo[hole]
            if divisor in fits:
                moduli = [values[divisor] for _, values in rows]
                by = fits[divisor].term
                found = fit_residue(points, moduli, name, by, inside) or found
        if found is None:
            return None
        fits[hole] = found
    terms: list[t.Term] = [fits[hole].term for hole in range(shape.holes)]
    used = max((found.used for found in fits.values()), default=(len(rows) + 1) // 2)
    fitted_on = tuple(k for k, _ in rows[:used])
    exact = all(found.exact for found in fits.values())
    predicted = tuple(k for k, _ in rows[used:]) if exact else ()
    return CandidateAnswer(fill(shape, terms), fitted_on, predicted)
