"""The obligations of a solution as its file states it: with the ranking that the file names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from icgsynth.game.obligations.ranking import ranking_of
from icgsynth.game.obligations.stated import Stated
from icgsynth.game.obligations.stated import stated as every_obligation
from icgsynth.game.obligations.termination import Bounded
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import SemiGroundAction

__all__ = ["Stated", "stated"]


def stated(
    solution: Solution,
    movers: Iterable[SemiGroundAction] | None = None,
    ranking: Sequence[Bounded] | None = None,
    existence: bool | None = None,
) -> Iterator[Stated]:
    """Every obligation (:func:`icgsynth.game.obligations.stated.stated`).

    :class:`~icgsynth.errors.Refused` without a formula,
    :class:`~icgsynth.errors.InputError` where the answer is beyond linear arithmetic.
    """
    winning, losing = solution.sides()
    solution.refuse_digits("an SMT solver")
    components = tuple(ranking_of(solution) if ranking is None else ranking)
    yield from every_obligation(solution, winning, losing, components, movers, existence)
