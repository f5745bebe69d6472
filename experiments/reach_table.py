"""What a sweep of the benchmark reached: counts and figures by family, and the goals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import Any

__all__ = ["FIELDS", "Group", "Pair", "goals", "groups", "table"]

OUTCOMES = ("solved", "conditional", "unknown", "endless", "error", "wrong")
TOTAL = "total"
SEVERAL = "two or more unbounded variables"
MANY = "three or more unbounded variables"
_NO_FAMILIES = (TOTAL, SEVERAL, MANY)  # the last rows

_FIGURES = ("median_seconds", "p90_seconds", "median_size", "p90_size")
_HEADS = {
    "solved_percent": "%",
    "median_seconds": "median",
    "p90_seconds": "p90",
    "median_size": "size",
    "p90_size": "p90 size",
}
FIELDS = ("family", "pairs", *OUTCOMES, "solved_percent", "strategy", *_FIGURES)


@dataclass(frozen=True, slots=True)
class Pair:
    """A game under a rule; ``outcome`` is the status of its record, or "wrong".

    ``reason`` says why it is not solved, or what is wrong.
    """

    file: str
    family: str
    rule: str
    outcome: str
    reason: str
    strategy: bool
    unbounded: int
    seconds: float
    size: int | None

    @classmethod
    def of(cls, record: Mapping[str, Any], wrong: str = "") -> Pair:
        return cls(
            record["file"],
            record["family"],
            record["rule"],
            "wrong" if wrong else record["status"],
            wrong or (record["reason"] or "").partition("\n")[0],
            # Solved without a rule: no winning state has a move to make.
            record["strategy"] > 0 or record["status"] == "solved",
            record["unbounded"] or 0,
            record["seconds"],
            record["size"],
        )


@dataclass(frozen=True, slots=True)
class Group:
    """Pairs that are counted together; times in seconds, sizes in symbols, of the solved ones."""

    name: str
    pairs: tuple[Pair, ...]

    @property
    def solved(self) -> list[Pair]:
        return [pair for pair in self.pairs if pair.outcome == "solved"]

    @property
    def solved_percent(self) -> float | None:
        """The part of all pairs that is solved, in percent; endless games count as well."""
        return _percent(len(self.solved), len(self.pairs))

    @property
    def strategy_percent(self) -> float | None:
        """The part of the solved pairs that have an explicit strategy, in percent."""
        return _percent(sum(pair.strategy for pair in self.solved), len(self.solved))

    def count(self, outcome: str) -> int:
        return sum(pair.outcome == outcome for pair in self.pairs)

    def figures(self) -> dict[str, float | None]:
        """Median and 90th percentile of seconds and sizes."""
        seconds = sorted(pair.seconds for pair in self.solved)
        sizes = sorted(pair.size for pair in self.solved if pair.size is not None)
        values = (_middle(seconds), _p90(seconds), _middle(sizes), _p90(sizes))
        return dict(zip(_FIGURES, values, strict=True))

    def row(self) -> dict[str, str]:
        """A cell for each of :data:`FIELDS`; empty where there is no figure."""
        figures = self.figures()
        return {
            "family": self.name,
            "pairs": str(len(self.pairs)),
            **{outcome: str(self.count(outcome)) for outcome in OUTCOMES},
            "solved_percent": _written(self.solved_percent, ".1f"),
            "strategy": str(sum(pair.strategy for pair in self.solved)),
            **{name: _written(figures[name], ".2f") for name in _FIGURES[:2]},
            **{name: _written(figures[name], "g") for name in _FIGURES[2:]},
        }


def groups(pairs: Sequence[Pair]) -> list[Group]:
    """The families in alphabetical order, all pairs, and those with several unbounded variables,
    and with many."""
    families: dict[str, list[Pair]] = {}
    for pair in pairs:
        families.setdefault(pair.family, []).append(pair)
    several = tuple(pair for pair in pairs if pair.unbounded >= 2)
    return [
        *(Group(name, tuple(own)) for name, own in sorted(families.items())),
        Group(TOTAL, tuple(pairs)),
        Group(SEVERAL, several),
        Group(MANY, tuple(pair for pair in several if pair.unbounded >= 3)),
    ]


def group_named(listed: Iterable[Group], name: str) -> Group:
    return next(group for group in listed if group.name == name)


def table(listed: Iterable[Group]) -> str:
    """The rows of the groups, with a line before those that are no families."""
    heads = [_HEADS.get(field, field) for field in FIELDS]
    rows = [heads, *([row[f] or "-" for f in FIELDS] for row in (g.row() for g in listed))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, *cells in rows:
        right = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        lines.append("  ".join([name.ljust(widths[0]), *right]))
    lines.insert(-len(_NO_FAMILIES), "-" * len(lines[0]))
    return "\n".join(lines)


def goals(listed: Sequence[Group]) -> Iterator[str]:
    """A line for each figure that the project aims at, and whether it is met."""
    total, several = (group_named(listed, name) for name in (TOTAL, SEVERAL))
    figures = total.figures()
    wrong = total.count("wrong")
    yield _at_least("solved", total.solved_percent, 99)
    yield _at_least(f"solved of {SEVERAL}", several.solved_percent, 92)
    yield _goal("wrong", str(wrong), "0", wrong == 0)
    yield _at_least("solved with an explicit strategy", total.strategy_percent, 98)
    yield _below("median seconds of the solved", figures["median_seconds"], 0.5)
    yield _below("90th percentile of their seconds", figures["p90_seconds"], 1.5)
    yield _at_most("median size of their formulas", figures["median_size"], 8)
    yield _at_most("90th percentile of their sizes", figures["p90_size"], 25)


def _at_least(what: str, percent: float | None, bound: int) -> str:
    met = None if percent is None else percent >= bound
    return _goal(what, _written(percent, ".1f", " %"), f">= {bound} %", met)


def _below(what: str, seconds: float | None, bound: float) -> str:
    met = None if seconds is None else seconds < bound
    return _goal(what, _written(seconds, ".2f", " s"), f"< {bound} s", met)


def _at_most(what: str, size: float | None, bound: int) -> str:
    met = None if size is None else size <= bound
    return _goal(what, _written(size, "g"), f"<= {bound}", met)


def _goal(what: str, value: str, bound: str, met: bool | None) -> str:
    verdict = {True: "met", False: "MISSED", None: "no figure"}[met]
    return f"{what:<48} {value or '-':>9}   goal {bound:<8} {verdict}"


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def _middle(values: Sequence[float]) -> float | None:
    return median(values) if values else None


def _p90(values: Sequence[float]) -> float | None:
    """The smallest value that nine in ten do not exceed; ``values`` are sorted."""
    return values[ceil(0.9 * len(values)) - 1] if values else None


def _written(value: float | None, form: str, unit: str = "") -> str:
    return "" if value is None else format(value, form) + unit
