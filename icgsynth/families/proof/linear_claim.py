"""Obligations for all members of a family in linear arithmetic: products get names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from icgsynth.claims.game import Obligation
from icgsynth.logic import term as t


@dataclass(frozen=True)
class LinearClaim:
    """An obligation made ``linear``, with what its names mean.

    ``parts`` are its parts before it was made linear, in the same order.  Names that have a meaning
    in ``definitions`` are no names of the game; a definition uses earlier names. ``facts`` are true
    of all integers, each with the words of its schema."""

    linear: Obligation
    parts: tuple[t.Formula, ...]
    definitions: Mapping[str, t.Term] = field(default_factory=dict)
    facts: tuple[tuple[str, t.Formula], ...] = ()

    @property
    def whole(self) -> Obligation:
        """The obligation ``linear`` with the formulas of ``facts`` added to its parts."""
        return replace(self.linear, parts=(*self.linear.parts, *(fact for _, fact in self.facts)))
