"""A sum of games for the terminal: the values of its components, who wins, and how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from icgsynth.export.digit_words import wrapped
from icgsynth.export.heap_report import moves_in_words
from icgsynth.export.value_report import function_lines
from icgsynth.game.game import Move
from icgsynth.game.game_sum import Lowering, PartAnswer, Position, SumAnswer
from icgsynth.game.heap_rows import HeapMove
from icgsynth.game.heaps import HeapAnswer
from icgsynth.game.solution import agreed

__all__ = ["move_json", "position_json", "position_report", "sum_report"]

_WIDTH = 96
_FIRST = 24  # values shown of a sequence


def sum_report(answer: SumAnswer) -> str:
    """The report, ending in a newline."""
    took = f"{answer.seconds:.2f} s"
    if answer.is_proved:
        lines = [*_head(answer), f"normal play, solved and proved in {took}", "", *_solved(answer)]
        return "\n".join(lines) + "\n"
    lines = [*_head(answer), f"normal play: unknown after {took}, nothing is claimed", ""]
    for name, why in answer.missing.items():
        lines += _told(f"no values are proved: {why}", f"  {name}: ")
    known = [number for number, part in _numbered(answer) if _name(part) not in answer.missing]
    if known:
        lines += ["", f"Proved are the values of the components {', '.join(known)}."]
    return "\n".join(lines) + "\n"


def _head(answer: SumAnswer) -> list[str]:
    if len(answer.parts) == 1:
        return wrapped(_words(answer.parts[0]), _WIDTH)
    return wrapped(f"{answer.game.name}: a sum of {len(answer.parts)} games", _WIDTH)


def _solved(answer: SumAnswer) -> Iterator[str]:
    if len(answer.parts) == 1:
        (part,) = answer.parts
        yield from _values(part)
        yield from _sides("the xor of the heaps' values" if _is_row(part) else "the value")
        how = f"move to the value 0{', in some heap' if _is_row(part) else ''}."
    else:
        yield "A move is made in one of the components. Their values:"
        yield ""
        numbered = list(_numbered(answer))
        width = max(len(number) for number, _ in numbered)
        for number, part in numbered:
            yield from wrapped(_words(part), _WIDTH, f"  {number:<{width}}  ", " " * (width + 4))
            for line in _values(part):
                yield " " * (width + 2) + line
        yield from _sides("the xor of the components' values")
        how = (
            "let x be that xor. Some component has a value g with g xor x < g; move there to a "
            "state of the value g xor x."
        )
    how += " 'icgsynth value SUM --at STATE' names the move, and 'icgsynth play SUM' makes it."
    yield from _told(how, "To win: ")
    yield ""
    head = "Proved: "
    for part in _different(answer):
        yield from wrapped(f"{_name(part)}: {_proof(part)};", _WIDTH, head, " " * 10)
        head = " " * 8
    yield "        that values add: a theorem (Sprague 1935, Grundy 1939)."


def _sides(what: str) -> Iterator[str]:
    yield from ("", "The player to move", "")
    yield f"  loses  iff  {what} is 0"
    yield f"  wins   iff  {what} is not 0"
    yield ""


def _different(answer: SumAnswer) -> list[PartAnswer]:
    """One answer for each game of the sum."""
    return list({_words(part): part for part, _ in answer.groups()}.values())


def _is_row(part: PartAnswer) -> bool:
    return isinstance(part, HeapAnswer)


def _words(part: PartAnswer) -> str:
    """The name of a component, its constants and its title."""
    if isinstance(part, HeapAnswer):
        return f"{part.code.name}: {moves_in_words(part.code)}"
    constants = ", ".join(f"{name} = {value}" for name, value in part.game.constants)
    words = part.game.name + (f" ({constants})" if constants else "")
    return words + (f": {part.game.title}" if part.game.title else "")


def _numbered(answer: SumAnswer) -> Iterator[tuple[str, PartAnswer]]:
    """For each group of equal components its numbers, ``2`` or ``2-4``, and its answer."""
    first = 1
    for part, times in answer.groups():
        yield str(first) if times == 1 else f"{first}-{first + times - 1}", part
        first += times


def _values(part: PartAnswer) -> Iterator[str]:
    if not isinstance(part, HeapAnswer):
        yield from function_lines(part)
        return
    shown = " ".join(str(part.value(heap)) for heap in range(_FIRST))
    yield from wrapped(f"{shown} ...", _WIDTH - 4, "  G(0), G(1), ... = ", " " * 6)
    if (period := part.period) is not None:
        rise = f" + {period.saltus}" if period.saltus else ""
        yield f"  G(n + {period.period}) = G(n){rise} for n >= {period.preperiod}"


def _proof(part: PartAnswer) -> str:
    if isinstance(part, HeapAnswer):
        if part.by:
            return f"its values, from the definition, by {agreed(part.by)}"
        checked = "" if part.period is None else f"{part.period.needed:,}"
        return f"a replay of the first {checked} values, which prove the period"
    ends = part.confirmed.get("termination")
    also = f"; that play ends, by {agreed(ends)}" if ends else ""
    return f"its function, for all states, by {agreed(part.confirmed['keeps'])}{also}"


def _name(part: PartAnswer) -> str:
    return part.code.name if isinstance(part, HeapAnswer) else part.game.name


def _told(text: str, first: str) -> list[str]:
    return wrapped(text, _WIDTH, first, " " * len(first))


# --- one position --------------------------------------------------------------------------------


def position_report(
    answer: SumAnswer, position: Position, winning: tuple[Lowering, Move] | None, why: str = ""
) -> str:
    """The values at one position, who wins, and a ``winning`` move; ``why`` there is none."""
    values = answer.values(position)
    shown = answer.game.show(position).splitlines()
    width = max(map(len, shown))
    lines = [
        f"{line:<{width}}   value {'unknown' if value is None else value}"
        for line, value in zip(shown, values, strict=True)
    ]
    total = answer.value(position)
    if total is None:
        lines += ["", "The value of the sum is unknown, and nothing is claimed."]
        for name, reason in answer.missing.items():
            lines += _told(reason, f"  {name}: ")
        return "\n".join(lines) + "\n"
    who = "wins" if total else "loses"
    lines += ["", f"The xor of the values is {total}: the player to move {who}."]
    if winning is not None:
        aim, move = winning
        lines.append(
            f"A winning move: {aim.place + 1} {move}, from the value {aim.now} to {aim.target}"
        )
    elif why:
        lines.append(f"No winning move is named: {why}")
    return "\n".join(lines) + "\n"


def position_json(
    answer: SumAnswer, position: Position, winning: tuple[Lowering, Move] | None
) -> dict[str, Any]:
    """The same as a JSON value."""
    total = answer.value(position)
    rows = zip(answer.game.parts, position, answer.values(position), strict=True)
    found: dict[str, Any] = {
        "state": [list(state) for state in position],
        "value": total,
        "proved": total is not None,
        "components": [
            {"component": number, "name": part.name, "state": list(state), "value": value}
            for number, (part, state, value) in enumerate(rows, 1)
        ],
    }
    if total:
        found["move"] = None if winning is None else move_json(answer, *winning)
    return found


def move_json(answer: SumAnswer, aim: Lowering, move: Move) -> dict[str, Any]:
    """``component``, ``action`` and ``parameters`` of a move, and the value it leads to."""
    if isinstance(answer.parts[aim.place], HeapAnswer):
        option = HeapMove.read(str(move))
        action, given = "take", {"heap": option.heap, "take": option.take, "leave": [*option.left]}
    else:
        action, given = move.action, dict[str, Any](move.arguments)
    return {
        "component": aim.place + 1,
        "action": action,
        "parameters": given,
        "to_value": aim.target,
    }
