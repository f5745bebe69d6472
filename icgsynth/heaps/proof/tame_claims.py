"""Prove that the values of heaps decide who wins under misère play, for heaps of any size.

A row of *fickle* heaps alone is won exactly where its value is 0, and any other row exactly where
its value is not 0.  The theorem is in ``docs/explanation/values.md``; its conditions are proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from icgsynth.budget import Budget
from icgsynth.claims.game import Obligation, obligation
from icgsynth.errors import Refused
from icgsynth.game.value_forms import is_term
from icgsynth.heaps.rules.heap_rows import HeapGameAnswer
from icgsynth.heaps.rules.heap_rules import HeapAction, HeapGame
from icgsynth.heaps.rules.piles import exists
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction
from icgsynth.prove.discharge import confirm, in_two_forms

_MOST_LEFT = 8  # heaps after a move, each with either value: 256 cases


def prove_tame(game: HeapGame, fickle: Mapping[int, int], budget: Budget) -> tuple[str, ...]:
    """Return the names of the engines that proved that Grundy values decide misère play.

    ``fickle`` maps a heap to its value 0 or 1: a row of these alone is won at the value 0, any
    other row at another value.  Values of other heaps have to be proved as well.
    :class:`~icgsynth.errors.Refused` where the claim is false, or not known.
    """
    require_few(game)
    found = confirm(_claims(game, fickle, budget), budget)
    if not found.is_proved:
        raise Refused(f"values are not shown to say who wins: {found}")
    return found.by


def prove_all_fickle(values: HeapGameAnswer, budget: Budget) -> tuple[str, ...]:
    """Return the names of the engines that proved that all ``values`` are 0 or 1; () if they did
    not.

    The ``values`` are proved before.  If all are 0 or 1, each move changes the value of a row.
    """
    period, value = values.period, values.function
    if period is not None:
        all_values = period.first_values(period.preperiod + period.period)
        return values.by if period.saltus == 0 and max(all_values) <= 1 else ()
    if value is None or not is_term(value):
        return ()
    larger = obligation(values.game.one_heap, "tame", "values are 0 or 1", t.compare(value, ">", 1))
    found = confirm([in_two_forms(larger, budget)], budget)
    return found.by if found.is_proved else ()


def require_few(game: HeapGame) -> None:
    """Raise Refused if ``game`` has several variables, or a move may leave more than 8 heaps."""
    if len(game.variables) != 1:
        message = "misere play of heaps with several numbers is looked at row by row, with --at, "
        message += "unless all their values are 0 or 1"
        raise Refused(message)
    if not game.leaves_at_most(_MOST_LEFT):
        message = f"a move may leave more than {_MOST_LEFT} heaps: who wins misere play is told"
        raise Refused(f"{message} row by row, with --at")


def _claims(
    game: HeapGame, fickle: Mapping[int, int], budget: Budget
) -> Iterator[tuple[Obligation, Obligation]]:
    """Yield each condition of the theorem that :func:`prove_tame` proves, as a pair (without
    quantifiers, as written); ``fickle`` maps each fickle heap to its value."""
    one, (variable,) = game.one_heap, game.variables
    here = t.Name(variable)

    def leaves(action: HeapAction, value: int) -> t.Formula:
        """Return the formula: ``action`` leaves only fickle heaps, with the xor ``value``."""
        kinds = [
            kind for kind in product((0, 1), repeat=len(action.into)) if sum(kind) % 2 == value
        ]
        rows = [
            conjunction(
                _among(term, fickle, bit) for (term,), bit in zip(action.into, kind, strict=True)
            )
            for kind in kinds
        ]
        return conjunction((action.precondition, disjunction(rows)))

    def has_move(formulas: Iterable[t.Formula]) -> t.Formula:
        return disjunction(
            exists(action.parameters, formula)
            for action, formula in zip(game.actions, formulas, strict=True)
        )

    def both(claim: str, *parts: t.Formula) -> tuple[Obligation, Obligation]:
        return in_two_forms(obligation(one, "tame", claim, *parts), budget)

    # Under misère play who has no move wins, so that a heap without moves has to be fickle with the
    # value 0: a row of fickle heaps alone is won exactly where its value is 0.
    legal = [conjunction((one.legal, action.precondition)) for action in game.actions]
    no_move = t.Not(has_move(legal))
    yield both("only a fickle heap has no move", t.Not(_among(here, fickle, 0)), no_move)
    is_other = t.Not(disjunction((_among(here, fickle, 0), _among(here, fickle, 1))))
    for action in game.actions:
        for value in (0, 1):
            claim = f"{action.name} changes the value of a fickle heap"
            # A move turns such a value 0 into 1 and 1 into 0, as in Nim with heaps of one stone.
            stays = t.Not(leaves(action, 1 - value))
            yield both(claim, _among(here, fickle, value), action.precondition, stays)
            claim = (
                f"where {action.name} leaves fickle heaps alone, some move does of value {value}"
            )
            # From a last heap that is not fickle the mover chooses: if some move leaves fickle
            # heaps alone, then both values can be reached, and one of them is lost for the
            # opponent.
            no_such = t.Not(has_move(leaves(other, value) for other in game.actions))
            yield both(
                claim, is_other, disjunction((leaves(action, 0), leaves(action, 1))), no_such
            )


def _among(term: t.Term, fickle: Mapping[int, int], value: int) -> t.Formula:
    """Return the formula that ``term`` is one of the ``fickle`` heaps with the value ``value``."""
    return disjunction(
        t.compare(term, "=", t.Int(heap)) for heap, of in fickle.items() if of == value
    )
