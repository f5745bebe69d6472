"""Prove the conditions of the theorems about any number of piles, each by two engines."""

from __future__ import annotations

from collections.abc import Iterator

from icgsynth.budget import Budget
from icgsynth.claims.game import Obligation, obligation
from icgsynth.errors import Refused
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.heaps.rules.pile_answer import ByLengths
from icgsynth.heaps.rules.piles import exists
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation, substitute
from icgsynth.logic.prose import equalities
from icgsynth.prove.discharge import confirm, in_two_forms


def value_falls(function: GrundyAnswer, budget: Budget) -> tuple[str, ...]:
    """Return the names of two engines that proved that every move lowers the Grundy value
    ``function``. Refused where that is not so, or not known, as of values in digits."""
    game, term = function.game, function.term
    why = "Moore's theorem is about piles whose value falls with every move"
    if term is None or function.logic != "lia":
        raise Refused(f"{why}, which is not known")
    claims = []
    for action in game.actions:
        # A state where a move leads to no smaller value would be a counterexample.
        rises = t.compare(substitute(term, dict(game.after(action))), ">=", term)
        claim = f"{action.name} leads to a smaller value"
        claims.append(obligation(game, "falls", claim, game.applicable(action), rises))
    found = confirm(((claim, claim) for claim in claims), budget)
    if found.is_proved:
        return found.by
    where = equalities((found.witness or {}).items())
    raise Refused(f"{why}, which it does not where {where}" if where else f"{why}; not proved here")


def zero_turns(function: GrundyAnswer, budget: Budget) -> tuple[str, ...]:
    """Return the names of two engines that proved: each state of value 0 with a move has one to
    value 1.

    ``function`` gives the Grundy values.  :class:`~icgsynth.errors.Refused` where that is not so,
    or not known, as of values in digits.
    """
    game, term = function.game, function.term
    why = "misere play goes by values where each pile of the value 0 has a move to the value 1"
    if term is None or function.logic != "lia":
        raise Refused(f"{why}, which is not known")
    to_one = []
    for action in game.actions:
        is_one = t.compare(substitute(term, dict(game.after(action))), "=", 1)
        move = conjunction((game.applicable(action), is_one))
        to_one.append(exists(action.parameters, move))
    none, is_zero = t.Not(disjunction(to_one)), t.compare(term, "=", 0)
    claims = (
        obligation(game, "turns", f"{act.name} is a move", game.applicable(act), is_zero, none)
        for act in game.actions
    )
    found = confirm((in_two_forms(claim, budget) for claim in claims), budget)
    if found.is_proved:
        return found.by
    where = equalities((found.witness or {}).items())
    raise Refused(f"{why}, which {where} has not" if where else f"{why}; not proved here")


def prove_length(
    pile: ParametricGame, rule: PlayRule, length: t.Term, budget: Budget
) -> tuple[str, ...]:
    """Return the names of two engines that proved that play in a pile lasts ``length`` moves.

    ``length`` is a term in the variables of ``pile``; ``rule`` is that of play.
    :class:`~icgsynth.errors.Refused` where that is not so, or not known.
    """
    found = confirm(length_claims(pile, rule, length, budget), budget.share(0.5))
    if not found.is_proved:
        raise Refused(f"that play lasts {length} is not proved")
    return found.by


def length_claims(
    pile: ParametricGame, rule: PlayRule, length: t.Term, budget: Budget
) -> Iterator[tuple[Obligation, Obligation]]:
    """Yield the claims, each as a pair (without quantifiers, as written), that play in ``pile``
    under ``rule`` lasts ``length`` moves."""

    def claim(said: str, *parts: t.Formula) -> tuple[Obligation, Obligation]:
        return in_two_forms(obligation(pile, "length", said, *parts), budget)

    # After an odd number of moves the first player made the last one: that wins under normal play,
    # and loses under misère play.
    def is_won(term: t.Term) -> t.Formula:
        return t.compare(t.Mod(term, t.Int(2)), "=", int(rule == "normal"))

    # `length` is the length if the winner is as quick as possible and the loser as slow: by
    # induction, 0 without a move, else one more than the least length of a lost successor, or than
    # the largest length where all successors are won.
    one_less = t.Sum((length, t.Int(-1)))
    moves = [
        (action, pile.applicable(action), substitute(length, dict(pile.after(action))))
        for action in pile.actions
    ]
    yield claim("no length is negative", t.compare(length, "<", 0))
    shortens = disjunction(
        exists(action.parameters, conjunction((applies, t.compare(then, "=", one_less))))
        for action, applies, then in moves
    )
    yield claim("some move shortens play by one", t.compare(length, ">", 0), t.Not(shortens))
    for action, applies, then in moves:
        name = action.name
        yield claim(f"{name} needs play to go on", applies, t.compare(length, "=", 0))
        # Whose turn it is wins: no move to a lost state may be quicker than `length`.
        soon = conjunction((negation(is_won(then)), t.compare(then, "<", one_less)))
        yield claim(f"{name} wins no sooner", applies, is_won(length), soon)
        # Whose turn it is loses: each move leads to a won state, and none delays play longer.
        wrong = disjunction((negation(is_won(then)), t.compare(then, ">", one_less)))
        yield claim(f"{name} delays no more", applies, negation(is_won(length)), wrong)


def prove_growth(theorem: ByLengths, budget: Budget) -> tuple[str, ...]:
    """Return the names of two engines that proved that a larger pile has no shorter play; () if
    none did. ``theorem`` says how long play lasts.  Piles of several variables have no order."""
    pile = theorem.pile
    if len(pile.variables) > 1:
        return ()
    variable, larger = pile.variables[0], t.Name(f"{pile.variables[0]}_larger")
    there = {variable: larger}
    shorter = t.compare(substitute(theorem.length, there), "<", theorem.length)
    said = obligation(
        pile,
        "length",
        "a larger pile has no shorter play",
        substitute(pile.legal, there),
        t.compare(t.Name(variable), "<", larger),
        shorter,
    )
    found = confirm([(said, said)], budget)
    return found.by if found.is_proved else ()
