"""Read the claims in answer files of games of heaps.

``icgsynth value -o`` writes the claim on a nim sequence, ``icgsynth solve 0.77 --rule misere -o``
the misère quotient.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import numpy as np

from icgsynth.digits.automaton import Automaton
from icgsynth.errors import InputError
from icgsynth.game.game import ParametricGame
from icgsynth.game.value_forms import ExponentValue, SumValue, WindowValue
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heap_rows import GamePeriod
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.heaps import NO_HEAP, HeapCode, NimPeriod, SparseMask, Values
from icgsynth.heaps.rules.misere import MisereQuotient
from icgsynth.logic import term as t
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.source import Source
from icgsynth.spec.value_file import read_value

# --- heap file -----------------------------------------------------------------------------------

_MOST = (1 << 31) - 1  # the largest value or length that a file may have


def read_period(source: Source | Located, code: HeapCode) -> NimPeriod | None:
    """Return the period that ``source`` claims for ``code``; None where it claims none.

    :class:`~icgsynth.errors.InputError` with the place where the file is broken, is for another
    code, or claims fewer checked values than prove its period.
    """
    top = read_json(source)
    _require_values(top)
    _require_code(top, code)
    if (known := _repeating(top)) is None:
        return None
    if (known.values == NO_HEAP).any():
        raise top.need("values", "").error("null among values", f"{code.name} has all heaps")
    hint = SparseMask(
        top.find("mask", _natural, 0), top.find("mask_by_position", Located.boolean, False)
    )
    claim = NimPeriod(code, known.preperiod, known.period, known.values, hint, known.saltus)
    _check_length(top, claim)
    return claim


def read_begun(source: Source, code: HeapCode) -> Values | NimPeriod | None:
    """Return the period of ``code`` in ``source``, else the first values in it, else None. A claim
    that is broken counts as absent; no error is raised."""
    try:
        top = read_json(source)
        _require_code(top, code)
        with suppress(InputError):
            if (claim := read_period(top, code)) is not None:
                return claim
        values = read_heaps(top.need("values", "[0, 1, 2]"))
    except InputError:
        return None
    return None if not len(values) or (values == NO_HEAP).any() else values


def read_game_period(source: Source | Located, game: HeapGame) -> GamePeriod | None:
    """Return the period of Grundy values that the answer file ``source`` claims for ``game``; None
    where it claims none. InputError if the file is broken or for another game."""
    top = read_json(source)
    named = top.need("game", f'"{game.name}"')
    if named.string() != game.name:
        message = f"the file is for {named.string()}, and not for {game.name}"
        raise named.error(message, f"icgsynth verify {named.string()} {top.source.name}")
    if (known := _repeating(top)) is None:
        return None
    values = of_heaps(known.values, game)
    return GamePeriod(game, known.preperiod, known.period, values, known.saltus)


def of_heaps(values: Values, game: HeapGame) -> Values:
    """Return ``values`` of heaps 0, 1, .. with NO_HEAP for illegal ones, where old files have 0."""
    if len(game.variables) != 1:
        return values
    legal = np.array([game.is_legal((heap,)) for heap in range(len(values))], np.bool_)
    return np.where(legal, values, NO_HEAP)


def read_heaps(listed: Located) -> Values:
    """Return the JSON list ``listed`` of values as an array; null, no legal heap, is NO_HEAP."""
    if isinstance(listed.value, list) and any(item.value is None for item in listed.value):
        found = [NO_HEAP if x.value is None else x.within(0, _MOST) for x in listed.value]
        return np.array(found, np.int64)
    return np.array(listed.naturals(_MOST), np.int64)


def read_function(
    source: Source | Located, game: ParametricGame
) -> t.Term | Automaton | WindowValue | None:
    """Return the function that the file ``source`` claims to give a heap's Grundy value; None if it
    has none, or one of a form that no heaps have."""
    if read_json(source).get("value") is None:
        return None
    found = read_value(source, game)
    if found is None or isinstance(found, ExponentValue | SumValue):
        return None
    return found


def _require_values(top: Located) -> None:
    if (kind := top.get("kind")) is not None:
        kind.one_of(["value"])


def _require_code(top: Located, code: HeapCode) -> None:
    named = top.need("code", '"0.77"')
    if (other := read_code(named.string())) != code:
        mend = f"icgsynth verify {other.name} {top.source.name}"
        raise named.error(f"the file is for {other.name}, and not for {code.name}", mend)


class _Numbers(NamedTuple):
    """A sequence in a file: its first values, and how they repeat or rise."""

    preperiod: int
    period: int
    values: Values
    saltus: int


def _repeating(top: Located) -> _Numbers | None:
    if top.get("period") is None and top.get("preperiod") is None:
        return None
    preperiod = _natural(top.need("preperiod", "71"))
    period = top.need("period", "12").within(1, _MOST)
    listed = top.need("values", "[0, 1, 2]")
    values = read_heaps(listed)
    if len(values) != preperiod + period:
        raise listed.error(
            f"{len(values):,} values for a preperiod of {preperiod:,} and a period of {period:,}",
            f"write G(0) to G({preperiod + period - 1})",
        )
    return _Numbers(preperiod, period, values, top.find("saltus", _natural, 0))


def _check_length(top: Located, claim: NimPeriod) -> None:
    checked = top.get("checked_to")
    if checked is None or not claim.has_theorem:
        return
    if _natural(checked) < claim.needed:
        message = f"{_natural(checked):,} values are too few to prove the period"
        raise checked.error(message, f"the theorem needs {claim.needed:,}")


def _natural(place: Located) -> int:
    return place.within(0, _MOST)


# --- misere file ---------------------------------------------------------------------------------

_MOST_ELEMENTS = (1 << 20) - 1  # elements of a quotient, and heaps, at most
_FEW = 1_000  # the largest fickle heap


def holds_quotient(source: Source | Located) -> bool:
    """Return whether the answer file ``source`` is for misère play."""
    top = read_json(source)
    rule = top.get("rule") if isinstance(top.value, dict) else None
    return rule is not None and rule.value == "misere"


class Fickle(NamedTuple):
    """A file's claim that values decide misère play: the fickle heaps, or all heaps; the values."""

    heaps: dict[int, int]
    are_all: bool
    normal: Located


