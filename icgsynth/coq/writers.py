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
    """Return the Coq file that proves ``solution``; ``movers`` are actions one of which applies
    wherever a move is left (for misère play; None: they are looked for)."""
    from icgsynth.coq.coq_file import coq

    return coq(solution, movers)


def value(answer: GrundyAnswer) -> str:
    """Return the Coq file that proves ``answer``, the Grundy function of a game."""
    from icgsynth.coq.function_file import value_coq

    return value_coq(answer)


def heaps(answer: HeapAnswer) -> str:
    """Return the Coq file that proves the period of the nim sequence in ``answer``."""
    from icgsynth.coq.function_file import heaps_coq

    return heaps_coq(answer)


def family(claim: FamilyClaim) -> str:
    """Return the Coq file that proves ``claim`` for all members of a family."""
    from icgsynth.coq.theorem_file import family_coq

    return family_coq(claim)
