"""The progress bar of a sweep, and the table of its results by family of games.

The bar has counts, rate and estimate.  Of the records only the columns of the table are kept.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil
from statistics import median
from typing import TYPE_CHECKING, Any

from icgsynth.benchmark.sweep.record import STATUSES, Record

if TYPE_CHECKING:
    from rich.progress import Progress, Task
    from rich.text import Text

# --- progress ------------------------------------------------------------------------------------


class Bar:
    """A progress bar on stderr, shown only if stderr is a terminal and not ``quiet``."""

    def __init__(self, total: int, done: int, quiet: bool) -> None:
        self._progress: Progress | None = None
        self._quiet = quiet
        if quiet or not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            ProgressColumn,
            TextColumn,
            TimeRemainingColumn,
        )
        from rich.text import Text

        class Rate(ProgressColumn):
            def render(self, task: Task) -> Text:
                return Text(f"{task.speed or 0.0:.1f}/s")

        columns = (BarColumn(20), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
        text = TextColumn("{task.description}", markup=False)
        console = Console(stderr=True)
        self._progress = Progress(*columns, text, console=console, transient=True)
        self._task = self._progress.add_task("", total=total, completed=done)

    def __enter__(self) -> Bar:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def show(self, done: int, counts: Mapping[str, int]) -> None:
        """Show that ``done`` jobs of the total are finished, with the count of each status."""
        if self._progress is not None:
            text = "  ".join(f"{name} {number}" for name, number in counts.items() if number)
            self._progress.update(self._task, completed=done, description=text)

    def say(self, message: str) -> None:
        """Print a warning on stderr, above the progress bar where one is shown."""
        if self._progress is not None:
            self._progress.console.print(f"warning: {message}", markup=False)
        elif not self._quiet:
            print(f"warning: {message}", file=sys.stderr, flush=True)  # noqa: T201


# --- summary -------------------------------------------------------------------------------------

_NAMED = 5  # errors that the summary names
_TOTAL = "total"
_SEVERAL = "two or more unbounded variables"


@dataclass
class _Group:
    """Counts by status, formula sizes (symbols) and times (seconds) of a set of sweep records."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATUSES, 0))
    explicit: int = 0
    sizes: array[int] = field(default_factory=lambda: array("l"))
    times: array[float] = field(default_factory=lambda: array("d"))

    def add(self, record: Record) -> None:
        self.counts[record["status"]] += 1
        # Solved without a rule: no winning state has a move to make.
        self.explicit += record["strategy"] > 0 or record["status"] == "solved"
        if record.get("size") is not None:
            self.sizes.append(record["size"])
        self.times.append(record["seconds"])

    def value(self) -> dict[str, Any]:
        times = sorted(self.times)
        return {
            "pairs": len(times),
            **self.counts,
            "strategy": self.explicit,
            "median_size": median(self.sizes) if self.sizes else None,
            "median_seconds": round(median(times), 3) if times else None,
            "p90_seconds": round(times[ceil(0.9 * len(times)) - 1], 3) if times else None,
        }


class Summary:
    """Statistics of a sweep's records, in total and by family; records are added one at a time."""

    def __init__(self) -> None:
        self._families: dict[str, _Group] = {}
        self._total = _Group()
        self._several = _Group()
        self._errors: list[dict[str, str]] = []

    def add(self, record: Record) -> None:
        groups = [self._total, self._families.setdefault(record["family"], _Group())]
        if (record.get("unbounded") or 0) >= 2:
            groups.append(self._several)
        for group in groups:
            group.add(record)
        if record["status"] == "error" and len(self._errors) < _NAMED:
            self._errors.append({name: record[name] for name in ("file", "rule", "reason")})

    @property
    def pairs(self) -> int:
        return sum(self._total.counts.values())

    @property
    def counts(self) -> dict[str, int]:
        """Return how many records have each status."""
        return dict(self._total.counts)

    def errors(self) -> Iterator[str]:
        """Yield a line that counts the errors, then one line for each of the first few errors."""
        number = self._total.counts["error"]
        if number:
            yield f"{number} ended in an error" + (":" if number <= _NAMED else ", among them:")
        for each in self._errors:
            reason = (each["reason"] or "").partition("\n")[0]
            rule = f" ({each['rule']})" if each["rule"] else ""
            yield f"  {each['file']}{rule}: {reason}"

    def value(self) -> dict[str, Any]:
        """Return all statistics as one JSON value."""
        return {
            "schema": "icgsynth/sweep-summary/1",
            "families": {name: group.value() for name, group in sorted(self._families.items())},
            _TOTAL: self._total.value(),
            "two_or_more_unbounded": self._several.value(),
            "errors": self._errors,
        }

    def __str__(self) -> str:
        groups = [*sorted(self._families.items()), (_TOTAL, self._total)]
        if self._several.times:
            groups.append((_SEVERAL, self._several))
        head = ["family", "pairs", *STATUSES, "strategy", "median size", "median", "p90"]
        rows = [head, *([name, *_cells(group)] for name, group in groups)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = []
        for name, *cells in rows:
            right = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
            lines.append("  ".join([name.ljust(widths[0]), *right]))
        return "\n".join(lines)


def _cells(group: _Group) -> Iterator[str]:
    value = group.value()
    yield from (str(value[name]) for name in ("pairs", *STATUSES, "strategy"))
    yield "-" if value["median_size"] is None else f"{value['median_size']:g}"
    for name in ("median_seconds", "p90_seconds"):
        yield "-" if value[name] is None else f"{value[name]:.2f} s"
