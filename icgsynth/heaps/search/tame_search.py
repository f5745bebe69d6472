"""Decide heaps by rules under misère play, where values still say who wins, as in Nim.

A row of *fickle* heaps alone is won exactly where its value is 0, and any other row exactly where
its value is not 0.  Which heaps are fickle is seen in small ones; that the theorem of
``docs/explanation/values.md`` applies is proved, for heaps of any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce
from itertools import chain, combinations_with_replacement, product
from operator import xor

from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.answers import Verdict
from icgsynth.game.game import State
from icgsynth.heaps.proof.tame_claims import prove_all_fickle, prove_tame, require_few
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.misere import TameAnswer
from icgsynth.heaps.search.heap_game_search import HeapGameSearch
from icgsynth.heaps.search.heap_values import Row, RowOutcomes, complete

_HEAPS = 48  # heaps among which fickle ones are looked for; the largest is below half of it
_SHARE = 0.6  # of the budget, for the values
_PLAYED = 6  # heaps of which rows of up to three are played to the end
_SMALL = 4  # bound of the numbers of a heap in the rows that are played, if it has several
_USUAL = 1_000  # heaps whose values are looked at, of those that show no function


def tame_answer(game: HeapGame, falls: str, budget: Budget, progress: Progress) -> TameAnswer:
    """Return the answer on misère play of ``game``, which is well formed; unproved, it says why.

    ``falls`` is why its play ends.  Unproved where the values of heaps are not known, or play to
    the end contradicts it, a fault of this program.  Never :class:`~icgsynth.errors.Refused`."""
    values = HeapGameSearch(game, _USUAL, budget.share(_SHARE), progress=progress).run()
    answer = TameAnswer(replace(values, falls=falls))
    try:
        if not values.is_proved:
            raise Refused(f"the values of its heaps are not known: {values.why}")
        progress(f"{game.name}: which heaps change who wins under misere play")
        if by := prove_all_fickle(values, budget):
            answer = replace(answer, all_fickle=True, by=by)
        else:
            fickle = _fickle(game, budget)
            answer = replace(answer, fickle=fickle, by=prove_tame(game, fickle, budget))
        checked = replace(answer, checked=_play_rows(game, budget))
        if wrong := [row for row, wins in checked.checked.items() if checked.is_lost(row) == wins]:
            raise Refused(
                f"play to the end says otherwise of the row {wrong[0]}: please report this"
            )
        answer = replace(checked, verdict=Verdict.PROVED)
    except (BudgetSpent, Refused) as stopped:
        answer = replace(answer, why=str(stopped))
    return replace(answer, seconds=budget.runtime)


def _fickle(game: HeapGame, budget: Budget) -> Mapping[int, int]:
    """Return the *fickle* heaps below 24 with their values: 0 or 1, and all heaps left by moves are
    fickle.  :class:`~icgsynth.errors.Refused` where there are none, one is negative, or one of 24
    to 47 is fickle."""
    known: dict[State, tuple[int, bool]] = {}

    def worth(options: Iterable[Row]) -> tuple[int, bool]:
        rows = [[known[heap] for heap in left] for left in options]
        # The value of a row is the xor of the values of its heaps, that of a heap the least one
        # that no option has.
        met = {reduce(xor, (value for value, _ in row), 0) for row in rows}
        least = next(value for value in range(len(met) + 1) if value not in met)
        return least, least <= 1 and all(is_fickle for row in rows for _, is_fickle in row)

    require_few(game)
    for heap in range(_HEAPS):
        if game.is_legal((heap,)):
            complete(known, (heap,), game.options, worth, budget)
    found = {heap: value for (heap,), (value, is_fickle) in sorted(known.items()) if is_fickle}
    # That they end early in the box is a sign that there are no more; the proof does not rest on
    # it.
    if not found or max(found) >= _HEAPS // 2 or min(found) < 0:
        raise Refused("more than a few heaps change who wins under misere play")
    return found


def _play_rows(game: HeapGame, budget: Budget) -> Mapping[Row, bool]:
    outcomes = RowOutcomes(game)
    sizes = range(_PLAYED if len(game.variables) == 1 else _SMALL)
    heaps = [heap for heap in product(sizes, repeat=len(game.variables)) if game.is_legal(heap)]
    rows = chain(*(combinations_with_replacement(heaps, count) for count in range(4)))
    return {row: outcomes.wins(row, budget) for row in rows}
