"""Check that a game of heaps by rules is well formed, and whether it is the game of a code."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, InputError, Refused
from icgsynth.heaps.proof.splitting import is_code
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.heaps import HeapCode
from icgsynth.prove.well_formed import RulesReport, check_twice

_SMALL = 6  # heaps with variables below this are tested for moves without a bound
_COMPARED = 100  # heaps below this are compared with the code, option by option
_OPTIONS = 3_000  # options compared, after which no more heaps are


def check_heaps(game: HeapGame, budget: Budget) -> RulesReport:
    """Return the report on whether play of ``game`` always ends, and stays among legal heaps.

    :class:`~icgsynth.errors.InputError` where a move leaves a heap that is not legal, or where a
    heap has infinitely many moves.
    """
    report = check_twice(game.one_heap, budget)
    if report.closure.witness:
        where = ", ".join(f"{name} = {number}" for name, number in report.closure.witness.items())
        message = f"{game.name}: a move leaves a heap that is not legal: {where}"
        raise InputError(message, mend="let the precondition see to it that all heaps are legal")
    for heap in product(range(_SMALL), repeat=len(game.variables)):
        try:
            if game.is_legal(heap):
                sum(1 for _ in islice(game.options(heap), _OPTIONS))
        except OverflowError as error:
            message = f"{game.name}: a heap has infinitely many moves: {error}"
            raise InputError(message, mend="bound the parameter in the precondition") from None
        except Refused:
            continue  # a move that leaves too many heaps to list them
    return report


def is_this_code(game: HeapGame, code: HeapCode, budget: Budget) -> bool:
    """Return whether ``game`` has the options of ``code``: by automata, and by listing small heaps.
    Heaps from 1 on are compared; where 0 is a heap, it must have no move."""
    try:
        if not is_code(game, code, budget):
            return False
    except (Refused, BudgetSpent):
        return False
    seen = 0
    for heap in range(1, _COMPARED):
        if not game.is_legal((heap,)):
            return False
        left = {tuple(sorted(h for (h,) in row if h)) for row in game.options((heap,))}
        if left != set(options_of_code(code, heap)):
            return False
        seen += len(left)
        if seen > _OPTIONS:
            break
    return True


def options_of_code(code: HeapCode, heap: int) -> Iterator[tuple[int, ...]]:
    """Yield the options of a heap of size ``heap``: the sizes > 0 left, in ascending order."""
    for k in range(min(heap, code.most_taken) + 1):
        for heaps in (h for h in range(4) if k in code.taking(h)):
            for left in _parts(heap - k, heaps, 1):
                if heaps != 2 or k not in code.unequal or left[0] != left[1]:
                    yield left


def _parts(size: int, heaps: int, least: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write ``size`` as a sum of ``heaps`` ascending parts from ``least`` on."""
    if heaps == 0:
        if size == 0:
            yield ()
        return
    if heaps == 1:
        if size >= least:
            yield (size,)
        return
    for first in range(least, size // heaps + 1):
        for rest in _parts(size - first, heaps - 1, first):
            yield first, *rest
