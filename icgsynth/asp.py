"""The only door to clingo in this process: programs as syntax trees, and controls that solve.

Grounding a description that a stranger wrote happens in a process of its own
(:mod:`icgsynth.grounder`); what is solved here are programs of our own making.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from icgsynth.errors import InputError

__all__ = ["Message", "control", "number", "parsed", "syntax"]

Message = tuple[int, int, str]
"""Line and column (1-based; 0 where unknown), and what clingo said."""


def _clingo() -> Any:
    if find_spec("clingo") is None:
        raise InputError(
            "answer set programming needs clingo, which is not installed",
            mend="pip install 'icgsynth[fft]'",
        )
    import clingo

    return clingo


def syntax() -> Any:
    """The module ``clingo.ast``."""
    _clingo()
    import clingo.ast

    return clingo.ast


def number(value: int) -> Any:
    """A number as clingo's symbol."""
    return _clingo().Number(value)


def parsed(text: str) -> tuple[list[Any], list[Message]]:
    """The statements of ``text`` as syntax trees, and the errors of the parser."""
    ast = syntax()
    statements: list[Any] = []
    said: list[str] = []

    def hear(code: Any, message: str) -> None:
        said.append(message)

    try:
        ast.parse_string(text, statements.append, logger=hear)
    except RuntimeError as error:
        if not said:
            said.append(str(error))
    return statements, [_placed(message) for message in said]


def _placed(message: str) -> Message:
    """``<string>:3:5-6: error: syntax error, unexpected ...`` in its parts."""
    place, _, rest = message.partition(": error: ")
    if not rest:
        place, _, rest = message.partition(": info: ")
    numbers = place.split(":")[1:3]
    if len(numbers) == 2 and numbers[0].isdecimal():
        column = numbers[1].split("-")[0]
        return int(numbers[0]), int(column) if column.isdecimal() else 1, " ".join(rest.split())
    return 0, 0, " ".join((rest or message).split())


def control(text: str = "", options: Sequence[str] = ()) -> Any:
    """A :class:`clingo.Control` with ``text`` added and grounded, silent about warnings."""
    clingo = _clingo()
    made = clingo.Control(["--warn=none", *options], logger=lambda *_: None)
    if text:
        made.add("base", [], text)
        made.ground([("base", [])])
    return made
