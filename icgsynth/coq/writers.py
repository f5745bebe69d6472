"""Write files for Coq, by the kind of answer; each writer loads only what it needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from icgsynth.families.rules.family_claim import FamilyClaim
    from icgsynth.game.grundy import GrundyAnswer
    from icgsynth.game.solution import Solution
    from icgsynth.game.strategy import SemiGroundAction
    from icgsynth.heaps.rules.heaps import HeapAnswer


def strategy(solution: Solution, movers: Sequence[SemiGroundAction] | None = None) -> str:
    """Return a Coq file on an impartial game; ``movers``: moves that exist where play goes on."""
    from icgsynth.coq.coq_file import coq

    return coq(solution, movers)


def value(answer: GrundyAnswer) -> str:
    """Return a Coq file on the Grundy function of a game."""
    from icgsynth.coq.function_file import value_coq

    return value_coq(answer)


def heaps(answer: HeapAnswer) -> str:
    """Return a Coq file on the period of the values of a game of heaps."""
    from icgsynth.coq.function_file import heaps_coq

    return heaps_coq(answer)


def family(claim: FamilyClaim) -> str:
    """Return a Coq file on a theorem about all members of a family."""
    from icgsynth.coq.theorem_file import family_coq

    return family_coq(claim)
