"""Answer files of misère play: what ``icgsynth solve 0.77 --rule misere -o FILE`` writes."""

from __future__ import annotations

from icgsynth.game.heaps import HeapCode
from icgsynth.game.misere import MisereQuotient
from icgsynth.spec.heap_code import read_code
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.source import Source

__all__ = ["holds_quotient", "read_quotient"]

_MOST = 1 << 20  # elements and heaps are fewer


def holds_quotient(source: Source | Located) -> bool:
    """Whether an answer about heaps is one of misère play."""
    top = read_json(source)
    rule = top.get("rule") if isinstance(top.value, dict) else None
    return rule is not None and rule.value == "misere"


def read_quotient(source: Source | Located, code: HeapCode) -> MisereQuotient | None:
    """The quotient that ``source`` claims for ``code``; None where it claims none.

    :class:`~icgsynth.errors.InputError` with the place where the file is broken, or is for
    another code.  Whether the claim is true, the file does not tell.
    """
    top = read_json(source)
    if (kind := top.get("kind")) is not None:
        kind.one_of(["value"])
    top.need("rule", '"misere"').one_of(["misere"])
    named = top.need("code", '"0.77"')
    if (other := read_code(named.string())) != code:
        mend = f"icgsynth verify {other.name} {top.source.name}"
        raise named.error(f"the file is for {other.name}, and not for {code.name}", mend)
    place = top.get("quotient")
    if place is None:
        return None
    listed = place.need("table", "[[0]]")
    order = len(listed.list())
    if not order or any(len(row.list()) != order for row in listed.list()):
        raise listed.error("a table of products that is not square", "write a row per element")
    table = tuple(tuple(_below(x, order) for x in row.list()) for row in listed.list())
    if (told := place.get("order")) is not None and told.integer() != order:
        raise told.error(f"the table has {order:,} elements", f"write {order}")
    lost = frozenset(_below(x, order) for x in place.need("P", "[1]").list())
    phi = place.need("phi", "[0, 1]")
    heaps = tuple(_below(x, order) for x in phi.list())
    if not heaps:
        raise phi.error("no element of heap 0", "write 0 first")
    return MisereQuotient(code, table, lost, heaps, _period(place, phi, len(heaps)))


def _period(place: Located, phi: Located, heaps: int) -> int:
    """The period; 0 where the file claims none."""
    start, step = place.get("preperiod"), place.get("period")
    if start is None or step is None:
        if (one := start or step) is not None:
            raise one.error("a period and a preperiod go together", "write both")
        return 0
    preperiod, period = _below(start, _MOST), _below(step, _MOST)
    if not preperiod or not period:
        wrong = step if preperiod else start
        raise wrong.error("0 is out of range", "write an integer from 1 on")
    if preperiod + period != heaps:
        raise phi.error(
            f"{heaps:,} elements for a preperiod of {preperiod:,} and a period of {period:,}",
            f"write those of heap 0 to heap {preperiod + period - 1}",
        )
    return period


def _below(place: Located, most: int) -> int:
    number = place.integer()
    if not 0 <= number < most:
        raise place.error(f"{number} is out of range", f"write an integer from 0 to {most - 1}")
    return number