def read_fickle(source: Source | Located) -> Fickle | None:
    """Return the claim of the answer file ``source`` that Grundy values decide misère play, or
    None. It names *fickle* heaps: a row of these alone is lost at the xor 1, any other row at 0."""
    top = read_json(source)
    if top.get("fickle") is None:
        return None
    normal = top.need("normal", "the values under normal play")
    if top.need("fickle", "").value == "all":
        return Fickle({}, True, normal)
    lists = top.items("fickle")
    if len(lists) != 2:
        mend = "[[0], [1]]: those with the value 0, then those with the value 1"
        raise top.need("fickle", "").error(f"{len(lists)} lists of fickle heaps", mend)
    heaps = {heap: value for value, given in enumerate(lists) for heap in given.naturals(_FEW)}
    return Fickle(heaps, False, normal)


def read_quotient(source: Source | Located, code: HeapCode) -> MisereQuotient | None:
    """Return the misère quotient that ``source`` claims for ``code``; None where it claims none.

    :class:`~icgsynth.errors.InputError` with the place where the file is broken, or is for another
    code.  Whether the claim is true is not checked.
    """
    top = read_json(source)
    _require_values(top)
    top.need("rule", '"misere"').one_of(["misere"])
    _require_code(top, code)
    place = top.get("quotient")
    if place is None:
        return None
    listed = place.need("table", "[[0]]")
    order = len(listed.list())
    if not order or any(len(row.list()) != order for row in listed.list()):
        raise listed.error("a table of products that is not square", "write a row per element")
    table = tuple(tuple(x.within(0, order - 1) for x in row.list()) for row in listed.list())
    if (told := place.get("order")) is not None and told.integer() != order:
        raise told.error(f"the table has {order:,} elements", f"write {order}")
    lost = frozenset(x.within(0, order - 1) for x in place.need("P", "[1]").list())
    phi = place.need("phi", "[0, 1]")
    heaps = tuple(x.within(0, order - 1) for x in phi.list())
    if not heaps:
        raise phi.error("no element of heap 0", "write 0 first")
    return MisereQuotient(code, table, lost, heaps, _period(place, phi, len(heaps)))


def _period(place: Located, phi: Located, heaps: int) -> int:
    """Return the period in the JSON object ``place``, 0 for none; InputError unless preperiod +
    period is ``heaps``, the length of the list ``phi``."""
    start, step = place.get("preperiod"), place.get("period")
    if start is None or step is None:
        if (one := start or step) is not None:
            raise one.error("a period and a preperiod go together", "write both")
        return 0
    preperiod, period = start.within(1, _MOST_ELEMENTS), step.within(1, _MOST_ELEMENTS)
    if preperiod + period != heaps:
        raise phi.error(
            f"{heaps:,} elements for a preperiod of {preperiod:,} and a period of {period:,}",
            f"write those of heap 0 to heap {preperiod + period - 1}",
        )
    return period
