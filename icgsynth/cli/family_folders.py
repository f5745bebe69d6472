"""``icgsynth family DIR``: the families that the files of a folder are members of."""

from __future__ import annotations

from collections.abc import Sequence

import click

from icgsynth.batch.family.folders import prove_families, read_folder
from icgsynth.batch.family.lifted_text import lifted_report, lifted_values
from icgsynth.batch.family.run import new_worker
from icgsynth.budget import Budget
from icgsynth.cli.codes import CRASH, DONE, UNKNOWN
from icgsynth.cli.output import OURS, Progress, deliver, watchdog
from icgsynth.game.game import PlayRule
from icgsynth.spec.lifted import lifted

__all__ = ["family_folder"]

_FAMILY = 10.0  # seconds for each family, where no time is given
_WARNINGS = 5  # of all files; icgsynth check has those of one


def family_folder(
    folder: str,
    rules: Sequence[PlayRule],
    seconds: float | None,
    is_json: bool,
    output: str | None,
    quiet: bool,
) -> int:
    """All families of a folder, within ``seconds`` for each rule or the usual; the exit code."""
    games, unread = read_folder(folder)
    if not quiet:
        _warn(list(dict.fromkeys(w for game in games.values() for w in game.warnings)))
    progress = Progress(quiet)
    try:
        families = lifted(games.items())
        count = max(1, sum(bool(family.constants) for family in families)) * len(rules)
        whole = count * _FAMILY if seconds is None else seconds * len(rules)
        with new_worker() as worker, watchdog(whole):
            worker.until = Budget(whole)
            results = list(prove_families(families, rules, whole / count, worker, progress))
    finally:
        progress.clear()
    lines = lifted_report(folder, results, unread)
    deliver(lifted_values(results, unread), "\n".join(lines), is_json, output)
    crashes = [crash for result in results for crash in result.crashes]
    if crashes:
        click.echo(f"icgsynth: internal error: {crashes[0]}\n  {OURS}", err=True)
        return CRASH
    proved = [bool(result.theorems) for result in results if result.family.constants]
    return DONE if proved and all(proved) else UNKNOWN


def _warn(warnings: Sequence[str]) -> None:
    for warning in warnings[:_WARNINGS]:
        click.echo(f"warning: {warning}", err=True)
    if len(warnings) > _WARNINGS:
        click.echo(f"warning: and {len(warnings) - _WARNINGS:,} more", err=True)
