"""Disjunctions of cells in a short form: shared literals factored out, residues as a set."""

from __future__ import annotations

from collections.abc import Sequence

from icgsynth.logic.term import (
    And,
    Compare,
    Formula,
    Int,
    Member,
    Mod,
    Or,
    Term,
    conjunction,
    disjunction,
    size,
)

__all__ = ["factored"]


def factored(cells: Sequence[Formula]) -> Formula:
    """``(p and q) or (p and r)`` as ``p and (q or r)``, for the literal that saves most.

    ``v mod 7 = 0 or v mod 7 = 2`` becomes ``v mod 7 in {0, 2}``.
    """
    parts = [set(_literals(c)) for c in cells]
    counts: dict[Formula, int] = {}
    for literals in parts:
        for literal in literals:
            counts[literal] = counts.get(literal, 0) + 1
    shared = [(n * size(f), str(f), f) for f, n in counts.items() if n > 1]
    if not shared:
        return _residues_joined(cells)
    literal = max(shared)[2]
    with_it = [c for c, p in zip(cells, parts, strict=True) if literal in p]
    without = [c for c, p in zip(cells, parts, strict=True) if literal not in p]
    inner = [conjunction(x for x in _literals(c) if x != literal) for c in with_it]
    joined = conjunction((literal, factored(inner)))
    return disjunction([joined, *(_disjuncts(factored(without)) if without else ())])


def _literals(cell: Formula) -> tuple[Formula, ...]:
    return cell.args if isinstance(cell, And) else (cell,)


def _disjuncts(formula: Formula) -> tuple[Formula, ...]:
    return formula.args if isinstance(formula, Or) else (formula,)


def _residues_joined(cells: Sequence[Formula]) -> Formula:
    """Single residues of one term and one modulus as one set, where the first of them stood."""
    by_term: dict[Term, list[Term]] = {}
    for cell in cells:
        for term, residue in _residues(cell):
            by_term.setdefault(term, []).append(residue)
    joined: dict[Formula, None] = {}
    for cell in cells:
        found = _residues(cell)
        if found and len(by_term[found[0][0]]) > 1:
            term = found[0][0]
            values = sorted({r.value for r in by_term[term] if isinstance(r, Int)})
            joined[Member(term, tuple(Int(v) for v in values))] = None
        else:
            joined[cell] = None
    return disjunction(joined)


def _residues(cell: Formula) -> list[tuple[Term, Term]]:
    """``(term, residue)`` pairs of ``term mod m = r`` or ``term mod m in {...}``."""
    match cell:
        case Compare((Mod() as term, Int() as residue), ("=",)):
            return [(term, residue)]
        case Member(Mod() as term, values) if all(isinstance(v, Int) for v in values):
            return [(term, v) for v in values]
        case _:
            return []
