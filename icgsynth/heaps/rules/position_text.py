"""Read states of sums, rows of heaps, and moves in sums, as people type them."""

from __future__ import annotations

import re

from icgsynth.errors import IllegalMove, InputError
from icgsynth.game.game import Move, State
from icgsynth.heaps.rules.game_sum import PartGame, SumGame, SumState
from icgsynth.heaps.rules.heap_rows import HeapMove, HeapRows
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.spec.source import Source
from icgsynth.spec.state_text import parse_move, parse_state

_NUMBERED = re.compile(r"\s*([0-9]{1,4})\s+(.*)", re.DOTALL)
_HEAP = re.compile(r"[0-9]{1,1000}")


def parse_position(game: SumGame, text: str) -> SumState:
    """Return the states of the components that ``text`` names in order, such as ``3,7;5;12,5``. A
    component of heaps has a row of sizes. InputError with the place of a fault."""
    source, pieces = Source("<state>", text), text.split(";")
    if len(pieces) != len(game.parts):
        wanted = f"{len(game.parts)} component{'s' * (len(game.parts) != 1)}"
        message = f"{len(pieces)} state{'s' * (len(pieces) != 1)} for {wanted}"
        raise source.error(message, 0, f"write one for each, separated by ';': {game.name}")
    found: list[State] = []
    at = 0
    for part, piece in zip(game.parts, pieces, strict=True):
        place = at + len(piece) - len(piece.lstrip())
        try:
            read = _row(piece) if isinstance(part, HeapRows) else parse_state(part, piece)
        except InputError as error:
            raise source.error(f"{part.name}: {error.message}", place, error.mend) from None
        found.append(read)
        at += len(piece) + 1
    return tuple(found)


def _row(text: str) -> State:
    words = re.split(r"[,\s]\s*", text.strip().removeprefix("(").removesuffix(")").strip())
    if not all(map(_HEAP.fullmatch, words)):
        mend = "write the sizes of its heaps: 12, or 12,5"
        raise InputError("heaps are natural numbers of 1,000 digits at most", mend=mend)
    return tuple(map(int, words))


def parse_sum_move(game: SumGame, state: SumState, text: str) -> Move:
    """Return the move from ``state`` in ``text``: ``2 take 3``; for heaps ``3 take 1 leave 4,6``.

    The component's number comes first, and is optional if there is but one. :class:`IllegalMove`
    says what is wrong.
    """
    found = _NUMBERED.fullmatch(text)
    if found is None and len(game.parts) > 1:
        shown = f"2 {example(game.parts[1])}"
        raise IllegalMove(f"write the number of a component, and a move in it: {shown}")
    number, said = (int(found[1]), found[2]) if found is not None else (1, text)
    if not 1 <= number <= len(game.parts):
        raise IllegalMove(f"there is no component {number}: they are 1 to {len(game.parts)}")
    part, here = game.parts[number - 1], state[number - 1]
    if not isinstance(part, HeapRows):
        return game.number_move(number - 1, parse_move(part, here, said))
    option = HeapMove.read(said)
    if refusal := part.why_not(here, option):
        raise IllegalMove(refusal)
    return game.number_move(number - 1, option.move)


def example(part: PartGame) -> str:
    """Return an example of a move of the component ``part``, as people type it."""
    if isinstance(part, HeapRows):
        return "take 1 leave 4,6"
    action = part.actions[0]
    return " ".join([action.name, *("3" for _ in action.parameters)])


def parse_row(game: HeapGame, text: str) -> tuple[State, ...]:
    """Return the legal heaps in ``text``: ``5``, ``5,8`` or, with two variables, ``5,0; 8,1``."""
    heaps = text.split("," if len(game.variables) == 1 and ";" not in text else ";")
    return tuple(parse_state(game.one_heap, heap) for heap in heaps)
