"""Answer files of games of heaps: the claim on a nim sequence that ``icgsynth value -o`` writes."""

from __future__ import annotations

import numpy as np

from icgsynth.game.heaps import HeapCode, NimPeriod, SparseMask
from icgsynth.spec.heap_code import read_code
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.source import Source

__all__ = ["read_period"]

_MOST = 1 << 31  # values and lengths are below
_EXAMPLE = '"0.77"'


def read_period(source: Source, code: HeapCode) -> NimPeriod | None:
    """The period that ``source`` claims for ``code``; None where it claims none, or a saltus.

    :class:`~icgsynth.errors.InputError` with the place where the file is broken, is for another
    code, or claims fewer checked values than prove its period.
    """
    top = read_json(source)
    if (kind := top.get("kind")) is not None:
        kind.one_of(["value"])
    named = top.need("code", _EXAMPLE)
    if (other := read_code(named.string())) != code:
        mend = f"icgsynth verify {other.name} {source.name}"
        raise named.error(f"the file is for {other.name}, and not for {code.name}", mend)
    if top.get("period") is None and top.get("preperiod") is None:
        return None
    if (saltus := top.get("saltus")) is not None and _natural(saltus):
        return None
    preperiod = _natural(top.need("preperiod", "71"))
    period = _natural(top.need("period", "12"), 1)
    listed = top.need("values", "[0, 1, 2]")
    values = np.array([_natural(value) for value in listed.list()], np.int64)
    if len(values) != preperiod + period:
        raise listed.error(
            f"{len(values):,} values for a preperiod of {preperiod:,} and a period of {period:,}",
            f"write G(0) to G({preperiod + period - 1})",
        )
    mask = top.get("mask")
    by_position = top.get("mask_by_position")
    claim = NimPeriod(
        code,
        preperiod,
        period,
        values,
        SparseMask(
            0 if mask is None else _natural(mask),
            False if by_position is None else by_position.boolean(),
        ),
    )
    _check_length(top, claim)
    return claim


def _check_length(top: Located, claim: NimPeriod) -> None:
    checked = top.get("checked_to")
    if checked is None or not claim.code.has_theorem:
        return
    if _natural(checked) < claim.needed:
        message = f"{_natural(checked):,} values are too few to prove the period"
        raise checked.error(message, f"the theorem needs {claim.needed:,}")


def _natural(place: Located, least: int = 0) -> int:
    number = place.integer()
    if not least <= number < _MOST:
        raise place.error(f"{number} is out of range", f"write an integer from {least} on")
    return number
