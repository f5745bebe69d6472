"""Answers: a game, how to play it, and what is known of that, whoever found it.

An :class:`Answer` is what files hold and what every exporter, player and verifier takes.  There is
one class for each kind: :class:`~icgsynth.game.solution.Solution` of an impartial game,
:class:`~icgsynth.fft.tiers.TreeAnswer`, :class:`~icgsynth.learn.saved.LearnedAnswer`; of values
:class:`~icgsynth.game.grundy.GrundyAnswer`, or of heaps :class:`~icgsynth.game.heaps.HeapAnswer`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeAlias

from icgsynth.game.strategy import Strategy

SCHEMA = "icgsynth/solution/2"
"""The schema of the files that are written, whatever their kind."""

Kind: TypeAlias = Literal["strategy", "tree", "learned", "value", "family"]
KINDS: dict[Kind, str] = {
    "strategy": "an answer of an impartial game",
    "tree": "a fast-and-frugal tree",
    "learned": "a learned strategy",
    "value": "Grundy values",
    "family": "an answer for all members of a family",
}
"""Each kind of answer, in words."""


class NamedGame(Protocol):
    """Any game; which other questions it answers depends on the kind of the answer."""

    @property
    def name(self) -> str: ...


class Answer(Protocol):
    """What was found for one game; frozen."""

    @property
    def kind(self) -> Kind:
        """What kind of answer it is: the key ``kind`` of its file."""
        ...

    @property
    def game(self) -> NamedGame:
        """The game, which the tiers of the strategy are asked about."""
        ...

    @property
    def strategy(self) -> Strategy[Any]:
        """The tiers that were found; none where there is no strategy."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The value of its file: plain dicts, lists, strings and numbers."""
        ...


# --- who proved it -----------------------------------------------------------------------------

# What an engine shares with another check that the same report names.
_SHARED = {"remainders": " (which share their compiler with the check of far states)"}


def agreed(by: Sequence[str]) -> str:
    """Who proved something, and who confirmed it: ``residue classes, confirmed by isl``."""
    first, *others = [name + _SHARED.get(name, "") for name in by]
    named = f"{', '.join(others[:-1])} and {others[-1]}" if len(others) > 1 else "".join(others)
    return f"{first}, confirmed by {named}" if others else first


def times(by: Sequence[str]) -> str:
    """How often something was proved, for people who need not know the engines."""
    if len(by) > 1:
        return "twice, by methods that share nothing but the question"
    return "once, by one method alone" if by else ""
