"""How answers look in a terminal and in a notebook, and what else is done with them elsewhere.

Answers know no exporter and no solver.  These are entered here where the package is put together
(:mod:`icgsynth`), and an answer looks its own looks up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, overload

TextFormat: TypeAlias = Literal[
    "fft", "python", "html", "smt2", "latex", "asp", "dot", "walnut", "coq", "json", "bfile"
]
"""The formats that are text; a sheet for a class, "pdf", is bytes."""


class Verification(Protocol):
    """What a verification has found."""

    @property
    def verdict(self) -> str:
        """ "proved", "refuted" or "unknown"."""
        ...

    @property
    def is_proved(self) -> bool: ...


@dataclass(frozen=True, repr=False)
class Drawing:
    """The states of a box: text in a terminal, a picture in a notebook (``svg``)."""

    text: str
    svg: str

    def __repr__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg


class Looks(TypedDict, total=False):
    """What is entered here, each with an answer as its first argument."""

    text: Callable[[Any], str]
    latex: Callable[[Any], str]
    svg: Callable[[Any], str]
    html: Callable[[Any], str]
    export: Callable[[Any, str], str | bytes]
    save: Callable[[Any, str | PathLike[str]], None]
    verify: Callable[[Any, float], Verification]
    table: Callable[[Any, int], Drawing]
    sum_move: Callable[[Any, Any], tuple[int, Any]]
    state_with_move: Callable[[Any], tuple[int, ...] | None]
    without_false_need: Callable[[Any], Any]


SHOWN: Looks = {}


class Shown:
    """An answer with a short ``repr``, and in a notebook its theorem, its picture and its rules.

    ``brief`` is what the ``repr`` says beside the name of the class.
    """

    __slots__ = ()

    @property
    def brief(self) -> str:
        """The game, and how its answer stands."""
        raise NotImplementedError

    @overload
    def export(self, fmt: TextFormat) -> str: ...
    @overload
    def export(self, fmt: Literal["pdf"]) -> bytes: ...
    @overload
    def export(self, fmt: str) -> str | bytes: ...
    def export(self, fmt: str) -> str | bytes:
        """The answer in another format; :class:`~icgsynth.errors.InputError` names the formats."""
        return SHOWN["export"](self, fmt)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the answer file, whole or not at all; its name ends in ``.json`` or in nothing."""
        SHOWN["save"](self, path)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.brief}>"

    def _repr_html_(self) -> str:
        return SHOWN["html"](self)
