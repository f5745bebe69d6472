"""Solve a member of a family by a known theorem, whose answer is proved anew for the member."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.families.proof.families import is_member
from icgsynth.families.rules.theorem_catalog import catalog_theorems
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution
from icgsynth.prove.certificate import certify
from icgsynth.prove.recheck.drawn_members import put_constants


def by_theorem(game: ParametricGame, rule: PlayRule, budget: Budget) -> Solution | None:
    """Return the answer for ``game`` under ``rule`` from a theorem of the catalog about its family,
    proved anew for this member; None where no theorem is about it, or the proof fails. Nothing of
    the theorem is believed: its formulas and its strategy, with the numbers put in, are proved from
    the rules of ``game``, as :mod:`~icgsynth.prove.certificate` does."""
    for candidate, said in _candidates(game, rule):
        try:
            found = certify(candidate, budget.share(0.9)).solved
        except (BudgetSpent, Refused):
            return None
        if found is not None:
            return replace(found, notes=(f"{said}, and proved for this member",))
    return None


def _candidates(game: ParametricGame, rule: PlayRule) -> Iterator[tuple[Solution, str]]:
    """Yield pairs (answer, sentence): what the catalog's theorems whose range has ``game`` say of
    it, not proved here, and a sentence that tells which theorem it is."""
    given = dict(game.constants)
    for kept in catalog_theorems(game.name):
        claim, fixed = kept.claim, kept.fixed
        names = {*claim.constants, *fixed}
        if claim.rule != rule or not names <= given.keys():
            continue
        constants = {name: given[name] for name in claim.constants}
        if any(given[name] != n for name, n in fixed.items()):
            continue
        if is_member(claim.where, constants):
            member = put_constants(claim.solution, (), constants).solution
            if member.game.variables == game.variables:
                said = f"by the theorem for every {claim.where}: lost iff {claim.losing}"
                yield replace(member, game=game), said
