"""Answer files of sums: the answers of the components that ``icgsynth solve SUM -o`` writes."""

from __future__ import annotations

from typing import NamedTuple

from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.solution_file import file_constants
from icgsynth.spec.source import Source

__all__ = ["SumEntry", "holds_sum", "read_entries"]

_MOST = 1_000  # components


class SumEntry(NamedTuple):
    """The answer of a component that stands in the sum so many times in a row."""

    times: int
    answer: Located

    @property
    def constants(self) -> dict[str, int]:
        return file_constants(self.answer)


def holds_sum(source: Source | Located) -> bool:
    """Whether a file is for a sum of games."""
    top = read_json(source)
    return isinstance(top.value, dict) and top.get("components") is not None


def read_entries(source: Source) -> tuple[SumEntry, ...]:
    """The components of the sum in order; what their answers claim is for others to read.

    :class:`~icgsynth.errors.InputError` with the place where the file is broken.
    """
    top = read_json(source)
    top.need("kind", '"value"').one_of(["value"])
    if (rule := top.get("rule")) is not None:
        rule.one_of(["normal"])
    place = top.need("components", '[{"times": 1, "answer": {...}}]')
    found: list[SumEntry] = []
    for item in place.list():
        times = item.get("times")
        number = 1 if times is None else times.integer()
        if times is not None and not 1 <= number <= _MOST:
            raise times.error(f"{number} times", f"write a number from 1 to {_MOST:,}")
        answer = item.need("answer", "{...}")
        answer.object()
        found.append(SumEntry(number, answer))
    if not 1 <= sum(entry.times for entry in found) <= _MOST:
        raise place.error("no component, or too many", f"a sum has 1 to {_MOST:,}")
    return tuple(found)
