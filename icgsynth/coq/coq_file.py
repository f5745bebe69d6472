"""A solution as a file that Coq checks: ``coqc`` accepts it only if the whole theorem is proved."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from icgsynth.budget import Budget
from icgsynth.coq.linear_file import play_file
from icgsynth.coq.quantified_rules import quantified_rules
from icgsynth.coq.statement import CoqStatement
from icgsynth.errors import Refused
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.prove.movers import find_movers

_SECONDS = 60.0  # of processor time, for the movers: a few hundredths do


def coq(solution: Solution, movers: Sequence[SemiGroundAction] | None = None) -> str:
    """The file; it ends with the command that prints what the theorem assumes: nothing.

    ``movers`` are semi-ground actions one of which applies wherever any does (misère play asks);
    without them they are looked for.
    :class:`~icgsynth.errors.Refused` where the answer is not proved or names no strategy, no
    state is legal, or the search for proofs takes too many steps.
    The file of an answer in digits states no strategy, only that there is a move.
    """
    written, solution = quantified_rules(solution)
    said = CoqStatement(solution)
    if not said.ranking:
        raise Refused(f"the answer for {solution.game.name} does not say what each move decreases")
    if not solution.is_linear:
        from icgsynth.coq.digits_file import digits_file  # late: needs automata

        return digits_file(solution, written)
    if not said.rules and not solution.needs_no_move:
        raise Refused(f"{solution.game.name} has no strategy yet: Coq's theorem is about one")
    if movers is None:
        movers = find_movers(said.game, Budget(inf, work=_SECONDS)).acts if said.is_misere else ()
    return play_file(solution, said.ranking, movers, written)
