"""The decorator of the classes that immutable trees are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, dataclass_transform


class Readable:
    """What is shown in a list, or in a notebook, as its text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class HasName(Protocol):
    """Something with a name."""

    @property
    def name(self) -> str: ...


class ShownByName:
    """What is shown in a list, or in a notebook, as its kind and its name."""

    __slots__ = ()

    def __repr__(self: HasName) -> str:
        return f"<{type(self).__name__} {self.name}>"


Class = TypeVar("Class", bound=type[Any])


@dataclass_transform(frozen_default=True)
def frozen(node: Class) -> Class:
    """A frozen dataclass with slots, whose instances compute their hash once.

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
