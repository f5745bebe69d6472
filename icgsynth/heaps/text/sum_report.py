"""The report on a sum of games: the values of its components, who wins, and how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from icgsynth.export import report as doc
from icgsynth.export.sentences import call_game
from icgsynth.export.value_report import function_lines
from icgsynth.game.game import Move
from icgsynth.game.position import Position, move_json
from icgsynth.heaps.rules.game_sum import Lowering, PartAnswer, SumAnswer, SumState
from icgsynth.heaps.rules.heap_rows import HeapMove
from icgsynth.heaps.rules.heaps import HeapAnswer
from icgsynth.heaps.text.heap_report import moves_in_words
from icgsynth.logic.prose import WIDTH, wrapped

_FIRST = 24  # values shown of a sequence


def sum_report(answer: SumAnswer) -> doc.Report:
    """Return the report on a sum: values of components, who wins, how, and the proof."""
    took = f"{answer.seconds:.2f} s"
    if answer.is_proved:
        standing = f"normal play, solved and proved in {took}"
        return (
            doc.Title(_head(answer), standing),
            *_tell_solution(answer),
            doc.notes(*_tell_proof(answer)),
        )
    missing = doc.notes(*_missing(answer, "no values are proved: "))
    proved = [number for number, part in _number(answer) if part.game.name not in answer.missing]
    told = f"Proved are the values of component{'s' * (len(proved) > 1)} {', '.join(proved)}."
    title = doc.Title(_head(answer), f"normal play: unknown after {took}, nothing is claimed")
    return (title, missing, doc.notes(told)) if proved else (title, missing)


def _missing(answer: SumAnswer, what: str = "") -> Iterator[doc.Note]:
    for name, why in answer.missing.items():
        yield doc.Note(what + why, f"  {name}: ")


def _head(answer: SumAnswer) -> str:
    if len(answer.parts) == 1:
        return _words(answer.parts[0])
    return f"{answer.game.name}: a sum of {len(answer.parts)} games"


def _tell_solution(answer: SumAnswer) -> Iterator[doc.Part]:
    if len(answer.parts) == 1:
        (part,), spec = answer.parts, answer.game.name
        what = "the xor of the heaps' values" if _is_row(part) else "the value"
        how = f"move to the value 0{', in some heap' if _is_row(part) else ''}."
        yield doc.Listing(tuple(_values(part)))
    else:
        what, spec = "the xor of the components' values", "SUM"
        how = (
            "let x be that xor. Some component has a value g with g xor x < g; move there to a "
            "state of the value g xor x."
        )
        yield doc.notes("A move is made in one of the components. Their values:")
        yield doc.Listing(tuple(_components(answer)))
    sides = (doc.Side("loses", f"{what} is 0"), doc.Side("wins", f"{what} is not 0"))
    yield doc.Sides("The player to move", sides)
    how += f" 'icgsynth value {spec} --at STATE' names a move, and 'icgsynth play {spec}' makes it."
    yield doc.notes(doc.Note(how, "To win: "))


def _components(answer: SumAnswer) -> Iterator[str]:
    numbered = list(_number(answer))
    width = max(len(number) for number, _ in numbered)
    for number, part in numbered:
        yield from wrapped(_words(part), f"  {number:<{width}}  ")
        yield from (" " * (width + 2) + line for line in _values(part))


def _tell_proof(answer: SumAnswer) -> Iterator[doc.Note]:
    yield from doc.tell_proofs((each for part in _different(answer) for each in _proof(part)), "")
    yield doc.Note("that values add: a theorem (Sprague 1935, Grundy 1939).", "Proved: ")


def _different(answer: SumAnswer) -> list[PartAnswer]:
    return list({_words(part): part for part, _ in answer.groups()}.values())


def _is_row(part: PartAnswer) -> bool:
    return isinstance(part, HeapAnswer)


def _words(part: PartAnswer) -> str:
    if isinstance(part, HeapAnswer):
        return f"{part.code.name}: {moves_in_words(part.code)}"
    return call_game(part.game)


def _number(answer: SumAnswer) -> Iterator[tuple[str, PartAnswer]]:
    """Yield (numbers, answer) for each group of equal components: numbers as ``2`` or ``2-4``."""
    first = 1
    for part, times in answer.groups():
        yield str(first) if times == 1 else f"{first}-{first + times - 1}", part
        first += times


def _values(part: PartAnswer) -> Iterator[str]:
    if not isinstance(part, HeapAnswer):
        yield from function_lines(part)
        return
    shown = " ".join(str(part.known_at(heap)) for heap in range(_FIRST))
    yield from wrapped(f"{shown} ...", "  G(0), G(1), ... = ", " " * 6, WIDTH - 4)
    if (period := part.period) is not None:
        yield f"  {period.law} for n >= {period.preperiod}"


def _proof(part: PartAnswer) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (what is proved of the component ``part``, the engines that prove it)."""
    name = part.game.name
    if isinstance(part, HeapAnswer):
        needed = "" if part.period is None else f" by a replay of its first {part.period.needed:,}"
        yield f"all values of {name}{'' if part.by else needed}", part.by
        return
    yield f"the function of {name} for all states", part.confirmed["keeps"]
    if ends := part.confirmed.get("termination"):
        yield f"that {name} always ends", ends


