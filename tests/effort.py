"""Measure what a computation costs on any machine: how many functions it calls."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any


class Calls:
    """Counts the calls of functions, of Python's and of C's, in its ``with`` block."""

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> Calls:
        self._before = sys.getprofile()
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._before)

    def _note(self, _frame: FrameType, event: str, _argument: Any) -> None:
        self.count += event in ("call", "c_call")
