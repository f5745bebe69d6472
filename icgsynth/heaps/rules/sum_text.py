"""Sums of games as people write them, ``nim2 + 2*chomp_2row + 0.77``, and their answer files.

The file that ``icgsynth solve SUM -o`` writes has the answers of the components.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from icgsynth.errors import InputError
from icgsynth.heaps.rules.game_sum import PartGame
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heap_rows import HeapRows
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.spec.catalog import looks_like_code
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.resolve import Named, constant_names, load_rules
from icgsynth.spec.solution_file import file_constants
from icgsynth.spec.source import Source

# --- sum text ------------------------------------------------------------------------------------

_MOST = 1_000  # components of a sum
_HOW = "a sum is written as in 'nim2 + 2*chomp_2row + 0.77'"
_COUNT = re.compile(r"[1-9][0-9]*")


class _Summand(NamedTuple):
    """A part of a sum: ``times`` copies of the game named ``text``, written at ``offset``."""

    times: int
    text: str
    offset: int


def read_sum(
    spec: str,
    constants: Mapping[str, int] | None = None,
    each: Sequence[Mapping[str, int]] = (),
    texts: Mapping[str, str] | None = None,
) -> tuple[PartGame | HeapGame, ...]:
    """Return the components of the sum ``spec`` in order, repeated; equal ones are one object.

    A component of ``2*nim2 + 0.77`` is a name of the catalog, a path, ``-`` (standard input), a
    code of heaps, or a key of ``texts``, which maps it to rules.  ``constants`` go to all that
    have them, before those of ``each[i]``, for place i of the result.  InputError with place."""
    own = texts or {}
    source, given = Source("<sum>", spec), dict(constants or {})
    used: set[str] = set()
    read: dict[object, PartGame | HeapGame] = {}
    found: list[PartGame | HeapGame] = []
    for summand in [_Summand(1, spec, 0)] if spec in own else _summands(source):
        set_here = dict(each[len(found)]) if len(found) < len(each) else {}
        key = summand.text, tuple(set_here.items())
        if key not in read:
            rules = Source(summand.text, own[summand.text]) if summand.text in own else None
            read[key] = _game(source, summand, set_here | given, used, rules)
        found += [read[key]] * summand.times
    if unused := given.keys() - used:
        name = min(unused)
        mend = "leave --set out" if not used else f"leave --set {name} out"
        raise InputError(f"no component has a constant '{name}'", mend=mend)
    return tuple(found)


def _summands(source: Source) -> list[_Summand]:
    """Return the summands in the text ``source``, not yet looked up; InputError for a bad one."""
    found: list[_Summand] = []
    at = left = 0
    for piece in source.text.split("+"):
        factor, star, rest = piece.partition("*")
        name = rest if star else piece
        begin = at + len(piece) - len(piece.lstrip())
        place = at + len(piece) - len(name.lstrip())
        times = _times(source, factor.strip(), begin, star)
        if not name.strip():
            what = "a number, and no game behind it" if star else "an empty component"
            raise source.error(what, max(0, place - 1), _HOW)
        if (left := left + times) > _MOST:
            raise source.error(f"more than {_MOST:,} components", begin, "write fewer")
        if name.strip() == "-" in [summand.text for summand in found]:
            raise source.error("standard input twice", place, "write 2*- for two of it")
        found.append(_Summand(times, name.strip(), place))
        at += len(piece) + 1
    return found


def _times(source: Source, text: str, place: int, star: str) -> int:
    if not star:
        return 1
    if _COUNT.fullmatch(text) is None:
        mend = "how often a component stands there is written before it, as in 2*nim2"
        raise source.error("a number from 1 on belongs before '*'", place, mend)
    return int(text) if len(text) < len(str(_MOST)) + 1 else _MOST + 1


def _game(
    source: Source,
    summand: _Summand,
    given: Mapping[str, int],
    used: set[str],
    rules: Source | None,
) -> PartGame | HeapGame:
    """Return the game that ``summand`` names, with the constants of ``given`` that it has.

    The names of these are added to ``used``.  ``rules`` is None where the name says where they are.
    Raises InputError at the place in ``source``.
    """
    try:
        if rules is None and looks_like_code(summand.text):
            return HeapRows(read_code(summand.text))
        rules = rules or Named(summand.text).source
        known = constant_names(rules) & given.keys()
        used |= known
        found: PartGame | HeapGame = load_rules(rules, {name: given[name] for name in known})
        return found
    except InputError as error:
        if error.span is not None and error.span.source != "<code>":
            raise  # a place in the file of the component
        column = 0 if error.span is None else error.span.column - 1
        raise source.error(error.message, summand.offset + column, error.mend) from None


# --- sum file ------------------------------------------------------------------------------------


class SumEntry(NamedTuple):
    """A component's answer in a file, and how many times in a row it stands in the sum."""

    times: int
    answer: Located

    @property
    def constants(self) -> dict[str, int]:
        return file_constants(self.answer)


def holds_sum(source: Source | Located) -> bool:
    """Return whether the answer file ``source`` is for a sum of games."""
    top = read_json(source)
    return isinstance(top.value, dict) and top.get("components") is not None


def read_entries(source: Source) -> tuple[SumEntry, ...]:
    """Return each component of the sum in the answer file ``source``; their answers are not read
    here. :class:`~icgsynth.errors.InputError` with the place where the file is broken."""
    top = read_json(source)
    top.need("kind", '"value"').one_of(["value"])
    if (rule := top.get("rule")) is not None:
        rule.one_of(["normal"])
    place = top.need("components", '[{"times": 1, "answer": {...}}]')
    found: list[SumEntry] = []
    for item in place.list():
        times = item.find("times", lambda number: number.within(1, _MOST), 1)
        answer = item.need("answer", "{...}")
        answer.object()
        found.append(SumEntry(times, answer))
    if not 1 <= sum(entry.times for entry in found) <= _MOST:
        raise place.error("no component, or too many", f"a sum has 1 to {_MOST:,}")
    return tuple(found)
