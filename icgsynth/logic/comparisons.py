"""The six comparisons of the language: what each means, its negation, and its sides swapped."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

# ``MEANING[op](a, b)`` is the value of ``a op b``: of integers, numpy arrays, z3 expressions.
MEANING: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

# ``not (a op b)`` is ``a NEGATED[op] b``.
NEGATED: Mapping[str, str] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

# ``a op b`` is ``b SWAPPED[op] a``.
SWAPPED: Mapping[str, str] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

# How Python, and isl, write the comparison.
PYTHON: Mapping[str, str] = {op: "==" if op == "=" else op for op in MEANING}
