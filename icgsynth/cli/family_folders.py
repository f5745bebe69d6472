"""``icgsynth family DIR``: the families that the files of a folder are members of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import click

from icgsynth.batch.family.folders import prove_families, read_folder
from icgsynth.batch.family.lifted_text import lifted_report, lifted_values
from icgsynth.batch.family.run import new_worker
from icgsynth.cli.codes import CRASH, DONE, UNKNOWN
from icgsynth.cli.output import OURS, Progress, as_json, write_file
from icgsynth.cli.screen import say
from icgsynth.game.game import PlayRule
from icgsynth.spec.lifted import lifted

__all__ = ["FamilyFolder"]

_WARNINGS = 5  # of all files; icgsynth check has those of one


@dataclass(frozen=True)
class FamilyFolder:
    """All families of a folder."""

    folder: str

    def run(
        self,
        rules: Sequence[PlayRule],
        seconds: float,
        is_json: bool,
        output: str | None,
        quiet: bool,
    ) -> int:
        """Prove, write and print; the exit code."""
        games, unread = read_folder(self.folder)
        if not quiet:
            _warn(list(dict.fromkeys(w for game in games.values() for w in game.warnings)))
        progress = Progress(quiet)
        try:
            with new_worker() as worker:
                families = lifted(games.items())
                found = prove_families(families, rules, seconds, worker, progress)
                results = list(found)
        finally:
            progress.clear()
        text = as_json(lifted_values(results, unread))
        if output:
            write_file(output, text + "\n")
        lines = lifted_report(self.folder, results, unread)
        say(text if is_json else "\n".join(lines), is_json)
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
