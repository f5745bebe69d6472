"""How a solution looks in a terminal and in a notebook.

Solutions know no exporter.  The exporters are entered here where the package is put together
(:mod:`icgsynth`), and :class:`~icgsynth.game.solution.Solution` looks its own looks up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

__all__ = ["SHOWN", "Look"]

Look: TypeAlias = Literal["text", "latex", "svg"]

SHOWN: dict[Look, Callable[[Any], str]] = {}
