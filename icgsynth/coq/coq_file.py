"""Write a solution as a file for Coq: ``coqc`` accepts it only if the whole theorem is proved."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from icgsynth.budget import Budget
from icgsynth.claims.game import ranking_of
from icgsynth.coq.linear_file import play_file
from icgsynth.coq.same_rules import quantified_rules
from icgsynth.errors import CannotExpress
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic.build import refuse_quantifiers
from icgsynth.prove.well_formed import find_movers

_SECONDS = 60.0  # of processor time, for the movers: a few hundredths do


def coq(solution: Solution, movers: Sequence[SemiGroundAction] | None = None) -> str:
    """Return the Coq file that proves who wins in ``solution``; Coq prints that nothing is assumed.

    ``movers`` are semi-ground actions one of which applies wherever any does (misère play asks);
    without them they are looked for. :class:`~icgsynth.errors.CannotExpress` where the answer is
    not proved or names no strategy, no state is legal, or proofs take too many steps. The file of
    an answer in digits states the strategy as far as it is in terms."""
    written, solution = quantified_rules(solution)
    game = solution.game
    if not solution.is_proved:
        raise CannotExpress(
            f"the answer for {game.name} is {solution.status}, not proved: Coq has nothing to check"
        )
    refuse_quantifiers((*game.formulas(), *solution.formulas()), "coq")
    ranking = [*ranking_of(solution)]
    if not ranking:
        raise CannotExpress(f"the answer for {game.name} does not say what each move decreases")
    if not solution.is_linear:
        from icgsynth.coq.digits_file import digits_file  # late: needs automata

        return digits_file(solution, written)
    has_rules = any(isinstance(step, Rule) for step in solution.strategy)
    if not has_rules and not solution.needs_no_move:
        raise CannotExpress(f"{game.name} has no strategy yet: Coq's theorem is about one")
    if movers is None:
        is_misere = solution.rule == "misere"
        movers = find_movers(game, Budget(inf, work=_SECONDS)).acts if is_misere else ()
    return play_file(solution, ranking, movers, written)
