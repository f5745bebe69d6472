"""Disjunctions of cells in a short form: shared literals factored out, residues as a set."""

from __future__ import annotations

from collections.abc import Sequence

from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, size
from icgsynth.synth.linear.polish import shorter

__all__ = ["factored"]


def factored(cells: Sequence[t.Formula]) -> t.Formula:
    """``(p and q) or (p and r)`` as ``p and (q or r)``, for the literal that saves most.

    ``v mod 7 = 0 or v mod 7 = 2`` becomes ``v mod 7 in {0, 2}``.
    """
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
