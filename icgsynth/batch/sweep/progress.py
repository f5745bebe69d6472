"""How far a sweep is: a bar with counts, rate and estimate."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, Task
    from rich.text import Text

__all__ = ["Bar"]


class Bar:
    """On stderr, and only where that is a terminal."""

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
        """``done`` jobs of the total, and how they ended."""
        if self._progress is not None:
            text = "  ".join(f"{name} {number}" for name, number in counts.items() if number)
            self._progress.update(self._task, completed=done, description=text)

    def say(self, message: str) -> None:
        """A warning, above the bar where there is one."""
        if self._progress is not None:
            self._progress.console.print(f"warning: {message}", markup=False)
        elif not self._quiet:
            print(f"warning: {message}", file=sys.stderr, flush=True)  # noqa: T201
