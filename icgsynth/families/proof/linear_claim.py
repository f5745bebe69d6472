"""An obligation for all members of a family, made linear: by names for products and quotients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from icgsynth.claims.game import Obligation
from icgsynth.logic import term as t


@dataclass(frozen=True)
class LinearClaim:
    """A ``linear`` obligation.

    ``parts`` are those of it before it was made linear, one for each.  Names that have
    a meaning in ``definitions`` are no names of the game; a definition speaks of earlier ones.
    ``facts`` are true of all integers, each with the words of its schema.
    """

    linear: Obligation
    parts: tuple[t.Formula, ...]
    definitions: Mapping[str, t.Term] = field(default_factory=dict)
    facts: tuple[tuple[str, t.Formula], ...] = ()

    @property
    def whole(self) -> Obligation:
        """The obligation with the facts among its parts."""
        return replace(self.linear, parts=(*self.linear.parts, *(fact for _, fact in self.facts)))
