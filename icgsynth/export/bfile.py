"""A b-file of the On-Line Encyclopedia of Integer Sequences: a line ``n a(n)`` for each value."""

from __future__ import annotations

from icgsynth.errors import InputError
from icgsynth.export.value_header import value_header
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heap_game_answer import HeapGameAnswer
from icgsynth.game.heaps import HeapAnswer
from icgsynth.logic.ranges import ranges

__all__ = ["TERMS", "bfile"]

TERMS = 1_000


def bfile(answer: GrundyAnswer | HeapAnswer | HeapGameAnswer, terms: int = TERMS) -> str:
    """At most ``terms`` values, fewer where fewer are known or legal; comments begin with #.

    Of a game the values of its only variable, from 0 or the least legal number above on; of
    heaps G(0), G(1), ...  :class:`~icgsynth.errors.InputError` for other games.
    """
    if isinstance(answer, HeapGameAnswer) and answer.function is not None:
        answer = answer.of_one_heap
    lines = [f"# {line}" for line in value_header(answer)]
    start, values = _values(answer, terms)
    return "\n".join([*lines, *(f"{n} {value}" for n, value in enumerate(values, start))]) + "\n"


def _values(
    answer: GrundyAnswer | HeapAnswer | HeapGameAnswer, terms: int
) -> tuple[int, list[int]]:
    if not isinstance(answer, GrundyAnswer):
        return 0, answer.first(terms)
    game = answer.game
    if len(game.variables) != 1:
        message = f"a b-file has one number a line, and {game.name} has {len(game.variables)}"
        raise InputError(f"{message} variables", mend="export to python or json instead")
    low, _ = ranges(game.legal, game.variables, {})[game.variables[0]]
    start = max(0, low) if isinstance(low, int) else 0
    values: list[int] = []
    for n in range(start, start + terms):
        if not game.is_legal((n,)):
            break
        values.append(answer.at((n,)))
    if not values:
        raise InputError(f"{game.name} has no legal state {start}, where a b-file begins")
    return start, values