# --- one position --------------------------------------------------------------------------------


def position_report(
    answer: SumAnswer, position: SumState, winning: tuple[Lowering, Move] | None, why: str = ""
) -> doc.Report:
    """Return the report on ``position``: its values and the ``winning`` move with its aim, or
    ``why`` none is named."""
    values = answer.known_values(position)
    shown = answer.game.show(position).splitlines()
    width = max(map(len, shown))
    parts = doc.Listing(
        tuple(
            f"{line:<{width}}   value {'unknown' if value is None else value}"
            for line, value in zip(shown, values, strict=True)
        )
    )
    total = answer.known_at(position)
    if total is None:
        unknown = "The value of the sum is unknown, and nothing is claimed."
        return (parts, doc.notes(unknown, *_missing(answer)))
    who = "wins" if total else "loses"
    said = [f"The xor of the values is {total}: the player to move {who}."]
    if winning is not None:
        aim, move = winning
        place = aim.place + 1
        said.append(f"A winning move: {place} {move}, from the value {aim.now} to {aim.target}")
    elif why:
        said.append(f"No winning move is named: {why}")
    return (parts, doc.notes(*said))


def sum_position(
    answer: SumAnswer, position: SumState, winning: tuple[Lowering, Move] | None, why: str
) -> Position:
    """Return who wins ``position``, as written to JSON, with its values and the ``winning`` move
    and its aim, or ``why`` none is named."""
    total = answer.known_at(position)
    rows = zip(answer.game.parts, position, answer.known_values(position), strict=True)
    components = [
        {"component": number, "name": part.name, "state": list(state), "value": value}
        for number, (part, state, value) in enumerate(rows, 1)
    ]
    if total is None:
        why = "; ".join(map(str, answer.missing.values()))
    move = None if winning is None else _move_json(answer, position, *winning)
    states = [list(state) for state in position]
    name, more = answer.game.name, {"components": components}
    found = Position.of_value(name, states, total, move=move, why=why, more=more)
    return replace(found, may_never_end=bool(answer.may_never_end))


def _move_json(answer: SumAnswer, position: SumState, aim: Lowering, move: Move) -> dict[str, Any]:
    """Return JSON of ``move`` from ``position`` in the component that ``aim`` names."""
    after = list(map(list, position))
    more: dict[str, Any] = {"component": aim.place + 1, "value": aim.target}
    part, here = answer.game.parts[aim.place], position[aim.place]
    after[aim.place] = list(part.result(here, move))
    if isinstance(answer.parts[aim.place], HeapAnswer):
        option = HeapMove.read(str(move))
        given = {"heap": option.heap, "take": option.take}
        return move_json(after, "take", given, leaves=list(option.left), **more)
    return move_json(after, move.action, dict(move.arguments), **more)
