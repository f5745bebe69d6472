"""Which of the cases of a test run by default, and which with ``-m slow`` only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings

ParameterSet = type(pytest.param())


def sampled(
    names: str | tuple[str, ...], values: Iterable[Any], fast: int = 1, **more: Any
) -> Callable[..., Any]:
    """``pytest.mark.parametrize`` whose first ``fast`` cases run by default, the others if slow.

    For tests of which every case says the same of another input, and takes long.
    """
    several = not isinstance(names, str) or "," in names
    cases = []
    for number, value in enumerate(values):
        if number >= fast:
            if isinstance(value, ParameterSet):
                marks = (*value.marks, pytest.mark.slow)
                value = pytest.param(*value.values, marks=marks, id=value.id)
            else:
                parts = value if several else (value,)
                value = pytest.param(*parts, marks=pytest.mark.slow)
        cases.append(value)
    return pytest.mark.parametrize(names, cases, **more)


def examples(few: int, many: int, *strategies: Any, **more: Any) -> Callable[..., Any]:
    """A property of what is drawn: ``few`` examples by default, and ``many`` if slow."""

    def decorated(test: Callable[..., None]) -> Callable[[int], None]:
        @pytest.mark.parametrize("count", [few, pytest.param(many, marks=pytest.mark.slow)])
        def counted(count: int) -> None:
            settings(max_examples=count, deadline=None, **more)(given(*strategies)(test))()

        counted.__doc__ = test.__doc__
        return counted

    return decorated
