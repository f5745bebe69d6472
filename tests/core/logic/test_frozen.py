"""Data classes made cheaply are those of the library, in all that a program can see."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from typing import Any

import pytest

from icgsynth.logic.frozen import dataclass, field, replace


def _classes(decorator: Any, slots: bool) -> tuple[Any, Any]:
    @decorator(frozen=True, slots=slots)
    class Base:
        """With a field of each kind."""

        size: int
        names: list[str] = field(default_factory=list)
        hint: str = field(default="", compare=False, repr=False)
        total: int = field(init=False, default=0)

        def __post_init__(self) -> None:
            object.__setattr__(self, "total", self.size + len(self.names))

    @decorator(frozen=True, slots=slots)
    class Derived(Base):
        """With one more."""

        more: tuple[int, ...] = ()

    return Base, Derived


def _seen(decorator: Any, slots: bool) -> list[object]:
    base, derived = _classes(decorator, slots)
    one, other = derived(1, ["a"], hint="x"), derived(1, ["a"], more=())
    seen = [repr(one), one == other, one == base(1, ["a"]), one != replace(one, size=2)]
    seen += [[*inspect.signature(derived).parameters], derived(3).names is derived(3).names]
    seen += [hash(derived(1, (), "x")) == hash(derived(1, (), "y")), copy.deepcopy(one) == one]
    seen += [one.total, derived.__match_args__, dataclasses.asdict(one), hasattr(one, "__dict__")]
    for change in (lambda: setattr(one, "size", 2), lambda: delattr(one, "size")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            change()
    with pytest.raises(TypeError):
        derived()
    return seen


@pytest.mark.parametrize("slots", [False, True])
def test_a_class_behaves_as_that_of_the_library(slots: bool) -> None:
    """It sees a method that is left out, a default that is shared, a field that is forgotten."""
    assert _seen(dataclass, slots) == _seen(dataclasses.dataclass, slots)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What another process is sent."""

    size: int

    def __repr__(self) -> str:
        return "its own"


def test_other_processes_are_sent_instances_and_own_methods_stay() -> None:
    """It sees slots that are not restored, and a method of the class that is overwritten."""
    again = pickle.loads(pickle.dumps(_Kept(3)))
    assert (again, repr(again), {again: 1}[_Kept(3)]) == (_Kept(3), "its own", 1)
