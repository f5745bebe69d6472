"""How answers look in a terminal and in a notebook.

Answers know no exporter.  The exporters are entered here where the package is put together
(:mod:`icgsynth`), and an answer looks its own looks up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

Look: TypeAlias = Literal["text", "latex", "svg", "html"]

SHOWN: dict[Look, Callable[[Any], str]] = {}


class Shown:
    """An answer with a short ``repr``, and in a notebook its theorem, its picture and its rules.

    ``brief`` is what the ``repr`` says beside the name of the class.
    """

    __slots__ = ()

    @property
    def brief(self) -> str:
        """The game, and how its answer stands."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.brief}>"

    def _repr_html_(self) -> str:
        return SHOWN["html"](self)
