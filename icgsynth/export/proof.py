"""The obligations of a solution as its file states it: with the ranking that the file names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from icgsynth.export.header import formulas, refuse_digits
from icgsynth.export.termination import ranking_of
from icgsynth.obligations.stated import Stated
from icgsynth.obligations.stated import stated as every_obligation
from icgsynth.obligations.termination import Bounded
from icgsynth.solution import Solution
from icgsynth.strategy import SemiGroundAction

__all__ = ["Stated", "stated"]


def stated(
    solution: Solution,
    movers: Iterable[SemiGroundAction] | None = None,
    ranking: Sequence[Bounded] | None = None,
    existence: bool | None = None,
) -> Iterator[Stated]:
    """Every obligation (:func:`icgsynth.obligations.stated.stated`).

    :class:`~icgsynth.errors.Refused` without a formula,
    :class:`~icgsynth.errors.InputError` where the file's ranking cannot be read, and where
    the answer is beyond linear arithmetic.
    """
    winning, losing = formulas(solution)
    refuse_digits(solution, "an SMT solver")
    components = tuple(ranking_of(solution) if ranking is None else ranking)
    yield from every_obligation(solution, winning, losing, components, movers, existence)
