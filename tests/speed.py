"""Decide which cases of a test run by default, which in the second stage, and which at night."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings

ParameterSet = type(pytest.param())


def sampled(
    names: str | tuple[str, ...],
    values: Iterable[Any],
    fast: int = 1,
    later: pytest.MarkDecorator = pytest.mark.slow,
    **more: Any,
) -> Callable[..., Any]:
    """Return ``pytest.mark.parametrize`` with ``fast`` cases by default, others if slow ones run.

    For tests of which every case says the same of another input, and takes long.  Of a slow test
    the others may be for the night: ``later`` is the mark that they get.
    """
    several = not isinstance(names, str) or "," in names
    cases = []
    for number, value in enumerate(values):
        if number >= fast:
            if isinstance(value, ParameterSet):
                marks = (*value.marks, later)
                value = pytest.param(*value.values, marks=marks, id=value.id)
            else:
                parts = value if several else (value,)
                value = pytest.param(*parts, marks=later)
        cases.append(value)
    return pytest.mark.parametrize(names, cases, **more)


def examples(few: int, many: int, *strategies: Any, **more: Any) -> Callable[..., Any]:
    """Return a decorator for a property: ``few`` examples by default, ``many`` at night.

    The second stage draws a quarter of those of the night, or twice the few if that is more.
    """
    some = max(many // 4, min(2 * few, many))
    marked = [pytest.param(some, marks=pytest.mark.slow)]
    marked += [pytest.param(many, marks=(pytest.mark.slow, pytest.mark.nightly))] * (many > some)

    def decorated(test: Callable[..., None]) -> Callable[[int], None]:
        @pytest.mark.parametrize("count", [few, *marked])
        def counted(count: int) -> None:
            settings(max_examples=count, deadline=None, **more)(given(*strategies)(test))()

        counted.__doc__ = test.__doc__
        return counted

    return decorated


def shared(counts: Iterable[tuple[str, int]], share: int) -> list[Any]:
    """Return cases (name, count) for the night, and in the second stage a part of each count."""
    found = []
    for name, count in counts:
        found.append(pytest.param(name, -(-count // share), marks=pytest.mark.slow))
        marks = (pytest.mark.slow, pytest.mark.nightly)
        found.append(pytest.param(name, count, marks=marks))
    return found
