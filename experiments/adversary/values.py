"""Values of games whose legal states are odd, of heaps, of rows under misère play; and exports.

The judge finds values by definition, with its own reader of the rules, or with moves that stand
here in Python.  It looks at every list: where it begins, and what is not legal.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from itertools import combinations_with_replacement, count
from operator import xor
from pathlib import Path
from runpy import run_path
from typing import Any, TypeAlias

import icgsynth as icg
from experiments.attempts import Outcome, crashed
from experiments.judge.play import Play, State
from experiments.judge.reading import read_rules
from icgsynth.budget import Budget
from icgsynth.errors import IcgError
from icgsynth.export import export, report_of
from icgsynth.export.report import as_text
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.search.heap_game_search import HeapGameSearch
from icgsynth.heaps.search.misere_search import MisereSearch
from icgsynth.spec.resolve import load_rules
from icgsynth.spec.source import Source
from icgsynth.spec.value_file import read_value_answer

__all__ = ["heap_values", "misere_rows", "value_game", "values", "walnut_accepts"]

_SECONDS = 4.0
_ROWS = 9  # the largest heap of a row
_REACH = 45  # numbers of one variable, past its bound, that are looked at
_SIDE = 7  # the same of several
Known: TypeAlias = Mapping[State, int]


def least_without(met: set[int]) -> int:
    """The least natural number that was not met."""
    return next(number for number in count() if number not in met)


# --- values of games ------------------------------------------------------------------------------


def values(rng: random.Random) -> Outcome:
    """The values of a game whose legal states begin late, have holes, or are negative."""
    text = value_game(rng)
    play = Play(read_rules(text))
    try:
        answer = icg.loads(text).values(_SECONDS)
        if not answer.is_proved:
            return Outcome("unknown")
        known = _by_definition(play, rng)
        wrong = _wrong_values(answer, play, known) or _wrong_texts(answer, play, known)
    except IcgError:
        return Outcome("refused")
    except Exception:
        return crashed(text)
    return Outcome("proved", len(known), wrong, text if wrong else "")


def value_game(rng: random.Random) -> str:
    """Counters are taken from a pile, or from two; moves stay legal, for what is not is no move."""
    two = rng.random() < 0.3
    least = rng.choice((0, 1, 1, 2, 3, 5))
    down = not two and rng.random() < 0.25
    most = rng.randint(1, 6)
    if down:
        legal, room, change = f"v <= {-least}", f"{-least} - v", "v + k"
    else:
        legal, room, change = f"v >= {least}", f"v - {least}", "v - k"
    if rng.random() < 0.3:
        modulus = rng.randint(2, 4)
        legal += f" and v mod {modulus} != {rng.randrange(modulus)}"
    pre = rng.choice(
        (
            f"1 <= k <= {most} and k <= {room}",
            f"1 <= k and {rng.randint(2, 4)} * k <= {room if down else 'v'}",
            f"k in {{1, {most + 1}}} and k <= {room}",
            f"1 <= k <= {room} and k mod {rng.randint(2, 3)} = 1",
        )
    )
    variables, lines = ["v"], [f"action take(k) pre {pre} eff v := {change}"]
    if two:
        other = rng.choice((0, 1, 3))
        legal += f" and u >= {other}"
        legal += rng.choice(("", "", " and u <= 9", f" and u + v >= {least + other + 1}"))
        variables.append("u")
        lines.append(f"action draw(k) pre 1 <= k <= {rng.randint(1, 4)} and k <= u eff u := u - k")
    elif not down and rng.random() < 0.25:
        lines.append(f"action halve pre v >= {max(1, 2 * least)} eff v := v div 2")
    return "\n".join([f"game odd var {', '.join(variables)} legal {legal}", *lines])


def _by_definition(play: Play, rng: random.Random) -> Known:
    """The values of the small legal states, and of those that play reaches from them."""

    @cache
    def value(state: State) -> int:
        moves = play.moves(state, 10_000, rng).moves
        return least_without({value(move.after) for move in moves})

    names = len(play.rules.variables)
    side = _REACH if names == 1 else _SIDE
    states: list[State] = [(v,) for v in sorted(range(-side, side + 1), key=abs)]
    if names == 2:
        states = [(v, u) for v in range(-side, 2 * side) for u in range(-side, side + 1)]
    return {state: value(state) for state in states if play.legal(*state)}


def _wrong_values(answer: Any, play: Play, known: Known) -> str:
    for state, value in known.items():
        if answer(state) != value:
            return f"{state} has the value {value}, and not {answer(state)}"
    names = len(play.rules.variables)
    for number in range(-_REACH, _REACH + 1):
        state = (number,) * names
        if not play.legal(*state):
            try:
                return f"{state}, which is not legal, has the value {answer(state)}"
            except IcgError:
                continue
    return ""


def _wrong_texts(answer: Any, play: Play, known: Known) -> str:
    """What is wrong with the report and the files of a proved answer."""
    again = read_value_answer(Source("a.json", json.dumps(answer.to_json())))
    return (
        _wrong_list(as_text(report_of(answer)), known if len(play.rules.variables) == 1 else None)
        or _wrong_bfile(answer, play, known)
        or _wrong_module(export(answer, "python"), play, known)
        or _wrong_walnut(answer, play, known)
        or _wrong_values(again, play, known)
    )


def _wrong_list(text: str, known: Known | None) -> str:
    """The line of first values, as it says itself which numbers it is of.

    Without what is ``known``, where it may be of one part of a sum, it has to say where it begins.
    """
    line = " ".join(text.split())
    if (found := re.search(r"The first values, (.*?): ([-0-9 ]+) \.\.\.", line)) is None:
        return "first values that do not say where they begin" if "first values" in line else ""
    where, listed = found[1], [int(number) for number in found[2].split()]
    if (begin := re.fullmatch(r"from \w+ = (-?[0-9]+) (on|down)", where)) is not None:
        step = 1 if begin[2] == "on" else -1
        numbers = [int(begin[1]) + step * place for place in range(len(listed))]
    else:
        numbers = [int(number) for number in where.partition("=")[2].split(",")]
    for number, value in zip(numbers, listed, strict=True):
        if known is not None and abs(number) <= _REACH and known.get((number,)) != value:
            return f"the list says {value} of {number}: {known.get((number,))} by definition"
    return ""


def _wrong_bfile(answer: Any, play: Play, known: Known) -> str:
    if len(play.rules.variables) != 1:
        return ""
    for row in export(answer, "bfile").splitlines():
        if row and not row.startswith("#"):
            number, value = map(int, row.split())
            if abs(number) <= _REACH and known.get((number,)) != value:
                return f"the b-file says {value} of {number}"
    return ""


def _loaded(text: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "module.py"
        module.write_text(text, "utf-8")
        return run_path(str(module))


def _wrong_module(text: str, play: Play, known: Known) -> str:
    value = _loaded(text)["value"]
    for state, expected in known.items():
        if value(*state) != expected:
            return f"the module says {value(*state)} of {state}"
    for number in range(-_REACH, _REACH + 1):
        state = (number,) * len(play.rules.variables)
        if not play.legal(*state):
            try:
                return f"the module says {value(*state)} of {state}, which is not legal"
            except ValueError:
                continue
    return ""


# --- Walnut ---------------------------------------------------------------------------------------


def _wrong_walnut(answer: Any, play: Play, known: Known) -> str:
    """The file for Walnut, run here, accepts each small state with its value and no other."""
    try:
        text = export(answer, "walnut")
    except IcgError:
        return ""
    for state, value in known.items():
        for said in range(value + 2):
            if walnut_accepts(text, (*state, said)) != (said == value):
                return f"the file for Walnut is wrong of {state} with the value {said}"
    return ""


def walnut_accepts(text: str, numbers: Sequence[int]) -> bool:
    """Whether an automaton in Walnut's format, of tracks in one base, accepts the numbers.

    Reads from the most significant digit; a transition that is not listed rejects.
    """
    rows = [line for line in text.splitlines() if line and not line.startswith("#")]
    base = int(rows[0].split()[0].removeprefix("msd_"))
    accepting: dict[int, bool] = {}
    after: dict[tuple[int, tuple[int, ...]], int] = {}
    state = -1
    for row in rows[1:]:
        if "->" in row:
            digits, target = row.split("->")
            after[state, tuple(map(int, digits.split()))] = int(target)
        else:
            state, is_last = map(int, row.split())
            accepting[state] = bool(is_last)
    words = []
    left = list(numbers)
    while any(left):
        words.append(tuple(number % base for number in left))
        left = [number // base for number in left]
    here: int | None = 0
    for word in reversed(words):
        here = after.get((here if here is not None else -1, word))
    return here is not None and accepting[here]


# --- heaps ----------------------------------------------------------------------------------------

Heaps: TypeAlias = Callable[[int], list[tuple[int, ...]]]


def heap_values(rng: random.Random) -> Outcome:
    """Heaps by rules that begin late or have holes: what is listed, and what is no heap."""
    text, is_heap, options = _heap_game(rng)
    known: dict[int, int] = {}
    for heap in filter(is_heap, range(_REACH)):
        met = {reduce(xor, (known[part] for part in left), 0) for left in options(heap)}
        known[heap] = least_without(met)
    try:
        game = load_rules(Source("rules", text))
        answer = HeapGameSearch(game, None, Budget(_SECONDS)).run()
        if answer.by_code is not None or not answer.is_proved:
            return Outcome("unknown")
        wrong = _wrong_heaps(answer, known)
    except IcgError:
        return Outcome("refused")
    except Exception:
        return crashed(text)
    return Outcome("proved", len(known), wrong, text if wrong else "")


def _heap_game(rng: random.Random) -> tuple[str, Callable[[int], bool], Heaps]:
    least, modulus = rng.choice((0, 1, 2, 3, 4)), rng.choice((1, 1, 2, 3))
    hole = rng.randrange(modulus)
    most, cuts = rng.randint(1, 4), rng.random() < 0.4
    legal = f"n >= {least}" + (f" and n mod {modulus} != {hole}" if modulus > 1 else "")

    def is_heap(n: int) -> bool:
        return n >= least and (modulus == 1 or n % modulus != hole)

    stays = f"n - k >= {least}" + (f" and (n - k) mod {modulus} != {hole}" if modulus > 1 else "")
    lines = [f"action take(k) pre 1 <= k <= {most} and {stays} into n - k"]
    if cuts:
        both = " and ".join(
            f"{part} >= {max(1, least)}"
            + (f" and ({part}) mod {modulus} != {hole}" if modulus > 1 else "")
            for part in ("i", "n - i")
        )
        lines.append(f"action cut(i) pre 1 <= i <= n and {both} into i, n - i")

    def options(n: int) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = [(n - k,) for k in range(1, most + 1) if is_heap(n - k)]
        if cuts:
            low = max(1, least)
            found += [(i, n - i) for i in range(low, n - low + 1) if is_heap(i) and is_heap(n - i)]
        return found

    return "\n".join([f"heaps odd var n legal {legal}", *lines]), is_heap, options


def _wrong_heaps(answer: Any, known: Mapping[int, int]) -> str:
    for heap in range(-3, _REACH):
        try:
            said = answer.known_at(heap)
        except IcgError:
            said = None
        if said != known.get(heap):
            return f"heap {heap} has the value {known.get(heap)}, and not {said}"
    line = " ".join(as_text(report_of(answer)).split())
    if (found := re.search(r"G\((\d+)\), G\(\d+\), \.\.\. = ([-0-9() ]+)", line)) is not None:
        first = int(found[1])
        for place, word in enumerate(re.sub(r"[()]", " ", found[2]).split()):
            value = known.get(first + place)
            if first + place < _REACH and word != ("-" if value is None else str(value)):
                return f"the list says {word} of heap {first + place}: {value} by definition"
        if first != min(known):
            return f"the list begins at {first}"
    if answer.period is not None:
        value = _loaded(export(answer, "python"))["value"]
        for heap in range(_REACH):
            try:
                said = value(heap)
            except ValueError:
                said = None
            if said != known.get(heap):
                return f"the module says {said} of heap {heap}: {known.get(heap)} by definition"
    return ""


# --- rows under misère play -----------------------------------------------------------------------


def misere_rows(rng: random.Random) -> Outcome:
    """Rows of three heaps and more of one code, under misère play."""
    digits = [rng.randrange(8) for _ in range(rng.randint(1, 3))] + [rng.randint(1, 7)]
    name = f"{rng.choice((0, 0, 0, 4))}." + "".join(map(str, digits))
    code = read_code(name)

    @cache
    def after(heap: int) -> tuple[tuple[int, ...], ...]:
        found: set[tuple[int, ...]] = set()
        for taken, digit in enumerate((code.digits[0], *digits)):
            rest = heap - taken
            if rest < 0:
                continue
            if digit & 1 and rest == 0 and taken:
                found.add(())
            if digit & 2 and rest > 0 and taken:
                found.add((rest,))
            if digit & 4:
                found |= {(i, rest - i) for i in range(1, rest // 2 + 1) if i < rest}
        return tuple(found)

    @cache
    def is_lost(row: tuple[int, ...]) -> bool:
        moved = False
        for place, heap in enumerate(row):
            for left in after(heap):
                moved = True
                if is_lost(tuple(sorted((*row[:place], *left, *row[place + 1 :])))):
                    return False
        return moved

    try:
        answer = MisereSearch(code, None, Budget(_SECONDS)).run()
    except IcgError:
        return Outcome("refused")
    except Exception:
        return crashed(name)
    if not answer.is_proved or answer.quotient is None:
        return Outcome("unknown")
    checked = 0
    for heaps in (1, 2, 3, 4):
        for row in combinations_with_replacement(range(1, _ROWS if heaps < 4 else 6), heaps):
            if not all(map(answer.quotient.knows, row)):
                continue
            checked += 1
            if answer.quotient.is_lost(row) != is_lost(row):
                return Outcome("proved", checked, f"{row} is lost: {is_lost(row)}", name)
    return Outcome("proved", checked)
