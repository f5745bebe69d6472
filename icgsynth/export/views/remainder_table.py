"""Who wins by the remainders of the numbers alone, where a formula says it so."""

from __future__ import annotations

from itertools import product
from math import lcm
from typing import Any

from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.ranges import as_number, linear

_MOST = {1: 40, 2: 12}  # remainders that are shown, by the number of variables


def remainder_table(answer: Solution) -> dict[str, Any] | None:
    """``rows`` of whether states lose, by their remainders modulo ``modulus``; None for no table.

    ``names`` are the one or two variables that decide; the last one's remainders are the columns.
    """
    losing = answer.sides()[1]
    found = _periodic(losing)
    if found is None:
        return None
    modulus, read = found
    names = [name for name in answer.game.variables if name in read]
    if modulus > _MOST.get(len(names), 0):
        return None
    others = dict.fromkeys(answer.game.variables, 0) | dict(answer.game.constants)
    cells = [
        satisfies(losing, others | dict(zip(names, remainders, strict=True)))
        for remainders in product(range(modulus), repeat=len(names))
    ]
    rows = [cells[start : start + modulus] for start in range(0, len(cells), modulus)]
    return {"modulus": modulus, "names": names, "rows": rows}


def _periodic(formula: t.Formula) -> tuple[int, set[str]] | None:
    """By which number remainders decide, and those of which names; None where more counts."""
    moduli, names = [1], set()
    todo: list[t.Node] = [formula]
    while todo:
        node = todo.pop()
        if isinstance(node, t.Mod):
            divisor, atoms = as_number(node.divisor), linear(node.arg).factors
            if not divisor or not all(isinstance(atom, t.Name) for atom in atoms):
                return None
            moduli.append(divisor)
            names |= {str(atom) for atom in atoms}
        elif isinstance(node, t.Name | t.Digital | t.Recognised | t.Quantified):
            return None
        else:
            todo += t.children(node)
    return lcm(*moduli), names
