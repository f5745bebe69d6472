"""Functions of one open number that are linear, or settled, from step to step.

Such a function is a list of steps: what holds from each start on, up to the next; the first start
is -inf.  For a term that is (slope, value at 0), for a formula True or False; None is "not known".
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from math import inf
from typing import Any, TypeAlias

__all__ = [
    "BY_HEAD",
    "COMPARE",
    "Steps",
    "Undecided",
    "all_of",
    "always",
    "any_of",
    "choose",
    "compared",
    "ends",
    "fixed",
    "negative",
    "zipped",
]


class Undecided(Exception):
    """What is asked of the judge is beyond what it decides."""


Steps: TypeAlias = list[tuple[float, Any]]
COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def always(payload: Any) -> Steps:
    """Return the steps of a function that is ``payload`` at every number."""
    return [(-inf, payload)]


def fixed(steps: Steps) -> int | None:
    """The value of what does not depend on the open name; None of anything else."""
    if len(steps) > 1 or steps[0][1] is None or steps[0][1][0] != 0:
        return None
    return int(steps[0][1][1])


def zipped(function: Callable[..., Any], parts: Sequence[Steps]) -> Steps:
    """``function`` of what the parts are, from step to step."""
    if all(len(part) == 1 for part in parts):
        return always(function(*(part[0][1] for part in parts)))
    found: Steps = []
    places = [0] * len(parts)
    for start in sorted({start for part in parts for start, _ in part}):
        for i, part in enumerate(parts):
            if places[i] + 1 < len(part) and part[places[i] + 1][0] == start:
                places[i] += 1
        here = function(*(part[place][1] for part, place in zip(parts, places, strict=True)))
        _append(found, start, here)
    return found


def _append(steps: Steps, start: float, payload: Any) -> None:
    """One more step, unless nothing changes there."""
    if not steps or steps[-1][1] != payload:
        steps.append((start, payload))


def compared(sign: str, left: Steps, right: Steps) -> Steps:
    """Where the comparison holds."""
    found: Steps = []
    steps = zipped(_difference, [left, right])
    for (start, line), end in zip(steps, ends(steps), strict=True):
        inner = _against_zero(sign, line)
        for (low, holds), high in zip(inner, ends(inner), strict=True):
            if low < end and high > start:
                _append(found, max(low, start), holds)
    return found


def ends(steps: Steps) -> list[float]:
    """For each step the start of the next."""
    return [*(start for start, _ in steps[1:]), inf]


def _against_zero(sign: str, line: tuple[int, int] | None) -> Steps:
    """Where ``slope * n + value`` compares with 0 as ``sign`` says, for all n."""
    if line is None:
        return always(None)
    slope, value = line
    if slope == 0:
        return always(COMPARE[sign](value, 0))
    # For n below ``root`` the line has one sign, beyond ``last`` the other.
    before = -1 if slope > 0 else 1
    root, last = -(value // slope), (-value) // slope
    steps: Steps = [(-inf, COMPARE[sign](before, 0))]
    if root == last:
        steps.append((root, COMPARE[sign](0, 0)))
    return [*steps, (last + 1, COMPARE[sign](-before, 0))]


# --- payloads ----------------------------------------------------------------------------------


def all_of(*parts: bool | None) -> bool | None:
    return False if False in parts else None if None in parts else True


def any_of(*parts: bool | None) -> bool | None:
    return True if True in parts else None if None in parts else False


def _not(part: bool | None) -> bool | None:
    return None if part is None else not part


def _implies(left: bool | None, right: bool | None) -> bool | None:
    return any_of(_not(left), right)


def _iff(left: bool | None, right: bool | None) -> bool | None:
    return None if left is None or right is None else left == right


def choose(condition: bool | None, then: Any, otherwise: Any) -> Any:
    if condition is None:
        return then if then == otherwise else None
    return then if condition else otherwise


def _linear(function: Callable[..., tuple[int, int]]) -> Callable[..., Any]:
    """``function`` of lines, None where one of them is."""
    return lambda *lines: None if None in lines else function(*lines)


def _times(left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    if left[0] and right[0]:
        raise Undecided("a product of the open name with itself")
    return (left[0] * right[1] + left[1] * right[0], left[1] * right[1])


def _remainder(line: tuple[int, int], divisor: tuple[int, int]) -> tuple[int, int]:
    assert line[0] % divisor[1] == 0, "the classes are too coarse"
    return (0, line[1] % divisor[1])


def _quotient(line: tuple[int, int], divisor: tuple[int, int]) -> tuple[int, int]:
    assert line[0] % divisor[1] == 0, "the classes are too coarse"
    return (line[0] // divisor[1], line[1] // divisor[1])


_difference = _linear(lambda a, b: (a[0] - b[0], a[1] - b[1]))
negative = _linear(lambda a: (-a[0], -a[1]))
BY_HEAD: dict[str, Callable[..., Any]] = {
    "and": all_of,
    "or": any_of,
    "not": _not,
    "->": _implies,
    "<->": _iff,
    "+": _linear(lambda a, b: (a[0] + b[0], a[1] + b[1])),
    "-": _difference,
    "neg": negative,
    "*": _linear(_times),
    "mod": _linear(_remainder),
    "div": _linear(_quotient),
}
