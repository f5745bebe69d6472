"""The decorators of immutable data classes, and of those that trees are made of."""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, FrozenInstanceError
from dataclasses import field as field
from dataclasses import fields as fields
from dataclasses import replace as replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, dataclass_transform

_MADE_HERE = {"frozen", "slots", "eq", "repr"}  # options that change nothing but methods


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(made: Any = None, /, **options: bool) -> Any:
        """``made`` as the library makes it with these ``options``, sooner where it is frozen.

        The library writes six methods of each class as text and compiles them: for a hundred
        classes that takes an eighth of a short run.  Here the constructor alone is compiled.
        """
        if made is None:
            return partial(dataclass, **options)
        if not options.get("frozen") or not options.keys() <= _MADE_HERE:
            return dataclasses.dataclass(made, **options)
        slots = options.get("slots", False)
        made = dataclasses.dataclass(made, init=False, eq=False, repr=False, slots=slots)
        methods = {"__init__": _constructor(made), "__setattr__": _refuse, "__delattr__": _refuse}
        if options.get("repr", True):
            methods["__repr__"] = _show
        if slots:
            methods |= {"__getstate__": _list_values, "__setstate__": _set_values}
        if options.get("eq", True):
            methods |= _comparison(made)
        for name, method in methods.items():
            if vars(made).get(name) is None:
                setattr(made, name, method)
        return made


def _refuse(self: Any, name: str, *_: object) -> None:
    raise FrozenInstanceError(f"cannot change the field {name!r}")


def _show(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _list_values(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in fields(self)]


def _set_values(self: Any, values: list[Any]) -> None:
    for one, value in zip(fields(self), values, strict=True):
        object.__setattr__(self, one.name, value)


def _comparison(made: Any) -> dict[str, Any]:
    names = [one.name for one in fields(made) if one.compare]
    values: Any = lambda self: tuple(getattr(self, name) for name in names)  # noqa: E731
    if len(names) > 1:
        values = attrgetter(*names)

    def __eq__(self: Any, other: object) -> Any:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    return {"__eq__": __eq__, "__hash__": lambda self: hash(values(self))}


def _constructor(made: Any) -> Any:
    known: dict[str, Any] = {"_set": object.__setattr__, "_missing": MISSING}
    parameters, lines = ["self"], []
    every: tuple[Any, ...] = fields(made)
    for one in every:
        name, default = one.name, f"_{one.name}"
        is_made = one.default_factory is not MISSING
        known[default] = one.default_factory if is_made else one.default
        value = name if one.init else default
        if is_made:
            value = f"{default}() if {name} is _missing else {name}" if one.init else f"{default}()"
        if one.init:
            told = "" if known[default] is MISSING else f"={'_missing' if is_made else default}"
            parameters.append(name + told)
        if one.init or known[default] is not MISSING:
            lines.append(f"_set(self, {name!r}, {value})")
    if hasattr(made, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}): {'; '.join(lines) or 'pass'}", known)
    made_by = known["__init__"]
    made_by.__qualname__ = f"{made.__qualname__}.__init__"
    made_by.__annotations__ = {one.name: one.type for one in every if one.init}
    return made_by


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
