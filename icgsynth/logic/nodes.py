"""The base of the nodes of terms and formulas: how they are made and become text.

Every printer (this language, LaTeX, Python) has its own numbers for binding strength, loosest
first, for the languages differ in what binds tighter; what they share is here, with the six
comparisons.  Minus signs are shared too: see ``summands`` and ``added`` of
:mod:`icgsynth.logic.term`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar, dataclass_transform


class Readable:
    """Base of classes whose ``repr``, in lists and in notebooks, is their text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class HasName(Protocol):
    """The type of objects with a ``name``."""

    @property
    def name(self) -> str: ...


class ShownByName:
    """Base of classes whose ``repr`` is the name of the class and of the object."""

    __slots__ = ()

    def __repr__(self: HasName) -> str:
        return f"<{type(self).__name__} {self.name}>"


Class = TypeVar("Class", bound=type[Any])


@dataclass_transform(frozen_default=True)
def frozen(node: Class) -> Class:
    """Return the class ``node`` as a frozen dataclass with slots, whose instances cache their hash.

    It has the ``repr`` of its base.

    Left to itself, a node would hash all below it whenever it is looked up.  The base of the
    decorated classes has a slot ``_hash``.
    """
    made: Any = dataclass(frozen=True, slots=True, repr=False)(node)
    compute = made.__hash__

    def keep(self: Any) -> int:
        try:
            known: int = self._hash
        except AttributeError:
            known = compute(self)
            object.__setattr__(self, "_hash", known)
        return known

    made.__hash__ = keep
    found: Class = made
    return found


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


class Written(NamedTuple):
    """The text of an expression, and the binding strength of its outermost operator.  ``depth`` is
    how deep it nests, for a printer that counts it."""

    text: str
    strength: int
    depth: int = 0

    def at(self, at_least: int) -> str:
        """Return the text of this expression, in parentheses if its outermost operator binds looser
        than the strength ``at_least``."""
        return self.text if self.strength >= at_least else f"({self.text})"


def join_texts(pieces: Iterable[Written]) -> str:
    """Return the texts of ``pieces`` joined by commas; between commas none needs parentheses."""
    return ", ".join([piece.text for piece in pieces])
