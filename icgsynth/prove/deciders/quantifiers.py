"""Quantifier elimination: done by one solver, confirmed by another.

isl projects; z3 then has to prove that nothing has changed.  Both have been wrong before, so
neither is believed alone: what is not confirmed is not used."""

from __future__ import annotations

from icgsynth.budget import Budget
from icgsynth.errors import Unconfirmed
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import Rewriting, free_names, rebuild
from icgsynth.prove.deciders import smt

_SECONDS = 5.0  # seconds to eliminate all quantifiers of a game's rules


def eliminate_quantifiers(game: ParametricGame, budget: Budget) -> ParametricGame:
    """Return ``game`` with equivalent rules without quantifiers.

    Raises :class:`~icgsynth.errors.BudgetSpent`, :class:`~icgsynth.errors.TooLarge` where isl gives
    up, :class:`~icgsynth.errors.Unconfirmed` where z3 does not confirm what it found."""
    return game.mapped(elimination(budget)) if game.is_quantified else game


def elimination(budget: Budget) -> Rewriting:
    """Return a function that eliminates all quantifiers of a formula or term within ``budget``."""

    def plain(node: t.Kind) -> t.Kind:
        return without_quantifiers(node, budget)

    return plain


def plain_rules(game: ParametricGame) -> ParametricGame:
    """Return the game with each quantifier in its rules replaced by an equivalent formula.

    So a state can be tested by evaluation.  It has 5 s; raises like :func:`eliminate_quantifiers`.
    """
    return eliminate_quantifiers(game, Budget(_SECONDS))


def without_quantifiers(node: t.Kind, budget: Budget) -> t.Kind:
    """Return ``node`` with each outermost quantified subformula replaced by an equivalent one.
    Raises as :func:`eliminate_quantifiers` does."""
    if isinstance(node, t.Quantified):
        return confirmed_elimination(node, budget)
    return rebuild(node, tuple([without_quantifiers(c, budget) for c in t.children(node)]))


_MOST_KEPT = 1_000  # formulas whose elimination is remembered
_known: dict[t.Quantified, t.Formula] = {}


def confirmed_elimination(formula: t.Quantified, budget: Budget) -> t.Formula:
    """Return an equivalent of ``formula`` without its quantifier, found by isl.
    Raises Unconfirmed unless z3 proves the two equivalent."""
    found = _known.get(formula)
    if found is None:
        from icgsynth.prove.deciders.presburger.projection import without_quantifier

        candidate = without_quantifier(formula, budget)
        if not _is_equivalent(formula, candidate, budget):
            what = f"'{formula}' without its quantifier"
            raise Unconfirmed(f"no second solver confirms {what}; write it without one")
        if len(_known) >= _MOST_KEPT:
            _known.clear()
        found = _known[formula] = candidate
    return found


def _is_equivalent(formula: t.Quantified, candidate: t.Formula, budget: Budget) -> bool:
    """Return whether z3 proves ``formula`` and ``candidate`` equivalent; False if unsure."""
    # In one direction the quantifier can be left out, which often helps.
    names = tuple(sorted(free_names(formula)))
    whole = smt.satisfy((t.Not(t.Iff(formula, candidate)),), names, budget.share(0.5))
    if whole.kind != "unknown":
        return whole.kind == "unsat"
    exists = formula.kind == "exists"
    body = formula.body if exists else t.Not(formula.body)
    there, here = (candidate, t.Not(candidate)) if exists else (t.Not(candidate), candidate)
    opened = smt.satisfy((body, here), (*names, *formula.names), budget)
    closed = t.Not(formula) if exists else formula
    return opened.kind == "unsat" and smt.satisfy((closed, there), names, budget).kind == "unsat"
