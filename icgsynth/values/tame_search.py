"""Heaps by rules under misère play: where values still say who wins, as in Nim.

A row of *fickle* heaps alone is won exactly where its value is 0, and any other row exactly where
its value is not 0.  Which heaps are fickle is seen in small ones; that the theorem of
``docs/explanation/values.md`` applies is proved, for heaps of any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import reduce
from itertools import chain, combinations_with_replacement, product
from operator import xor

from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.game import State
from icgsynth.game.heap_rules import HeapAction, HeapGame
from icgsynth.game.misere import TameAnswer
from icgsynth.game.obligations.game import Obligation, obligation
from icgsynth.game.solution import Verdict
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, exists
from icgsynth.prove.discharge import confirm, in_two_forms
from icgsynth.values.heap_game_search import HeapGameSearch
from icgsynth.values.heap_values import Row, RowOutcomes, complete

_HEAPS = 48  # whose fickle ones are looked for; the largest of them is below half of it
_SHARE = 0.6  # of the budget, for the values
_MOST_LEFT = 8  # heaps after a move, each with either value: 256 cases
_PLAYED = 6  # heaps of which rows of up to three are played to the end
_USUAL = 1_000  # heaps whose values are looked at, of those that show no function


def tame_answer(game: HeapGame, falls: str, budget: Budget, progress: Progress) -> TameAnswer:
    """The answer for heaps of a game that is well formed, or why there is none.

    Its play ends because ``falls``.
    """
    values = HeapGameSearch(game, _USUAL, budget.share(_SHARE), progress=progress).run()
    answer = TameAnswer(replace(values, falls=falls))
    try:
        if not values.is_proved:
            raise Refused(f"the values of its heaps are not known: {values.why}")
        progress(f"{game.name}: which heaps change who wins under misere play")
        fickle = _fickle(game, budget)
        by = prove_tame(game, fickle, budget)
        checked = replace(answer, fickle=fickle, by=by, checked=_played(game, budget))
        if wrong := [row for row, wins in checked.checked.items() if checked.is_lost(row) == wins]:
            raise Refused(
                f"play to the end says otherwise of the row {wrong[0]}: please report this"
            )
        answer = replace(checked, verdict=Verdict.PROVED)
    except (BudgetSpent, Refused) as stopped:
        answer = replace(answer, why=str(stopped))
    return replace(answer, seconds=budget.elapsed())


def prove_tame(game: HeapGame, fickle: Mapping[int, int], budget: Budget) -> tuple[str, ...]:
    """Who proves that values say who wins with these ``fickle`` heaps, which have these values.

    :class:`~icgsynth.errors.Refused` where that is not so, or not known.  The values of the other
    heaps have to be proved as well.
    """
    _require_few(game)
    found = confirm(_claims(game, fickle, budget), budget)
    if not found.finding.is_proved:
        raise Refused(f"values are not shown to say who wins: {found.finding}")
    return found.by


def _require_few(game: HeapGame) -> None:
    """:class:`~icgsynth.errors.Refused` where heaps have several numbers, or moves leave many."""
    if len(game.variables) != 1:
        message = "misere play of heaps with several numbers is looked at row by row: with --at"
        raise Refused(message)
    if not game.leaves_at_most(_MOST_LEFT):
        message = f"a move may leave more than {_MOST_LEFT} heaps: who wins misere play is told"
        raise Refused(f"{message} row by row, with --at")


def _fickle(game: HeapGame, budget: Budget) -> Mapping[int, int]:
    """The fickle heaps, with their values.

    All heaps that a move leaves of one are fickle, and its value is 0 or 1.
    """
    known: dict[State, tuple[int, bool]] = {}

    def worth(options: Iterable[Row]) -> tuple[int, bool]:
        rows = [[known[heap] for heap in left] for left in options]
        met = {reduce(xor, (value for value, _ in row), 0) for row in rows}
        least = next(value for value in range(len(met) + 1) if value not in met)
        return least, least <= 1 and all(is_fickle for row in rows for _, is_fickle in row)

    _require_few(game)
    for heap in range(_HEAPS):
        if game.is_legal((heap,)):
            complete(known, (heap,), game.options, worth, budget)
    found = {heap: value for (heap,), (value, is_fickle) in sorted(known.items()) if is_fickle}
    if not found or max(found) >= _HEAPS // 2 or min(found) < 0:
        raise Refused("more than a few heaps change who wins under misere play")
    return found


def _played(game: HeapGame, budget: Budget) -> Mapping[tuple[int, ...], bool]:
    """Whether small rows are won, by play to the end."""
    outcomes = RowOutcomes(game)
    heaps = [heap for heap in range(_PLAYED) if game.is_legal((heap,))]
    rows = chain(*(combinations_with_replacement(heaps, count) for count in range(4)))
    return {row: outcomes.wins(tuple((heap,) for heap in row), budget) for row in rows}


def _claims(
    game: HeapGame, fickle: Mapping[int, int], budget: Budget
) -> Iterator[tuple[Obligation, Obligation]]:
    """What the theorem asks, without quantifiers and as it is written."""
    one, (variable,) = game.one_heap, game.variables
    here = t.Name(variable)

    def leaves(action: HeapAction, value: int) -> t.Formula:
        """That a move leaves fickle heaps alone, of this value together."""
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

    legal = [conjunction((one.legal, action.precondition)) for action in game.actions]
    no_move = t.Not(has_move(legal))
    yield both("only a fickle heap has no move", t.Not(_among(here, fickle, 0)), no_move)
    is_other = t.Not(disjunction((_among(here, fickle, 0), _among(here, fickle, 1))))
    for action in game.actions:
        for value in (0, 1):
            claim = f"{action.name} changes the value of a fickle heap"
            stays = t.Not(leaves(action, 1 - value))
            yield both(claim, _among(here, fickle, value), action.precondition, stays)
            claim = (
                f"where {action.name} leaves fickle heaps alone, some move does of value {value}"
            )
            no_such = t.Not(has_move(leaves(other, value) for other in game.actions))
            yield both(
                claim, is_other, disjunction((leaves(action, 0), leaves(action, 1))), no_such
            )


def _among(term: t.Term, fickle: Mapping[int, int], value: int) -> t.Formula:
    """That ``term`` is one of the fickle heaps of this value."""
    return disjunction(
        t.compare(term, "=", t.Int(heap)) for heap, of in fickle.items() if of == value
    )
